// Settings and fields are JSON values, so that a provider needs this module too.
@_exported import JSON
