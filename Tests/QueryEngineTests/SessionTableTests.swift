import PlacesAPI
import PlacesTesting
import Testing

@testable import QueryEngine

@Suite("Sessions that are answered from memory")
struct SessionTableTests {
  private let id = SessionID()

  private func sessions(idle: Double = 180, all: Int = 20, perUser: Int = 5) -> Sessions {
    Sessions(limits: .init(idleSeconds: idle, maxSessions: all, maxPerUser: perUser))
  }

  @Test("A session that began with cached replies continues with provider calls, in order and with the last text")
  func takesOver() {
    let sessions = sessions()
    #expect(sessions.recordAnswered(id, of: 1, seq: 5, query: "ber", at: 0).isFirst)
    #expect(sessions.recordAnswered(id, of: 1, seq: 6, query: "berl", at: 1) == .laterRequest)
    #expect(sessions.recordAnswered(id, of: 1, seq: 5, query: "be", at: 2) == .superseded)
    var isNew = false
    let session = sessions.session(id, of: 1, at: 3) { _ in isNew = true }
    #expect(!isNew && session.query == "berl" && session.lastUse == 2)
    #expect(session.begin(seq: 5, query: "be", at: 3) == nil)
    #expect(session.begin(seq: 6, query: "berli", at: 3) != nil)
    #expect(sessions.recordAnswered(id, of: 1, seq: 5, query: "be", at: 4) == .superseded)
    #expect(sessions.session(id, of: 1, at: 4) === session && session.query == "berli")
  }

  @Test("A cached reply cancels earlier requests of the session, but not one with the same seq")
  func supersedes() {
    let sessions = sessions()
    let session = sessions.session(id, of: 1, at: 0)
    let old = session.begin(seq: 1, query: "b", at: 0)
    let same = session.begin(seq: 2, query: "be", at: 0)
    #expect(sessions.recordAnswered(id, of: 1, seq: 2, query: "be", at: 1) == .laterRequest)
    #expect(old?.superseded.current != nil && same != nil && same?.superseded.current == nil)
  }

  @Test("Only the end of sessions that called a provider is reported")
  func ended() {
    let sessions = sessions(perUser: 2)
    let asked = sessions.session(id, of: 1, at: 0)
    var told: [SessionID] = []
    for number in 1..<10 {
      guard case .firstRequest(let ended) = sessions.recordAnswered(SessionID(), of: 1, seq: nil, query: "b", at: Double(number)) else {
        Issue.record("no session was opened")
        return
      }
      told += ended.map(\.id)
    }
    #expect(told == [asked.id] && sessions.count == 2)
  }

  @Test("An idle session that had only cached replies ends")
  func silence() {
    let sessions = sessions(idle: 10)
    #expect(sessions.recordAnswered(id, of: 1, seq: 5, query: "b", at: 0).isFirst)
    #expect(sessions.recordAnswered(id, of: 1, seq: 5, query: "b", at: 8) == .laterRequest)
    #expect(sessions.openSession(id, of: 1, at: 18) == nil)
    #expect(sessions.recordAnswered(id, of: 1, seq: 1, query: "c", at: 18).isFirst)
    #expect(sessions.openSession(id, of: 2, at: 20) == nil)
    #expect(sessions.openSession(id, of: 1, at: 20)?.query == "c")
    #expect(sessions.count == 1)
  }

