extension ProviderSettings {
  /// What every check, a start and a reload say alike of this provider where nothing that is written of it is known to be wrong.
  public func cannotBeBroughtUp(_ reason: String) -> ConfigurationProblem {
    ConfigurationProblem(origin ?? .standard, "[providers.\(id)] cannot be brought up: \(reason)")
  }

  /// What a check says in place of lines that its process wrote once it knew what may be a secret. Checks run where everybody may read
  /// along, such as in a service manager's journal.
  public var withheldLines: String {
    "what it wrote is not shown here, since it may repeat its settings; a daemon tells it to administrators: placesctl providers log \(id)"
  }
}
