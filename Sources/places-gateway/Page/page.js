// The search page: a map that needs no network, a search field, and a card with the data of the chosen place.
import { kind } from "./places-search.js";

const search = document.querySelector("places-search");
const card = document.querySelector("#place");
const fields = ["name", "formattedAddress", "coordinate", "viewport", "types", "website", "phoneNumber", "openingHours"];
const reducesMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
const dark = matchMedia("(prefers-color-scheme: dark)");

search.setAttribute("lang", navigator.language || "en");

const map = L.map("map", {
  worldCopyJump: true, minZoom: 1, maxZoom: 19, zoomAnimation: !reducesMotion, fadeAnimation: !reducesMotion, markerZoomAnimation: !reducesMotion,
  preferCanvas: true, attributionControl: true, zoomControl: false,
}).setView([25, 10], 2);
map.attributionControl.setPrefix(false);
L.control.zoom({ position: "topright" }).addTo(map);
// The tab order is search, map, controls; the map pans with the arrow keys.
map.getContainer().setAttribute("aria-label", "Map; arrow keys move it, plus and minus zoom");

let marker = null;
/** The ids of the providers whose terms forbid showing their places on this map. */
let forbiddenProviders = new Set();

function colours() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  return { color: value("--border"), fillColor: value("--land"), weight: 1, fillOpacity: 1 };
}

// Adds the administrator's tiles to the map or, without them, the outlines of the countries and the names of towns.
async function drawBase() {
  const settings = await (await fetch("/settings.json")).json();
  if (settings.tilesURL) {
    // Leaflet takes the attribution of tiles as HTML, but the administrator's text is plain text.
    const credit = document.createElement("span");
    credit.textContent = settings.tilesAttribution;
    L.tileLayer(settings.tilesURL, { attribution: credit.innerHTML, maxZoom: 19 }).addTo(map);
    return;
  }
  const base = await (await fetch("/basemap.json")).json();
  const outlines = base.outlines.map((numbers) => {
    const points = [];
    // The first pair is a longitude and a latitude in hundredths of a degree, and each further pair the difference to the previous point.
    let [x, y] = [0, 0];
    for (let index = 0; index < numbers.length; index += 2) {
      x += numbers[index];
      y += numbers[index + 1];
      points.push([y / 100, x / 100]);
    }
    return points;
  });
  const land = L.polygon(outlines.map((points) => [points]), { ...colours(), interactive: false, attribution: "Natural Earth" }).addTo(map);
  dark.addEventListener("change", () => land.setStyle(colours()));
  map.on("moveend", () => {
    clearTimeout(labelTimer);
    labelTimer = setTimeout(labelTowns, 200);
  });
  labelTowns();
}

const towns = L.layerGroup().addTo(map);
let labelTimer = 0;
/** The number of the latest call of `labelTowns`; the answers to earlier calls are dropped. */
let latestLabelling = 0;

// Writes the names of towns around the centre on the base map, which has no names. The gazetteer is on this machine and costs nothing.
async function labelTowns() {
  const number = ++latestLabelling;
  if (map.getZoom() < 6) return towns.clearLayers();
  const center = map.getCenter().wrap();
  const radius = Math.min(50000, map.distance(center, map.getBounds().getNorthEast()));
  try {
    const parameters = { providers: ["gazetteer"], types: ["(cities)"], radius, limit: 20 };
    const { places } = await search.source.reverse(center.lat, center.lng, ["name", "coordinate"], parameters);
    if (number !== latestLabelling) return;
    towns.clearLayers();
    const shownNames = [];
    for (const place of places) {
      // A name that would cover another one is omitted. The towns nearest to the centre come first. A name's width in pixels is estimated.
      const { x, y } = map.latLngToContainerPoint([place.coordinate.latitude, place.coordinate.longitude]);
      const width = 16 + 8 * place.name.length;
      if (shownNames.some((shown) => Math.abs(shown.y - y) < 16 && x < shown.x + shown.width && shown.x < x + width)) continue;
      shownNames.push({ x, y, width });
      const name = document.createElement("span");
      name.textContent = place.name;
      const icon = L.divIcon({ className: "town", html: name, iconSize: null });
      L.marker([place.coordinate.latitude, place.coordinate.longitude], { icon, interactive: false, keyboard: false }).addTo(towns);
    }
  } catch {
    // If the request fails, the map has no names.
  }
}

// Whether the terms of all of the place's sources permit showing it on this map.
function mayBeOnMap(place) {
  return (place.sources ?? []).every((source) => !forbiddenProviders.has(source.provider));
}

