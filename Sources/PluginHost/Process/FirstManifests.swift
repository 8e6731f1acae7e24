import PlacesKit
import Synchronization

/// What an instance's first process declared, and what its settings made of that. The daemon obeys these as long as it has the provider,
/// so a later process that declares anything else must not get the hosts and the key that it declares now.
final class FirstManifests: Sendable {
  enum Step: Hashable { case declared, configured }

  private let first = Mutex<[Step: Manifest]>([:])

  /// Whether the manifest is the first process's at this step; the first one is.
  func agree(with manifest: Manifest, at step: Step) -> Bool {
    first.withLock { first in
      let agreed = first[step] ?? manifest
      first[step] = agreed
      return agreed == manifest
    }
  }
}
