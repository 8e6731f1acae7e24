// Settings and fields of places are JSON values (`JSONValue`), so every provider needs the module JSON too.
@_exported import JSON
