import PlacesKit

/// A type that is encoded often: it writes itself as JSON without building a tree.
protocol JSONWritable {
  func write(to writer: inout JSONWriter)
}

extension JSONWriter {
  mutating func list(_ key: StaticString, _ rows: [some JSONWritable]) {
    self.key(key)
    list(rows)
  }

  mutating func list(_ rows: [some JSONWritable]) {
    // A row is large, so it is written in place: iterating over the array would copy each row.
    array { writer in
      let rows = rows.span
      for index in rows.indices { rows[index].write(to: &writer) }
    }
  }

  // Each function `optional` writes a member if it has a value.
  mutating func optional(_ key: StaticString, _ value: String?) { if let value { member(key, value) } }
  mutating func optional(_ key: StaticString, _ value: Int?) { if let value { member(key, value) } }
  mutating func optional(_ key: StaticString, _ value: Double?) { if let value { member(key, value) } }
  mutating func optional(_ key: StaticString, _ value: JSONValue?) { if let value { member(key, value) } }

  mutating func member(_ key: StaticString, _ text: FormattedText) {
    self.key(key)
    object { writer in
      writer.member("text", text.text)
      writer.key("matches")
      writer.array { writer in
        for match in text.matches {
          writer.object { writer in
            writer.member("start", match.start)
            writer.member("end", match.end)
          }
        }
      }
    }
  }

  mutating func member(_ key: StaticString, _ types: [PlaceType]) {
    self.key(key)
    array { writer in for type in types { writer.string(type.rawValue) } }
  }

  mutating func member(_ key: StaticString, _ point: Coordinate) {
    self.key(key)
    object { writer in
      writer.member("latitude", point.latitude)
      writer.member("longitude", point.longitude)
    }
  }
}
