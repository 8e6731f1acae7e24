/// Options that several commands share.
extension Option {
  static let language = Option(
    "lang", short: "l", .language, "LANGUAGE", sets: "language",
    "The language of the answers (BCP 47, such as de or pt-BR); by default the locale's.")
  static let region = Option(
    "region", .word(.countries), "REGION", sets: "region", "The user's region (two letters); texts omit the name of the user's own country."
  )
  static let country = Option(
    "country", short: "c", .list(of: .word(.countries)), "CODE", sets: "countries",
    "Only places in this country (two letters); may be repeated.")
  static let near = Option(
    "near", .point, "POINT",
    "Rank places near this point higher, and show distances from it: LAT,LON, a plus code, a map link or the name of a place.")
  static let bias = Option("bias", .area, "AREA", sets: "bias", "Rank places in an area higher: POINT,METRES or SOUTH,WEST,NORTH,EAST.")
  static let within = Option(
    "within", .area, "AREA", sets: "restriction", "Only places within an area: POINT,METRES or SOUTH,WEST,NORTH,EAST.")
  static let origin = Option(
    "origin", .point, "POINT", sets: "origin", "Show distances from this point: LAT,LON, a plus code, a map link or the name of a place.")
  static let types = Option(
    "type", short: "t", .list(of: .word(.typesAndCollections)), "TYPE", sets: "types",
    "Only places of this type or collection; see `placesctl types`.")
  static let limit = Option("limit", short: "n", .integer, "COUNT", sets: "limit", "The maximum number of rows.")
  static let provider = Option(
    "provider", short: "p", .list(of: .provider), "ID", sets: "providers", "Query only this provider; may be repeated.")
  static let timeout = Option(
    "timeout", .duration(10...30_000), "TIME", sets: "deadlineMs",
    "The deadline of the answer: 500ms, 2s, or a number of seconds.")
  static let session = Option("session", .text, "UUID", sets: "session", "The session of the request.")
  static let cache = Option(
    "cache", .choice(["default", "only", "refresh", "bypass"]), "MODE", sets: "cache",
    "How the cache is used: default, only, refresh or bypass.")
  static let explain = Option("explain", sets: "explain", "Explain why each row was returned and how it was ranked.")
  static let unfold = Option(
    "unfold", "Show a separate row for each source that the providers' terms forbid blending, instead of one row for each place.")
  static let watch = Option("watch", short: "w", sets: "stream", "Show partial answers while waiting for slow providers.")
  static let fields = Option(
    "fields", short: "f", .list(of: .word(.fields)), "FIELD", sets: "fields",
    "The fields to show for each place: names of fields, or id, basic, advanced, preferred, extended.")
}
