import PlacesAPI
import Guarding
import PlacesKit

extension Lane {
  /// Gives the gate back what a call took, and says in the log what became of the provider by it.
  /// - Parameter hasLeft: whether anything of it reached the service.
  func finish(_ pass: ProviderGate.Pass, _ outcome: CircuitBreaker.Outcome, hasLeft: Bool = true) {
    let isKeyless = if case .failure(ProviderInstance.keyless) = outcome { true } else { false }
    for news in gate.finish(pass, outcome, hasLeft: hasLeft, at: now, wall: time.wall()) {
      switch news {
      case .failed(let cause):
        log(.warning, "provider \(id): a call failed: \(isKeyless ? ProviderInstance.keyless.message : cause.sentence)")
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
