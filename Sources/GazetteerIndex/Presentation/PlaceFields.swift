import Geocoders
import PlacesKit
import SQLite

extension RowRenderer {
  /// A place with the requested fields that are known; nil if no place has the rank.
  mutating func place(_ rank: UInt32, fields: Set<PlaceField>) throws(SQLiteError) -> Place? {
    guard let row = try suggestion(rank, []), let columns = file.mapped.columns(rank), let (id, stored) = try file.place(rank)
    else { return nil }
    let record = GazetteerRecord(id: id, stored: stored)
    var place = Place(
      id: id, types: row.types, location: row.location, language: row.language, importance: row.importance, evidence: row.evidence,
      attributions: row.attributions)
    for field in fields {
      if let value = try value(of: field, row, record, columns) { place.values[field] = value }
    }
    return place
  }

  /// The value of a field; nil if it is unknown.
  private func value(
    of field: PlaceField, _ row: Suggestion, _ record: GazetteerRecord, _ columns: PlaceColumns
  ) throws(SQLiteError) -> JSONValue? {
    switch field {
    case .formattedAddress: return .string(try address(row, columns))
    case .addressComponents: return .array(try components(row, columns))
    case .phoneNumber: return record.phone.map { .string($0) }
    case .website: return record.website.map { .string($0) }
    case .openingHours: return record.openingHours.map { ["periods": [], "text": .string($0)] }
    case .wheelchairAccessibleEntrance: return record.wheelchair.map { .boolean($0) }
    default: return row.value(of: field)
    }
  }

  /// The place in one line: the name of a region or street, or else the street address; the town with the postcode or, without a town, the
  /// region; and the country.
  private func address(_ row: Suggestion, _ columns: PlaceColumns) throws(SQLiteError) -> String {
    let evidence = row.evidence
    var parts: [String] = []
    if row.types.first?.group == .region || row.types.first == "route" {
      parts.append(row.primary?.text ?? "")
    } else if let line = evidence.address {
      parts.append(line)
    }
    if let locality = evidence.locality { parts.append([evidence.postcode, locality].compactMap { $0 }.joined(separator: " ")) }
    if evidence.locality == nil, let region = evidence.region, parts.first.map({ !region.repeatsName($0) }) ?? true { parts.append(region) }
    if let country = try areaName(columns.country) { parts.append(country) }
    // A place and its town or region may have the same name.
    var distinctParts: [String] = []
    for part in parts where !part.isEmpty && part != distinctParts.last { distinctParts.append(part) }
    return distinctParts.joined(separator: ", ")
  }

  /// The known parts of the address, each with its long form, its short form and its type.
  private func components(_ row: Suggestion, _ columns: PlaceColumns) throws(SQLiteError) -> [JSONValue] {
    func component(_ long: String?, _ short: String? = nil, _ type: String) -> JSONValue? {
      long.map { ["long": .string($0), "short": .string(short ?? $0), "types": [.string(type)]] }
    }
    let evidence = row.evidence
    let isTown = row.types.contains("locality")
    // A region's code is an abbreviation, as `TX` in `US.TX`, only if it consists of letters.
    let regionCode = try file.areas.entry(columns.region)?.code.split(separator: ".").last.map { String($0) }
    let abbreviation = regionCode.flatMap { $0.allSatisfy(\.isLetter) ? $0 : nil }
    return [
      component(evidence.houseNumber, nil, "street_number"), component(evidence.street, nil, "route"),
      component(evidence.locality ?? (isTown ? row.primary?.text : nil), nil, "locality"),
      component(evidence.postcode, nil, "postal_code"),
      component(evidence.region, abbreviation, "administrative_area_level_1"),
      component(try areaName(columns.country), evidence.country, "country"),
    ].compactMap { $0 }
  }
}

extension Suggestion {
  /// The value of a field that can be read from any row; nil for all other fields.
  func value(of field: PlaceField) -> JSONValue? {
    switch field {
    case .name: .string(primary?.text ?? text.text)
    case .coordinate: location?.json
    case .plusCode: location.map { ["global": .string(PlusCode.encode($0))] }
    case .types: .array(types.map { .string($0.rawValue) })
    default: nil
    }
  }
}
