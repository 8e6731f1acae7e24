"""A client of the places daemon: see README.md beside this package, and places-rpc(7)."""
from . import types
from .aio import AsyncClient, Autocompleter, State
from .client import Client
from .errors import *  # noqa: F403
from .errors import PlacesError, RefusedError

__all__ = ["AsyncClient", "Autocompleter", "Client", "PlacesError", "RefusedError", "State", "types"]
__version__ = "1.0.0"
