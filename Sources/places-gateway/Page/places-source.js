// Fetches the rows of a list of places. While text is typed, it queries the gateway, and drops answers to earlier texts. It keeps a session
// until a row is chosen. Any list can use it; <places-search> does.

/** The error of a failed call. `name` is the daemon's name for it, such as "quota_exceeded". */
export class PlacesError extends Error {
  constructor(name, message) {
    super(message);
    this.name = name;
  }
}

/** Dispatches an event `state` whenever the property `state` changes. It has the newest text and the rows for it that are known so far. */
export class PlacesSource extends EventTarget {
  /** The id of the latest request. */
  #requestID = 0;
  /** The number of the newest text; answers for earlier texts are dropped. */
  #textNumber = 0;
  /** The timer that sends the request after the pause. */
  #timer = 0;
  /** The AbortController of the request in progress. */
  #request = null;
  /** The session's id; empty if no session is open. */
  #session = "";
  /** The number of the latest request in the session. */
  #sequence = 0;
  /** The time of that request, in seconds. */
  #lastUse = 0;

  /** Seconds without use after which the daemon forgets a session. */
  static idle = 180;
  /** The maximum length of an answer, in UTF-16 units; longer answers are errors. */
  static longest = 32 * 2 ** 20;

  /**
   * @param {object} options
   * @param {string} options.src - The URL of the gateway's /v1/rpc.
   * @param {number} options.pause - Milliseconds to wait for the next keystroke.
   * @param {object} options.params - Parameters of places.autocomplete, such as limit, language, bias, types.
   */
  constructor({ src = "/v1/rpc", pause = 20, params = {} } = {}) {
    super();
    this.src = src;
    this.pause = pause;
    this.params = params;
    this.state = PlacesSource.#emptyState("");
  }

