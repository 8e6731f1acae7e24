import PlacesKit

/// The providers as they are configured now: a value, replaced as a whole.
struct Registry: Sendable {
  /// In the order of the configuration.
  private(set) var lanes: [Lane] = []
  /// What an administrator switched on or off, against the configuration.
  private(set) var switched: [String: Bool] = [:]

  init() {}

  init(lanes: [Lane], switched: [String: Bool]) {
    self.lanes = lanes
    self.switched = switched
  }

  subscript(id: String) -> Lane? { lanes.first { $0.id == id } }

  func isEnabled(_ lane: Lane) -> Bool { switched[lane.id] ?? lane.instance.enabled }

  /// Those that requests may ask.
  var enabled: [Lane] { switched.isEmpty ? lanes.filter(\.instance.enabled) : lanes.filter(isEnabled) }

  mutating func turn(_ id: String, on: Bool) { switched[id] = on }
}
