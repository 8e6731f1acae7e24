import PlacesKit

/// The provider protocol: JSON-RPC 2.0 over standard input and output, one message a line, in both directions.
///
/// The daemon sends these requests in this order: `initialize` once, `configure` once, then the calls and `probe` any number of times and
/// concurrently, then `shutdown`. In the meantime the provider may send the requests `http.send`, `storage.get` and `storage.set`, and the
/// notification `log`. Either side may send the notification `$/cancelRequest` with `{"id"}` of its own request; the cancelled request
/// still needs a reply, preferably the error with the cause `cancelled`.
///
/// If a provider does not reply to a cancelled request within 250 ms, and waits for no reply of the daemon, the daemon kills it. It also
/// kills a provider that writes a line that is not a message or is longer than 4 MiB, or more than 1,000 unsolicited messages a second.
///
/// - `initialize` `{"protocol": {"major", "minor"}}` → `{"protocol", "manifest": Manifest}`
/// - `configure` `{"id", "settings", "dataDirectories", "baseURL"?}` → `{}`, or `{"manifest"}` if the settings
///   restrict the capabilities
/// - `autocomplete` AutocompleteRequest → `{"rows": [Suggestion], "exhaustive"?, "next"?}`
/// - `search` and `geocode` SearchRequest, `reverse` ReverseRequest → `{"rows": [Place], "exhaustive"?, "next"?}`
/// - `details` DetailsRequest → Place
/// - `photo` PhotoRequest → `{"contentType", "dataBase64", "attributions"?}`
/// - `probe` `{}` → `{"status"?}`: a sentence, if the service has a cheap health check
/// - `shutdown` `{}` → `{}`; then the provider ends, or is ended after 250 ms
/// - `http.send` HTTPRequest with `"body"` as text or `"bodyBase64"`, and `"for"`, the id of the daemon's request for which
///   it is sent, so that both are cancelled together → `{"status", "headers": [{"name", "value"}], "body" | "bodyBase64"}`
/// - `storage.get` `{"key"}` → `{"value" | "valueBase64"}` or `{}`; `storage.set` `{"key", "value" | "valueBase64"}` → `{}`,
///   which without a value removes the key
/// - `log` `{"level": "error" | "warning" | "notice" | "info" | "debug", "message"}`
///
/// Requests and results have the members of the PlacesKit types of the same names; those that `WireDefaults` lists may be left out.
/// An error's `data` is `{"cause", "retryAfterSeconds"?, "detail"?}` with a cause of `ProviderError.Cause`.
enum ProviderProtocol {
  static let major = 1
  static let minor = 0

  /// The maximum length of a line that the daemon reads from a provider, in bytes.
  static let maxLineFromProvider = 4 << 20
  /// The maximum length of a line that a provider must be able to read, in bytes: enough for a body of 2 MiB of which every byte is escaped
  /// as two.
  static let maxLineFromDaemon = 6 << 20

  /// The names of all methods except the calls, which `Call` names.
  enum Method {
    static let initialize = "initialize"
    static let configure = "configure"
    static let probe = "probe"
    static let shutdown = "shutdown"
    static let httpSend = "http.send"
    static let storageGet = "storage.get"
    static let storageSet = "storage.set"
    static let log = "log"
    static let cancel = "$/cancelRequest"
  }
}

/// The parameters of `configure`: the instance for which the process is started.
struct ConfigureParameters: Codable, Equatable {
  var id: String
  /// The settings after they were checked against the manifest, with defaults filled in.
  var settings: [String: JSONValue]
  var dataDirectories: [String]
  /// The address of the service in the configuration, if there is one.
  var baseURL: String?
}
