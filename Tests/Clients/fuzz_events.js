// Feeds PlacesSource with event streams, whole and damaged, from a seed; runs in Node and in browsers. Returns what is wrong, as texts.
globalThis.fuzzEvents = async ({ PlacesSource, PlacesError }, rounds) => {
  const wrong = [];
  let seed = 7;
  const dice = (below) => {
    // mulberry32
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  const pick = (list) => list[dice(list.length)];
  const row = { kind: "place", id: "x:1", row: "r1", types: ["locality"], sources: [], text: { text: "Zürich 😀 \u2028 data: {}", matches: [{ start: 0, end: 1 }] } };
  const partial = { request: 1, suggestions: [row], attributions: [{ provider: "x", text: "© X", url: "https://x.example/" }], providers: [], complete: false };
  const reply = { jsonrpc: "2.0", id: 1, result: { ...partial, complete: true } };
  const refusal = { jsonrpc: "2.0", id: 1, error: { code: -32007, message: "Too many.", data: { name: "quota_exceeded" } } };
  const values = [null, true, 0, -1, 1e308, "", "x", [], [null], [1], {}, { toString: 1 }, { text: null }, "\ud800", "y".repeat(3000)];

  const encoder = new TextEncoder();
  const joined = (parts) => {
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  };
  // The forms of a stream that the standard permits.
  const plain = { end: "\n", space: " ", indent: 0, mark: "", noise: false, isDataFirst: false };
  const written = (events, { end, space, indent, mark, noise, isDataFirst }) => encoder.encode(mark + events.map(([name, value]) => {
    const data = JSON.stringify(value, null, indent).split("\n").map((line) => `data:${space}${line}`);
    const lines = isDataFirst ? [...data, `event:${space}${name}`] : [`event:${space}${name}`, ...data];
    if (noise) lines.splice(1, 0, ": a comment", "id: 5", "retry", "other: {}", ":");
    return lines.join(end) + end + end;
  }).join(noise ? `${end}:${end}event: unknown${end}data: {${end}${end}data: without a name${end}${end}` : ""));
  const forms = ["\n", "\r\n", "\r"].flatMap((end) => ["", " "].flatMap((space) => [0, 1].flatMap((indent) =>
    ["", "\ufeff"].flatMap((mark) => [false, true].map((noise) => ({ end, space, indent, mark, noise, isDataFirst: noise }))))));
  const cut = (bytes, places) => [...places, bytes.length].map((place, index) => bytes.subarray(index ? places[index - 1] : 0, place));

  let isCancelled = false;
  let answer = null;
  const real = globalThis.fetch;
  globalThis.fetch = async () => {
    const chunks = answer.chunks[Symbol.iterator]();
    return new Response(new ReadableStream({
      pull(controller) {
        const { value, done } = chunks.next();
        if (!done) controller.enqueue(value);
        else if (answer.breaks) controller.error(new TypeError("network error"));
        else if (!answer.stalls) controller.close();
      },
      cancel() { isCancelled = true; },
    }), { status: answer.status ?? 200, headers: { "Content-Type": answer.type ?? "text/event-stream; charset=utf-8" } });
  };
  const inTime = (promise) => {
    let timer;
    return Promise.race([promise, new Promise((_, reject) => { timer = setTimeout(() => reject(new Error("no answer within 10 s")), 10000); })])
      .finally(() => clearTimeout(timer));
  };
  const called = async (chunks, type, more = {}) => {
    const partials = [];
    answer = { chunks, type, ...more };
    try {
      return { partials, result: await inTime(new PlacesSource().call("x", { stream: true }, { partial: (one) => partials.push(one) })) };
    } catch (error) {
      return { partials, error };
    }
  };
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const expect = (isTrue, text) => isTrue || wrong.length >= 10 || wrong.push(text);
  const isOwn = (error) => error instanceof PlacesError && typeof error.name === "string" && typeof error.message === "string" && error.message !== "";

  const damaged = () => {
    const events = structuredClone(pick([[["partial", partial], ["reply", reply]], [["reply", reply]], [["partial", partial], ["reply", refusal]], [["partial", partial]]]));
    while (dice(5) < 2) {
      let holder = pick(events);
      let key = 1;
      while (holder[key] && typeof holder[key] === "object" && Object.keys(holder[key]).length && dice(4)) {
        holder = holder[key];
        key = pick(Object.keys(holder));
      }
      holder[key] = structuredClone(pick(values));
    }
    let bytes = written(events, pick(forms));
    for (let count = pick([0, 0, 1, 3]); count > 0; count--) {
      const at = dice(bytes.length + 1);
      const insert = pick([[], [0], [10], [13], [13, 10], [10, 10], [0xff], [0xc3], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf], encoder.encode("\ndata: null\n\n"),
        encoder.encode("data: {}\n\nevent: reply\n\n"), encoder.encode("[".repeat(20000)), [dice(256)]]);
      bytes = joined([bytes.subarray(0, at), Uint8Array.from(insert), bytes.subarray(at + pick([0, 0, 1, 20]))]);
    }
    return cut(bytes, Array.from({ length: dice(6) }, () => dice(bytes.length + 1)).sort((a, b) => a - b));
  };

  try {
    const events = [["partial", partial], ["partial", { ...partial, suggestions: [] }], ["reply", reply]];
    const isWhole = ({ partials, result }) => same(partials, [events[0][1], events[1][1]]) && same(result, reply.result);
    for (const form of forms) {
      const bytes = written(events, form);
      expect(isWhole(await called([bytes])), `one piece, ${JSON.stringify(form)}`);
      expect(isWhole(await called(Array.from(bytes, (byte) => Uint8Array.of(byte)))), `single bytes, ${JSON.stringify(form)}`);
    }
    for (const form of [plain, { ...plain, end: "\r\n" }, { ...plain, end: "\r" }]) {
      const bytes = written([["partial", partial], ["reply", reply]], form);
      for (let at = 0; at <= bytes.length; at++) {
        expect(same((await called(cut(bytes, [at]))).result, reply.result), `cut at ${at}, ${JSON.stringify(form)}`);
        const { result, error } = await called([bytes.subarray(0, at)]);
        // Without the last line's end, the event is not complete; a CR alone ends a line.
        if (at < bytes.length - (form.end === "\r\n" ? 1 : 0)) expect(!result && isOwn(error), `ended at ${at}, ${JSON.stringify(form)}`);
      }
    }

    // The reply is the last event: the end of the stream need not arrive.
    for (const form of [plain, { ...plain, end: "\r" }]) {
      expect(same((await called([written([["reply", reply]], form)], undefined, { stalls: true })).result, reply.result), `stalled after ${JSON.stringify(form)}`);
    }
    for (const [words, breaks, name] of [["no", false, "refused"], ["", false, "refused"], ["no", true, "unreadable"]]) {
      const { error } = await called([encoder.encode(words)], "text/plain", { status: 403, breaks });
      expect(isOwn(error) && error.name === name, `refusal "${words}", ${name}`);
    }
    for (const result of [null, 1, "x", true]) {
      for (const type of ["application/json", undefined]) {
        const value = { ...reply, result };
        const { error } = await called([type ? encoder.encode(JSON.stringify(value)) : written([["reply", value]], plain)], type);
        expect(isOwn(error), `result ${result}`);
      }
    }
    const shownOnce = async (suggestions, providers = []) => {
      answer = { chunks: [written([["reply", { ...reply, result: { ...reply.result, suggestions, providers } }]], plain)] };
      const source = new PlacesSource({ pause: 0 });
      const ended = new Promise((resolve) => source.addEventListener("state", () => ["idle", "failed"].includes(source.state.activity) && resolve()));
      source.type("x");
      await inTime(ended);
      return source.state;
    };
    expect((await shownOnce([row])).rows.length === 1, "a row is shown");
    for (const bad of [{}, { text: null }, { text: { text: null } }, { text: row.text, primary: {} }, { text: { text: "x", matches: [null] } },
      { ...row, alternatives: [{}] }, { ...row, sources: [1] }, { ...row, types: [1] }, { ...row, types: {} }]) {
      const { rows, error } = await shownOnce([row, bad]);
      expect(rows.length === 0 && isOwn(error), `row ${JSON.stringify(bad)}`);
    }
    for (const outcome of [undefined, null, 1]) {
      const { rows, error } = await shownOnce([row], [{ provider: "x", outcome }]);
      expect(rows.length === 0 && isOwn(error), `outcome ${outcome}`);
    }

    // Fields, lines, events and texts without end
    const longest = PlacesSource.longest;
    PlacesSource.longest = 100_000;
    const cancelled = async () => {
      for (let count = 0; count < 100 && !isCancelled; count++) await new Promise((resolve) => setTimeout(resolve, 10));
      return isCancelled;
    };
    for (const [text, type] of [["data: " + "x".repeat(5000)], ["x".repeat(5000)], ["data: xxxx\n".repeat(500)], [": a comment\r\n".repeat(500)],
      ["data: x\n\n".repeat(500)], [" ".repeat(5000), "application/json"]]) {
      const endless = (function* () { for (let count = 0; count < 100; count++) yield encoder.encode(text); })();
      isCancelled = false;
      const { error } = await called(endless, type);
      expect(isOwn(error) && error.name === "unreadable" && (await cancelled()), `without end: ${text.slice(0, 20)}`);
    }
    PlacesSource.longest = longest;

    for (let round = 0; round < rounds; round++) {
      const chunks = damaged();
      const shown = JSON.stringify(new TextDecoder().decode(joined(chunks))).slice(0, 300);
      const type = pick([undefined, undefined, undefined, "application/json"]);
      const { result, error } = await called(chunks, type);
      expect(error ? isOwn(error) : result !== undefined, `${error} of ${shown}`);
      // As a list of places uses it
      const source = new PlacesSource({ pause: 0 });
      const ended = new Promise((resolve) => source.addEventListener("state", () => {
        const { rows, attributions, providers, activity, error } = source.state;
        expect([rows, attributions, providers].every((list) => Array.isArray(list) && list.every((one) => one && typeof one === "object")), `lists of ${shown}`);
        expect(error === null || isOwn(error), `state: ${error} of ${shown}`);
        if (["idle", "failed"].includes(activity)) resolve();
      }));
      source.type("x");
      await inTime(ended).catch((error) => expect(false, `${error.message} of ${shown}`));
    }
  } finally {
    globalThis.fetch = real;
  }
  return wrong;
};