  @Test("Random operations agree with a list that is searched from its beginning", arguments: 1...20)
  func model(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let ids = (0..<12).map { _ in SessionID() }
    let sessions = sessions(idle: 20, all: 10, perUser: 4)
    var model = Model(idle: 20, all: 10, perUser: 4)
    var now = 0.0
    for _ in 0..<2_000 {
      now += Double.random(in: 0...2, using: &random) * (Int.random(in: 0..<40, using: &random) == 0 ? 10 : 1)
      let key = Session.Key(user: UInt32.random(in: 1...5, using: &random), id: ids.randomElement(using: &random) ?? id)
      let (seq, query) = (Int.random(in: 0..<9, using: &random), "\(now)")
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let expected = model.pass(key, seq: seq, query: query, at: now)
        let turn = sessions.recordAnswered(key.id, of: key.user, seq: seq, query: query, at: now)
        #expect(turn == expected)
      case 6..<8:
        var ended: [Session.Key]?
        let session = sessions.session(key.id, of: key.user, at: now) { ended = $0.map(\.key) }
        #expect(ended == model.ask(key, at: now))
        #expect((session.begin(seq: seq, query: query, at: now) != nil) == model.advance(key, seq: seq, query: query, at: now))
      case 8:
        sessions.end(key.id, of: key.user)
        model.open.removeAll { $0.key == key }
      default:
        let query = sessions.openSession(key.id, of: key.user, at: now)?.query
        #expect(query == model.openSession(key, at: now))
      }
      #expect(sessions.count == model.open.count)
    }
  }
}

extension Sessions.RecordResult: Equatable {
  fileprivate var isFirst: Bool { if case .firstRequest = self { true } else { false } }

  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.firstRequest(let a), .firstRequest(let b)): a.map(\.key) == b.map(\.key)
    case (.laterRequest, .laterRequest), (.superseded, .superseded): true
    default: false
    }
  }
}

/// A simple model of `Sessions`.
private struct Model {
  struct One {
    var key: Session.Key
    var lastUse: Double
    var seq = Int.min
    var query = ""
    /// True if it called a provider.
    var hasAsked = false
  }

  let idle: Double
  let all: Int
  let perUser: Int
  /// In the order in which they were used.
  var open: [One] = []

  mutating func pass(_ key: Session.Key, seq: Int, query: String, at now: Double) -> Sessions.RecordResult {
    let ended = use(key, at: now)
    guard advance(key, seq: seq, query: query, at: now) else { return .superseded }
    return ended.map { .firstRequest(endedSessions: $0.map { Session($0, after: Session.Progress(lastUse: now)) }) } ?? .laterRequest
  }

  mutating func ask(_ key: Session.Key, at now: Double) -> [Session.Key]? {
    let ended = use(key, at: now)
    open[open.count - 1].hasAsked = true
    return ended
  }

  mutating func openSession(_ key: Session.Key, at now: Double) -> String? {
    guard let index = open.firstIndex(where: { $0.key == key }), now - open[index].lastUse < idle else { return nil }
    open[index].hasAsked = true
    return open[index].query
  }

  mutating func advance(_ key: Session.Key, seq: Int, query: String, at now: Double) -> Bool {
    guard let index = open.firstIndex(where: { $0.key == key }) else { return false }
    open[index].lastUse = now
    guard seq >= open[index].seq else { return false }
    (open[index].seq, open[index].query) = (seq, query)
    return true
  }

  /// Moves the session to the end. If it is new, returns the sessions that ended to make room and had called a provider.
  private mutating func use(_ key: Session.Key, at now: Double) -> [Session.Key]? {
    var ended: [Session.Key] = []
    func end(_ index: Int?) {
      guard let index else { return }
      let one = open.remove(at: index)
      if one.hasAsked { ended.append(one.key) }
    }
    if let index = open.firstIndex(where: { $0.key == key }) {
      if now - open[index].lastUse < idle {
        open.append(open.remove(at: index))
        return nil
      }
      end(index)
    }
    let own = { (one: One) in one.key.user == key.user }
    for _ in 0..<2 {
      if let index = open.firstIndex(where: own), now - open[index].lastUse >= idle { end(index) }
    }
    if open.count(where: own) >= perUser { end(open.firstIndex(where: own)) }
    if open.count >= all { end(open.indices.min { open[$0].lastUse < open[$1].lastUse }) }
    open.append(One(key: key, lastUse: now))
    return ended
  }
}
