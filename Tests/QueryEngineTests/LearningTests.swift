import Storage
import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("Learned choices of a user")
struct LearningTests {
  @Test("Chosen places are ranked higher for the user who chose them, unless that is disabled")
  func learning() throws {
    let session = SessionID()
    let providers: [String: EngineFixture.ScriptedProvider] = [
      "a": .init(manifest: .scripted("A")) { _, _ in
        .suggestions([.city("Berlin", id: "1"), .city("Bernau", id: "2"), .city("Berlin", id: "3")])
      }
    ]
    let fixture = EngineFixture(storesAnswers: true, providers)
    #expect(fixture.answer("ber") { $0.session = session }?.value != nil)
    #expect(fixture.engine.isOpen(session, of: 1_000))
    #expect(!fixture.engine.isOpen(session, of: 1_001))
    fixture.select("a:3", in: session)
    #expect(!fixture.engine.isOpen(session, of: 1_000))
    #expect(fixture.store?.cache != nil)
    let own = fixture.simulation.finish(
      fixture.simulation.start { [engine = fixture.engine] in await engine.boosts(for: "ber", of: 1_000, deadline: engine.now + 1) })
    #expect(try #require((own ?? nil)?["a:3"]) > 0.5)
    let others = fixture.simulation.finish(
      fixture.simulation.start { [engine = fixture.engine] in await engine.boosts(for: "ber", of: 1_001, deadline: engine.now + 1) })
    #expect(others == [:])
    fixture.engine.settings.withLock { $0.learns = false }
    let off = fixture.simulation.finish(
      fixture.simulation.start { [engine = fixture.engine] in await engine.boosts(for: "ber", of: 1_000, deadline: engine.now + 1) })
    #expect(off == [:])
  }

