import PlacesKit
import SQLite
import Text

/// The words of a query that name areas as a whole, such as the `ma` and `usa` of `boston, ma, usa`. No row shows these, so whoever compares a
/// row with what was typed has to be told that it lies there.
struct AskedAreas {
  private var words: [(text: String, areas: AreaSet)] = []
  /// Words that only say what kind of a town is meant.
  private var kinds: [String] = []
  var isEmpty: Bool { words.isEmpty && kinds.isEmpty }

  init(_ query: String, _ typed: [String], in file: IndexFile) throws(SQLiteError) {
    guard (2...8).contains(typed.count) else { return }
    let bare = Settlements.bare(query)
    if bare != query { kinds = Array(Set(typed).subtracting(Folding.words(of: bare))).sorted() }
    for word in typed {
      guard let list = try file.places(.area, word) else { continue }
      let areas = try file.areas(list)
      if !areas.isEmpty { words.append((word, areas)) }
    }
  }

  /// What may be added to the other names of a row: its name and those of the words that name its areas and that it does not show.
  func name(_ row: Suggestion, _ columns: PlaceColumns) -> String? {
    let own = words.filter { $0.areas.holds(columns) }
    guard !own.isEmpty || !kinds.isEmpty else { return nil }
    let shown = Folding.words(of: row.text.text)
    let hidden = own.filter { word in !shown.contains { $0.hasPrefix(word.text) } || word.text.utf8.count < 4 }.map(\.text) + kinds
    return hidden.isEmpty ? nil : "\(row.primary?.text ?? row.text.text), \(hidden.joined(separator: " "))"
  }
}

extension IndexFile {
  /// The countries and regions among places.
  func areas(_ list: PostingCursor?) throws(SQLiteError) -> AreaSet {
    var numbers: Set<UInt16> = []
    guard var list else { return AreaSet(numbers) }
    while let rank = try list.next() {
      guard let columns = mapped.columns(rank), let number = try areas.number(ofPlace: rank, columns) else { continue }
      numbers.insert(number)
    }
    return AreaSet(numbers)
  }
}
