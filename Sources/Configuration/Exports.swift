// Origins and problems are part of this module's interface.
@_exported import TOML
