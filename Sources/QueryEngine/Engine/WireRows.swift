import Merging
import PlacesAPI
import PlacesKit

// Prepares providers' rows for merging, and converts merged rows to the wire format.

extension QueryContext {
  /// The rows of the providers so far, for merging.
  func batches<Row>(_ outcomes: [ProviderOutcome?], _ rows: (ProviderAnswer) -> [Row]) -> [ProviderBatch<Row>] {
    zip(candidates, outcomes).compactMap { candidate, outcome in
      guard let outcome, let answer = outcome.answer else { return nil }
      return batch(of: candidate, rows(answer), fetchedAt: outcome.fetchedAt)
    }
  }

  func batch<Row>(of candidate: CandidateProvider, _ rows: [Row], fetchedAt: Double) -> ProviderBatch<Row> {
    let manifest = candidate.client.instance.manifest
    return ProviderBatch(
      provider: candidate.client.id, weight: candidate.client.instance.weight, detailsMicros: manifest.detailsMicros, terms: manifest.terms,
      attributions: manifest.attributions, rows: rows, fetchedAt: fetchedAt)
  }
}

extension Manifest {
  /// The price of a details call for the fields of the tier `basic`, in millionths of the currency's unit. Currencies are not converted. An
  /// unknown price is greater than all known prices. For a provider without details, the result is `Int.max`.
  fileprivate var detailsMicros: Int {
    details == nil ? .max : prices.micros(of: .details, fields: Manifest.basicFields) ?? Int.max - 1
  }

  private static let basicFields = Set(PlaceField.Tier.basic.fields)
}

extension Source {
  init(_ source: MergedSource) { self.init(provider: source.provider, id: source.id.flatMap { PlaceID($0) }, rank: source.rank) }
}

extension MergedRow {
  var wireAttributions: [AttributionRow] { attributions.map { AttributionRow(provider: $0.provider, $0.attribution) } }
}

extension [AttributionRow] {
  /// All credits of the rows and their alternatives, without duplicates.
  init<Row>(of rows: [MergedRow<Row>]) {
    var (credits, latestAttributions): ([MergedAttribution], [MergedAttribution]) = ([], [])
    // The span avoids copies of rows, which are large.
    let rows = rows.span
    func add(_ attributions: [MergedAttribution]) {
      // Nearly all rows share one list, and the comparison of equal references is fast.
      guard attributions != latestAttributions else { return }
      latestAttributions = attributions
      for credit in latestAttributions where !credits.contains(credit) { credits.append(credit) }
    }
    for index in rows.indices {
      add(rows[index].attributions)
      for alternative in rows[index].alternatives { add(alternative.attributions) }
    }
    self = credits.map { AttributionRow(provider: $0.provider, $0.attribution) }
  }
}

extension [SuggestionRow] {
  /// - Parameter commonCredits: credits of the whole answer, which rows do not repeat.
  init(_ merged: [MergedSuggestion], commonCredits: [AttributionRow]) {
    self = []
    reserveCapacity(merged.count)
    // Nearly all rows share one list of credits, and the comparison of equal references is fast.
    var (latestAttributions, rowCredits): ([MergedAttribution], [AttributionRow]) = ([], [])
    let merged = merged.span
    for index in merged.indices {
      if merged[index].attributions != latestAttributions {
        latestAttributions = merged[index].attributions
        rowCredits = latestAttributions.map { AttributionRow(provider: $0.provider, $0.attribution) }.filter { !commonCredits.contains($0) }
      }
      let alternatives = merged[index].alternatives.isEmpty ? [] : [SuggestionRow](merged[index].alternatives, commonCredits: commonCredits)
      append(SuggestionRow.row(merged, index, attributions: rowCredits, alternatives: alternatives))
    }
  }
}

