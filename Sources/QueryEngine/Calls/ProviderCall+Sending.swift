import PlacesKit
import Storage

extension ProviderCall {
  /// Calls the service, and returns its answer or its error.
  func send(to service: any PlaceService) async -> Result<ProviderAnswer, ProviderError> {
    do throws(ProviderError) {
      switch self {
      case .autocomplete(let request): return .success(.suggestions(try await service.autocomplete(request)))
      case .search(let request): return .success(.places(try await service.search(request)))
      case .details(let request): return .success(.places(Page(rows: [try await service.details(request)], exhaustive: true)))
      case .reverse(let request): return .success(.places(try await service.reverse(request)))
      case .geocode(let request): return .success(.places(try await service.geocode(request)))
      case .photo(let request): return .success(.photo(try await service.photoIfOffered(request)))
      }
    } catch { return .failure(error) }
  }
}

/// A provider's answer to a call.
enum ProviderAnswer: Sendable, Hashable {
  case suggestions(Page<Suggestion>)
  case places(Page<Place>)
  case photo(PhotoImage)

  var suggestions: [Suggestion] { if case .suggestions(let page) = self { page.rows } else { [] } }
  var places: [Place] { if case .places(let page) = self { page.rows } else { [] } }

  var photo: PhotoImage? { if case .photo(let image) = self { image } else { nil } }

  /// The number of rows; 1 for a photo.
  var count: Int {
    switch self {
    case .suggestions(let page): page.rows.count
    case .places(let page): page.rows.count
    case .photo: 1
    }
  }

  /// Removes rows whose id is empty, because no client could request their details. Returns the number of removed rows.
  mutating func dropRowsWithoutID() -> Int {
    let countBefore = count
    switch self {
    case .suggestions(var page) where page.rows.contains { $0.id?.isEmpty ?? false }:
      page.rows.removeAll { $0.id?.isEmpty ?? false }
      self = .suggestions(page)
    case .places(var page) where page.rows.contains { $0.id.isEmpty }:
      page.rows.removeAll { $0.id.isEmpty }
      self = .places(page)
    case .suggestions, .places, .photo: return 0
    }
    return countBefore - count
  }

  /// The provider's token of the next page; nil if there is none.
  var nextPageToken: String? {
    switch self {
    case .suggestions(let page): page.next
    case .places(let page): page.next
    case .photo: nil
    }
  }
}
