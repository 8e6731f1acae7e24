import Merging
import PlacesKit
import PlacesTesting

#if canImport(Glibc)
  import Glibc
#endif

func Seeded(_ seed: UInt64) -> SeededRandom { SeededRandom(seed: seed) }

/// The number of random cases for a property; larger if PLACES_PROVE is set.
func cases(_ usual: Int, proof: Int) -> Int { getenv("PLACES_PROVE") == nil ? usual : proof }

/// A suggestion of a place with little effort.
func place(
  _ id: String?, _ name: String, at location: (Double, Double)? = nil, types: [PlaceType] = [], language: String? = nil,
  secondary: String? = nil, evidence: (inout Evidence) -> Void = { _ in }
) -> Suggestion {
  var known = Evidence()
  evidence(&known)
  return Suggestion(
    kind: .place, id: id, text: FormattedText(name), primary: FormattedText(name), secondary: secondary.map { FormattedText($0) },
    types: types, language: language, location: location.flatMap { Coordinate(latitude: $0.0, longitude: $0.1) }, evidence: known)
}

func batch(_ provider: String, _ rows: [Suggestion], weight: Double = 1, terms: Terms = .mixing(.free)) -> ProviderBatch<Suggestion> {
  ProviderBatch(provider: provider, weight: weight, terms: terms, attributions: [Attribution(text: "© \(provider)")], rows: rows)
}

func merge(
  _ batches: [ProviderBatch<Suggestion>], query: String = "", limit: Int = 50, prefer: [String] = [], explain: Bool = false
) -> [MergedSuggestion] {
  Merger().suggestions(batches, context: MergeContext(query: query, limit: limit, prefer: prefer, explain: explain))
}
