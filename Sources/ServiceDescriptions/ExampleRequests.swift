import PlacesKit

/// A request of a call with example values, which is shown to the author of a description.
public struct ExampleRequest: Sendable {
  /// How the request uses an area, such as `near an area`; nil if it has none.
  public var area: String?
  public var request: HTTPRequest
}

extension ServiceDescription {
  /// The requests of a call without an area, near an area and in an area, without repetitions. They do not contain the key.
  /// - Parameters:
  ///   - call: the call.
  ///   - query: the text for `autocomplete` and `search`.
  ///   - id: the id of the place for `details`.
  ///   - settings: the instance's settings. A required setting that is missing is shown as its placeholder.
  public func exampleRequests(of call: Call, query: String, id: String, settings: [String: JSONValue]) -> [ExampleRequest] {
    // The example area is around Berlin.
    guard let describedCall = describedCalls[call], let center = Coordinate(latitude: 52.52, longitude: 13.405),
      let low = Coordinate(latitude: 52.25, longitude: 13.25), let high = Coordinate(latitude: 52.75, longitude: 13.75)
    else { return [] }
    var settings = settings
    for setting in manifest.settings where settings[setting.name] == nil {
      settings[setting.name] = setting.defaultValue ?? (setting.required ? .string("{settings.\(setting.name)}") : nil)
    }
    var withoutArea = RequestValues()
    withoutArea.query = query
    withoutArea.limit = min(10, describedCall.maximumRows)
    withoutArea.language = describedCall.request.exampleLanguage
    withoutArea.id = id
    withoutArea.location = center
    withoutArea.decimals = manifest.coordinateDecimals
    var nearArea = withoutArea
    nearArea.bias = .circle(center: center, radius: 10_000)
    var inArea = withoutArea
    inArea.restriction = .rectangle(Rectangle(low: low, high: high))
    inArea.box = inArea.restriction?.bounds
    inArea.radius = 500
    var examples: [ExampleRequest] = []
    for (area, values) in [(nil, withoutArea), ("near an area", nearArea), ("in an area", inArea)] as [(String?, RequestValues)] {
      guard let request = try? describedCall.request.request(values, settings: settings) else { continue }
      if !examples.contains(where: { $0.request == request }) { examples.append(ExampleRequest(area: area, request: request)) }
    }
    return examples
  }
}

extension RequestTemplate {
  /// English or, if the service lacks English, its first language.
  fileprivate var exampleLanguage: String {
    for converter in placeholders.flatMap(\.converters) {
      if case .oneOf(let languages) = converter, !languages.contains("en"), let firstLanguage = languages.first { return firstLanguage }
    }
    return "en"
  }
}
