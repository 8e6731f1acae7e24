import JSON
import PlacesAPI
import PlacesKit

/// OpenSearch (github.com/dewitt/opensearch, 1.1 draft 6, with the Suggestions extension): `/opensearch.xml` describes the gateway to a
/// browser, which then requests `/suggest?q=`.
enum OpenSearchAPI {
  static func suggest(_ request: GatewayRequest) -> Plan {
    let query = request.query["q"] ?? ""
    guard let text = PlaceQuery.text(query) else { return .answer(answer(query, [], "")) }
    var parameters = Autocomplete.Parameters(query: text)
    parameters.limit = 8
    parameters.language = request.language("lang")
    return .ask(DaemonCall(Autocomplete.self, parameters)) { reply in
      // A browser shows no error for suggestions, so a failure is answered with an empty list.
      guard let result = try? reply.parsed() else { return answer(query, [], "") }
      let rows = (result["suggestions"]?.array ?? []).compactMap { $0["text"]?["text"]?.string }
      return answer(query, rows, Credit.line(Credit.list(result["attributions"])))
    }
  }

  /// `[query, [completions], [descriptions], [urls]]`; the description of every row is the credits.
  private static func answer(_ query: String, _ rows: [String], _ credits: String) -> GatewayResponse {
    var response = GatewayResponse.json { writer in
      writer.array { writer in
        writer.string(query)
        writer.array { writer in for row in rows { writer.string(row) } }
        writer.array { writer in for _ in rows { writer.string(credits) } }
        writer.array { _ in }
      }
    }
    response.contentType = "application/x-suggestions+json; charset=utf-8"
    return response
  }

  static func description(_ context: EmulationContext) -> GatewayResponse {
    let base = Credit.escaped(context.baseURL)
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
        <ShortName>Places</ShortName>
        <Description>Places of the world, from this machine</Description>
        <InputEncoding>UTF-8</InputEncoding>
        <Url type="text/html" template="\(base)/#q={searchTerms}"/>
        <Url type="application/x-suggestions+json" template="\(base)/suggest?q={searchTerms}"/>
        <Url type="application/opensearchdescription+xml" rel="self" template="\(base)/opensearch.xml"/>
      </OpenSearchDescription>

      """
    return GatewayResponse(contentType: "application/opensearchdescription+xml; charset=utf-8", body: Array(text.utf8))
  }
}
