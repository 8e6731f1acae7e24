/// Country calling codes (ITU-T E.164, list of assigned codes), and trunk prefixes, which are dialled before national numbers within a
/// country (ITU-T E.164, appendix "Dialling procedures").
public enum CallingCodes {
  /// The numbering plan of a country.
  public struct Plan: Sendable {
    /// The digits of the calling code.
    public var code: [UInt8]
    /// The digits of each trunk prefix, which are omitted in calls from abroad; empty if the country has no trunk prefix. If one prefix
    /// begins with another one, the longer one comes first.
    public var trunks: [[UInt8]]
    /// A number of at most this many digits has no trunk prefix.
    public var maxDigitsWithoutTrunk: Int
    /// True if a leading zero is part of the number, as in Italy.
    public var keepsZero: Bool
  }

  /// The plans, by the countries' two-letter codes.
  public static let plans: [String: Plan] = {
    var plans: [String: Plan] = [:]
    for (trunks, maxDigitsWithoutTrunk, list) in table {
      for entry in list.split(separator: " ") {
        let parts = entry.split(separator: ":")
        guard parts.count == 2 else { continue }
        let country = String(parts[0])
        plans[country] = Plan(
          code: digits(parts[1]), trunks: trunks.split(separator: " ").map { digits($0) }, maxDigitsWithoutTrunk: maxDigitsWithoutTrunk,
          keepsZero: countriesKeepingZero.contains(country))
      }
    }
    return plans
  }()

  private static func digits(_ text: some StringProtocol) -> [UInt8] { text.utf8.map { $0 - 0x30 } }

  /// The countries in which a leading zero is part of the number.
  private static let countriesKeepingZero: Set<String> = ["IT", "SM", "VA", "CI", "GA", "CG"]

  /// The countries with the same trunk prefixes, as `COUNTRY:CALLINGCODE`. Where a national number may itself begin with 8, as in Russia
  /// (812 is Saint Petersburg), `maxDigitsWithoutTrunk` is the length of the longest national number; elsewhere it is that of a local number.
  private static let table: [(trunks: String, maxDigitsWithoutTrunk: Int, countries: String)] = [
    (
      "1", 7,
      "US:1 CA:1 PR:1 DO:1 JM:1 TT:1 BS:1 BB:1 AG:1 AI:1 AS:1 BM:1 DM:1 GD:1 GU:1 KN:1 KY:1 LC:1 MP:1 MS:1 SX:1 TC:1 VC:1 VG:1 VI:1"
    ),
    ("8", 10, "RU:7 KZ:7"),
    ("8", 8, "TM:993"),
    ("80 8", 10, "BY:375"),
    // Lithuania's prefix was 8 until 2025; Mexico's were 01, and 044 and 045 to mobile phones, until 2019. Older entries still contain them.
    ("0 8", 8, "LT:370"),
    ("01 044 045", 7, "MX:52"),
    ("06", 7, "HU:36"),
    (
      "", 7,
      """
      IT:39 SM:378 VA:39 ES:34 AD:376 PT:351 GR:30 CY:357 MT:356 PL:48 CZ:420 DK:45 FO:298 GL:299 NO:47 IS:354 EE:372 LV:371 LU:352 LI:423 MC:377 \
      GT:502 SV:503 HN:504 NI:505 CR:506 PA:507 HT:509 CL:56 SG:65 HK:852 MO:853 BN:673 BT:975 MV:960 QA:974 BH:973 KW:965 OM:968 \
      CI:225 GA:241 CG:242 SN:221 ML:223 BF:226 NE:227 TG:228 BJ:229 CM:237 CF:236 TD:235 GQ:240 GN:224 GW:245 GM:220 MR:222 CV:238 ST:239 AO:244 MZ:258 \
      SC:248 KM:269 DJ:253 SO:252 BI:257 BW:267 LS:266 SZ:268 MU:230 PF:689 NC:687 FJ:679 PG:675 WS:685 TO:676 VU:678 SB:677 AW:297 CW:599 \
      BZ:501 GY:592 SR:597 TN:216 TJ:992 UZ:998 GI:350
      """
    ),
    (
      "0", 7,
      """
      GB:44 IE:353 DE:49 AT:43 CH:41 FR:33 BE:32 NL:31 SE:46 FI:358 AX:358 SK:421 SI:386 HR:385 RS:381 BA:387 ME:382 MK:389 AL:355 XK:383 BG:359 RO:40 MD:373 \
      UA:380 GE:995 AM:374 TR:90 IL:972 PS:970 LB:961 SY:963 JO:962 IQ:964 IR:98 SA:966 AE:971 YE:967 EG:20 LY:218 DZ:213 MA:212 ZA:27 NG:234 GH:233 KE:254 \
      TZ:255 UG:256 RW:250 ET:251 ER:291 SD:249 SS:211 CD:243 ZM:260 ZW:263 NA:264 MW:265 LR:231 SL:232 IN:91 PK:92 BD:880 LK:94 NP:977 AF:93 MM:95 TH:66 \
      VN:84 KH:855 LA:856 MY:60 ID:62 PH:63 CN:86 TW:886 JP:81 KR:82 KP:850 MN:976 KG:996 AU:61 NZ:64 BR:55 AR:54 VE:58 PE:51 CO:57 PY:595 CU:53 GG:44 JE:44 IM:44 \
      AZ:994 UY:598 BO:591 EC:593 MG:261 RE:262 GP:590 MQ:596 GF:594
      """
    ),
  ]
}
