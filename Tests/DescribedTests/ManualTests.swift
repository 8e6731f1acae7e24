import Foundation
import JSON
import PlacesKit
import ServiceDescriptions
import Testing

@Suite("places-service(5)") struct ManualTests {
  static let page = (try? String(contentsOf: ServiceCase.tree.appending(path: "man/places-service.5"), encoding: .utf8)) ?? ""
  /// The page without requests and line breaks.
  static let words = page.split(separator: "\n").map { line in
    line.hasPrefix(".") ? line.split(separator: " ").dropFirst().joined(separator: " ") : String(line)
  }.joined(separator: " ")

  @Test("Every key is in the manual, with its sentence and its values")
  func keys() {
    for section in DescriptionKeys.sections {
      for key in section.keys {
        #expect(Self.page.contains("\n.It Va \(key.name)\(key.isRequired ? " Pq required" : "")\n"), "\(section.name).\(key.name)")
        #expect(Self.words.contains(key.summary), "\(section.name).\(key.name): \(key.summary)")
        if key.name != "format" { #expect(Self.words.contains("Must be \(key.expected)."), "\(section.name).\(key.name)") }
      }
    }
  }

  @Test("Every field, value and converter is in the manual, with its sentence")
  func words() {
    for field in RowField.allCases { #expect(Self.page.contains("Va \(field.key)") && Self.words.contains(field.summary), "\(field)") }
    for value in RequestValue.allCases {
      #expect(Self.page.contains("Va \(value.rawValue)") && Self.words.contains(value.summary), "\(value)")
    }
    for converter in ConverterSignature.all {
      #expect(Self.page.contains("\n.It Ic \(converter.usage)\n") && Self.words.contains(converter.summary), "\(converter.name)")
    }
  }

  @Test("The example is a sound description")
  func example() throws {
    let start = try #require(Self.page.firstRange(of: "\nformat = 1\n"))
    let end = try #require(Self.page[start.upperBound...].firstRange(of: "\n.Ed"))
    let text = Self.page[start.lowerBound..<end.lowerBound]
    #expect(ServiceDescription.read(Array(text.utf8), service: "photon", file: "example").problems == [])
  }

  @Test(
    "Every description that is installed is in the manual, with its sentence, its calls and whether it needs a key",
    arguments: ServiceCase.shipped)
  func shipped(service: String) throws {
    let description = try ServiceCase.description(service)
    let manifest = description.manifest
    let summary = manifest.summary.replacing(". ", with: ".\n")
    let key = manifest.credential == .none ? "no key" : manifest.needsCredential ? "a key" : "a key if there is one"
    let calls = description.calls.map(\.rawValue).joined(separator: ", ")
    #expect(Self.page.contains("\n.It Li \(service)\n\(summary)\nCalls: \(calls); \(key).\n"), "\(service): \(calls); \(key)")
  }
}
