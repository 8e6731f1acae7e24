import QueryEngine
import PlacesAPI
import PlacesKit

extension MethodTable {
  /// Adds the methods `places.*`.
  mutating func addPlaces(_ engine: Engine, _ cachedAutocomplete: CachedAutocomplete) {
    onEncoded(Autocomplete.self) { (parameters, call) throws(APIError) in
      try await cachedAutocomplete.answer(parameters, text: call.params, user: call.caller.user) { revision, rows, providers, credits in
        call.notify(Partial(request: call.id.json, revision: revision, suggestions: rows, providers: providers, attributions: credits))
      }
    }
    on(Search.self) { (parameters, call) throws(APIError) in
      try await engine.search(parameters, caller: call.engineCaller) { revision, rows, providers, credits in
        call.notify(Partial(request: call.id.json, revision: revision, places: rows, providers: providers, attributions: credits))
      }
    }
    on(Resolve.self) { (parameters, call) throws(APIError) in try await engine.resolve(parameters, caller: call.engineCaller) }
    on(Details.self) { (parameters, call) throws(APIError) in
      // A details request that ends a session is a choice, which affects the ranking of later answers.
      let isChoice = parameters.session.map { engine.isOpen($0, of: call.caller.user) } ?? false
      defer { if isChoice { cachedAutocomplete.replyCache.invalidate(.user(call.caller.user)) } }
      return try await engine.details(parameters, caller: call.engineCaller)
    }
    on(Photo.self) { (parameters, call) throws(APIError) in try await engine.photo(parameters, caller: call.engineCaller) }
    on(Reverse.self) { (parameters, call) throws(APIError) in try await engine.reverse(parameters, caller: call.engineCaller) }
    on(Select.self) { (parameters, call) throws(APIError) in
      let isChoice = engine.isOpen(parameters.session, of: call.caller.user)
      defer { if isChoice { cachedAutocomplete.replyCache.invalidate(.user(call.caller.user)) } }
      try await engine.select(parameters, caller: call.engineCaller)
      return Empty()
    }
    on(ChoicesList.self) { (parameters, call) throws(APIError) in try await engine.choices(parameters, caller: call.engineCaller) }
    on(ChoicesForget.self) { (parameters, call) throws(APIError) in
      defer { cachedAutocomplete.replyCache.invalidate(.user(call.caller.user)) }
      return try await engine.forgetChoices(parameters, caller: call.engineCaller)
    }
  }
}

extension MethodTable.MethodCall {
  var engineCaller: EngineCaller { EngineCaller(user: caller.user) }

  fileprivate func notify(_ partial: Partial) {
    var writer = JSONWriter(reserving: 2_048)
    partial.write(to: &writer)
    notify(Partial.method, writer.bytes)
  }
}
