import PlacesAPI
import PlacesKit

extension DescriptionCommands {
  /// The result of the check of a description for --json.
  struct Report: MethodResult {
    var path: String
    var sound: Bool
    var problems: [Problem]
    var requests: [Request] = []
    /// The meaning of the sample as an error; nil unless a rule of [[errors]] fits or --status was given.
    var outcome: Outcome?
    var rows: [Row] = []
    var warnings: [Warning] = []
    var unmatched: [Unmatched] = []
    var unread: [String] = []
    var unknownTypes: [String] = []

    struct Problem: Codable, Sendable {
      var line: Int?
      var column: Int?
      var message: String
      var suggestion: String?
    }
    struct Request: Codable, Sendable {
      /// The request's area in words, such as `near an area`; nil if it has none.
      var area: String?
      var method: String
      /// Not percent-encoded.
      var url: String
      var headers: [Header]
      var body: String?
      struct Header: Codable, Sendable {
        var name: String
        var value: String
      }
    }
    struct Outcome: Codable, Sendable {
      /// The position of the rule that fits; nil if no rule fits.
      var rule: Position?
      /// The cause of the error; nil for an answer that is not an error.
      var cause: String?
      var message: String?
      var retryAfter: Double?
      struct Position: Codable, Sendable {
        var line: Int
        var column: Int
      }
    }
    struct FieldValue: Codable, Sendable {
      var field: String
      var value: String
    }
    struct Warning: Codable, Sendable {
      var subject: String
      var message: String
    }
    struct Unmatched: Codable, Sendable {
      var field: String
      var path: String
      var suggestion: String?
    }
    struct Row: Codable, Sendable {
      /// The row's number in the answer, from 1.
      var number: Int
      /// False for a row that is left out.
      var used: Bool
      /// Why the row is left out; nil if it is not.
      var omission: String?
      var id: String?
      var text: String
      var types: [String]
      var coordinate: Coordinate?
      var fields: [FieldValue]
    }
  }
}
