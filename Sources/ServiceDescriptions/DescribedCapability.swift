import PlacesKit

extension DescribedCall {
  /// The capability of a call. The service supports the parameters that the request sends; others can be applied by the daemon if the rows
  /// have the fields that are needed.
  func capability(_ call: Call) -> Capability {
    var fields: Set<PlaceField> = []
    if call != .autocomplete {
      fields.insert(.placeID)
      for name in self.fields.names { fields.formUnion(name.placeFields) }
    }
    return Capability(
      parameters: parameters(of: call), minimumLetters: minimumLetters,
      maximumRows: paging != nil && !sendsLimit ? DescribedAnswer.maxRows : maximumRows,
      kinds: call == .autocomplete && has(.kind) ? [.place, .query] : [.place], fields: fields, pages: paging != nil)
  }

  /// The support of each parameter: native if the request sends it, or if the plugin filters the rows by it (types and radius); emulated if
  /// the rows have the fields by which the daemon can filter them; none otherwise.
  private func parameters(of call: Call) -> [Capability.Parameter: Capability.Support] {
    var all: [Capability.Parameter: Capability.Support] = [:]
    if request.uses(.language) { all[.language] = .native }
    if request.uses(.region), call != .reverse { all[.region] = .native }
    guard call != .details else { return all }
    if fields.mayHaveTypes || request.uses(.types) {
      if call == .search {
        all[.includedType] = .native
        all[.strictTypeFiltering] = .native
      } else {
        all[.types] = .native
        all[.collection] = .native
      }
    }
    guard call != .reverse else {
      if request.uses(.radius) || fields.mayHavePosition { all[.radius] = .native }
      return all
    }
    if request.uses(.biasLatitude) || request.uses(.biasWest) { all[.bias] = .native }
    let byDaemon: Capability.Support? = fields.mayHavePosition ? .emulated : nil
    let sendsCircle = request.uses(.restrictionRadius)
    all[.restrictionRectangle] = request.uses(.restrictionWest) ? .native : byDaemon
    // If the request sends only the rectangle around a circle, the answer has places outside of the circle, which the daemon drops.
    all[.restrictionCircle] = sendsCircle ? .native : byDaemon
    all[.origin] = request.uses(.originLatitude) && has(.distance) ? .native : byDaemon
    all[.countries] = countries
    if call == .autocomplete { all[.inputOffset] = request.uses(.inputOffset) ? .native : .emulated }
    if call == .search {
      all[.openNow] = request.uses(.openNow) ? .native : has(.openingHours) ? .emulated : nil
      all[.minRating] = request.uses(.minRating) ? .native : has(.rating) ? .emulated : nil
      all[.priceLevels] = has(.priceLevel) ? .emulated : nil
      all[.rankByDistance] = byDaemon
    }
    return all
  }

  private func has(_ field: RowField) -> Bool { fields.names.contains(field) }

  private var countries: Capability.Support? {
    let uses = request.placeholders.filter { $0.source == .request(.countries) }
    let byDaemon: Capability.Support? = has(.countryCode) ? .emulated : nil
    guard !uses.isEmpty else { return byDaemon }
    // If the request can only name a single country, the daemon applies the filter for several countries.
    return uses.allSatisfy { $0.converters.contains(.only) } ? byDaemon.map { _ in .partly } : .native
  }
}
