// swift-tools-version: 6.2
// Everything a provider plugin may import, in one dynamic library: Linux has no stable Swift ABI, so the daemon and its
// plugins must share one copy of these types, and only a dynamic product of a nested package gives them that.
import PackageDescription

let package = Package(
  name: "PlacesKit",
  products: [
    .library(name: "PlacesKit", type: .dynamic, targets: ["PlacesKit", "JSON", "Text", "SQLite", "XML", "Geocoders"])
  ],
  targets: [
    // The provider contract and the words of the domain: coordinates, areas, places, terms, prices.
    .target(name: "PlacesKit", dependencies: ["JSON"], path: "PlacesKit"),
    // One strict JSON parser and one writer, used for the wire, for providers and for files.
    .target(name: "JSON", path: "JSON"),
    // Folding, transliteration, tokens and highlights, with ICU's rules.
    .target(name: "Text", dependencies: ["CICU"], path: "Text"),
    // A SQLite connection, its statements and its migrations.
    .target(name: "SQLite", dependencies: ["CSQLite"], path: "SQLite"),
    // A reader of small XML documents on expat, with entities off.
    .target(name: "XML", dependencies: ["CExpat"], path: "XML"),
    // Code that providers with open data share: OpenStreetMap's tags as types, labels of addresses, usual answers to HTTP errors.
    .target(name: "Geocoders", dependencies: ["CICU", "PlacesKit", "Text"], path: "Geocoders"),
    // The C interface to ICU: plain types in the header, ICU only in the .c file.
    .target(name: "CICU", path: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),
    .systemLibrary(name: "CSQLite", path: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CExpat", path: "CExpat", providers: [.apt(["libexpat1-dev"])]),
  ],
  swiftLanguageModes: [.v6]
)
