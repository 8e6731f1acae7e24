import PlacesKit
import Synchronization

/// The manifests of an instance's first process, before and after its settings. They apply as long as the daemon has the provider, so that a
/// later process that declares another manifest must not get the hosts and the key of that one.
final class FirstManifests: Sendable {
  enum Step: Hashable { case declared, configured }

  private let first = Mutex<[Step: Manifest]>([:])

  /// True if the manifest equals the first process's at this step, or if it is the first one.
  func agree(with manifest: Manifest, at step: Step) -> Bool {
    first.withLock { first in
      let agreed = first[step] ?? manifest
      first[step] = agreed
      return agreed == manifest
    }
  }
}
