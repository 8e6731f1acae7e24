// <places-search>: a field that completes the names of places. One module, no framework.
//
//   <script type="module" src="http://localhost:2325/places-search.js"></script>
//   <places-search name="place" lang="de" limit="6"></places-search>
//
// Attributes: src, lang, bias ("latitude,longitude,radius in metres"), types, limit, placeholder, value, name, presentation ("fullscreen").
// Events: place-input (detail: text), place-select (detail: row). The form's value is the chosen place's id.
// Style: --places-background, --places-text, --places-muted, --places-highlight, --places-border, --places-row-height; parts: field, input,
// clear, list, row, primary, secondary, mark, credits, status, sources.

import { PlacesSource, marked } from "./places-source.js";

// Common words for types whose names are technical terms.
const kinds = {
  locality: "town", postal_town: "town", sublocality: "district", administrative_area_level_1: "region", administrative_area_level_2: "county",
  administrative_area_level_3: "municipality", route: "street", street_address: "address", premise: "building",
};

/** The kind of a place in common words, by its first type; undefined if it has no types. */
export function kind(types) {
  return kinds[types?.[0]] ?? types?.[0]?.replaceAll("_", " ");
}

const style = `
  :host { display: block; position: relative; color-scheme: light dark; font: inherit;
    --own-bg: var(--places-background, Canvas); --own-fg: var(--places-text, CanvasText); --own-line: var(--places-border, color-mix(in srgb, CanvasText 45%, Canvas));
    --own-dim: var(--places-muted, color-mix(in srgb, CanvasText 72%, Canvas)); --own-hit: var(--places-highlight, color-mix(in srgb, Highlight 22%, Canvas)); }
  * { box-sizing: border-box; }
  .field { display: flex; align-items: center; background: var(--own-bg); color: var(--own-fg); border: 1px solid var(--own-line); border-radius: .5rem; }
  .field:focus-within { outline: 2px solid Highlight; outline-offset: 1px; }
  input { flex: 1; min-width: 0; min-height: 2.75rem; padding-inline: .75rem; border: 0; background: none; color: inherit; font: inherit; outline: 0; }
  button { min-width: 2.75rem; min-height: 2.75rem; border: 0; background: none; color: var(--own-dim); font: inherit; cursor: pointer; border-radius: .5rem; }
  button:focus-visible { outline: 2px solid Highlight; outline-offset: -2px; }
  .panel { position: absolute; inset-inline: 0; top: calc(100% + .25rem); z-index: 1100; background: var(--own-bg); color: var(--own-fg);
    border: 1px solid var(--own-line); border-radius: .5rem; box-shadow: 0 4px 16px rgb(0 0 0 / .25); overflow: hidden; }
  [role=listbox] { margin: 0; padding: 0; max-height: min(60vh, 30rem); overflow-y: auto; }
  [role=option] { min-height: var(--places-row-height, 2.75rem); padding: .4rem .75rem; cursor: pointer; display: flex; align-items: center; column-gap: .5rem; }
  .texts { flex: 1; min-width: 0; display: flex; flex-wrap: wrap; align-items: baseline; column-gap: .5rem; }
  [role=option][aria-selected=true] { background: var(--own-hit); box-shadow: inset 3px 0 0 Highlight; }
  .primary { overflow-wrap: anywhere; } .secondary, .type { color: var(--own-dim); font-size: .875em; } .type { flex: none; }
  mark { background: none; color: inherit; font-weight: 700; }
  .note, .credits { padding: .4rem .75rem; color: var(--own-dim); font-size: .8125em; }
  .credits { border-top: 1px solid var(--own-line); } .credits a { color: inherit; }
  .more { border-top: 1px solid var(--own-line); color: var(--own-dim); font-size: .8125em; }
  .more summary { padding: .4rem .75rem; min-height: 2.75rem; align-content: center; cursor: pointer; } .more summary:focus-visible { outline: 2px solid Highlight; outline-offset: -2px; }
  .more ul { margin: 0; padding: 0 .75rem .4rem 1.75rem; max-height: 30vh; overflow-y: auto; overflow-wrap: anywhere; } .more button, .note button { text-decoration: underline; text-align: start; }
  .busy { width: 1rem; height: 1rem; margin-inline: .5rem; border: 2px solid var(--own-line); border-top-color: Highlight; border-radius: 50%; animation: turn .8s linear infinite; }
  @keyframes turn { to { rotate: 1turn; } }
  @media (prefers-reduced-motion: reduce) { .busy { animation: none; } }
  @media (forced-colors: active) { [role=option][aria-selected=true] { outline: 2px solid Highlight; outline-offset: -2px; } }
  .announcement { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  :host([presentation=fullscreen]) .whole { position: fixed; inset: 0; z-index: 2000; padding: .5rem; background: var(--own-bg); }
  :host([presentation=fullscreen]) .whole .panel { position: static; margin-top: .5rem; box-shadow: none; }
  :host([presentation=fullscreen]) .whole [role=listbox] { max-height: calc(100vh - 9rem); }
  [hidden] { display: none !important; }
`;

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export class PlacesSearch extends HTMLElement {
  static formAssociated = true;
  static observedAttributes = ["src", "lang", "bias", "types", "limit", "placeholder", "value", "aria-label"];

  #internals = this.attachInternals();
  #active = -1;
  #rows = [];
  #isOpen = false;

  constructor() {
    super();
    this.source = new PlacesSource({ params: { limit: 8 } });
    this.source.addEventListener("state", () => this.#render());
    const root = this.attachShadow({ mode: "open", delegatesFocus: true });
    this.input = element("input", {
      part: "input", role: "combobox", "aria-expanded": "false", "aria-controls": "list", "aria-autocomplete": "list", "aria-label": "Search for a place",
      dir: "auto", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search", type: "text", maxlength: "256",
    });
    this.busy = element("span", { class: "busy", hidden: "", "aria-hidden": "true" });
    this.clearButton = element("button", { type: "button", part: "clear", "aria-label": "Clear the text", hidden: "" }, "✕");
    this.list = element("div", { id: "list", role: "listbox", part: "list", "aria-label": "Places" });
    this.note = element("div", { class: "note", part: "status", hidden: "" });
    this.credits = element("div", { class: "credits", part: "credits", hidden: "" });
    this.sources = element("ul");
    this.more = element("details", { class: "more", part: "sources", hidden: "" }, element("summary", {}, "Sources"), this.sources);
    this.panel = element("div", { class: "panel", hidden: "" }, this.list, this.note, this.credits, this.more);
    this.announcement = element("div", { class: "announcement", role: "status", "aria-live": "polite" });
    const field = element("div", { class: "field", part: "field" }, this.input, this.busy, this.clearButton);
    this.whole = element("div", {}, field, this.panel, this.announcement);
    root.append(element("style", {}, style), this.whole);

    this.input.addEventListener("input", () => this.#handleInput());
    this.input.addEventListener("keydown", (event) => this.#handleKey(event));
    this.input.addEventListener("focus", () => this.#rows.length && this.#open());
    this.addEventListener("focusout", () => this.#close());
    this.clearButton.addEventListener("click", () => this.#clear());
    // A click on the panel does not move the focus from the field, so that the list does not close before the click arrives. Only links and
    // buttons take the focus.
    this.panel.addEventListener("mousedown", (event) => event.target.closest("a, button, summary") || event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.#choose(Number(row.dataset.index));
    });
  }

  attributeChangedCallback(name, _, value) {
    const { params } = this.source;
    switch (name) {
      case "src": this.source.src = value || "/v1/rpc"; break;
      case "lang": value ? (params.language = value) : delete params.language; break;
      case "limit": params.limit = Math.min(50, Math.max(1, Number(value) || 8)); break;
      case "types": value ? (params.types = value.split(/[\s,]+/).filter(Boolean)) : delete params.types; break;
      case "bias": {
        const [latitude, longitude, radius = 50000] = (value ?? "").split(",").map(Number);
        if ([latitude, longitude, radius].every(Number.isFinite) && value) params.bias = { circle: { center: { latitude, longitude }, radius: Math.min(50000, radius) } };
        else delete params.bias;
        break;
      }
      case "placeholder": this.input.placeholder = value ?? ""; break;
      case "aria-label": this.input.setAttribute("aria-label", value || "Search for a place"); break;
      case "value": this.value = value ?? ""; break;
    }
  }

  /** The text of the field. */
  get value() { return this.input.value; }
  set value(text) {
    this.input.value = text;
    this.clearButton.hidden = !text;
  }
  get name() { return this.getAttribute("name"); }
  get form() { return this.#internals.form; }
  formResetCallback() { this.#clear(); }
  formDisabledCallback(isDisabled) { this.input.disabled = isDisabled; }

  /** Sets the text and searches for it, as if a person had typed it. */
  search(text) {
    this.value = text;
    this.input.focus();
    this.#handleInput();
  }

  #handleInput() {
    this.clearButton.hidden = !this.input.value;
    this.#internals.setFormValue("");
    this.#active = -1;
    this.#open();
    this.source.type(this.input.value);
    this.dispatchEvent(new CustomEvent("place-input", { detail: { text: this.input.value }, bubbles: true, composed: true }));
  }

  #clear() {
    this.value = "";
    this.#internals.setFormValue("");
    this.source.type("");
    this.#close();
    this.input.focus();
  }

  // The keyboard of the combobox pattern with manual selection (w3.org/WAI/ARIA/apg/patterns/combobox).
  #handleKey(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const last = this.#rows.length - 1;
    switch (event.key) {
      case "ArrowDown":
        if (!this.#isOpen) this.#open();
        if (!event.altKey) this.#activate(this.#active >= last ? 0 : this.#active + 1);
        break;
      case "ArrowUp":
        if (event.altKey) this.#close();
        else {
          if (!this.#isOpen) this.#open();
          this.#activate(this.#active <= 0 ? last : this.#active - 1);
        }
        break;
      case "Enter":
        if (this.#isOpen && this.#active >= 0) this.#choose(this.#active);
        else if (this.#isOpen && this.source.state.error) this.source.retry();
        else if (this.#isOpen && this.#rows.length && this.source.state.activity === "idle") this.#choose(0);
        else return;
        break;
      case "Escape":
        if (this.#isOpen) this.#close();
        else if (this.input.value) this.#clear();
        else return;
        break;
      default: return;
    }
    event.preventDefault();
  }

  // Marks the row that the keyboard has reached; -1 for none.
  #activate(index) {
    if (!this.#rows.length) index = -1;
    this.#active = index;
    const options = this.list.children;
    for (let other = 0; other < options.length; other++) options[other].setAttribute("aria-selected", String(other === index));
    if (index >= 0) {
      this.input.setAttribute("aria-activedescendant", options[index].id);
      options[index].scrollIntoView({ block: "nearest" });
    } else this.input.removeAttribute("aria-activedescendant");
  }

  #choose(index) { this.#chooseRow(this.#rows[index]); }

  #chooseRow(row) {
    if (!row) return;
    if (row.kind === "query") return this.search(row.text.text);
    this.value = row.text.text;
    this.#internals.setFormValue(row.id);
    this.#close();
    const chosen = new CustomEvent("place-select", { detail: { row, source: this.source }, bubbles: true, composed: true, cancelable: true });
    // A listener that requests the place's details, which ends the session, cancels the event. Otherwise the choice is reported here.
    if (this.dispatchEvent(chosen)) this.source.select(row).catch(() => {});
  }

  #open() {
    this.#isOpen = true;
    this.whole.className = "whole";
    this.#render();
  }

  #close() {
    this.#isOpen = false;
    this.whole.className = "";
    this.#activate(-1);
    this.panel.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  // Shows the source's state: the rows, a note about errors and failed providers, the credits and the sources. Announces the number of rows.
  #render() {
    const { rows, attributions, providers, activity, error, text } = this.source.state;
    const isBusy = activity === "waiting" || activity === "asking";
    this.busy.hidden = !isBusy;
    const active = this.#rows[this.#active]?.row;
    this.#rows = rows;
    this.list.replaceChildren(...rows.map((row, index) => this.#option(row, index)));
    this.#active = active === undefined ? -1 : rows.findIndex((row) => row.row === active);
    this.note.hidden = true;
    // The advice of providers that found nothing, for example to add the town.
    const advice = providers.filter(({ outcome, message }) => outcome === "empty" && message).map(({ provider, message }) => `${provider}: ${message}`);
    if (error) {
      const retryButton = element("button", { type: "button" }, "Try again");
      retryButton.addEventListener("click", () => this.source.retry());
      this.#showNote(error.message, retryButton);
    } else if (!rows.length && activity === "idle" && text) this.#showNote(["Nothing found", ...advice].map((sentence) => sentence.replace(/\.$/, "") + ".").join(" "));
    const failed = providers.filter((report) => !["ok", "empty", "skipped"].includes(report.outcome));
    if (rows.length && failed.length && !isBusy) this.#showNote(failed.map((report) => `${report.provider}: ${report.outcome.replaceAll("_", " ")}`).join(", "));
    const shownRows = rows.flatMap((row) => [row, ...(row.alternatives ?? [])]);
    const allCredits = [...attributions, ...shownRows.flatMap((row) => row.attributions ?? [])];
    // Each credit is shown once.
    const credits = new Map(allCredits.map((credit) => [`${credit.text} ${credit.url}`, credit]));
    this.credits.replaceChildren(...[...credits.values()].flatMap((credit, index) => {
      const isLink = /^https?:\/\//.test(credit.url ?? "");
      const shown = isLink ? element("a", { href: credit.url, target: "_blank", rel: "noopener noreferrer" }, credit.text) : credit.text;
      return index ? [" · ", shown] : [shown];
    }));
    this.credits.hidden = !rows.length || !credits.size;
    this.#fillSources(rows, providers);
    if (!this.#isOpen) return;
    const isShown = rows.length > 0 || !this.note.hidden;
    this.panel.hidden = !isShown;
    this.input.setAttribute("aria-expanded", String(isShown && rows.length > 0));
    this.#activate(this.#active);
    if (!isBusy) {
      let announced = "";
      if (error) announced = error.message;
      else if (text) announced = rows.length ? (rows.length === 1 ? "1 place" : `${rows.length} places`) : ["0 places", ...advice].join(". ");
      if (this.announcement.textContent !== announced) this.announcement.textContent = announced;
    }
  }

  // Fills the list of sources, which the user can unfold: the outcome of each service, the sources of each row, and its alternatives, which
  // are the rows of services whose terms forbid blending them with the row.
  #fillSources(rows, providers) {
    // The list stays as it is while one of its buttons has the focus.
    const isFocused = this.more.contains(this.shadowRoot.activeElement) && this.shadowRoot.activeElement.localName === "button";
    if (isFocused) return;
    const reports = providers.map(({ provider, outcome, count, latencyMs, served }) => {
      const facts = [outcome.replaceAll("_", " ")];
      if (count) facts.push(count);
      if (latencyMs !== undefined) facts.push(`${latencyMs} ms`);
      if (served === "cache") facts.push("stored");
      return element("li", {}, `${provider}: ${facts.join(", ")}`);
    });
    const origins = rows.filter((row) => row.sources?.length).map((row) => {
      const names = (shown) => (shown.sources ?? []).map((source) => source.provider).join(", ");
      const item = element("li", {}, element("bdi", {}, (row.primary ?? row.text).text), `: ${names(row)}`);
      for (const other of row.alternatives ?? []) {
        const choose = element("button", { type: "button" }, element("bdi", {}, other.text.text), ` (${names(other)})`);
        choose.addEventListener("click", () => this.#chooseRow(other));
        item.append(" ", choose);
      }
      return item;
    });
    this.sources.replaceChildren(...reports, ...origins);
    this.more.hidden = !this.sources.children.length;
  }

  // Shows a text below the rows, followed by the given elements.
  #showNote(text, ...elements) {
    this.note.replaceChildren(text, ...elements.flatMap((added) => [" ", added]));
    this.note.hidden = false;
  }

  // Text is never inserted as HTML, because names come from outside and may contain markup.
  #option(row, index) {
    const part = (formatted, name) =>
      element("span", { class: name, part: name, dir: "auto", lang: row.language ?? null }, element("bdi", {}, ...marked(formatted).map(({ text, isMatch }) =>
        isMatch ? element("mark", { part: "mark" }, text) : text)));
    const option = element("div", { id: `row-${index}`, role: "option", part: "row", "aria-selected": "false" });
    option.dataset.index = index;
    const texts = element("span", { class: "texts" }, part(row.primary ?? row.text, "primary"));
    if (row.secondary) texts.append(part(row.secondary, "secondary"));
    option.append(texts);
    const type = row.kind === "query" ? "search" : kind(row.types);
    if (type) option.append(element("span", { class: "type" }, type));
    return option;
  }
}

customElements.define("places-search", PlacesSearch);
