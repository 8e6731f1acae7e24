extension MergePipeline {
  /// The name by which the query matches a row that does not show it, such as Wien for Vienna. Nil if the shown text matches as well, or if
  /// no other name matches better.
  /// - Parameter shownName: the name in the row's text, which is that of one of the source rows.
  func hiddenName(of sourceRows: [SourceRow], shownName: String) -> String? {
    let matcher = TextMatcher(query: context.query)
    func match(_ record: MatchRecord, otherNames: [String]) -> TextMatch {
      var record = record
      record.otherNames = otherNames
      return matcher.match([0], in: NormalizedRecords([record]))
    }
    let records = sourceRows.map { matchRecord(of: $0) }
    let shownRecords = records.filter { $0.name == shownName }
    var bestMatch = shownRecords.map { match($0, otherNames: []) }.min() ?? .other
    var bestName: String?
    for record in records {
      var matches = record.name == shownName ? [] : [(name: record.name, match: match(record, otherNames: []))]
      // The gazetteer appends words for the surroundings to a name: `Boston, ma usa` is not another name.
      for name in record.otherNames.prefix(NormalizedRecords.nameLimit - 1) where !name.hasPrefix(record.name + ", ") {
        matches.append((name, match(record, otherNames: [name])))
      }
      for candidate in matches where candidate.match < bestMatch { (bestMatch, bestName) = (candidate.match, candidate.name) }
    }
    return bestName
  }
}
