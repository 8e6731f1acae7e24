import PlacesKit

/// The users who may receive a stored answer.
public enum Partition: Sendable, Hashable, Codable {
  /// All users.
  case everybody
  /// One user, by the user's id.
  case user(UInt32)
  /// One session of one user, by its name `user/session`. Its answers are stored in memory only.
  case session(String)

  /// The value of the column `user` in the cache's database; nil for a partition that is never stored on disk.
  var column: Int? {
    switch self {
    case .everybody: -1
    case .user(let user): Int(user)
    case .session: nil
    }
  }

  init(column: Int) { self = UInt32(exactly: column).map(Partition.user) ?? .everybody }
}

/// The key of a stored answer. An answer is valid for every call with an equal key.
public struct AnswerKey: Sendable, Hashable {
  /// The provider's id in the configuration.
  public var provider: String
  /// The fingerprint of the terms under which the answer was stored. Answers that were stored under other terms are not found.
  public var termsFingerprint: Int64
  /// The call without its session token, which does not affect the answer.
  public var call: ProviderCall
  public var partition: Partition

  public init(provider: String, terms: Terms, call: ProviderCall, partition: Partition) {
    self.init(provider: provider, termsFingerprint: terms.fingerprint, call: call, partition: partition)
  }

  /// Creates a key with a precomputed `fingerprint` of the terms.
  public init(provider: String, termsFingerprint: Int64, call: ProviderCall, partition: Partition) {
    self.provider = provider
    self.termsFingerprint = termsFingerprint
    self.call = call.withoutSessionToken
    self.partition = partition
  }
}

extension Terms {
  /// A checksum of all terms that determine what is stored, for how long and for whom.
  public var fingerprint: Int64 {
    var checksum = Checksum()
    for seconds in [idsSeconds, coordinatesSeconds, otherSeconds, negativeSeconds, staleSeconds] { checksum.add(seconds ?? -1) }
    checksum.add(isolation.rawValue)
    checksum.add(source)
    return checksum.value
  }
}
