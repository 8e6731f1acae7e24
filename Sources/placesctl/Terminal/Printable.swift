import Linux

/// Makes a text from outside safe for a terminal. Each character is replaced by at most one character.
func printable(_ text: String) -> String { Printable.text(text) }
