import PlacesTesting
import Testing

@testable import places_gateway

@Suite("A file of the search page")
struct PageFilesTests {
  private let folder: TemporaryFolder
  private let page: PageFiles

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("plain", to: "page.css")
    try folder.write("compressed", to: "page.css.gz")
    page = PageFiles(folder: folder.path, leaflet: "/nowhere", tilesURL: nil, tilesAttribution: nil)
  }

  private func response(ifNoneMatch: String? = nil, acceptEncoding: String?) throws -> OutgoingResponse {
    let file = try #require(page.file(Array("/page.css".utf8)))
    return page.response(file, ifNoneMatch: ifNoneMatch, acceptEncoding: acceptEncoding)
  }

  private func header(_ name: String, of response: OutgoingResponse) -> String? { response.headers.first { $0.name == name }?.value }

  @Test(
    "is compressed only if the client accepts gzip with a weight above 0",
    arguments: [
      (nil, false), ("", false), ("gzip", true), ("deflate, gzip;q=0.5, br", true), ("GZIP ; Q=1", true), ("x-gzip", true), ("*", true),
      ("gzip;q=0", false), ("gzip; q=0.000", false), ("gzip;q=0, *", false), ("*;q=0", false), ("*;q=0, gzip", true), ("gzipped", false),
      ("gzip;q=x", false),
    ] as [(String?, Bool)])
  func compression(_ acceptEncoding: String?, _ isCompressed: Bool) throws {
    let response = try response(acceptEncoding: acceptEncoding)
    #expect(response.content.body == Array((isCompressed ? "compressed" : "plain").utf8))
    #expect(header("Content-Encoding", of: response) == (isCompressed ? "gzip" : nil))
  }

  @Test("has an entity tag for each representation, and status 304 for the tag of the one that would be sent")
  func entityTags() throws {
    let plain = try response(acceptEncoding: nil)
    let compressed = try response(acceptEncoding: "gzip")
    let plainTag = try #require(header("ETag", of: plain))
    let compressedTag = try #require(header("ETag", of: compressed))
    #expect(plainTag != compressedTag)
    let other = "\"other\""
    let cases: [(tags: String, acceptEncoding: String?, status: Int)] = [
      (plainTag, nil, 304), (plainTag, "gzip", 200), (compressedTag, "gzip", 304), (compressedTag, nil, 200), (other, nil, 200),
      ("\(other), \(plainTag)", nil, 304), ("W/\(plainTag)", nil, 304), ("*", "gzip", 304),
    ]
    for (tags, acceptEncoding, status) in cases {
      let response = try response(ifNoneMatch: tags, acceptEncoding: acceptEncoding)
      #expect(response.content.status == status, "\(tags) \(acceptEncoding ?? "")")
      #expect(response.content.body.isEmpty == (status == 304))
    }
  }
}
