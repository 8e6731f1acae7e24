import Configuration

extension Configuration {
  /// The paths of the gazetteers' indexes.
  var indexes: [String] {
    providers.filter { $0.plugin == Configuration.gazetteer }.flatMap { settings in
      settings.settings["index"]?.value.string.map { [$0] } ?? dataDirectories.map { "\($0)/gazetteer.db" }
    }
  }
}
