import PlacesKit

extension Decodable {
  /// Decodes a value of the provider protocol. A missing member has the value that `WireDefaults` gives for its name. Thus a provider in
  /// another language need only write members that have other values.
  /// - Parameter unknownMembers: records members that the decoded type does not have; nil if they are ignored.
  init(providerJSON value: JSONValue, unknownMembers: UnknownMembers.Recorder? = nil) throws(DecodingFault) {
    do {
      let decoding = JSONDecoding(
        value, defaults: WireDefaults.members,
        reportKeys: unknownMembers.map { recorder in { recorder.record($0, at: $1, unlessIn: $2) } })
      self = try decoding.decode(Self.self)
    } catch let error as DecodingError {
      throw DecodingFault(error)
    } catch {
      throw DecodingFault(message: "it cannot be decoded")
    }
  }
}

/// A JSON value that does not have the required form. The message contains the path of the value and the expected form, never the value
/// itself.
struct DecodingFault: Error {
  var message: String
  init(message: String) { self.message = message }

  init(_ error: DecodingError) {
    let (path, reason) = error.pathAndReason
    message = (path.isEmpty ? "it" : path) + " " + Self.harmless(reason)
  }

  /// The description if this project wrote it. A description by the standard library may quote the value that did not fit, so a general
  /// description replaces it. For an unknown parameter of a capability, the replacement lists the names of all parameters.
  private static func harmless(_ text: String) -> String {
    if text == "Could not convert key to type Parameter" {
      return "is none of \(Capability.Parameter.allCases.map(\.rawValue).joined(separator: ", "))"
    }
    return text.hasPrefix("must be") || text == "is missing" || text.hasPrefix("coordinate") ? text : "has a value that is not allowed"
  }
}
