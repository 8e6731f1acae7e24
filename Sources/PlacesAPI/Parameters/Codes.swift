@_spi(_Unicode) import Swift

/// Language tags as BCP 47 (RFC 5646, section 2.1) spells them.
enum LanguageTag {
  /// The customary spelling (language in lower case, script capitalised, region in upper case); nil for what is not well formed.
  static func canonical(_ tag: String) -> String? {
    let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
    guard tag.utf8.count <= 35, let first = parts.first, 2...8 ~= first.utf8.count, first.utf8.allSatisfy(\.isLetter) else { return nil }
    var result = first.lowercased()
    var extended = false
    for part in parts.dropFirst() {
      guard 1...8 ~= part.utf8.count, part.utf8.allSatisfy(\.isAlphanumeric) else { return nil }
      let letters = part.utf8.allSatisfy(\.isLetter)
      result += "-"
      switch part.utf8.count {
      case 4 where letters && !extended: result += part.prefix(1).uppercased() + part.dropFirst().lowercased()
      case 2 where letters && !extended: result += part.uppercased()
      default:
        result += part.lowercased()
        extended = extended || part.utf8.count == 1
      }
    }
    // A singleton announces an extension, which must follow.
    return parts.count > 1 && parts[parts.count - 1].utf8.count == 1 ? nil : result
  }
}

/// Two-letter region codes: ISO 3166-1 and CLDR's XK.
enum RegionCode {
  static func canonical(_ code: String) -> String? {
    let upper = code.uppercased()
    return all.contains(upper) ? upper : nil
  }

  static let all: Set<String> = Set(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI
    CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ
    GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
    LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG
    PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK
    TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}

extension String {
  /// Without white space (as Unicode defines it) at its ends.
  var trimmed: String {
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }

  /// In Unicode's normalization form C, so that one text has one spelling.
  var normalized: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    var result = ""
    result.unicodeScalars.append(contentsOf: _nfc)
    return result
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
  fileprivate var isAlphanumeric: Bool { isLetter || self &- UInt8(ascii: "0") < 10 }
}
