extension MergePipeline {
  /// The name by which the query matches a place although none of its rows shows it, such as Wien for Vienna. Nil if the shown texts match
  /// as well, or if no other name matches better.
  func hiddenName(of sourceRows: [SourceRow]) -> String? {
    let matcher = TextMatcher(query: context.query)
    func match(_ records: [MatchRecord]) -> TextMatch {
      let normalized = NormalizedRecords(records)
      return matcher.match(Array(records.indices), in: normalized)
    }
    let records = sourceRows.map { matchRecord(of: $0) }
    var best = match(
      records.map { record in
        var record = record
        record.otherNames = []
        return record
      })
    var hidden: String?
    for record in records {
      for name in record.otherNames.prefix(NormalizedRecords.nameLimit - 1) {
        guard best > .exact else { return hidden }
        // The gazetteer appends words for the surroundings to a name: `Boston, ma usa` is not another name.
        if name.hasPrefix(record.name + ", ") { continue }
        var single = record
        single.otherNames = [name]
        let match = match([single])
        if match < best { (best, hidden) = (match, name) }
      }
    }
    return hidden
  }
}
