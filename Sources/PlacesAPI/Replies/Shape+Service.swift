import PlacesKit

// Replies about the daemon, its providers, its cache and its accounts.
extension Shape {
  static let choice = Shape.record(
    Record(
      "Choice", "A place that the user chose for a text.",
      [
        .always("id", .string, "The place's id."), .always("text", .string, "The first letters of the text, folded."),
        .always("weight", .number, "The sum over the choices: each counts 1 at first, and half as much after every thirty days."),
        .always("at", .time, "When it was chosen last."),
      ]))

  static let empty = Shape.record(Record("Nothing", "An object without members.", []))

  static let limits = Shape.record(
    Record(
      "Limits", "The limits of a connection.",
      [
        .always("requestBytes", .integer, "Largest request, in bytes."), .always("replyBytes", .integer, "Largest reply, in bytes."),
        .always("depth", .integer, "Deepest nesting of a request."), .always("batch", .integer, "Largest number of requests in a batch."),
        .always("inFlight", .integer, "Largest number of requests in flight."),
        .always("unreadBytes", .integer, "Largest number of unread reply bytes."),
      ]))

  static let defaults = Shape.record(
    Record(
      "Defaults", "The values of parameters that a request omits.",
      [
        .always("limit", .integer, "The number of rows of an autocomplete."),
        .always("deadlineMs", .integer, "The deadline, in milliseconds."),
        .maybe("language", .string, "The language, as a BCP 47 tag."), .maybe("region", .string, "The region, as a CLDR code."),
        .maybe("bias", area, "The area whose places are ranked higher."),
      ]))

  static let providerStatus = Shape.record(
    Record(
      "Provider", "The status of a configured provider.",
      [
        .always("id", .string, "The provider's id in the configuration."), .always("name", .string, "The display name."),
        .always("plugin", .string, "The name of its plugin."), .always("version", .string, "The plugin's version."),
        .always("state", .word(ProviderStatus.State.self), "The state; only a ready provider is queried."),
        .maybe("reason", .string, "Why it is not ready, as a sentence."), .maybe("cause", .string, "The same as a code."),
        .maybe("until", .time, "When that state ends by itself."),
        .maybe("isolation", .string, "How the plugin runs: process or in-process."),
        .maybe("origins", .list(.string), "The origins that its requests may go to, as configured, such as https://photon.komoot.io."),
        .always("leavesMachine", .boolean, "True if queries leave this machine."),
        .maybe("isFree", .boolean, "True if none of its calls costs money; absent if that is not known."),
        .always("calls", .list(.word(Call.self)), "The calls that it supports."),
        .always(
          "counters",
          .record(
            Record(
              "Counters", "Calls since the daemon's start.",
              [
                .always(
                  "sent", .integer,
                  "Calls that were attempted and have ended, also if the connection failed: the sum of succeeded, failed, timedOut and abandoned."
                ),
                .always("succeeded", .integer, "Calls that were answered, with or without rows."),
                .always("failed", .integer, "Calls that ended with an error of the provider or of its service."),
                .always("timedOut", .integer, "Calls that were not answered in time."),
                .maybe(
                  "abandoned", .integer,
                  "Calls that ended without an answer, because no client waited for it or the budget allowed no further request."),
                .always("saved", .integer, "Calls that were not needed, because the cache or another call had the answer."),
                .maybe("dropped", .integer, "Rows that were dropped because they had no id."),
                .maybe("medianMs", .number, "Median latency of the latest calls."),
                .maybe("p99Ms", .number, "99th percentile of the latency of the latest calls."),
              ])), "Statistics of its calls."),
      ]))

  static let providerChange = Shape.record(
    Record("Change", "A provider after a change.", [.always("provider", providerStatus, "The new status of the provider.")]))

  static let cacheShare = Shape.record(
    Record(
      "CacheShare", "Cache statistics of one provider.",
      [
        .always("provider", .string, "The provider's id."), .always("answers", .integer, "The number of cached answers."),
        .always("places", .integer, "The number of cached places."),
        .always("choices", .integer, "The number of learned choices: which place was chosen for a typed text."),
        .always("bytes", .integer, "The size of the answers and places, in bytes."),
        .always("hits", .integer, "The number of cache hits since the daemon's start, without hits of whole replies."),
        .always("misses", .integer, "The number of cache misses."),
        .maybe("configured", .boolean, "False if the provider is no longer configured."),
      ]))

  static let cacheRemoval = Shape.record(
    Record(
      "Removal", "The numbers of removed entries.",
      [
        .always("answers", .integer, "The number of removed answers."), .always("places", .integer, "The number of removed places."),
        .always("choices", .integer, "The number of removed choices."),
      ]))

  static let cacheEntry = Shape.record(
    Record(
      "CacheEntry", "A cached answer.",
      [
        .always("provider", .string, "The id of the provider."), .always("call", .word(Call.self), "The call that it answers."),
        .always("key", .string, "The request, in canonical form."),
        .maybe("user", .integer, "The id of the only user who may receive it; absent for all users."),
        .always("rows", .integer, "The number of rows."), .always("bytes", .integer, "Its size, in bytes."),
        .always("storedAt", .time, "When it was stored."), .maybe("expiresAt", .time, "When it expires; absent for never."),
      ]))

  static let account = Shape.record(
    Record(
      "Account", "What one provider cost.",
      [
        .always("provider", .string, "The provider's id."),
        .always("currency", .string, "The currency, as an ISO 4217 code; XXX if it is not known because the provider is not running."),
        .maybe(
          "userShare", .number,
          "The share of the configured limits that one user may use, and that the limits below are; absent if it is the whole limit."),
        .always("day", window, "Today."), .always("month", window, "This calendar month."),
        .always("savedByCache", amount, "What cached answers saved."), .always("savedBySessions", amount, "What sessions saved."),
        .always("savedByCoalescing", amount, "What calls shared by several requests saved."),
        .maybe("uncounted", .boolean, "True if calls are not counted because they are free and unlimited."),
        .maybe("needsConfirmation", .string, "Why paid calls wait for budget.confirm."),
        .maybe("unavailable", .string, "Why paid calls are disabled until the ledger can be read and written again."),
      ]))

  private static let amount = Shape.record(
    Record(
      "Amount", "A number of calls and their cost.",
      [.always("calls", .integer, "The number of calls."), .always("micros", .integer, "The cost, in millionths of the currency unit.")]))

  private static let window = Shape.record(
    Record(
      "Window", "One day or month.",
      [
        .always("spent", amount, "What was spent."),
        .always("reserved", amount, "What is reserved for calls in progress; it counts as spent after a crash."),
        .maybe("callLimit", .integer, "The maximum number of calls."),
        .maybe("microsLimit", .integer, "The maximum amount, in millionths of the currency unit."),
        .always("endsAt", .time, "The end of the window."),
      ]))

  static let typeEntry = Shape.record(
    Record(
      "Type", "A type of the type table.",
      [
        .always("type", .string, "The name of the type in requests and rows."),
        .always("group", .word(TypeGroup.self), "The group of the type."),
        .always("providers", .keyed(by: "provider's id", .list(.string)), "Each provider's own names for the type."),
      ]))
}
