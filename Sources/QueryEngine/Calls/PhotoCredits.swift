import PlacesAPI
import PlacesKit
import Synchronization

/// The credits of the authors of photos in a provider's latest answers. A service returns them with the place, not with the image.
final class PhotoCredits: Sendable {
  /// Photographs of one generation.
  private static let maxPhotos = 2_048
  /// Credits of one photograph.
  private static let maxCredits = 5
  /// The older generation is dropped when the newer one is full.
  private let generations = Mutex<(new: [PlaceID: [Attribution]], old: [PlaceID: [Attribution]])>(([:], [:]))

  subscript(id: PlaceID) -> [Attribution] { generations.withLock { $0.new[id] ?? $0.old[id] ?? [] } }

  func add(_ attributions: [Attribution], of id: PlaceID) {
    generations.withLock { generations in
      // Clients request only photos of recent answers.
      if generations.new.count >= PhotoCredits.maxPhotos { generations = ([:], generations.new) }
      generations.new[id] = Array(attributions.prefix(PhotoCredits.maxCredits))
    }
  }
}

extension ProviderAnswer {
  /// Prefixes the ids of photos with the provider's id, so that `places.photo` finds the provider, and records the authors.
  mutating func qualifyPhotos(of provider: String, _ credits: PhotoCredits) {
    guard case .places(var page) = self, page.rows.contains(where: { $0.values[.photos] != nil }) else { return }
    for index in page.rows.indices {
      guard let photos = page.rows[index].values[.photos]?.array else { continue }
      page.rows[index].values[.photos] = .array(photos.map { PhotoCredits.qualified($0, provider, credits) })
    }
    self = .places(page)
  }
}

extension PhotoCredits {
  fileprivate static func qualified(_ photo: JSONValue, _ provider: String, _ credits: PhotoCredits) -> JSONValue {
    guard var members = photo.object, let native = photo["id"]?.string, !native.isEmpty else { return photo }
    let id = PlaceID(provider: provider, native: native)
    members["id"] = .string(id.text)
    let authors = (photo["attributions"]?.array ?? []).compactMap { credit in
      credit["text"]?.string.map { Attribution(text: $0, url: credit["url"]?.string) }
    }
    if !authors.isEmpty { credits.add(authors, of: id) }
    return .object(members)
  }
}
