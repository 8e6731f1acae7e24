extension ProviderSettings {
  /// What every check, a start and a reload say alike of this provider where nothing that is written of it is known to be wrong.
  public func cannotBeBroughtUp(_ reason: String) -> ConfigurationProblem {
    ConfigurationProblem(origin ?? .standard, "[providers.\(id)] cannot be brought up: \(reason)")
  }
}
