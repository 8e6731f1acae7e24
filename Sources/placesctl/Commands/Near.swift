import PlacesAPI
import PlacesClient
import PlacesKit

extension Invocation {
  /// Replaces the name of a place in `--near` by its location, which the providers that cost nothing look up.
  mutating func resolveNear(_ context: CommandContext) async throws(Failure) {
    guard let text = text("near"), let value = Option.Value.pointOrPlace.json([text]), value.string != nil else { return }
    let providers: [String]
    do {
      providers = try await context.client.call(ProvidersList.self, NoParameters()).providers
        .filter { $0.state == .ready && (!$0.leavesMachine || $0.isFree == true) }.map(\.id)
    } catch { throw Failure(error) }
    guard !providers.isEmpty else { throw Failure(.none, "--near: no free provider can look up \(printable(text))") }
    var search = Search.Parameters(query: text, fields: [.name, .formattedAddress, .coordinate, .types])
    search.providers = providers
    search.language = language
    guard let found = try await ResolveCommand.resolve(search, context), found.fit != .part else {
      throw Failure(.none, "--near: no place named \(printable(text)) was found")
    }
    guard found.isCertain else {
      let names = found.candidates.prefix(5).compactMap { $0.values[.formattedAddress]?.string.map(printable) }
      throw Failure(.none, "--near: not certain which place \(printable(text)) means", advice: names)
    }
    guard let point = found.place.values[.coordinate], let latitude = point["latitude"]?.double, let longitude = point["longitude"]?.double
    else { throw Failure(.none, "--near: the location of \(printable(text)) is not known") }
    options["near"] = ["\(latitude),\(longitude)"]
  }
}
