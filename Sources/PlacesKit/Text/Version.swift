import CICU

/// The version of ICU's Unicode data, as major * 100 + minor.
public var unicodeVersion: Int { Int(cicu_unicode_version()) }
