/// Telephone numbers as ITU-T E.164 writes them: calling code and national number, digits alone.
public enum Phone {
  /// The number's digits with calling code and without trunk prefix, or nil if it cannot be a telephone number. `country` is the two-letter
  /// code of the country in which the number is dialled; if it is nil, a national number keeps its national digits.
  public static func digits(_ text: String, country: String?) -> UInt64? {
    var digits: [UInt8] = []
    var isInternational = false
    scanning: for byte in text.utf8 {
      switch byte {
      case 0x30...0x39: digits.append(byte - 0x30)
      case UInt8(ascii: "+") where digits.isEmpty: isInternational = true
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "/"):
        if digits.count >= 7 { break scanning }  // An extension or a second number.
      default: break
      }
    }
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

  /// `+` and the digits; nil if the calling code is unknown or the number has fewer than eight digits.
  public static func e164(_ text: String, country: String?) -> String? {
    let isCallingCodeKnown =
      country.flatMap { CallingCodes.plans[$0] } != nil || text.utf8.first { $0 != 0x20 } == UInt8(ascii: "+") || text.hasPrefix("00")
    guard isCallingCodeKnown, let digits = digits(text, country: country), digits >= 10_000_000 else { return nil }
    return "+\(digits)"
  }

  /// Replaces the trunk prefix of a number, as it is dialled in its country, by the calling code. A number of at most seven digits is local
  /// and has no trunk prefix.
  private static func withCallingCode(_ digits: [UInt8], _ plan: CallingCodes.Plan) -> [UInt8] {
    var rest = digits[...]
    // A number of at least eleven digits that begins with the calling code lacks only the plus sign.
    if digits.count >= 11, digits.starts(with: plan.code), plan.trunk != plan.code { rest = rest.dropFirst(plan.code.count) }
    if !plan.trunk.isEmpty, rest.starts(with: plan.trunk), rest.count > 7 { rest = rest.dropFirst(plan.trunk.count) }
    return plan.code + rest
  }

  /// `+49 (0)30…` and `+44 0…` contain a trunk zero that is not dialled from abroad.
  private static func dropTrunkZero(_ digits: inout [UInt8], after code: [UInt8]) {
    guard digits.starts(with: code), digits.count > code.count, digits[code.count] == 0 else { return }
    digits.remove(at: code.count)
  }

  /// True if two numbers are equal, or equal in their last eight digits, so that a wrong or missing prefix does not matter.
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
