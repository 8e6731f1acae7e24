// A provider speaks of settings and fields in JSON values: whoever imports the contract has their words too.
@_exported import JSON
