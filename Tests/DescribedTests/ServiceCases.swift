import Foundation
import PlacesKit
import ServiceDescriptions
import Synchronization

/// A call of a described service: the parameters, the expected request, the response and the expected result. Read from `Answers`.
struct ServiceCase: Sendable {
  var name: String
  var call: Call
  var request: JSONValue
  /// The requests, as `spelled` writes them; nil to compare none.
  var sends: [String]?
  var response: HTTPResponse
  /// The rows in one line each.
  var rows: [String]?
  /// The cause, and after a space the seconds to wait.
  var error: String?

  static let tree = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The descriptions that are shipped.
  static let shipped: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: tree.appending(path: "etc/services").path)) ?? [])
    .filter { $0.hasSuffix(".toml") }.map { String($0.dropLast(5)) }.sorted()

  static func text(_ service: String) throws -> [UInt8] {
    let shipped = tree.appending(path: "etc/services/\(service).toml")
    let own = tree.appending(path: "Tests/DescribedTests/Services/\(service).toml")
    return Array(try Data(contentsOf: FileManager.default.fileExists(atPath: shipped.path) ? shipped : own))
  }

  static func description(_ service: String) throws -> ServiceDescription {
    let reading = ServiceDescription.read(try text(service), service: service, file: "\(service).toml")
    guard let description = reading.description else { throw Unsound(problems: reading.problems.map(\.description)) }
    return description
  }

  struct Unsound: Error { var problems: [String] }

  static func cases(of service: String) throws -> [ServiceCase] {
    let file = tree.appending(path: "Tests/DescribedTests/Answers/\(service).json")
    let value = try JSONValue(parsing: Array(Data(contentsOf: file)))
    return (value.array ?? []).map { entry in
      let body = entry["body"].map { $0.string.map { Array($0.utf8) } ?? $0.bytes } ?? []
      let headers = (entry["headers"]?.object?.members ?? []).map { HTTPRequest.Item($0.key, $0.value.string ?? "") }
      return ServiceCase(
        name: entry["name"]?.string ?? "", call: entry["call"]?.string.flatMap(Call.init) ?? .search, request: entry["request"] ?? [:],
        sends: entry["sends"]?.array?.compactMap(\.string),
        response: HTTPResponse(status: entry["status"]?.integer ?? 200, headers: headers, body: body),
        rows: entry["rows"]?.array?.compactMap(\.string), error: entry["error"]?.string)
    }
  }
}

extension ServiceCase {
  struct Outcome { var sent: [String]; var rows: [String]?; var error: String? }

  /// Calls the service with the case's parameters, and with only the required settings.
  func run(_ description: ServiceDescription) async -> Outcome {
    let sent = Mutex<[String]>([])
    var settings: [String: JSONValue] = [:]
    for setting in description.manifest.settings { settings[setting.name] = setting.defaultValue ?? (setting.required ? "1" : nil) }
    let service = DescribedService(description, settings: settings) { [response] (request) throws(ProviderError) in
      sent.withLock { $0.append(spelled(request)) }
      return response
    }
    do throws(ProviderError) {
      let rows = try await ask(service)
      return Outcome(sent: sent.withLock { $0 }, rows: rows)
    } catch {
      let wait = error.retryAfterSeconds.map { " \(Int($0))" } ?? ""
      return Outcome(sent: sent.withLock { $0 }, error: error.cause.rawValue + wait)
    }
  }

