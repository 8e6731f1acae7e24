import PlacesKit

/// The provider protocol: JSON-RPC 2.0 over standard input and output, one message a line, in both directions.
///
/// The daemon asks, in this order: `initialize` once, `configure` once, then the five calls and `probe` any number of times
/// and several at once, then `shutdown`. Between them the provider may ask `http.send`, `storage.get` and `storage.set`, and
/// send the notification `log`. Either side may send the notification `$/cancelRequest` with `{"id"}` of its own request; the
/// cancelled request still gets an answer, best the error with cause `cancelled`.
///
/// A provider that owes an answer to a cancelled request for more than 250 ms, while the daemon owes it none, is taken for
/// hung and killed. So is one that writes a line which is no message, or is longer than 4 MiB, or floods.
///
/// - `initialize` `{"protocol": {"major", "minor"}}` → `{"protocol", "manifest": Manifest}`
/// - `configure` `{"id", "settings", "dataDirectories", "baseURL"?}` → `{}` or `{"manifest"}`, where the settings narrow it
/// - `autocomplete` AutocompleteRequest → `{"rows": [Suggestion], "exhaustive"?, "next"?}`
/// - `search` and `geocode` SearchRequest, `reverse` ReverseRequest → `{"rows": [Place], "exhaustive"?, "next"?}`
/// - `details` DetailsRequest → Place
/// - `probe` `{}` → `{"status"?}`: a sentence where the service has a cheap sign of life
/// - `shutdown` `{}` → `{}`; then the provider ends, or is ended after 250 ms
/// - `http.send` HTTPRequest with `"body"` as text or `"bodyBase64"`, and `"for"`, the id of the request it serves, so that
///   both are cancelled together → `{"status", "headers": [{"name", "value"}], "body" | "bodyBase64"}`
/// - `storage.get` `{"key"}` → `{"value" | "valueBase64"}` or `{}`; `storage.set` `{"key", "value" | "valueBase64"}` → `{}`,
///   which without a value removes the key
/// - `log` `{"level": "error" | "warning" | "notice" | "info" | "debug", "message"}`
///
/// Requests and results have the members of the kit's types of the same names; what `WireDefaults` lists may be left out.
/// An error's `data` is `{"cause", "retryAfterSeconds"?, "detail"?}` with a cause of `ProviderError.Cause`.
enum ProviderProtocol {
  static let major = 1
  static let minor = 0

  /// The longest line that is read from a provider, in bytes.
  static let longestFromProvider = 4 << 20
  /// The longest line that a provider has to read: a body of 2 MiB with every byte escaped as two.
  static let longestFromDaemon = 6 << 20

  enum Method {
    static let initialize = "initialize"
    static let configure = "configure"
    static let probe = "probe"
    static let shutdown = "shutdown"
    static let send = "http.send"
    static let get = "storage.get"
    static let set = "storage.set"
    static let log = "log"
    static let cancel = "$/cancelRequest"
  }
}

/// `configure`: the instance that the process is.
struct Configure: Codable, Equatable {
  var id: String
  /// Checked against the manifest, defaults filled in.
  var settings: [String: JSONValue]
  var dataDirectories: [String]
  /// The address that the configuration gives for the service, where it does.
  var baseURL: String?
}
