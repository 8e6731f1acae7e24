import QueryEngine
import PlacesAPI
import PlacesKit

extension MethodTable {
  /// `places.*`.
  mutating func addPlaces(_ engine: Engine, _ known: KnownAnswers) {
    onEncoded(Autocomplete.self) { (parameters, call) throws(APIError) in
      try await known.answer(parameters, user: call.visitor.user) { revision, rows, providers, credits in
        call.notify(Partial(request: call.id.json, revision: revision, suggestions: rows, providers: providers, attributions: credits))
      }
    }
    on(Search.self) { (parameters, call) throws(APIError) in
      try await engine.search(parameters, caller: call.caller) { revision, rows, providers, credits in
        call.notify(Partial(request: call.id.json, revision: revision, places: rows, providers: providers, attributions: credits))
      }
    }
    on(Details.self) { (parameters, call) throws(APIError) in
      // Details that end a session are a choice, from which the next order is learnt.
      let isChoice = parameters.session.map { engine.isOpen($0, of: call.visitor.user) } ?? false
      defer { if isChoice { known.forget(user: call.visitor.user) } }
      return try await engine.details(parameters, caller: call.caller)
    }
    on(Reverse.self) { (parameters, call) throws(APIError) in try await engine.reverse(parameters, caller: call.caller) }
    on(Select.self) { (parameters, call) throws(APIError) in
      let isChoice = engine.isOpen(parameters.session, of: call.visitor.user)
      defer { if isChoice { known.forget(user: call.visitor.user) } }
      try await engine.select(parameters, caller: call.caller)
      return Empty()
    }
    on(ChoicesList.self) { (parameters, call) throws(APIError) in try await engine.choices(parameters, caller: call.caller) }
    on(ChoicesForget.self) { (parameters, call) throws(APIError) in
      defer { known.forget(user: call.visitor.user) }
      return try await engine.forgetChoices(parameters, caller: call.caller)
    }
  }
}

extension MethodTable.Call {
  var caller: EngineCaller { EngineCaller(user: visitor.user) }

  fileprivate func notify(_ partial: Partial) {
    var writer = JSONWriter(reserving: 2_048)
    partial.write(to: &writer)
    notify(Partial.method, writer.bytes)
  }
}
