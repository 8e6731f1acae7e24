import PlacesKit

/// Parses lines of GeoNames' files (https://download.geonames.org/export/dump/readme.txt), whose columns have tabs between them.
enum GeoNamesDump {
  /// The place of a line of a dump, or the reason to skip it. The line has 19 columns. Counted from 0: 0 is the id, 1 the name, 2 the name
  /// in ASCII, 3 the other names, 4 and 5 latitude and longitude, 6 and 7 feature class and code, 8 the country, 10 the region, 14 the
  /// population.
  static func place(_ line: ArraySlice<UInt8>) -> Result<GazetteerRecord, BadRecord> {
    let columns = line.split(separator: 0x09, omittingEmptySubsequences: false)
    guard columns.count == 19 else {
      return .failure(BadRecord("\(columns.count) columns instead of the 19 of a GeoNames dump", mayBeCut: columns.count < 19))
    }
    func text(_ column: Int) -> String { String(decoding: columns[column], as: UTF8.self) }
    guard let number = Int(text(0)), number > 0 else { return .failure(BadRecord("the id is not a number")) }
    guard String(validating: columns[1], as: UTF8.self) != nil else { return .failure(BadRecord("the name is not UTF-8")) }
    guard !columns[1].isEmpty else { return .failure(BadRecord("no name")) }
    guard let latitude = Double(text(4)), let longitude = Double(text(5)),
      let location = Coordinate(latitude: latitude, longitude: longitude)
    else { return .failure(BadRecord("the coordinates are not on the Earth")) }
    guard let population = columns[14].isEmpty ? 0 : Int(text(14)), population >= 0 else {
      return .failure(BadRecord("the population is not a number"))
    }
    var record = GazetteerRecord(id: String(number), name: text(1))
    record.location = location
    record.population = population
    record.types = types(featureClass: text(6), code: text(7))
    record.country = text(8)
    // `00` stands for no region.
    if !columns[10].isEmpty, columns[10] != [0x30, 0x30] { record.region = "\(record.country).\(text(10))" }
    var knownNames: Set<String> = [record.name]
    for name in [text(2)] + columns[3].split(separator: UInt8(ascii: ",")).map({ String(decoding: $0, as: UTF8.self) })
    where !name.isEmpty && knownNames.insert(name).inserted {
      record.otherNames.append(name)
    }
    if text(6) == "A" { setAreaCode(&record, featureCode: text(7)) }
    return .success(record)
  }

  /// The region of a line of `admin1CodesASCII.txt`: code, name, ASCII name, GeoNames id.
  static func region(_ line: ArraySlice<UInt8>) -> Result<GazetteerRecord, BadRecord> {
    let columns = line.split(separator: 0x09, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    guard columns.count == 4, columns[0].contains("."), !columns[1].isEmpty else {
      return .failure(BadRecord("not code, name, ASCII name and id"))
    }
    var record = GazetteerRecord(areaCode: columns[0], name: columns[1])
    if columns[2] != columns[1] { record.otherNames = [columns[2]] }
    if Int(columns[3]) != nil { record.equivalents = ["geonames:\(columns[3])"] }
    return .success(record)
  }

  /// The country of a line of `countryInfo.txt`. Its columns, counted from 0: 0 is the code, 1 the code of three letters, 4 the name, 7 the
  /// population, 16 the GeoNames id. Nil for a comment.
  static func country(_ line: ArraySlice<UInt8>) -> Result<GazetteerRecord, BadRecord>? {
    guard line.first != UInt8(ascii: "#") else { return nil }
    let columns = line.split(separator: 0x09, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    guard columns.count >= 17, columns[0].utf8.count == 2 else { return .failure(BadRecord("not the columns of countryInfo.txt")) }
    var record = GazetteerRecord(areaCode: columns[0], name: columns[4])
    record.otherNames = [columns[1]]
    record.population = Int(columns[7]) ?? 0
    if Int(columns[16]) != nil { record.equivalents = ["geonames:\(columns[16])"] }
    return .success(record)
  }

  /// The feature codes of countries. Former countries (PCLH) are not among them, because they have their successor's country code. Parts of
  /// a country (PCLIX) are not among them either.
  private static let countryFeatureCodes: Set<String> = ["PCL", "PCLD", "PCLF", "PCLI", "PCLS"]

  /// Makes the code of a country or region its id, so that the records of all sources are merged. The dump gives these places
  /// GeoNames ids.
  private static func setAreaCode(_ record: inout GazetteerRecord, featureCode: String) {
    let areaCode = countryFeatureCodes.contains(featureCode) ? record.country : featureCode == "ADM1" ? record.region : ""
    guard !areaCode.isEmpty else { return }
    record.equivalents = ["geonames:\(record.id)"]
    record.id = areaCode
    record.areaCode = areaCode
  }

  /// The types for a feature class and code (https://www.geonames.org/export/codes.html).
  private static func types(featureClass: String, code: String) -> [PlaceType] {
    switch (featureClass, code) {
    case ("P", "PPLX"): ["sublocality"]
    case ("P", _): ["locality"]
    case ("A", _) where countryFeatureCodes.contains(code): ["country"]
    // Former areas are found by name. They have no type, so that their population is not added to that of their country.
    case ("A", _) where code.hasSuffix("H"): []
    case ("A", "ADM1"): ["administrative_area_level_1"]
    case ("A", "ADM2"): ["administrative_area_level_2"]
    case ("A", _): ["administrative_area_level_3"]
    case ("H", "LK"), ("H", "LKS"): ["lake", "natural_feature"]
    case ("H", "STM"), ("H", "STMI"): ["river", "natural_feature"]
    case ("H", "FLLS"): ["waterfall", "natural_feature"]
    case ("H", _): ["natural_feature"]
    case ("T", "MT"), ("T", "PK"): ["mountain_peak", "natural_feature"]
    case ("T", "ISL"): ["island", "natural_feature"]
    case ("T", "BCH"): ["beach", "natural_feature"]
    case ("T", "VLC"): ["volcano", "natural_feature"]
    case ("T", _): ["natural_feature"]
    case ("V", "FRST"): ["forest", "natural_feature"]
    case ("L", "PRK"): ["park"]
    case ("R", _): ["route"]
    case ("S", "AIRP"): ["airport"]
    case ("S", "RSTN"): ["train_station", "transit_station"]
    case ("S", "HTL"): ["hotel", "lodging"]
    case ("S", "MUS"): ["museum"]
    case ("S", "HSP"): ["hospital"]
    case ("S", "UNIV"): ["university"]
    case ("S", "SCH"): ["school"]
    case ("S", "CH"): ["church", "place_of_worship"]
    case ("S", "MSQE"): ["mosque", "place_of_worship"]
    case ("S", "CSTL"): ["castle"]
    default: []
    }
  }
}

/// The reason why a record was skipped.
struct BadRecord: Error, Hashable {
  var reason: String
  /// Whether the record may be the beginning of a valid record that was cut off.
  var mayBeCut = false
  init(_ reason: String, mayBeCut: Bool = false) {
    self.reason = reason
    self.mayBeCut = mayBeCut
  }

  /// A valid feature that is not a place to search for, such as a pole with a name.
  static let unknownKind = BadRecord("of an unknown kind")
}
