import PlacesAPI
import PlacesKit

extension Engine {
  /// The maximum number of concurrent photo requests of one user. It is low because photos are large.
  private static let maxPhotosPerUser = 4

  /// Returns a photo from the provider that its id names. Photos are never stored.
  public func photo(_ parameters: Photo.Parameters, caller: EngineCaller) async throws(APIError) -> Photo.Result {
    try checkProvider(of: parameters.id)
    let request = PhotoRequest(id: parameters.id.native, maxWidth: parameters.maxWidth, maxHeight: parameters.maxHeight)
    let common = CommonParameters(
      caller: caller, deadlineMs: parameters.deadlineMs, cache: .bypass, providers: [parameters.id.provider])
    try beginPhoto(of: caller.user)
    defer { endPhoto(of: caller.user) }
    return try await withAdmission(common) { manifest throws(Skip) in
      try Plan.photo(request, manifest)
    } body: { queryContext, collector throws(APIError) in
      let (queryContext, outcomes) = try await collector.outcomes(of: queryContext, show: nil)
      let reports = queryContext.reports(outcomes)
      if outcomes.first?.cause == ProviderError.Cause.notFound.rawValue {
        throw APIError(.notFound, "this photo does not exist or no longer exists; request the place's photos again", providers: reports)
      }
      try queryContext.throwIfUnanswered(outcomes)
      guard let client = queryContext.candidates.first?.client, let image = outcomes.first?.answer?.photo else {
        throw APIError(.unsupported, "no provider can return this photo", providers: reports)
      }
      var credits: [AttributionRow] = []
      for credit in client.instance.manifest.attributions + image.attributions + client.photoCredits[parameters.id] {
        let credit = AttributionRow(provider: client.id, credit)
        if !credits.contains(credit) { credits.append(credit) }
      }
      return Photo.Result(image, providers: reports, attributions: credits)
    }
  }

  private func beginPhoto(of user: UInt32) throws(APIError) {
    let hasBegun = photosInFlight.withLock { counts in
      guard counts[user, default: 0] < Engine.maxPhotosPerUser else { return false }
      counts[user, default: 0] += 1
      return true
    }
    guard !hasBegun else { return }
    throw APIError(
      .overloaded, "you request more than \(Engine.maxPhotosPerUser) photos at once; wait for one of them",
      data: ["retryAfterMs": .integer(Int64((admissionControl.retryAfter * 1000).rounded(.up)))])
  }

  private func endPhoto(of user: UInt32) {
    photosInFlight.withLock { counts in
      guard let count = counts[user] else { return }
      counts[user] = count > 1 ? count - 1 : nil
    }
  }
}
