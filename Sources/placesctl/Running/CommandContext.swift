import Configuration
import JSON
import PlacesAPI
import PlacesClient
import PlacesKit

/// The console, the client and everything else that a command uses. It is passed as a parameter, so that tests need neither daemon nor
/// terminal.
struct CommandContext: Sendable {
  var console: Console
  var client: PlacesClient
  var locations: Locations
  /// The terminal of the interactive list; nil if standard input or standard error is not a terminal.
  var terminal: (any TypingTerminal)?
  /// The language of answers without --lang; nil for the daemon's default.
  var language: String?
  /// Reads standard input to its end, as lines.
  var inputLines: @Sendable () -> [String] = {
    var lines: [String] = []
    while let line = readLine() { lines.append(line) }
    return lines
  }
  /// Reads a page from the web.
  var webPage: @Sendable (String) throws(Failure) -> WebPage = WebPage.read
  /// Starts a configured provider and stops it again.
  var checkStart: @Sendable (Configuration, ProviderSettings) async -> ProviderStartCheck.Outcome = {
    await ProviderStartCheck(configuration: $0).check($1)
  }

  /// Calls a method, and converts errors to messages for users.
  func call<M: PlacesAPI.Method>(
    _ method: M.Type, _ parameters: M.Parameters, within seconds: Double? = nil, partial: (@Sendable (Partial) -> Void)? = nil
  ) async throws(Failure) -> M.Result {
    do throws(ClientError) {
      return try await client.call(
        method, parameters, within: seconds ?? PlacesClient.timeLimit(nil), partial: partial)
    } catch { throw CommandContext.userFailure(for: error) }
  }

  /// The failure for an error. If the request named a provider that does not run, the message says how to start it.
  private static func userFailure(for error: ClientError) -> Failure {
    let failure = Failure(error)
    guard case .refused(let refusal) = error, refusal.name == .unsupported else { return failure }
    for report in refusal.data["providers"]?.array ?? [] {
      guard let id = report["provider"]?.string, let state = report["cause"]?.string.flatMap(ProviderStatus.State.init) else { continue }
      let reason = report["message"]?.string.map { ": \(printable($0))" } ?? ""
      switch state {
      case .disabled:
        return Failure(.failed, "provider \(id) is disabled", advice: ["Enable it with: placesctl providers enable \(id)"])
      case .failed: return Failure(.failed, "provider \(id) does not work\(reason)")
      case .starting: return Failure(.failed, "provider \(id) is being started", advice: ["Try again in a moment."])
      case .ready, .suspended, .overBudget: continue
      }
    }
    return failure
  }

  /// Prints a result in the format of `--json` or `--jsonl`, or as text. `rows` names the member that contains the rows;
  /// if it is nil, the whole result is one row.
  func show(_ result: some MethodResult, rows: String?, of invocation: Invocation, _ showText: () -> Void) {
    if invocation.has("json") {
      console.line(String(decoding: result.bytes, as: UTF8.self))
    } else if invocation.has("jsonl") {
      let tree = (try? JSONValue(parsing: result.bytes)) ?? .null
      let lines = rows.flatMap { tree[$0]?.array } ?? [tree]
      for line in lines { console.line(line.text) }
    } else {
      showText()
    }
  }
}

extension Failure {
  /// Converts a client's error to a message with advice.
  init(_ error: ClientError) {
    let exitCode: ExitCode
    var advice: [String] = []
    switch error {
    case .unreachable(let sockets, _): (exitCode, advice) = (.unreachable, StartAdvice.advice(sockets: sockets))
    case .forbidden(let socket, _): (exitCode, advice) = (.unreachable, SocketPermissionAdvice.advice(socket: socket))
    case .connectionLost: (exitCode, advice) = (.unreachable, ["Its log may say why: journalctl -u placesd"])
    case .timeLimit: exitCode = .deadline
    case .cancelled: exitCode = .failed
    case .unreadable: (exitCode, advice) = (.failed, ["The daemon and placesctl may have different versions. See: placesctl info"])
    case .refused(let refusal):
      (exitCode, advice) = Failure.advice(on: refusal)
    }
    self.init(exitCode, error.message, advice: advice)
  }

  private static func advice(on refusal: ClientError.Refusal) -> (ExitCode, [String]) {
    let reports = refusal.providers.filter { !$0.outcome.isAnswer }.map { report in
      "\(report.provider): \(report.reason)"
    }
    switch refusal.name {
    case .deadlineExceeded: return (.deadline, reports + ["Set a longer limit with --timeout."])
    case .notFound: return (.noResults, [])
    case .invalidParams: return (.usage, [])
    // The message names the permitted users.
    case .permissionDenied: return (.failed, [])
    case .overloaded: return (.failed, ["Try again in a moment."])
    case .quotaExceeded: return (.failed, Failure.advice(onQuota: refusal))
    case .allProvidersFailed where refusal.providers.contains { $0.outcome == .overBudget }:
      return (.failed, reports + ["See: placesctl budget"])
    case .allProvidersFailed, .unsupported: return (.failed, reports + ["See: placesctl status"])
    default: return (.failed, reports)
    }
  }

  /// Advice after a quota is used up. The quota is that of paid calls or money per day if the error lists providers; otherwise it is that
  /// of requests per minute.
  private static func advice(onQuota refusal: ClientError.Refusal) -> [String] {
    let waitAdvice = refusal.retryAfter.map { "Try again in \(Format.duration($0))." }
    let isRequestQuota = refusal.data["providers"] == nil
    let hint = isRequestQuota ? "The quota is requests_per_minute in the daemon's configuration." : "See: placesctl budget"
    return [waitAdvice, hint].compactMap { $0 }
  }
}

extension ExitCode {
  /// The exit code of an answer with this number of rows. If a provider did not answer, the answer is not complete.
  init(rows: Int, complete: Bool) {
    if complete { self = rows == 0 ? .noResults : .results } else { self = .partial }
  }
}
