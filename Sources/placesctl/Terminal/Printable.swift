import Linux

/// A text from outside, made safe for a terminal, with one character for each character.
func printable(_ text: String) -> String { Printable.text(text) }