// Shows the data of a place on the card, and marks the place on the map if that is allowed.
function show(place) {
  const setText = (selector, value) => {
    const element = card.querySelector(selector);
    element.textContent = value ?? "";
    element.hidden = !value;
  };
  setText("h2", place.name ?? place.formattedAddress);
  setText(".address", place.name === place.formattedAddress ? "" : place.formattedAddress);
  const list = card.querySelector("dl");
  list.replaceChildren();
  const add = (name, value) => {
    if (!value) return;
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    // Without isolation, a page that is written from right to left would show a position backwards.
    const isolated = document.createElement("bdi");
    isolated.append(value);
    description.append(isolated);
    list.append(term, description);
  };
  // A link to a URL; only its text if the URL is not one of HTTP.
  const link = (url, text) => {
    if (!/^https?:\/\//.test(url ?? "")) return text ?? url;
    const anchor = document.createElement("a");
    Object.assign(anchor, { href: url, textContent: text ?? url, rel: "noopener noreferrer", target: "_blank" });
    return anchor;
  };
  const point = place.coordinate;
  add("Kind", kind(place.types));
  add("Position", point && `${point.latitude.toFixed(5)}, ${point.longitude.toFixed(5)}`);
  add("Website", place.website && link(place.website));
  add("Telephone", place.phoneNumber);
  add("Hours", place.openingHours?.weekdayText?.join("; ") ?? place.openingHours?.text);
  add("Source", (place.sources ?? []).map((source) => source.provider).join(", "));
  const credits = card.querySelector(".credits");
  credits.replaceChildren();
  (place.attributions ?? []).forEach((credit, index) => credits.append(index ? " · " : "", link(credit.url, credit.text)));
  card.hidden = false;
  marker?.remove();
  marker = null;
  if (!point || !mayBeOnMap(place)) return;
  marker = L.marker([point.latitude, point.longitude], {
    icon: L.divIcon({ className: "marker", iconSize: [16, 16] }), keyboard: false, alt: place.name ?? "",
  }).addTo(map);
}

// Moves the map so that it shows the place.
function moveMap(place) {
  const point = place.coordinate;
  if (!point || !mayBeOnMap(place)) return;
  const box = place.viewport;
  if (box) return map.fitBounds([[box.low.latitude, box.low.longitude], [box.high.latitude, box.high.longitude]], { animate: !reducesMotion });
  const zooms = { country: 4, administrative_area_level_1: 6, administrative_area_level_2: 8, locality: 9, route: 14 };
  map.setView([point.latitude, point.longitude], zooms[place.types?.[0]] ?? 15, { animate: !reducesMotion });
}

// Opens a place. `requestDetails` returns a promise of its data. If `addsToHistory`, the browser can go back to the previous place.
async function openPlace(id, requestDetails, addsToHistory = true) {
  try {
    const place = await requestDetails();
    show(place);
    moveMap(place);
    document.title = `${place.name ?? place.formattedAddress} – Places`;
    if (addsToHistory) history.pushState(null, "", `#id=${encodeURIComponent(id)}`);
  } catch (error) {
    show({ name: "This place could not be opened", formattedAddress: error.message });
  }
}

search.addEventListener("place-select", (event) => {
  const { row, source } = event.detail;
  event.preventDefault();
  // The call for the details ends the session.
  openPlace(row.id, () => source.details(row, fields));
});

map.on("moveend", () => {
  const { lat, lng } = map.getCenter();
  if (map.getZoom() < 7) return search.removeAttribute("bias");
  const radius = map.distance(map.getCenter(), map.getBounds().getNorthEast());
  search.setAttribute("bias", `${lat.toFixed(4)},${L.Util.wrapNum(lng, [-180, 180], true).toFixed(4)},${Math.round(Math.min(radius, 50000))}`);
});

map.on("click", async ({ latlng }) => {
  const { lat, lng } = latlng.wrap();
  try {
    const answer = await search.source.reverse(lat, lng, fields);
    const place = answer.places[0];
    if (!place) return show({ name: "Nothing is known here", formattedAddress: `${lat.toFixed(5)}, ${lng.toFixed(5)}` });
    show(place);
    history.pushState(null, "", `#id=${encodeURIComponent(place.id)}`);
  } catch (error) {
    show({ name: "Nothing could be found out", formattedAddress: error.message });
  }
});

/** Follows the fragment of the page's address: `#id=` opens a place, `#q=` searches for a text. */
function follow() {
  const link = new URLSearchParams(location.hash.slice(1));
  const id = link.get("id");
  if (id) openPlace(id, () => search.source.details({ id }, fields), false);
  else if (link.get("q")) search.search(link.get("q"));
}

addEventListener("popstate", follow);
addEventListener("hashchange", follow);
drawBase();
search.source.call("providers.list").then(({ providers }) => {
  // Google's terms permit showing its places only on Google's maps.
  forbiddenProviders = new Set(providers.filter((provider) => /google/i.test(provider.plugin)).map((provider) => provider.id));
}).catch(() => {}).finally(follow);
search.input.focus();
