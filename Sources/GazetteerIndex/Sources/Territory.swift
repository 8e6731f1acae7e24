import PlacesKit

/// Countries and territories that Debian's package lacks because their cities have other codes or are too small.
///
/// Facts from GeoNames (CC BY 4.0): countryInfo.txt and the entries of the cities, as of 2024.
struct Territory {
  var code: String
  private var name: String
  private var location: Coordinate?
  private var population: Int
  /// The city that it mainly consists of; nil if there is none.
  private var mainCity: (id: String, name: String)?

  /// Code, name, population, latitude, longitude; and for a territory that is mainly one city, the id and the name of the city, whose
  /// location it is.
  private static let table = """
    AQ|Antarctica|0|-78.159|16.406
    AW|Aruba|105845|12.524|-70.027|3577154|Oranjestad
    BL|Saint Barthélemy|8450|17.9|-62.833
    CC|Cocos (Keeling) Islands|628|-12.157|96.823
    CW|Curaçao|159849|12.122|-68.886|3513090|Willemstad
    CX|Christmas Island|1500|-10.5|105.667
    EH|Western Sahara|273008|24.492|-12.656
    FK|Falkland Islands|2638|-51.75|-59
    GI|Gibraltar|33718|36.145|-5.353|2411585|Gibraltar
    IO|British Indian Ocean Territory|4000|-7.262|72.377
    MF|Saint Martin|37264|18.075|-63.058
    MO|Macao|631636|22.201|113.546|1821274|Macau
    NF|Norfolk Island|1828|-29.033|167.95
    NU|Niue|2166|-19.033|-169.867
    PN|Pitcairn Islands|46|-25.067|-130.1
    SG|Singapore|5638676|1.290|103.850|1880252|Singapore
    SX|Sint Maarten|40654|18.033|-63.05
    TC|Turks and Caicos Islands|37665|21.733|-71.583
    TK|Tokelau|1466|-9.167|-171.833
    VA|Vatican City|921|41.903|12.454|6691831|Vatican City
    VG|British Virgin Islands|29802|18.5|-64.5
    """

  static let all: [Territory] = table.split(separator: "\n").compactMap { line in
    let columns = line.split(separator: "|").map { String($0) }
    guard columns.count == 5 || columns.count == 7, let population = Int(columns[2]), let latitude = Double(columns[3]),
      let longitude = Double(columns[4])
    else { return nil }
    return Territory(
      code: columns[0], name: columns[1], location: Coordinate(latitude: latitude, longitude: longitude), population: population,
      mainCity: columns.count == 7 ? (columns[5], columns[6]) : nil)
  }

  /// Whether the city is the whole territory, so that both have the same names.
  var isCity: Bool { ["GI", "MO", "SG", "VA"].contains(code) }

  /// The territory itself.
  var country: GazetteerRecord {
    var record = GazetteerRecord(id: code, name: name)
    record.country = code
    record.areaCode = code
    record.types = ["country"]
    record.location = location
    record.population = population
    return record
  }

  /// Its city; nil if it is not mainly one city.
  var city: GazetteerRecord? {
    guard let mainCity else { return nil }
    var record = GazetteerRecord(id: mainCity.id, name: mainCity.name)
    record.country = code
    record.types = ["locality"]
    record.location = location
    // The population of the territory is used for the city, because it is counted more often.
    record.population = population
    return record
  }
}
