/// Options that several commands share.
extension Option {
  static let language = Option(
    "lang", short: "l", .text, "LANGUAGE", sets: "language",
    "Language of the answers (BCP 47, such as de or pt-BR); without it the locale's.")
  static let region = Option(
    "region", .word(.countries), "REGION", sets: "region", "Region of the user (two letters); its own country is left out of texts.")
  static let country = Option(
    "country", short: "c", .list(of: .word(.countries)), "CODE", sets: "countries",
    "Only places in this country (two letters); may be repeated.")
  static let near = Option("near", .point, "LAT,LON", "Lean towards this point, and tell distances from it.")
  static let bias = Option("bias", .area, "AREA", sets: "bias", "Lean towards an area: LAT,LON,METRES or SOUTH,WEST,NORTH,EAST.")
  static let within = Option(
    "within", .area, "AREA", sets: "restriction", "Only places within an area: LAT,LON,METRES or SOUTH,WEST,NORTH,EAST.")
  static let origin = Option("origin", .point, "LAT,LON", sets: "origin", "Tell distances from this point.")
  static let types = Option(
    "type", short: "t", .list(of: .word(.typesAndCollections)), "TYPE", sets: "types",
    "Only places of this type or collection; see `placesctl types`.")
  static let limit = Option("limit", short: "n", .integer, "COUNT", sets: "limit", "How many rows at most.")
  static let provider = Option(
    "provider", short: "p", .list(of: .provider), "ID", sets: "providers", "Ask only this provider; may be repeated.")
  static let timeout = Option(
    "timeout", .duration(10...30_000), "TIME", sets: "deadlineMs",
    "When the answer leaves with what is there: 500ms, 2s, or a number of seconds.")
  static let session = Option("session", .text, "UUID", sets: "session", "The session that the request belongs to.")
  static let cache = Option(
    "cache", .choice(["default", "only", "refresh", "bypass"]), "MODE", sets: "cache",
    "How the cache is used: default, only, refresh or bypass.")
  static let explain = Option("explain", sets: "explain", "Tell why each row is there, and stands where it stands.")
  static let unfold = Option("unfold", "Show each source's row of a place that terms forbid to blend, not one row for each place.")
  static let watch = Option("watch", short: "w", sets: "stream", "Show what is known while slow providers are awaited.")
  static let fields = Option(
    "fields", short: "f", .list(of: .word(.fields)), "FIELD", sets: "fields",
    "What is wanted of each place: names of fields, or id, basic, advanced, preferred.")
}
