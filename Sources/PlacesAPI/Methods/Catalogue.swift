import PlacesKit

/// Every method that has a reply, in the order in which `rpc.discover` lists them. After them, it lists the notification `$/cancelRequest`.
public enum Catalogue {
  public static let methods: [any Method.Type] = [
    Autocomplete.self, Select.self, Search.self, Resolve.self, Details.self, Photo.self, Reverse.self, ChoicesList.self, ChoicesForget.self,
    ServiceInfo.self, Discover.self, TypesList.self,
    ProvidersList.self, ProvidersGet.self, ProvidersTest.self, ProvidersEnable.self, ProvidersDisable.self, ProvidersReset.self,
    ProvidersResume.self, ProvidersLog.self, CacheStats.self, CachePurge.self, CacheList.self, CacheExpire.self, BudgetGet.self,
    BudgetConfirm.self,
    ServiceReload.self, ServiceMetrics.self, ServiceLog.self,
  ]

  /// The OpenRPC 1.3 document (https://spec.open-rpc.org). It is made from the same tables that decode the requests.
  public static func openRPC(version: String) -> JSONValue {
    [
      "openrpc": "1.3.2",
      "info": [
        "title": "placesd", "version": .string(version), "description": "Place search on a Unix socket; see places-rpc(7).",
      ],
      "methods": .array(methods.map { describe($0) } + [cancellation]),
      "x-notifications": [
        [
          "name": .string(Partial.method), "description": "Sent before the reply to a request with `stream`.",
          "params": .object(Partial.shape.schema),
        ]
      ],
      "components": [
        "schemas": .object(JSONObject(records.map { (key: $0.name, value: .object($0.schema)) })), "errors": errors,
      ],
    ]
  }

  /// Every record of the replies and of `places.partial`, without duplicates. A record comes after the first record that contains it.
  public static var records: [Record] {
    var names: Set<String> = []
    return (methods.map { $0.reply } + [Partial.shape]).flatMap(\.records).filter { names.insert($0.name).inserted }
  }

  private static func describe<M: Method>(_ method: M.Type) -> JSONValue {
    [
      "name": .string(M.name), "summary": .string(M.summary), "paramStructure": "by-name",
      "params": .array(
        M.schema.fields.map { field in
          [
            "name": .string(field.name), "description": .string(field.summary), "required": .boolean(field.isRequired),
            "schema": .object(field.schema),
          ]
        }),
      "result": ["name": "result", "schema": .object(M.reply.schema)],
      "x-access": .string(M.access.rawValue),
    ]
  }

  private static let cancellation: JSONValue = [
    "name": .string(CancelRequest.name), "summary": .string(CancelRequest.summary), "paramStructure": "by-name",
    "params": [["name": "id", "required": true, "schema": ["type": ["string", "number", "null"]]]],
    "x-access": .string(Access.everybody.rawValue),
  ]

  private static let errors = JSONValue.object(
    JSONObject(
      APIError.Name.allCases.map { name in
        (key: name.rawValue, value: ["code": .integer(Int64(name.code)), "message": .string(name.rawValue)])
      }))
}
