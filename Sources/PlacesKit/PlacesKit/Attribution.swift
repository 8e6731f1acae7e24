/// A credit that must be shown with the data it belongs to.
public struct Attribution: Sendable, Hashable, Codable {
  public var text: String
  public var url: String?

  public init(text: String, url: String? = nil) {
    self.text = text
    self.url = url
  }
}