extension SuggestionRow {
  /// The row at an index. The merged row is passed as a span and an index, which avoids a copy of this large value.
  /// - Parameter attributions: the row's credits, without those of the whole answer.
  fileprivate static func row(
    _ merged: Span<MergedSuggestion>, _ index: Int, attributions: [AttributionRow], alternatives: [SuggestionRow]
  ) -> SuggestionRow {
    let sources = merged[index].sources.map { Source($0) }
    // A place's id is that of its leading source.
    return SuggestionRow(
      merged[index].value, row: merged[index].row, id: merged[index].id == nil ? nil : sources.first?.id, sources: sources,
      distance: merged[index].distance, group: merged[index].group,
      attributions: attributions.isEmpty ? nil : attributions, alternatives: alternatives.isEmpty ? nil : alternatives,
      explain: merged[index].explanation?.json)
  }
}

extension PlaceRow {
  /// Nil if the row has no id.
  /// - Parameter fields: the requested fields. Other fields, which only a filter needed, are left out.
  init?(_ merged: MergedPlace, fields: Set<PlaceField>, explain: Bool) {
    guard let id = merged.id.flatMap({ PlaceID($0) }) else { return nil }
    var values = merged.value.values.filter { fields.contains($0.key) }
    if fields.contains(.placeID) { values[.placeID] = .string(id.text) }
    if let moved = values[.movedPlaceID]?.string { values[.movedPlaceID] = .string(PlaceID(provider: id.provider, native: moved).text) }
    if fields.contains(.coordinate), values[.coordinate] == nil, let location = merged.value.location {
      values[.coordinate] = ["latitude": .number(location.latitude), "longitude": .number(location.longitude)]
    }
    if fields.contains(.types), values[.types] == nil, !merged.value.types.isEmpty {
      values[.types] = .array(merged.value.types.map { .string($0.rawValue) })
    }
    let alternatives = merged.alternatives.compactMap { PlaceRow($0, fields: fields, explain: explain) }
    self.init(
      id: id, row: merged.row, values: values, distance: merged.distance, group: merged.group, sources: merged.sources.map { Source($0) },
      attributions: merged.wireAttributions, alternatives: alternatives.isEmpty ? nil : alternatives,
      provenance: explain ? merged.explanation?.fieldOrigins(fields) : nil, explain: explain ? merged.explanation?.json : nil)
    if merged.value.partialMatch == true { partialMatch = true }
  }
}

extension Explanation {
  fileprivate func fieldOrigins(_ fields: Set<PlaceField>) -> [PlaceField: PlaceRow.Provenance] {
    var origins: [PlaceField: PlaceRow.Provenance] = [:]
    for source in provenance {
      guard let field = PlaceField(rawValue: source.field), fields.contains(field) else { continue }
      origins[field] = PlaceRow.Provenance(provider: source.provider, at: Timestamp.rfc3339(source.fetchedAt))
    }
    return origins
  }

  var json: JSONValue {
    var json: JSONObject = [
      "match": .string(match.rawValue), "score": .number(score), "parts": .array(parts.map(\.json)),
      "merges": .array(merges.map(\.json)), "tied": .array(tied.map(\.json)), "maybe": .array(maybe.map(\.json)),
      "fields": .array(
        provenance.map {
          ["field": .string($0.field), "provider": .string($0.provider), "at": .string(Timestamp.rfc3339($0.fetchedAt))]
        }),
    ]
    if let matchedName { json["matchedName"] = .string(matchedName) }
    if let importance { json["importance"] = .number(importance) }
    if partialMatch { json["partialMatch"] = true }
    if let leads { json["leads"] = .string(leads.rawValue) }
    return .object(json)
  }
}

extension ScorePart {
  fileprivate var json: JSONValue { ["name": .string(name), "value": .number(value)] }
}

extension MergeReason {
  fileprivate var json: JSONValue {
    [
      "first": .string(first), "second": .string(second), "probability": .number(probability), "reasons": .array(reasons.map(\.json)),
    ]
  }
}
