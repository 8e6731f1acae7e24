import PlacesKit
import Resilience
import Testing

@testable import QueryEngine

@Suite("The states of a call")
struct CallStateTests {
  @Test("A call with callers is reserved and sent; its attempt is returned once")
  func sent() throws {
    let call = try TestedCall(isFree: false)
    #expect(call.start(at: 0))
    #expect(call.admit(at: 1))
    #expect(call.takesAttempt())
    #expect(!call.takesAttempt())
  }

  @Test("A call without callers is neither reserved nor sent; one that is reserved is released")
  func withoutCallers() throws {
    let early = try TestedCall(isFree: false)
    #expect(early.leave())
    #expect(!early.start(at: 0))
    let late = try TestedCall(isFree: false)
    #expect(late.start(at: 0))
    #expect(late.leave())
    #expect(!late.admit(at: 1))
    #expect(!late.join())
  }

  @Test("A paid call that is sent continues without callers, a free one does not", arguments: [true, false])
  func leftWhenSent(isFree: Bool) throws {
    let call = try TestedCall(isFree: isFree)
    #expect(call.start(at: 0))
    #expect(call.admit(at: 1))
    #expect(call.leave() == isFree)
    #expect(call.state.isAbandoned == isFree)
    #expect(call.takesAttempt(), "the attempt must still be returned")
  }

  @Test("After its deadline a call is not sent, and one that is sent continues if its answer can be stored", arguments: [true, false])
  func late(isFree: Bool) throws {
    let queued = try TestedCall(isFree: isFree)
    #expect(!queued.leave(isLate: true))
    #expect(!queued.start(at: 11))
    let sent = try TestedCall(isFree: true)
    #expect(sent.start(at: 0) && sent.admit(at: 1))
    #expect(!sent.leave(isLate: true) && !sent.state.isAbandoned)
    #expect(try TestedCall(isFree: isFree, isStorable: false).leave(isLate: true))
  }

  @Test("A call that continues for the cache is not abandoned with its last caller")
  func kept() throws {
    let call = try TestedCall(isFree: false)
    call.state.isDetached = true
    #expect(!call.leave())
    #expect(call.start(at: 11))
  }
}

/// A call that one caller waits for until second 10.
private final class TestedCall {
  var state: CallState
  private let isFree: Bool
  private let reservedCall = ReservedCall(call: .autocomplete(AutocompleteRequest(query: "berl")))
  private let pass: ProviderGate.Pass

  init(isFree: Bool, isStorable: Bool = true) throws {
    guard case .admitted(let pass) = ProviderGate(rate: Rate()).admit(at: 0) else { throw CancellationError() }
    self.pass = pass
    self.isFree = isFree
    state = CallState(isStorable: isStorable)
    _ = join()
  }

  func join() -> Bool { state.join(deadline: 10) }
  func leave(isLate: Bool = false) -> Bool { state.leave(isLate: isLate) }
  func start(at now: Double) -> Bool { state.continueIfWanted(at: now) }
  func takesAttempt() -> Bool { state.takeAttempt() != nil }

  func admit(at now: Double) -> Bool {
    guard state.continueIfWanted(at: now) else { return false }
    let meter = CallMeter(
      first: nil, isFree: isFree, reserve: { () async throws(BudgetRefusal) in nil }, release: { _ in }, retry: { false })
    state.begin(CallState.Attempt(reservedCall: reservedCall, pass: pass, start: now, meter: meter))
    return true
  }
}
