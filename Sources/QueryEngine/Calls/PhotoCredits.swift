import PlacesAPI
import PlacesKit
import Synchronization

/// The credits of the photos in a provider's latest answers. A service returns the credits with the place, and not with the image.
final class PhotoCredits: Sendable {
  /// The maximum number of photos in each of the two `generations`.
  private static let maxPhotos = 2_048
  /// The maximum number of credits of one photo.
  private static let maxCredits = 5
  /// Photos are added to `new`. When `new` is full, it becomes `old`, the photos in `old` are dropped, and `new` starts empty.
  private let generations = Mutex<(new: [PlaceID: [Attribution]], old: [PlaceID: [Attribution]])>(([:], [:]))

  /// The credits of a photo; empty if no recent answer contains the photo.
  subscript(id: PlaceID) -> [Attribution] { generations.withLock { $0.new[id] ?? $0.old[id] ?? [] } }

  func add(_ credits: [Attribution], of id: PlaceID) {
    generations.withLock { generations in
      // The credits of older photos can be dropped, because clients request only photos of recent answers.
      if generations.new.count >= PhotoCredits.maxPhotos { generations = ([:], generations.new) }
      generations.new[id] = Array(credits.prefix(PhotoCredits.maxCredits))
    }
  }

  /// Prefixes the ids of photos with the provider's id, so that `places.photo` finds the provider. Records the credits of the photos.
  func prefixPhotoIDs(in answer: inout ProviderAnswer, of provider: String) {
    guard case .places(var page) = answer, page.rows.contains(where: { $0.values[.photos] != nil }) else { return }
    for index in page.rows.indices {
      guard let photos = page.rows[index].values[.photos]?.array else { continue }
      page.rows[index].values[.photos] = .array(photos.map { prefixed($0, of: provider) })
    }
    answer = .places(page)
  }

  /// Prefixes a photo's id with the provider's id, and records the photo's credits.
  private func prefixed(_ photo: JSONValue, of provider: String) -> JSONValue {
    guard var members = photo.object, let native = photo["id"]?.string, !native.isEmpty else { return photo }
    let id = PlaceID(provider: provider, native: native)
    members["id"] = .string(id.text)
    let credits = (photo["attributions"]?.array ?? []).compactMap { credit in
      credit["text"]?.string.map { Attribution(text: $0, url: credit["url"]?.string) }
    }
    if !credits.isEmpty { add(credits, of: id) }
    return .object(members)
  }
}
