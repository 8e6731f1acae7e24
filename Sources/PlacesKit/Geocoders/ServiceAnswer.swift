import JSON
import PlacesKit

extension HTTPResponse {
  /// The body as JSON. Throws the error for the status unless it is 2xx, and `decode` if the body is not JSON.
  /// - Parameters:
  ///   - service: the service's name, for messages.
  ///   - usesKey: true if the request may have contained a key.
  public func json(from service: String, usesKey: Bool = true) throws(ProviderError) -> JSONValue {
    try checkStatus(of: service, usesKey: usesKey)
    guard let value = parsed else {
      if looksLikePage { throw ProviderError(.decode, "\(service) answered with a web page instead of data", detail: "page") }
      throw ProviderError(.decode, "\(service)'s answer is not JSON")
    }
    return value
  }

  /// The body as JSON, regardless of the status; nil if it is not JSON. A byte-order mark is ignored.
  public var parsed: JSONValue? {
    let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
    return try? JSONValue(parsing: text, limits: JSONLimits(depth: 32, values: 50_000))
  }

  /// Throws the error for the status, unless the status is 2xx.
  /// - Parameters:
  ///   - setting: the setting that names the service's address, for messages.
  ///   - usesKey: true if the request may have contained a key. If so, status 401 or 403 is reported as a wrong key.
  public func checkStatus(of service: String, at setting: String = "base_url", usesKey: Bool = true) throws(ProviderError) {
    guard !(200..<300).contains(status) else { return }
    throw statusError(of: service, at: setting, usesKey: usesKey)
  }

  /// The error for a status outside 2xx. The message does not quote the body, because the body may repeat the request.
  private func statusError(of service: String, at setting: String, usesKey: Bool) -> ProviderError {
    switch status {
    case 300..<400:
      ProviderError(
        .http, "\(service) redirects to another address (HTTP \(status)); that is not followed, \(setting) may be out of date")
    case 404: ProviderError(.http, "\(service) has nothing at this address (HTTP 404): check \(setting)")
    // The code is not `credentials`, which suspends the provider: the refusal may concern only this request, for example if a firewall in
    // front of a self-hosted server rejects it.
    case 401 where !usesKey, 403 where !usesKey:
      ProviderError(
        .http, "\(service) refuses access (HTTP \(status)): check which clients the server at \(setting) lets in",
        retryAfterSeconds: retryAfterSeconds)
    case 401, 403:
      ProviderError(
        .credentials, "\(service) refuses access (HTTP \(status)): check the key, or which clients your own server at \(setting) lets in")
    case 408: ProviderError(.http, "\(service) timed out (HTTP 408)", retryAfterSeconds: retryAfterSeconds)
    case 429: ProviderError(.rateLimit, "\(service) received too many requests", retryAfterSeconds: retryAfterSeconds)
    case 400..<500: ProviderError(.badRequest, "\(service) refuses the request (HTTP \(status))")
    default: ProviderError(.http, "\(service) answered with an error (HTTP \(status))", retryAfterSeconds: retryAfterSeconds)
    }
  }

  /// True if the body is a web page, such as a proxy's login page or a service's error page.
  public var looksLikePage: Bool {
    if let type = header("content-type")?.lowercased(), type.hasPrefix("text/html") { return true }
    let start = body.drop { $0 <= 0x20 || $0 >= 0x80 }.prefix(9)
    return String(decoding: start, as: UTF8.self).lowercased().hasPrefix("<!doctype")
      || String(decoding: start.prefix(5), as: UTF8.self).lowercased() == "<html"
  }

  /// The minimum of `retryAfterSeconds` after status 403 or 429, in seconds, even if the service states less.
  private static let minPause = 5.0

  /// The seconds that the header `Retry-After` states, at most 86,400 (one day). If the header contains a date (RFC 9110, section 10.2.3),
  /// the seconds are counted from the header `Date` until that date. Nil if the header is missing or invalid, or if the date has passed.
  public var retryAfterSeconds: Double? { retryAfterSeconds(now: SystemTime().wall()) }

  /// `retryAfterSeconds` at a given time.
  /// - Parameter now: seconds since 1970; used instead of the header `Date` if the answer has none.
  func retryAfterSeconds(now: Double) -> Double? {
    guard let text = header("retry-after")?.trimmingPrefix(while: { $0 == " " }) else { return nil }
    let seconds: Double?
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      seconds = Double(text)
    } else if let until = HTTPDate.seconds(String(text)) {
      seconds = until - (header("date").flatMap(HTTPDate.seconds) ?? now)
    } else {
      seconds = nil
    }
    guard let seconds, seconds >= 0 else { return nil }
    return min(max(seconds, status == 403 || status == 429 ? HTTPResponse.minPause : 0), 86_400)
  }
}

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete forms, `Sunday, 06-Nov-94 08:49:37 GMT` and
/// `Sun Nov  6 08:49:37 1994` (RFC 9110, section 5.6.7).
enum HTTPDate {
  /// Seconds since 1970; nil if the text is not such a date.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: " ")
    var fields: [Substring]
    switch parts.count {
    case 6 where parts[5] == "GMT": fields = Array(parts[1...4])
    case 5: fields = [parts[2], parts[1], parts[4], parts[3]]
    case 4 where parts[3] == "GMT":
      fields = parts[1].split(separator: "-") + [parts[2]]
      guard fields.count == 4, fields[2].count == 2, let shortYear = Int(fields[2]) else { return nil }
      fields[2] = Substring(String(shortYear < 70 ? 2000 + shortYear : 1900 + shortYear))
    default: return nil
    }
    guard let day = Int(fields[0]), (1...31).contains(day),
      let monthIndex = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].firstIndex(of: fields[1]),
      let year = Int(fields[2]), (1970...9999).contains(year)
    else { return nil }
    let time = fields[3].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (0...23).contains(time[0]), (0...59).contains(time[1]), (0...60).contains(time[2]) else { return nil }
    return Day(year: year, month: monthIndex + 1, day: day).start + Double(time[0] * 3_600 + time[1] * 60 + time[2])
  }
}
