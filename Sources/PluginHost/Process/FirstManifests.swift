import PlacesKit
import Synchronization

/// The manifests that an instance's first process declared, before and after it received its settings. The daemon grants hosts and a key on
/// the basis of these manifests, for as long as it has the provider. A later process that declares another manifest must not get them.
final class FirstManifests: Sendable {
  enum Step: Hashable { case declared, configured }

  private let manifestsByStep = Mutex<[Step: Manifest]>([:])

  /// True if the manifest equals the first process's at this step, or if it is the first one.
  func agree(with manifest: Manifest, at step: Step) -> Bool {
    manifestsByStep.withLock { manifestsByStep in
      let firstManifest = manifestsByStep[step] ?? manifest
      manifestsByStep[step] = firstManifest
      return firstManifest == manifest
    }
  }
}
