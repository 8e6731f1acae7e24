import PlacesKit
import Testing

@testable import QueryEngine

@Suite("What a service says, in the log")
struct LoggableMessageTests {
  @Test(
    "lacks what may repeat the request, and is otherwise as the service sent it",
    arguments: [
      ("Your account has exceeded its limit of 2,500 requests.", "Berlin", "Your account has exceeded its limit of … requests."),
      ("The key is not valid for this project", "Berlin", "The key is not valid for this project"),
      ("no access to Berlin", "berlin", "no access to …"), ("no access to BERLINER Allee", "berlin allee", "no access to …"),
      ("no access to berl", "berlin", "no access to …"), ("no access to Zürich.", "zurich", "no access to …"),
      ("GET /search?q=z%C3%BCrich is blocked", "zürich", "GET … is blocked"),
      ("blocked: {q: x}", "y", "blocked: …"), ("'Hauptstr. 5' isn't allowed, can't go on", "x", "… isn't allowed, can't go on"),
      ("an open 'quotation of a query", "x", "an open …"), ("\u{201E}Straße\u{201C} ist gesperrt", "x", "… ist gesperrt"),
      ("quota at 52.52,13.4 used up", "x", "quota at … used up"), ("see https://example.org/keys", "x", "see https://example.org/keys"),
      ("APP 服务被禁用", "北京", "APP 服务被禁用"),
    ])
  func message(sent: String, query: String, logged: String) {
    #expect(LoggableMessage.text(sent, about: .autocomplete(AutocompleteRequest(query: query))) == logged)
  }

  @Test("is absent if only the request is left", arguments: ["berlin", "'berlin'", "?", "北京没有权限"])
  func nothing(sent: String) {
    #expect(LoggableMessage.text(sent, about: .autocomplete(AutocompleteRequest(query: "berlin 北京"))) == nil)
  }
}
