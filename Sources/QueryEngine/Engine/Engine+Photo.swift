import PlacesAPI
import PlacesKit

extension Engine {
  /// A photograph, from the provider that its id names. It is never stored.
  public func photo(_ parameters: Photo.Parameters, caller: EngineCaller) async throws(APIError) -> Photo.Result {
    try checkProvider(of: parameters.id)
    let request = PhotoRequest(id: parameters.id.native, maxWidth: parameters.maxWidth, maxHeight: parameters.maxHeight)
    let common = CommonParameters(
      user: caller.user, deadlineMs: parameters.deadlineMs, cache: .bypass, providers: [parameters.id.provider])
    return try await withAdmission(common) { manifest throws(Skip) in
      try Plan.photo(request, manifest)
    } body: { queryContext, collector throws(APIError) in
      let (queryContext, outcomes) = try await collector.outcomes(of: queryContext, show: nil)
      let reports = queryContext.reports(outcomes)
      if outcomes.first?.cause == ProviderError.Cause.notFound.rawValue {
        throw APIError(.notFound, "this photo does not exist (any more); request the place's photos again", providers: reports)
      }
      try queryContext.throwIfUnanswered(outcomes)
      guard let client = queryContext.candidates.first?.client, let image = outcomes.first?.answer?.photo else {
        throw APIError(.unsupported, "no provider can be asked for this photo", providers: reports)
      }
      var credits: [AttributionRow] = []
      for credit in client.instance.manifest.attributions + image.attributions + client.credits(ofPhoto: parameters.id) {
        let credit = AttributionRow(provider: client.id, credit)
        if !credits.contains(credit) { credits.append(credit) }
      }
      return Photo.Result(image, providers: reports, attributions: credits)
    }
  }
}
