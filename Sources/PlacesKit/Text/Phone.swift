/// Converts telephone numbers to international numbers (ITU-T E.164): the calling code and the national number, without other characters.
public enum Phone {
  /// The number's digits as an integer, with the calling code and without the trunk prefix. Nil unless there are 6 to 15 digits. `country`
  /// is the two-letter code of the country in which the number is dialled; if it is nil or unknown, a national number is not converted.
  public static func digits(_ text: String, country: String?) -> UInt64? {
    var digits: [UInt8] = []
    var isInternational = false
    scanning: for byte in text.utf8 {
      switch byte {
      case 0x30...0x39: digits.append(byte - 0x30)
      case UInt8(ascii: "+") where digits.isEmpty: isInternational = true
      // An extension or a second number follows. The bytes above ASCII begin letters of Latin, Greek and Cyrillic, but no space or dash.
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "/"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), 0xC3...0xDF:
        if digits.count >= 7 { break scanning }
      default: break
      }
    }
    // Calls to other countries begin with 00, or with 011 in the United States and Canada.
    if !isInternational, digits.starts(with: [0, 0]) {
      isInternational = true
      digits.removeFirst(2)
    } else if !isInternational, country == "US" || country == "CA", digits.starts(with: [0, 1, 1]) {
      isInternational = true
      digits.removeFirst(3)
    }
    let plan = country.flatMap { CallingCodes.plans[$0] }
    if !isInternational, let plan { digits = withCallingCode(digits, plan) }
    if isInternational, let plan, !plan.keepsZero { dropTrunkZero(&digits, after: plan.code) }
    guard (6...15).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 &* 10 &+ UInt64($1) }
  }

  /// The international number, `+` and digits; nil if the calling code is unknown or the number has fewer than eight digits.
  public static func e164(_ text: String, country: String?) -> String? {
    let isCallingCodeKnown =
      country.flatMap { CallingCodes.plans[$0] } != nil || text.utf8.first { $0 != 0x20 } == UInt8(ascii: "+") || text.hasPrefix("00")
    guard isCallingCodeKnown, let digits = digits(text, country: country), digits >= 10_000_000 else { return nil }
    return "+\(digits)"
  }

  /// Replaces the trunk prefix of a number that is dialled within its country by the calling code.
  private static func withCallingCode(_ digits: [UInt8], _ plan: CallingCodes.Plan) -> [UInt8] {
    var rest = digits[...]
    // A number of at least eleven digits that begins with the calling code is international, without its plus sign.
    if digits.count >= 11, digits.starts(with: plan.code), !plan.trunks.contains(plan.code) { rest = rest.dropFirst(plan.code.count) }
    if rest.count > plan.maxDigitsWithoutTrunk, let trunk = plan.trunks.first(where: { rest.starts(with: $0) }) {
      rest = rest.dropFirst(trunk.count)
    }
    return plan.code + rest
  }

  /// Removes a trunk zero that was written after the calling code although it is not dialled from abroad: `+49 (0)30…`, `+44 0…`.
  private static func dropTrunkZero(_ digits: inout [UInt8], after code: [UInt8]) {
    guard digits.starts(with: code), digits.count > code.count, digits[code.count] == 0 else { return }
    digits.remove(at: code.count)
  }

  /// True if two numbers are equal, or have equal last eight digits, so that a wrong or missing prefix does not matter.
  public static func same(_ a: UInt64, _ b: UInt64) -> Bool {
    a == b || (a % 100_000_000 == b % 100_000_000 && a >= 10_000_000 && b >= 10_000_000)
  }

  /// True for a toll-free number of North America (+1 800, 833, 844, 855, 866, 877, 888), which all branches of a business share.
  public static func isShared(_ number: UInt64) -> Bool {
    let national = number >= 10_000_000_000 && number < 20_000_000_000 ? number - 10_000_000_000 : number
    guard (1_000_000_000..<10_000_000_000).contains(national) else { return false }
    return [800, 833, 844, 855, 866, 877, 888].contains(national / 10_000_000)
  }
}
