import PlacesAPI
import PlacesClient
import PlacesKit

extension Invocation {
  /// Replaces the names of places in points and areas by their coordinates. Only providers that cost nothing look up the names.
  mutating func locatePlaces(_ context: CommandContext) async throws(Failure) {
    for option in command.options {
      guard let text = text(option.name), let place = option.valueType.place(in: text) else { continue }
      let point = try await location(of: place.name, for: "--\(option.name)", context)
      options[option.name] = [[point, place.radius].compactMap { $0 }.joined(separator: ",")]
    }
    for (index, argument) in command.arguments.enumerated() where arguments.indices.contains(index) {
      guard let place = argument.valueType.place(in: arguments[index]) else { continue }
      arguments[index] = try await location(of: place.name, for: argument.name, context)
    }
  }

  /// The coordinates, as `LAT,LON`, of the place that a name means.
  /// - Parameter label: the option or argument that contains the name, for messages.
  private func location(of name: String, for label: String, _ context: CommandContext) async throws(Failure) -> String {
    let providers: [String]
    do {
      providers = try await context.client.call(ProvidersList.self, NoParameters()).providers
        .filter { $0.state == .ready && (!$0.leavesMachine || $0.isFree == true) }.map(\.id)
    } catch { throw Failure(error) }
    guard !providers.isEmpty else { throw Failure(.noResults, "\(label): no free provider can look up \(printable(name))") }
    var request = Resolve.Parameters(query: name)
    request.providers = providers
    request.language = text("lang") ?? language
    let result = try await ResolveCommand.resolve(request, context)
    guard let match = result.match, match != .part else {
      throw Failure(.noResults, "\(label): no place named \(printable(name)) was found")
    }
    guard let place = result.place else {
      let names = (result.candidates ?? []).prefix(5).map { candidate in
        let (name, address) = (candidate.values[.name]?.string, candidate.values[.formattedAddress]?.string)
        let texts = [address.map { $0.hasPrefix(name ?? "") } == true ? nil : name, address].compactMap { $0 }
        return printable(texts.joined(separator: ", "))
      }
      throw Failure(.noResults, "\(label): not certain which place \(printable(name)) means", advice: names)
    }
    guard let point = place.values[.coordinate], let latitude = point["latitude"]?.double, let longitude = point["longitude"]?.double
    else { throw Failure(.noResults, "\(label): the location of \(printable(name)) is not known") }
    return "\(latitude),\(longitude)"
  }
}
