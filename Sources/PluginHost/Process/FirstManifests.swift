import PlacesKit
import Synchronization

/// The manifests that an instance's first process declared, before and after it received its settings. The daemon grants hosts and a key on
/// the basis of these manifests, until it removes the provider. A later process that declares another manifest must not get the hosts
/// and the key.
final class FirstManifests: Sendable {
  enum Step: Hashable {
    /// Before the process received its settings.
    case declared
    /// After the process received its settings.
    case configured
  }

  private let manifestsByStep = Mutex<[Step: Manifest]>([:])

  /// True if the manifest equals the one that the first process declared at this step. The first manifest of each step is recorded.
  func recordOrCompare(_ manifest: Manifest, at step: Step) -> Bool {
    manifestsByStep.withLock { manifestsByStep in
      let firstManifest = manifestsByStep[step] ?? manifest
      manifestsByStep[step] = firstManifest
      return firstManifest == manifest
    }
  }
}
