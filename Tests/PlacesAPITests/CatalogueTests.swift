import PlacesKit
import Testing

@testable import PlacesAPI

@Suite("The catalogue of methods")
struct CatalogueTests {
  @Test("The catalogue has every method of the contract and its access")
  func access() {
    let everybody = [
      "places.autocomplete", "places.select", "places.search", "places.resolve", "places.details", "places.photo", "places.reverse",
      "places.choices.list", "places.choices.forget", "service.info", "rpc.discover",
      "types.list", "providers.list", "providers.get", "cache.stats", "cache.purge", "budget.get",
    ]
    let administrators = [
      "providers.test", "providers.enable", "providers.disable", "providers.reset", "providers.resume", "providers.log", "cache.list",
      "cache.expire", "budget.confirm", "service.reload", "service.metrics", "service.log",
    ]
    let found = { (access: Access) in Set(Catalogue.methods.filter { $0.access == access }.map { $0.name }) }
    #expect(found(.everybody) == Set(everybody))
    #expect(found(.administrator) == Set(administrators))
  }

  @Test("The document lists each method with exactly the parameters that are accepted")
  func document() throws {
    let document = Catalogue.openRPC(version: "1.2.3")
    #expect(document["info"]?["version"] == "1.2.3")
    let methods = try #require(document["methods"]?.array)
    #expect(methods.count == Catalogue.methods.count + 1)
    let autocomplete = try #require(methods.first { $0["name"] == "places.autocomplete" })
    let params = try #require(autocomplete["params"]?.array)
    #expect(params.compactMap { $0["name"]?.string } == Autocomplete.schema.fields.map(\.name))
    #expect(params.first?["required"] == true)
    #expect(params.first { $0["name"] == "limit" }?["schema"] == ["type": "integer", "minimum": 1, "maximum": 50, "default": 10])
    #expect(try JSONValue(parsing: document.bytes) == document)
  }

  @Test("Errors have the contract's codes", arguments: zip(APIError.Name.allCases.prefix(9), 1...9))
  func codes(_ name: APIError.Name, _ number: Int) {
    #expect(name.code == -32000 - number)
    #expect(APIError(name, "x").wireData["name"]?.string == name.rawValue)
  }

  @Test("The smallest whole number has a spelling as any other has", arguments: [-0x1p63, 0x1p63, -0x1p53, 3, -2.5])
  func canonical(_ number: Double) {
    #expect(JSONValue.canonical(number).double == number)
  }

  @Test("A refused parameter is an error that names it")
  func parameter() {
    let error = APIError(InvalidParameter("limit", "`limit` must be something else"))
    #expect(error.code == -32602)
    #expect(error.wireData == ["name": "invalid_params", "parameter": "limit"])
  }
}
