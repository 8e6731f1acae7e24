import PlacesKit

/// A country or territory that Debian's package lacks, because its cities have other codes or are too small.
///
/// The facts are from GeoNames (CC BY 4.0): countryInfo.txt and the entries of the cities, as of 2024.
struct Territory {
  /// The record of the territory itself.
  let country: GazetteerRecord
  /// The city that the territory mainly consists of; nil if there is none.
  private(set) var city: GazetteerRecord?

  /// The columns: code, name, population, latitude, longitude. If the territory is mainly one city, its id and name follow, and the
  /// location is that of the city.
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

  /// All territories.
  static let all: [Territory] = table.split(separator: "\n").compactMap { Territory($0.split(separator: "|").map { String($0) }) }

  private init?(_ columns: [String]) {
    guard columns.count == 5 || columns.count == 7, let population = Int(columns[2]), let latitude = Double(columns[3]),
      let longitude = Double(columns[4])
    else { return nil }
    var country = GazetteerRecord(areaCode: columns[0], name: columns[1])
    country.location = Coordinate(latitude: latitude, longitude: longitude)
    country.population = population
    self.country = country
    guard columns.count == 7 else { return }
    var city = GazetteerRecord(id: columns[5], name: columns[6])
    city.country = country.id
    city.types = ["locality"]
    city.location = country.location
    // The city gets the population of the territory, because the territory is counted more often than the city alone.
    city.population = population
    self.city = city
  }

  /// Whether the city is the whole territory, so that both have the same names.
  var isCity: Bool { ["GI", "MO", "SG", "VA"].contains(country.id) }
}
