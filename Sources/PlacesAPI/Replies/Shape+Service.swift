import PlacesKit

// Replies about the daemon, its providers, its cache and its accounts.
extension Shape {
  static let choice = Shape.record(
    Record(
      "Choice", "A place that the user chose for a text.",
      [
        .required("id", .string, "The place's id."), .required("text", .string, "The first letters of the text, folded."),
        .required("weight", .number, "The sum over the choices: each counts 1 at first, and half as much after every thirty days."),
        .required("at", .time, "When it was chosen last."),
      ]))

  static let empty = Shape.record(Record("Nothing", "An object without members.", []))

  static let limits = Shape.record(
    Record(
      "Limits", "The limits of a connection.",
      [
        .required("requestBytes", .integer, "Largest request, in bytes."), .required("replyBytes", .integer, "Largest reply, in bytes."),
        .required("depth", .integer, "Deepest nesting of a request."),
        .required("batch", .integer, "Largest number of requests in a batch."),
        .required("inFlight", .integer, "Largest number of requests in flight."),
        .required("unreadBytes", .integer, "Largest number of unread reply bytes."),
      ]))

  static let defaults = Shape.record(
    Record(
      "Defaults", "The values of parameters that a request omits.",
      [
        .required("limit", .integer, "The number of rows of an autocomplete."),
        .required("deadlineMs", .integer, "The deadline, in milliseconds."),
        .optional("language", .string, "The language, as a BCP 47 tag."), .optional("region", .string, "The region, as a CLDR code."),
        .optional("bias", area, "The area whose places are ranked higher."),
      ]))

  static let providerStatus = Shape.record(
    Record(
      "Provider", "The status of a configured provider.",
      [
        .required("id", .string, "The provider's id in the configuration."), .required("name", .string, "The display name."),
        .required("plugin", .string, "The name of its plugin."), .required("version", .string, "The plugin's version."),
        .required("state", .word(ProviderStatus.State.self), "The state; only a ready provider is queried."),
        .optional("reason", .string, "Why it is not ready, as a sentence."), .optional("cause", .string, "The same as a code."),
        .optional("until", .time, "When that state ends by itself."),
        .optional("isolation", .string, "How the plugin runs: process or in-process."),
        .optional("origins", .list(.string), "The origins that its requests may go to, as configured, such as https://photon.komoot.io."),
        .required("leavesMachine", .boolean, "True if queries leave this machine."),
        .optional("isFree", .boolean, "True if none of its calls costs money; absent if that is not known."),
        .required("calls", .list(.word(Call.self)), "The calls that it supports."),
        .required(
          "counters",
          .record(
            Record(
              "Counters", "Calls since the daemon's start.",
              [
                .required(
                  "sent", .integer,
                  "Calls that were attempted and have ended, also if the connection failed: the sum of succeeded, failed, timedOut and abandoned."
                ),
                .required("succeeded", .integer, "Calls that were answered, with or without rows."),
                .required("failed", .integer, "Calls that ended with an error of the provider or of its service."),
                .required("timedOut", .integer, "Calls that were not answered in time."),
                .optional(
                  "abandoned", .integer,
                  "Calls that ended without an answer, because no client waited for it or the budget allowed no further request."),
                .required("saved", .integer, "Calls that were not needed, because the cache or another call had the answer."),
                .optional("dropped", .integer, "Rows that were dropped because they had no id."),
                .optional(
                  "medianMs", .number,
                  "Median latency of the latest calls; for a provider on this machine, rounded up to 10, 100, 1000 and so on unless an administrator asks."
                ),
                .optional("p99Ms", .number, "99th percentile of the latency of the latest calls, rounded like medianMs."),
              ])), "Statistics of its calls."),
      ]))

  static let providerChange = Shape.record(
    Record("Change", "A provider after a change.", [.required("provider", providerStatus, "The new status of the provider.")]))

  static let cacheShare = Shape.record(
    Record(
      "CacheShare", "Cache statistics of one provider.",
      [
        .required("provider", .string, "The provider's id."), .required("answers", .integer, "The number of cached answers."),
        .required("places", .integer, "The number of cached places."),
        .required("choices", .integer, "The number of learned choices: which place was chosen for a typed text."),
        .required("bytes", .integer, "The size of the answers and places, in bytes."),
        .required("hits", .integer, "The number of cache hits since the daemon's start, without hits of whole replies."),
        .required("misses", .integer, "The number of cache misses."),
        .optional("configured", .boolean, "False if the provider is no longer configured."),
      ]))

  static let cacheRemoval = Shape.record(
    Record(
      "Removal", "The numbers of removed entries.",
      [
        .required("answers", .integer, "The number of removed answers."), .required("places", .integer, "The number of removed places."),
        .required("choices", .integer, "The number of removed choices."),
      ]))

  static let cacheEntry = Shape.record(
    Record(
      "CacheEntry", "A cached answer.",
      [
        .required("provider", .string, "The id of the provider."), .required("call", .word(Call.self), "The call that it answers."),
        .required("key", .string, "The request, in canonical form."),
        .optional("user", .integer, "The id of the only user who may receive it; absent for all users."),
        .required("rows", .integer, "The number of rows."), .required("bytes", .integer, "Its size, in bytes."),
        .required("storedAt", .time, "When it was stored."), .optional("expiresAt", .time, "When it expires; absent for never."),
      ]))

  static let account = Shape.record(
    Record(
      "Account", "What one provider cost.",
      [
        .required("provider", .string, "The provider's id."),
        .required("currency", .string, "The currency, as an ISO 4217 code; XXX if it is not known because the provider is not running."),
        .optional(
          "userShare", .number,
          "The share of the configured limits that one user may use, and that the limits below are; absent if it is the whole limit."),
        .required("day", window, "Today."), .required("month", window, "This calendar month."),
        .required("savedByCache", amount, "What cached answers saved."), .required("savedBySessions", amount, "What sessions saved."),
        .required("savedByCoalescing", amount, "What calls shared by several requests saved."),
        .optional("uncounted", .boolean, "True if calls are not counted because they are free and unlimited."),
        .optional("needsConfirmation", .string, "Why paid calls wait for budget.confirm."),
        .optional("unavailable", .string, "Why paid calls are disabled until the ledger can be read and written again."),
      ]))

  private static let amount = Shape.record(
    Record(
      "Amount", "A number of calls and their cost.",
      [
        .required("calls", .integer, "The number of calls."),
        .required("micros", .integer, "The cost, in millionths of the currency unit."),
      ]))

  private static let window = Shape.record(
    Record(
      "Window", "One day or month.",
      [
        .required("spent", amount, "What was spent."),
        .required("reserved", amount, "What is reserved for calls in progress; it counts as spent after a crash."),
        .optional("callLimit", .integer, "The maximum number of calls."),
        .optional("microsLimit", .integer, "The maximum amount, in millionths of the currency unit."),
        .required("endsAt", .time, "The end of the window."),
      ]))

  static let typeEntry = Shape.record(
    Record(
      "Type", "A type of the type table.",
      [
        .required("type", .string, "The name of the type in requests and rows."),
        .required("group", .word(TypeGroup.self), "The group of the type."),
        .required("providers", .keyed(by: "provider's id", .list(.string)), "Each provider's own names for the type."),
      ]))
}
