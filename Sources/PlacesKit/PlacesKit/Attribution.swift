/// A credit that must be shown with a provider's rows.
public struct Attribution: Sendable, Hashable, Codable {
  public var text: String
  /// The page to which the text links.
  public var url: String?

  public init(text: String, url: String? = nil) {
    self.text = text
    self.url = url
  }
}
