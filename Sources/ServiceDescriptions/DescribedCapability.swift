import PlacesKit

extension DescribedCall {
  /// The capability of a call. The service supports the parameters that the request sends. The daemon can apply other parameters if the
  /// rows have the fields that it needs for them.
  func capability(_ call: Call) -> Capability {
    var fields: Set<PlaceField> = []
    if call != .autocomplete {
      fields.insert(.placeID)
      for name in self.fields.definedFields { fields.formUnion(name.placeFields) }
    }
    return Capability(
      parameters: parameters(of: call), minimumLetters: minimumLetters,
      maximumRows: paging != nil && !sendsLimit ? DescribedAnswer.maxRows : maximumRows,
      kinds: call == .autocomplete && has(.kind) ? [.place, .query] : [.place], fields: fields, pages: paging != nil)
  }

  /// The support of each parameter: native if the request sends it, or if the plugin filters the rows by it (types and radius); emulated if
  /// the rows have the fields by which the daemon can filter them; none otherwise.
  private func parameters(of call: Call) -> [Capability.Parameter: Capability.Support] {
    var supports: [Capability.Parameter: Capability.Support] = [:]
    if request.uses(.language) { supports[.language] = .native }
    if request.uses(.region), call != .reverse { supports[.region] = .native }
    guard call != .details else { return supports }
    if fields.mayHaveTypes || request.uses(.types) {
      if call == .search {
        supports[.includedType] = .native
        supports[.strictTypeFiltering] = .native
      } else {
        supports[.types] = .native
        supports[.collection] = .native
      }
    }
    guard call != .reverse else {
      if request.uses(.radius) || fields.mayHavePosition { supports[.radius] = .native }
      return supports
    }
    if request.uses(.biasLatitude) || request.uses(.biasWest) { supports[.bias] = .native }
    let byDaemon: Capability.Support? = fields.mayHavePosition ? .emulated : nil
    let sendsCircle = request.uses(.restrictionRadius)
    supports[.restrictionRectangle] = request.uses(.restrictionWest) ? .native : byDaemon
    // If the request sends only the rectangle around a circle, the answer has places outside of the circle, which the daemon drops.
    supports[.restrictionCircle] = sendsCircle ? .native : byDaemon
    supports[.origin] = request.uses(.originLatitude) && has(.distance) ? .native : byDaemon
    supports[.countries] = countries
    if call == .autocomplete { supports[.inputOffset] = request.uses(.inputOffset) ? .native : .emulated }
    if call == .search {
      supports[.openNow] = request.uses(.openNow) ? .native : has(.openingHours) ? .emulated : nil
      supports[.minRating] = request.uses(.minRating) ? .native : has(.rating) ? .emulated : nil
      supports[.priceLevels] = has(.priceLevel) ? .emulated : nil
      supports[.rankByDistance] = byDaemon
    }
    return supports
  }

  private func has(_ field: RowField) -> Bool { fields.definedFields.contains(field) }

  private var countries: Capability.Support? {
    let uses = request.placeholders.filter { $0.source == .request(.countries) }
    let byDaemon: Capability.Support? = has(.countryCode) ? .emulated : nil
    guard !uses.isEmpty else { return byDaemon }
    // If the request can only name a single country, the daemon applies the filter for several countries.
    return uses.allSatisfy { $0.converters.contains(.only) } ? byDaemon.map { _ in .partly } : .native
  }
}