  private func ask(_ service: DescribedService) async throws(ProviderError) -> [String] {
    let query = request["query"]?.string ?? "berlin"
    let limit = request["limit"]?.integer ?? 5
    let language = request["language"]?.string
    let countries = request["countries"]?.array?.compactMap(\.string) ?? []
    let types = (request["types"]?.array ?? []).compactMap { $0.string.map(PlaceType.init(rawValue:)) }
    let bias = Area(request["bias"])
    let restriction = Area(request["restriction"])
    let fields = Set(PlaceField.allCases)
    switch call {
    case .autocomplete:
      let request = AutocompleteRequest(
        query: query, limit: limit, language: language, region: request["region"]?.string, bias: bias, restriction: restriction,
        types: types, countries: countries, sessionToken: request["session"]?.string)
      return try await service.autocomplete(request).rows.map(\.line)
    case .details:
      let request = DetailsRequest(
        id: request["id"]?.string ?? "1", fields: fields, language: language, sessionToken: request["session"]?.string)
      return [try await service.details(request).line]
    case .reverse:
      let point = Coordinate(latitude: request["latitude"]?.double ?? 52.5, longitude: request["longitude"]?.double ?? 13.4) ?? .zero
      let request = ReverseRequest(
        location: point, radius: request["radius"]?.double, types: types, limit: limit, fields: fields, language: language)
      return try await service.reverse(request).rows.map(\.line)
    case .photo: return []
    case .search, .geocode:
      let request = SearchRequest(
        query: query, fields: fields, includedType: types.first, limit: limit, pageToken: request["page"]?.string, language: language,
        bias: bias, restriction: restriction, countries: countries)
      let page = try await service.search(request)
      return page.rows.map(\.line) + (page.next.map { ["next \($0)"] } ?? [])
    }
  }
}

extension Area {
  /// `[latitude, longitude, radius]` or `[south, west, north, east]`.
  fileprivate init?(_ value: JSONValue?) {
    guard let numbers = value?.array?.compactMap(\.double) else { return nil }
    if numbers.count == 3, let center = Coordinate(latitude: numbers[0], longitude: numbers[1]) {
      self = .circle(center: center, radius: numbers[2])
    } else if numbers.count == 4, let low = Coordinate(latitude: numbers[0], longitude: numbers[1]),
      let high = Coordinate(latitude: numbers[2], longitude: numbers[3])
    {
      self = .rectangle(Rectangle(low: low, high: high))
    } else {
      return nil
    }
  }
}

/// A request in one line: `GET host /path?name=value`, nothing encoded; then headers and body.
func spelled(_ request: HTTPRequest) -> String {
  let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  let headers = request.headers.filter { $0.name != "Content-Type" }.map { " \($0.name): \($0.value)" }.joined()
  let body = request.body.isEmpty ? "" : " " + String(decoding: request.body, as: UTF8.self)
  return "\(request.method.rawValue) \(request.host ?? "-") /\(request.path.joined(separator: "/"))" + (query.isEmpty ? "" : "?\(query)")
    + headers + body
}

extension Suggestion {
  /// `id | primary | secondary | types | position`, with matches in brackets; after it the page and the image, if the row has them.
  fileprivate var line: String {
    let texts = [primary ?? text, secondary].map { $0?.marked ?? "-" }
    let place = location.map { "\($0.latitude),\($0.longitude)" } ?? "-"
    let row = [kind == .query ? "query" : id ?? "-"] + texts + [types.map(\.rawValue).joined(separator: ","), place]
    return (row + [url, iconImageURL].compactMap { $0 }).joined(separator: " | ")
  }
}

extension Place {
  fileprivate var line: String {
    let point = location.map { "\($0.latitude),\($0.longitude)" } ?? "-"
    let rest = values.filter { ![.placeID, .name, .formattedAddress, .coordinate, .types, .addressComponents].contains($0.key) }
    let more = rest.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue)=\($0.value.text)" }
    return ([id, name ?? "-", formattedAddress ?? "-", types.map(\.rawValue).joined(separator: ","), point] + more).joined(separator: " | ")
  }
}

extension FormattedText {
  fileprivate var marked: String {
    var out = ""
    var open = false
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let inside = matches.contains { ($0.start..<$0.end).contains(index) }
      if inside != open { out += inside ? "[" : "]" }
      open = inside
      out.unicodeScalars.append(scalar)
    }
    return open ? out + "]" : out
  }
}
