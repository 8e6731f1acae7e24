// Shows administrators the state of the daemon's providers, as `placesctl status` does, and the latest warnings of the daemon's log.
const note = document.querySelector("#note");
const list = document.querySelector("#providers");
const log = document.querySelector("#log");
/** The median latencies at the latest refreshes, by provider. */
const medians = new Map();
/** Seconds between two refreshes. */
const refreshSeconds = 5;

function element(name, text = "", attributes = {}) {
  const node = document.createElement(name);
  if (text) node.textContent = text;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

/** A line through the latest medians. The numbers are beside it as text, so it is hidden from screen readers. */
function sparkline(values) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 120 24", width: 120, height: 24, "aria-hidden": "true" })) picture.setAttribute(key, value);
  const maximum = Math.max(...values, 1);
  const line = document.createElementNS(space, "polyline");
  line.setAttribute("points", values.map((value, index) => `${(index * 120) / Math.max(1, values.length - 1)},${23 - (22 * value) / maximum}`).join(" "));
  line.setAttribute("fill", "none");
  line.setAttribute("stroke", "currentColor");
  picture.append(line);
  return picture;
}

/** A line about a budget of one period, and a bar if the budget has a limit; empty if there is nothing to show. */
function budgetLines(name, period, currency) {
  const used = { calls: period.spent.calls + period.reserved.calls, micros: period.spent.micros + period.reserved.micros };
  const limit = period.microsLimit ?? period.callLimit;
  if (!limit && !used.calls) return [];
  const isMoney = period.microsLimit !== undefined;
  let shown = `${used.calls} calls`;
  if (isMoney) shown = `${(used.micros / 1e6).toFixed(2)} of ${(limit / 1e6).toFixed(2)} ${currency ?? ""}`;
  else if (limit) shown = `${used.calls} of ${limit} calls`;
  const row = element("p", `${name}: ${shown} `);
  if (limit) row.append(element("progress", "", { max: limit, value: Math.min(limit, isMoney ? used.micros : used.calls), "aria-label": `${name}'s budget` }));
  return [row];
}

/** The section about a provider. `budget` and `cache` are its entries in the replies of budget.get and cache.stats; undefined if absent. */
function card(provider, budget, cache) {
  const section = element("section", "", { "aria-label": provider.name });
  const head = element("h2", `${provider.name} `);
  head.append(element("span", provider.state.replaceAll("_", " "), { class: `state ${provider.state}` }));
  section.append(head);
  if (provider.reason) section.append(element("p", provider.reason + (provider.until ? ` (until ${new Date(provider.until).toLocaleTimeString()})` : "")));
  const { sent, succeeded, failed, timedOut, abandoned, saved, medianMs, p99Ms } = provider.counters;
  section.append(element("p", `${sent} calls: ${succeeded} succeeded, ${failed} failed, ${timedOut} timed out${abandoned ? `, ${abandoned} abandoned` : ""}; ${saved} saved`));
  if (sent) section.append(element("progress", "", { max: sent, value: succeeded, "aria-label": "Share of calls that succeeded" }));
  if (medianMs !== undefined) {
    const row = element("p", `Median ${medianMs} ms, 99 % within ${p99Ms} ms `);
    row.append(sparkline(medians.get(provider.id)));
    section.append(row);
  }
  if (cache) section.append(element("p", `Cache: ${cache.answers} answers, ${(cache.bytes / 1024).toFixed(0)} kB, ${cache.hits} hits, ${cache.misses} misses`));
  if (budget && !budget.uncounted) {
    section.append(...budgetLines("Today", budget.day, budget.currency), ...budgetLines("This month", budget.month, budget.currency));
  }
  return section;
}

async function refresh() {
  try {
    const response = await fetch("/status/data", { headers: { Accept: "application/json" } });
    if (!response.headers.get("Content-Type")?.startsWith("application/json")) throw new Error(`${response.status}: ${(await response.text()).trim()}`);
    const data = await response.json();
    if (data.error) throw new Error(data.error);
    const { providers } = data.providers;
    for (const { id, counters } of providers) {
      medians.set(id, [...(medians.get(id) ?? []), counters.medianMs ?? 0].slice(-60));
    }
    const entry = (reply, id) => reply.providers.find((row) => row.provider === id);
    list.replaceChildren(...providers.map((provider) => card(provider, entry(data.budget, provider.id), entry(data.cache, provider.id))));
    // Lines are dated, and begin with their level (sd-daemon(3)): 3 is an error, 4 a warning.
    const faults = data.log.lines.filter((line) => /^\S+ <[0-4]>/.test(line)).slice(-20).reverse();
    log.replaceChildren(...faults.map((line) => element("li", line.replace(/ <[0-4]>/, " "))));
    if (!faults.length) log.append(element("li", "None."));
    note.textContent = "";
  } catch (error) {
    note.textContent = error.message;
  }
  setTimeout(() => {
    // A hidden page is refreshed when it becomes visible.
    if (document.hidden) document.addEventListener("visibilitychange", refresh, { once: true });
    else refresh();
  }, refreshSeconds * 1000);
}

refresh();
