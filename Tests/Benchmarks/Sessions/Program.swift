import Glibc
import PlacesKit

/// Computes the calls and the cost of a thousand users who search as they type: once if each keystroke is sent to each provider, and once
/// with the daemon's engine. The bundled plugins run in virtual time; their services are simulated.
///
///     bench-sessions KEYSTROKES PLUGINS
///
/// KEYSTROKES has the tab-separated columns session, geonameid, lang, t_ms, typed, final under a header line; PLUGINS is the folder of the
/// plugins. Prints one JSON object: for each way of sending requests, the calls and the cost for 1,000 sessions, and the shares of the
/// outcomes of the keystrokes.
@main struct Program {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let path = arguments.first, let plugins = arguments.last else {
      complain("usage: bench-sessions KEYSTROKES PLUGINS")
    }
    guard let sessions = TypedSession.read(path), !sessions.isEmpty else { complain("\(path) holds no sessions") }
    do {
      let services = try await ScriptedServices(plugins: plugins)
      var result = JSONObject()
      result["sessions"] = .integer(Int64(sessions.count))
      result["naive"] = Naive(services).ask(sessions).json(sessions.count)
      result["daemon"] = Daemon(services).ask(sessions, pause: 0).json(sessions.count)
      // As PlacesClient's fetcher does, only texts after which the user pauses are sent. The pause is the one that the daemon suggests.
      result["daemon and fetcher"] = Daemon(services).ask(sessions, pause: 0.15).json(sessions.count)
      print(JSONValue.object(result).text)
    } catch { complain("\(error)") }
  }
}

/// Ends the program with a message and the status for wrong usage.
func complain(_ message: String) -> Never {
  let bytes = Array("bench-sessions: \(message)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
  exit(2)
}
