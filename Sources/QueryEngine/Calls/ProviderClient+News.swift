import PlacesAPI
import Resilience
import PlacesKit

extension ProviderClient {
  /// Gives the gate back what a call took, and says in the log what became of the provider by it.
  /// - Parameters:
  ///   - outcome: with an error as the service threw it.
  ///   - hasLeft: whether anything of it reached the service.
  ///   - status: with which the service answered last (RFC 9110), where that is known.
  func finish(_ pass: ProviderGate.Pass, _ outcome: CircuitBreaker.Outcome, hasLeft: Bool = true, status: Int? = nil) {
    var (outcome, isKeyless) = (outcome, false)
    if case .failure(let error) = outcome { (outcome, isKeyless) = (.failure(instance.judged(error)), instance.isKeyless(error)) }
    for news in gate.finish(pass, outcome, hasLeft: hasLeft, at: now, wall: time.wall()) {
      switch news {
      case .failed(let cause):
        // In words of the daemon's own: the service's may repeat a query.
        let sentence = isKeyless ? "its service refuses access, and \(instance.keylessAdvice)" : cause.sentence
        let number = status.flatMap { (200..<300).contains($0) ? nil : " (HTTP \($0))" } ?? ""
        log(.warning, "provider \(id): a call failed: \(sentence)\(number)")
      case .suspended(let suspension):
        let until = suspension.until.map { ", until \(Timestamp.rfc3339(time.wall() + $0 - now))" } ?? ""
        log(.warning, "provider \(id): \(suspension.cause.sentence)\(until)")
      case .recovered: log(.notice, "provider \(id) answers again")
      }
    }
    if case .failure(let error) = outcome, error.cause == .credentials, gate.suspension(at: now)?.cause == .credentials {
      onRefusal(id, instance.start)
    }
  }
}
