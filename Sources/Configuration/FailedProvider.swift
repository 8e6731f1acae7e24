extension ProviderSettings {
  /// The problem that a check, a start and a reload report if the provider fails and its configuration has no known mistake.
  public func startProblem(_ reason: String) -> ConfigurationProblem {
    ConfigurationProblem(origin ?? .standard, "[providers.\(id)] cannot be started: \(reason)")
  }

  /// The text that a check prints instead of lines that the process wrote after it had read a secret. The output of a check may be public,
  /// for example in a service manager's journal.
  public var withheldOutputNote: String {
    "its output is not shown here, since it may contain its settings; a daemon shows it to administrators: placesctl providers log \(id)"
  }
}
