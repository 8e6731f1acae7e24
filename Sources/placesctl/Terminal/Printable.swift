import Linux

/// A foreign text as it may go to a terminal, character for character.
func printable(_ text: String) -> String { Printable.text(text) }