  /** A state without rows. `activity` is "idle", "waiting" (for the next keystroke), "asking" (for an answer) or "failed". */
  static #emptyState(text) {
    return { text, rows: [], attributions: [], providers: [], activity: "idle", error: null };
  }

  /** Must be called when the field's text has changed. */
  type(text) {
    text = text.trim();
    this.#cancel();
    const number = ++this.#textNumber;
    if (!text) return this.#setState(PlacesSource.#emptyState(""));
    // The old rows stay until there are new ones, so that the list does not flicker.
    this.#setState({ ...this.state, text, activity: "waiting", error: null });
    this.#timer = setTimeout(() => this.#ask(text, number), this.pause);
  }

  /** Sends the request again after a failure. */
  retry() {
    if (this.state.error) this.type(this.state.text);
  }

  /** Reports the chosen row, and ends the session. */
  async select(row) {
    const session = this.#endSession();
    if (session && row.id) await this.call("places.select", { session, id: row.id });
  }

  /** The details of a row's place; ends the session, so that a service that bills by session bills it once. */
  async details(row, fields) {
    const session = this.#endSession();
    return (await this.call("places.details", { id: row.id, fields, ...this.#language(), ...(session ? { session } : {}) })).place;
  }

  /** The places at a point. `more` contains further parameters of places.reverse. */
  async reverse(latitude, longitude, fields, more = {}) {
    return this.call("places.reverse", { location: { latitude, longitude }, limit: 1, fields, ...this.#language(), ...more });
  }

  /** Calls a method of the daemon. `partial` gets the params of partial answers, if `stream` is true in the params. */
  async call(method, params = {}, { signal, partial } = {}) {
    const id = ++this.#requestID;
    let response;
    try {
      response = await fetch(this.src, {
        method: "POST", signal, headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
      });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new PlacesError("unreachable", "The gateway does not answer.");
    }
    const type = response.headers.get("Content-Type") ?? "";
    // If the gateway itself refuses the request, for example of a page of another origin, the body is a sentence.
    const isRefusal = !response.ok && type.startsWith("text/plain");
    let reply;
    try {
      if (isRefusal) reply = await PlacesSource.#text(response);
      else if (type.startsWith("text/event-stream")) reply = await PlacesSource.#events(response, partial);
      else reply = JSON.parse(await PlacesSource.#text(response));
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw PlacesSource.#unreadable();
    }
    if (isRefusal) throw new PlacesError("refused", reply.trim() || "The gateway refuses the request.");
    if (reply === null) throw new PlacesError("unreadable", "The answer ended too early.");
    const { error, result } = reply;
    const textOr = (value, standard) => (typeof value === "string" && value ? value : standard);
    if (error) throw new PlacesError(textOr(error.data?.name, "error"), textOr(error.message, "The daemon reports an error."));
    if (result === null || typeof result !== "object") throw PlacesSource.#unreadable();
    return result;
  }

  static #unreadable() {
    return new PlacesError("unreadable", "The gateway's answer cannot be read.");
  }

  /** Reads the text of a response. */
  static async #text(response) {
    const parts = [];
    await PlacesSource.#read(response, (part) => parts.push(part));
    return parts.join("");
  }

  /** Passes the text of a response to `take` in parts, until the text ends or `take` returns true. */
  static async #read(response, take) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let size = 0;
    try {
      for (;;) {
        const { value = "", done } = await reader.read();
        size += value.length;
        if (size > PlacesSource.longest) throw PlacesSource.#unreadable();
        if (done || take(value) === true) return;
      }
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** Reads server-sent events (html.spec.whatwg.org/#event-stream-interpretation). Returns the reply, or null if there is none. */
  static async #events(response, partial) {
    // The parts of the line that is being read.
    let line = [];
    let data = [];
    let type = "";
    let endsInCR = false;
    let reply = null;
    const readField = (wholeLine) => {
      const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(wholeLine);
      if (name === "event") type = value;
      else if (name === "data") data.push(value);
    };
    const dispatch = () => {
      if (type === "partial" && data.length) partial?.(JSON.parse(data.join("\n")));
      else if (type === "reply" && data.length) reply = JSON.parse(data.join("\n"));
      [data, type] = [[], ""];
    };
    await PlacesSource.#read(response, (part) => {
      // If the previous part ends with CR, an LF at the beginning of this part belongs to the same line break.
      const text = endsInCR && part.startsWith("\n") ? part.slice(1) : part;
      if (part) endsInCR = part.endsWith("\r");
      const [restOfLine, ...nextLines] = text.split(/\r\n|\r|\n/);
      line.push(restOfLine);
      for (const next of nextLines) {
        const wholeLine = line.join("");
        if (wholeLine) readField(wholeLine);
        else dispatch();
        line = [next];
      }
      return reply !== null;
    });
    return reply;
  }

  /** True if a text and its matches have the right types. */
  static #isText(value) {
    const { text, matches = [] } = value ?? {};
    return typeof text === "string" && Array.isArray(matches) && matches.every((match) => match && typeof match === "object");
  }

  /** True if a row's members have the types that a list needs to show it. */
  static #isRow({ text, primary = text, secondary = text, types = [], sources = [], alternatives = [], attributions = [] }) {
    return [text, primary, secondary].every(PlacesSource.#isText) && Array.isArray(types) && types.every((type) => typeof type === "string")
      && [sources, alternatives, attributions].every(PlacesSource.#isList)
      && alternatives.every(PlacesSource.#isRow);
  }

  /** True for a list of objects. */
  static #isList(value) {
    return Array.isArray(value) && value.every((item) => item && typeof item === "object");
  }

  /** Sends the request for a text, and shows its answers as long as the text is the newest. Begins a session if none is open. */
  async #ask(text, number) {
    const now = performance.now() / 1000;
    if (!this.#session || now - this.#lastUse > PlacesSource.idle) {
      // The id is a random UUID (RFC 9562, version 4). crypto.randomUUID needs a secure context, which a gateway in a local network lacks.
      const bytes = crypto.getRandomValues(new Uint8Array(16));
      const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      this.#session = [hex.slice(0, 8), hex.slice(8, 12), "4" + hex.slice(13, 16), "8" + hex.slice(17, 20), hex.slice(20)].join("-");
      this.#sequence = 0;
    }
    this.#lastUse = now;
    const request = new AbortController();
    this.#request = request;
    this.#setState({ ...this.state, activity: "asking" });
    const params = { ...this.params, query: text, session: this.#session, seq: ++this.#sequence, stream: true };
    const isNewest = () => number === this.#textNumber;
    const show = (answer, activity) => {
      if (!isNewest()) return;
      const { suggestions = this.state.rows, attributions, providers } = answer;
      if (![suggestions, attributions, providers].every(PlacesSource.#isList) || !suggestions.every(PlacesSource.#isRow)
        || !providers.every((report) => typeof report.outcome === "string")) {
        throw PlacesSource.#unreadable();
      }
      this.#setState({ text, rows: suggestions, attributions, providers, activity, error: null });
    };
    try {
      show(await this.call("places.autocomplete", params, { signal: request.signal, partial: (answer) => show(answer, "asking") }), "idle");
    } catch (error) {
      if (isNewest() && error.name !== "AbortError") this.#setState({ ...PlacesSource.#emptyState(text), activity: "failed", error });
    }
  }

  /** The parameter `language`, if it is set. */
  #language() {
    return this.params.language ? { language: this.params.language } : {};
  }

  /** Cancels the request in progress, or the timer of the next one. */
  #cancel() {
    clearTimeout(this.#timer);
    // The gateway cancels the daemon's request when the connection closes.
    this.#request?.abort();
    this.#request = null;
  }

  /** Ends the session, and drops all answers that are still to come. Returns the session's id; empty if no session was open. */
  #endSession() {
    this.#cancel();
    this.#textNumber++;
    const session = this.#session;
    this.#session = "";
    return session;
  }

  #setState(state) {
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }
}

/** Splits a text into parts that match and parts that do not. Ranges count code points, but JavaScript counts UTF-16 units. */
export function marked({ text, matches }) {
  const points = Array.from(text);
  const parts = [];
  let end = 0;
  for (const match of matches ?? []) {
    if (match.start > end) parts.push({ text: points.slice(end, match.start).join(""), isMatch: false });
    parts.push({ text: points.slice(match.start, match.end).join(""), isMatch: true });
    end = match.end;
  }
  if (end < points.length) parts.push({ text: points.slice(end).join(""), isMatch: false });
  return parts;
}
