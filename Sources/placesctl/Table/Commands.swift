/// Every command, in the order of the help.
enum Commands {
  static let all: [Command] =
    [SuggestCommand.command] + PlaceCommands.all + GazetteerCommands.all + ServiceCommands.all + ProviderCommands.all + [
      PluginCommands.check, DescriptionCommands.new,
    ] + CacheCommands.all + ChoiceCommands.all
    + BudgetCommands.all
    + ConfigCommands.all + [CompletionCommand.command]
}
