/// Nominatim's XML (nominatim.org/release-docs, "Place Output Formats"; `format_xml.py` of Nominatim 5).
extension NominatimAPI {
  private static func document(_ status: Int = 200, retryAfter: Int? = nil, _ write: (inout XMLWriter) -> Void) -> GatewayResponse {
    var writer = XMLWriter()
    write(&writer)
    return GatewayResponse(status: status, contentType: "text/xml; charset=utf-8", body: writer.bytes, retryAfter: retryAfter)
  }

  /// The answer to a search or a lookup: a `place` for each row, with the parts of its address as child elements.
  static func renderXML(_ places: [FoundPlace], _ output: Output, credits: [Credit], query: String) -> GatewayResponse {
    document { writer in
      writer.element("searchresults", ["attribution": Credit.line(credits), "querystring": query]) { writer in
        for place in places {
          element("place", of: place, into: &writer) { writer in
            if output.hasAddress { writeAddress(of: place, to: &writer) }
            writeDetails(of: place, output, to: &writer)
          }
        }
      }
    }
  }

  /// The answer to a reverse request that finds a place.
  static func renderXML(one place: FoundPlace, _ output: Output, credits: [Credit]) -> GatewayResponse {
    document { writer in
      writer.element("reversegeocode", ["attribution": Credit.line(credits)]) { writer in
        element("result", of: place, into: &writer) {
          $0.text(displayName(of: place, addressParts(of: place, OSMClassification(place.types))))
        }
        if output.hasAddress { writer.element("addressparts") { writeAddress(of: place, to: &$0) } }
        writeDetails(of: place, output, to: &writer)
      }
    }
  }

  /// The answer to a reverse request that finds nothing.
  static let nothingXML = document { writer in
    writer.element("reversegeocode") { $0.element("error") { $0.text("Unable to geocode") } }
  }

  static func failureXML(_ status: Int, _ message: String, retryAfter: Int?) -> GatewayResponse {
    document(status, retryAfter: retryAfter) { writer in
      writer.element("error") { writer in
        writer.element("code") { $0.text(String(status)) }
        writer.element("message") { $0.text(message) }
      }
    }
  }

  /// Writes the element of a place: a `place` of a search, or the `result` of a reverse request, which has fewer attributes.
  private static func element(
    _ name: String, of place: FoundPlace, into writer: inout XMLWriter, content: @escaping (inout XMLWriter) -> Void
  ) {
    guard let location = place.location else { return }
    let (tag, rank) = (OSMClassification(place.types), String(place.level.nominatimRank))
    let isResult = name == "result"
    writer.element(
      name,
      [
        "place_id": String(place.numericID), "osm_type": place.object?.kind.rawValue, "osm_id": place.object.map { String($0.number) },
        "ref": isResult ? place.name : nil, "lat": sevenDecimals(location.latitude), "lon": sevenDecimals(location.longitude),
        "boundingbox": place.bounds.map { bounds in
          [bounds.low.latitude, bounds.high.latitude, bounds.low.longitude, bounds.high.longitude].map(sevenDecimals).joined(separator: ",")
        }, "place_rank": rank, "address_rank": rank, "display_name": isResult ? nil : displayName(of: place, addressParts(of: place, tag)),
        "class": isResult ? nil : tag.key, "type": isResult ? nil : tag.value,
        "importance": isResult ? nil : String(importance(of: place)),
      ], content: content)
  }

  private static func writeAddress(of place: FoundPlace, to writer: inout XMLWriter) {
    for part in addressParts(of: place, OSMClassification(place.types)) { writer.element(part.key) { $0.text(part.value) } }
  }

  private static func writeDetails(of place: FoundPlace, _ output: Output, to writer: inout XMLWriter) {
    if output.hasExtras {
      writer.element("extratags") { writer in
        for (key, value) in extraTags(of: place) { writer.element("tag", ["key": key, "value": value]) }
      }
    }
    if output.hasNames {
      writer.element("namedetails") { writer in
        if let name = place.name { writer.element("name", ["desc": "name"]) { $0.text(name) } }
      }
    }
  }
}
