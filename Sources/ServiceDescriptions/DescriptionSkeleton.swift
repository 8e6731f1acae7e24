extension ServiceDescription {
  /// The text of a commented file from which an author can start. It describes a service at example.org with two calls, and passes the
  /// check.
  public static func skeleton(name: String) -> String {
    """
    # A place service for placesd, see places-service(5). Check the file with: placesctl plugin check \(name).toml
    # and with an answer that you saved: placesctl plugin check \(name).toml --sample answer.json
    format = 1
    name = "\(name)"
    # One sentence.
    summary = "What the service finds."
    documentation = "https://example.org/docs"
    # The day on which you compared this file with the documentation:
    #verified = "2026-01-31"
    # Requests go to these hosts only, over https.
    hosts = ["api.example.org"]
    # Credits that the service wants to be shown.
    attributions = [{ text = "Example", url = "https://example.org/" }]

    # Where the key goes; the key itself is in api_key_file. Instead of `query`: header = "Authorization", prefix = "Bearer "
    #[key]
    #query = "apikey"

    # How long answers may be stored: "never", "forever", "30 days". Without a duration nothing is stored.
    [terms]
    source = "https://example.org/terms, read on 2026-01-31"
    #ids = "30 days"
    #coordinates = "30 days"
    #other = "1 day"
    # "free" for open data, whose rows become one with those of other open data.
    blending = "never"

    [rate]
    per_second = 5
    burst = 10

    # The service's words for types, in both directions.
    [types]
    street_address = "house"
    route = "street"
    locality = ["city", "town"]

    # Where a row has its fields. @ is the row; an array has alternatives. Leave out what the service does not have.
    [fields]
    id = "@.id"
    name = "@.name"
    house_number = "@.address.number"
    street = "@.address.street"
    postcode = "@.address.postcode"
    city = ["@.address.city", "@.address.town"]
    country = "@.address.country"
    country_code = "@.address.country_code | upper"
    latitude = "@.position.lat"
    longitude = "@.position.lon"
    types = "@.type"

    # What errors mean: credentials, quota, rate_limit, bad_request, not_found, http, unsupported, nothing_found.
    # 401, 403, 404, 429 and 5xx need a rule only if they mean something else than usually.
    [[errors]]
    status = 402
    cause = "quota"

    # A query for text as it is typed. A parameter whose value is missing is left out.
    [autocomplete]
    path = "/v1/autocomplete"
    query.q = "{query}"
    query.limit = "{limit}"
    query.lang = ["{language | primary}", "en"]
    query.country = "{countries | lower}"
    query.lat = "{bias.latitude}"
    query.lon = "{bias.longitude}"
    query.bbox = "{restriction.west},{restriction.south},{restriction.east},{restriction.north}"
    query.type = "{types}"
    # Where the rows are in the answer.
    rows = "$.results[*]"
    maximum_rows = 20
    minimum_letters = 2

    # What is at a point.
    [reverse]
    path = "/v1/reverse"
    query.lat = "{latitude}"
    query.lon = "{longitude}"
    query.limit = "{limit}"
    rows = "$.results[*]"

    """
  }
}