  @Test("A choice is stored although a busy disk takes a while to return the earlier ones")
  func busyDisk() throws {
    let fixture = EngineFixture(
      storesAnswers: true, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin", id: "1")]) }])
    let store = try #require(fixture.store)
    store.slow(0.3)
    let session = SessionID()
    _ = fixture.answer("ber") { $0.session = session }
    fixture.select("a:1", in: session)
    store.slow(0)
    let boosts = fixture.simulation.finish(
      fixture.simulation.start { [engine = fixture.engine] in await engine.boosts(for: "ber", of: 1_000, deadline: engine.now + 1) })
    #expect(try #require((boosts ?? nil)?["a:1"]) > 0)
  }

  @Test("A choice delays a reply only until its deadline", arguments: [(0.1, 0.1), (0, 0), (nil, 0.3)] as [(Double?, Double)])
  func deadline(remaining: Double?, expected: Double) throws {
    let fixture = EngineFixture(
      storesAnswers: true, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin", id: "1")]) }])
    try #require(fixture.store).slow(0.3)
    let start = fixture.time.monotonic()
    let id = try #require(PlaceID("a:1"))
    _ = fixture.simulation.finish(
      fixture.simulation.start { [engine = fixture.engine] in
        await engine.learn(id, after: "ber", of: 1_000, before: remaining.map { start + $0 })
      })
    #expect(abs(fixture.time.monotonic() - start - expected) < 1e-9, "\(fixture.time.monotonic() - start)")
  }

  @Test("A chosen place below the requested number of rows is ranked higher too, if a provider that answers immediately has it")
  func learningFurther() throws {
    let fixture = EngineFixture(
      storesAnswers: true,
      [
        "a": .init(manifest: .scripted("A", remote: false), answersImmediately: true) { call, _ in
          guard case .autocomplete(let request) = call else { return .suggestions([]) }
          return .suggestions((1...20).prefix(request.limit).map { .city("Bern \($0)", id: "\($0)") })
        },
        "b": .init(manifest: .scripted("B")) { _, _ in .suggestions([.city("Berlin", id: "1")]) },
      ])
    func ids(of user: UInt32) -> [String]? {
      fixture.answer("ber", user: user) { ($0.limit, $0.providers) = (3, ["a"]) }?.value?.suggestions.compactMap { $0.id?.text }
    }
    for id in ["a:12", "b:7"] {
      for _ in 0..<6 {
        let session = SessionID()
        _ = fixture.answer("bern") { $0.session = session }
        fixture.select(id, in: session)
      }
    }
    #expect(ids(of: 1_000) == ["a:12", "a:1", "a:2"])
    #expect(ids(of: 1_001) == ["a:1", "a:2", "a:3"])
    fixture.engine.settings.withLock { $0.learns = false }
    #expect(ids(of: 1_000) == ["a:1", "a:2", "a:3"])
    let before = fixture.calls(to: "b").count
    fixture.engine.settings.withLock { $0.learns = true }
    _ = fixture.answer("berl") { $0.limit = 3 }
    guard case .autocomplete(let request) = try #require(fixture.calls(to: "b").dropFirst(before).first).call else { return }
    #expect(request.limit == 10)
  }

  @Test("A user's choices can be listed and removed, one place or all, but not another user's")
  func listing() throws {
    let fixture = EngineFixture(
      storesAnswers: true,
      [
        "a": .init(manifest: .scripted("A")) { _, _ in
          .suggestions([.city("Berlin", id: "1"), .city("Bern", id: "2"), .city("Bergen", id: "3")])
        }
      ])
    func choose(_ id: String, user: UInt32 = 1_000) {
      let session = SessionID()
      _ = fixture.answer("ber", user: user) { $0.session = session }
      fixture.select(id, in: session, user: user)
      fixture.simulation.pass(1)
    }
    func ids(user: UInt32 = 1_000) -> [String]? {
      let engine = fixture.engine
      return fixture.simulation.finish(
        fixture.simulation.start { () -> [String]? in
          try? await engine.choices(ChoicesList.Parameters(), caller: EngineCaller(user: user)).choices.map { "\($0.text) \($0.id.text)" }
        }) ?? nil
    }
    func forget(_ parameters: ChoicesForget.Parameters) -> Int? {
      let engine = fixture.engine
      return fixture.simulation.finish(
        fixture.simulation.start { try? await engine.forgetChoices(parameters, caller: EngineCaller(user: 1_000)).choices }) ?? nil
    }
    choose("a:2")
    choose("a:3")
    choose("a:3", user: 1_001)
    #expect(ids() == ["ber a:3", "ber a:2"] && ids(user: 1_001) == ["ber a:3"])
    #expect(fixture.answer("ber")?.value?.suggestions.compactMap { $0.id?.text } == ["a:2", "a:3", "a:1"])
    #expect(forget(.init(id: PlaceID(provider: "a", native: "3"))) == 1)
    #expect(ids() == ["ber a:2"] && ids(user: 1_001) == ["ber a:3"])
    #expect(fixture.answer("ber") { $0.limit = 5 }?.value?.suggestions.compactMap { $0.id?.text } == ["a:2", "a:1", "a:3"])
    #expect(forget(.init()) == 1 && ids() == [])
    #expect(fixture.answer("ber") { $0.limit = 6 }?.value?.suggestions.compactMap { $0.id?.text } == ["a:1", "a:2", "a:3"])
  }

  @Test("A purge also removes the engine's own copies: choices, rows that were shown, pages and sessions' answers")
  func forgetting() throws {
    let session = SessionID()
    let fixture = EngineFixture(
      storesAnswers: true,
      [
        "a": .init(manifest: .scripted("A", narrows: true, pages: true)) { call, _ in
          if case .search = call { return .places([.named("Berlin", id: "1")], next: "more") }
          return .suggestions([.city("Berlin", id: "1")], exhaustive: true)
        }
      ])
    func known(_ query: String) -> Bool { fixture.answer(query) { $0.session = session }?.value?.providers["a"]?.served == .cache }
    func boosts() -> [String: Double]? {
      fixture.simulation.finish(
        fixture.simulation.start { [engine = fixture.engine] in await engine.boosts(for: "ber", of: 1_000, deadline: engine.now + 1) })
        ?? nil
    }
    #expect(fixture.search("berlin")?.value?.nextPageToken != nil)
    #expect(!known("ber"))
    #expect(known("berl"))
    fixture.engine.shownRows.recordRow(["a:1", "b:2"], for: 1_000)
    let other = SessionID()
    _ = fixture.answer("ber") { $0.session = other }
    fixture.select("a:1", in: other)
    #expect(boosts()?["a:1"] != nil)
    fixture.engine.forget(CacheScope(provider: "b"))
    #expect(fixture.engine.pages.count == 1)
    #expect(boosts()?["a:1"] != nil)
    fixture.engine.forget(CacheScope(provider: "a"))
    #expect(fixture.engine.pages.count == 0)
    #expect(boosts() == [:])
    #expect(!known("berli"))
    #expect(fixture.engine.shownRows.otherIDs(of: try #require(PlaceID("a:1")), for: 1_000).isEmpty)
  }
}
