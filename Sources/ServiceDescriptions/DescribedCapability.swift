import PlacesKit

extension DescribedCall {
  /// The capability of a call. The service supports the parameters that the request sends. The daemon can apply other parameters if the
  /// rows have the fields that it needs for them.
  func capability(_ call: Call) -> Capability {
    var placeFields: Set<PlaceField> = []
    if call != .autocomplete {
      placeFields.insert(.placeID)
      for field in fields.definedFields { placeFields.formUnion(field.placeFields) }
    }
    // If the request cannot limit the rows of a page, a page may have more than `maximumRows`; at most `maxRows` of them are read.
    return Capability(
      parameters: parameters(of: call), minimumLetters: minimumLetters,
      maximumRows: paging != nil && !sendsLimit ? DescribedAnswer.maxRows : maximumRows,
      kinds: call == .autocomplete && has(.kind) ? [.place, .query] : [.place], fields: placeFields, pages: paging != nil)
  }

  /// The support of each parameter: native if the request sends it, or if the plugin filters the rows by it (types and radius); emulated if
  /// the rows have the fields by which the daemon can filter them; absent otherwise.
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
    // The support of a parameter that the daemon can apply to rows with positions.
    let emulatedByPosition: Capability.Support? = fields.mayHavePosition ? .emulated : nil
    let sendsCircle = request.uses(.restrictionRadius)
    supports[.restrictionRectangle] = request.uses(.restrictionWest) ? .native : emulatedByPosition
    // If the request sends only the rectangle around a circle, the answer has places outside of the circle, which the daemon drops.
    supports[.restrictionCircle] = sendsCircle ? .native : emulatedByPosition
    supports[.origin] = request.uses(.originLatitude) && has(.distance) ? .native : emulatedByPosition
    supports[.countries] = countries
    if call == .autocomplete { supports[.inputOffset] = request.uses(.inputOffset) ? .native : .emulated }
    if call == .search {
      supports[.openNow] = request.uses(.openNow) ? .native : has(.openingHours) ? .emulated : nil
      supports[.minRating] = request.uses(.minRating) ? .native : has(.rating) ? .emulated : nil
      supports[.priceLevels] = has(.priceLevel) ? .emulated : nil
      supports[.rankByDistance] = emulatedByPosition
    }
    return supports
  }

  private func has(_ field: RowField) -> Bool { fields.definedFields.contains(field) }

  /// The support of the filter by countries.
  private var countries: Capability.Support? {
    let placeholders = request.placeholders.filter { $0.source == .request(.countries) }
    let emulatedByCountryCode: Capability.Support? = has(.countryCode) ? .emulated : nil
    guard !placeholders.isEmpty else { return emulatedByCountryCode }
    // If the request can only name a single country, the daemon applies the filter for several countries.
    return placeholders.allSatisfy { $0.converters.contains(.only) } ? emulatedByCountryCode.map { _ in .partly } : .native
  }
}
