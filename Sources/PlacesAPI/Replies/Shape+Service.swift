import PlacesKit

// What the daemon tells of itself, of its providers, its cache and its accounts.
extension Shape {
  static let empty = Shape.record(Record("Nothing", "An object without members.", []))

  static let limits = Shape.record(
    Record(
      "Limits", "What a connection may do.",
      [
        .always("requestBytes", .integer, "Largest request, in bytes."), .always("replyBytes", .integer, "Largest reply, in bytes."),
        .always("depth", .integer, "Deepest nesting of a request."), .always("batch", .integer, "Most requests in a batch."),
        .always("inFlight", .integer, "Most requests that wait for their replies."),
        .always("unreadBytes", .integer, "Most bytes of replies that may stay unread."),
      ]))

  static let defaults = Shape.record(
    Record(
      "Defaults", "What stands where a request says nothing.",
      [
        .always("limit", .integer, "Rows of an autocomplete."), .always("deadlineMs", .integer, "When the answer leaves."),
        .maybe("language", .string, "BCP 47."), .maybe("region", .string, "CLDR code."), .maybe("bias", area, "What answers lean towards."),
      ]))

  static let providerStatus = Shape.record(
    Record(
      "Provider", "How a configured provider stands.",
      [
        .always("id", .string, "Its id in the configuration."), .always("name", .string, "Its name for people."),
        .always("plugin", .string, "Its plugin."), .always("version", .string, "The plugin's version."),
        .always("state", .word(ProviderStatus.State.self), "Whether it is asked."),
        .maybe("reason", .string, "Why it is not ready, in a sentence."), .maybe("cause", .string, "The same in a word."),
        .maybe("until", .time, "When that ends by itself."), .maybe("isolation", .string, "How it runs: process or in-process."),
        .maybe("origins", .list(.string), "Where its requests may go as it is configured, such as https://photon.komoot.io."),
        .always("leavesMachine", .boolean, "Whether queries leave this machine."),
        .maybe("isFree", .boolean, "Whether none of its calls costs money, where that is known."),
        .always("calls", .list(.word(Call.self)), "What it may be asked."),
        .always(
          "counters",
          .record(
            Record(
              "Counters", "Calls since the daemon's start.",
              [
                .always("sent", .integer, "Sent."), .always("succeeded", .integer, "Answered."), .always("failed", .integer, "Failed."),
                .always("timedOut", .integer, "Not answered in time."),
                .always("saved", .integer, "Not needed, since the cache or another call had the answer."),
                .maybe("medianMs", .number, "Median latency of the latest calls."),
                .maybe("p99Ms", .number, "99th percentile of the same."),
              ])), "How its calls fared."),
      ]))

  static let providerChange = Shape.record(
    Record("Change", "A provider after a change.", [.always("provider", providerStatus, "How it stands now.")]))

  static let cacheShare = Shape.record(
    Record(
      "CacheShare", "What is kept of one provider.",
      [
        .always("provider", .string, "The provider's id."), .always("answers", .integer, "Answers that are kept."),
        .always("places", .integer, "Places that are kept."),
        .always("choices", .integer, "Choices that were learned: of a place, after a text was typed."),
        .always("bytes", .integer, "The size of the answers and places."),
        .always("hits", .integer, "How often it served, since the daemon's start, beside answers that were given again as a whole."),
        .always("misses", .integer, "How often it did not."),
        .maybe("configured", .boolean, "False where no such provider is configured any more."),
      ]))

  static let cacheRemoval = Shape.record(
    Record(
      "Removal", "What was removed.",
      [
        .always("answers", .integer, "How many answers."), .always("places", .integer, "How many places."),
        .always("choices", .integer, "How many choices that were learned."),
      ]))

  static let cacheEntry = Shape.record(
    Record(
      "CacheEntry", "An answer that is kept.",
      [
        .always("provider", .string, "Whose it is."), .always("call", .word(Call.self), "What was asked of it."),
        .always("key", .string, "The question, in canonical form."), .maybe("user", .integer, "Who may see it; without it, all."),
        .always("rows", .integer, "How many rows it has."), .always("bytes", .integer, "Its size."),
        .always("storedAt", .time, "When it came."), .maybe("expiresAt", .time, "When it goes; without it, never."),
      ]))

  static let account = Shape.record(
    Record(
      "Account", "What one provider cost.",
      [
        .always("provider", .string, "The provider's id."),
        .always("currency", .string, "ISO 4217; XXX as long as it is not known, since the provider does not run."),
        .always("day", window, "Today."), .always("month", window, "This calendar month."),
        .always("savedByCache", amount, "What kept answers saved."), .always("savedBySessions", amount, "What sessions saved."),
        .always("savedByCoalescing", amount, "What calls that served several requests saved."),
        .maybe("uncounted", .boolean, "True where its calls are not counted, since they cost nothing and nothing limits them."),
        .maybe("needsConfirmation", .string, "Why paid calls wait for budget.confirm."),
        .maybe("unavailable", .string, "Why paid calls are off until the account can be read and written again."),
      ]))

  private static let amount = Shape.record(
    Record(
      "Amount", "Calls, and what they cost.",
      [.always("calls", .integer, "How many."), .always("micros", .integer, "Millionths of the currency's unit.")]))

  private static let window = Shape.record(
    Record(
      "Window", "One day or month.",
      [
        .always("spent", amount, "What was spent."),
        .always("reserved", amount, "What is set aside for calls under way or soon to come; it counts as spent after a crash."),
        .maybe("callLimit", .integer, "Most calls."), .maybe("microsLimit", .integer, "Most money, in millionths of the currency's unit."),
        .always("endsAt", .time, "When it ends."),
      ]))

  static let typeEntry = Shape.record(
    Record(
      "Type", "A type of the type table.",
      [
        .always("type", .string, "Its word in requests and rows."), .always("group", .word(TypeGroup.self), "What it belongs to."),
        .always("providers", .keyed(by: "provider's id", .list(.string)), "Each provider's own words for it."),
      ]))
}
