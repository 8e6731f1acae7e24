"""The paths of the daemon's socket, and the messages that are sent and received on it, one per line."""
from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping, Optional, Union

from .errors import PlacesError, ProtocolError, refusal

#: A point: a mapping with `latitude` and `longitude`, or the pair of both, in degrees.
Point = Union[Mapping[str, Any], "tuple[float, float]"]
#: The maximum size of a reply, in bytes: the greatest value of `reply_bytes` in placesd.toml(5).
MAX_REPLY = 64 << 20
#: The longest deadline that the protocol permits, in seconds.
DEADLINE = 30.0
#: The time that a client waits after the deadline for the reply, in seconds.
GRACE = 2.0


def socket_paths(path: Optional[str] = None) -> list[str]:
    """The sockets to try, in this order."""
    named = path or os.environ.get("PLACES_SOCKET")
    if named:
        return [named]
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if not runtime.startswith("/"):
        runtime = f"/run/user/{os.geteuid()}" if os.geteuid() else ""
    return ([f"{runtime}/placesd/placesd.sock"] if runtime else []) + ["/run/placesd/placesd.sock"]


def encode(message: dict[str, Any]) -> bytes:
    """A message as a line."""
    try:
        return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    except UnicodeEncodeError as error:
        raise PlacesError(f"a text is not valid Unicode: {error.reason}") from error


def request(number: int, method: str, params: dict[str, Any]) -> bytes:
    return encode({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def point(name: str, value: Any, more: tuple[Any, ...] = ()) -> Any:
    """A point as the daemon expects it. `more` are the caller's further arguments, of which there should be none."""
    if isinstance(value, Mapping) and not more:
        return dict(value)
    is_pair = isinstance(value, (tuple, list)) and len(value) == 2 and all(isinstance(one, (int, float)) and not isinstance(one, bool) and math.isfinite(one) for one in value)
    if is_pair and not more:
        return {"latitude": value[0], "longitude": value[1]}
    example = f"({value}, {more[0]})" if len(more) == 1 and isinstance(value, (int, float)) else "(47.14, 9.52)"
    given = "several arguments" if more else f"{value!r}"
    raise TypeError(f"{name} is one argument, a pair {example} or a dictionary with latitude and longitude, not {given}")


def cancellation(number: int) -> bytes:
    return encode({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})


def message(line: bytes) -> dict[str, Any]:
    """The message in a line."""
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"a reply is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise ProtocolError("a reply is not an object")
    return value


def number(value: Any) -> Optional[int]:
    """A request's id, or None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def partial(message: dict[str, Any]) -> Optional[tuple[int, dict[str, Any]]]:
    """The id of the request and the params, if the message is a partial answer; otherwise None."""
    params = message.get("params")
    if message.get("method") != "places.partial" or not isinstance(params, dict):
        return None
    request = number(params.get("request"))
    return None if request is None else (request, params)


def result(method: str, message: dict[str, Any]) -> Any:
    """The result of a reply; raises the reply's error."""
    if "error" in message:
        raise refusal(message["error"])
    value = message.get("result")
    if not isinstance(value, (dict, str) if method == "service.metrics" else dict):
        raise ProtocolError("a reply has neither a result nor an error")
    return value


def rows(answer: Any, member: str) -> list[Any]:
    """The list of objects that a result has as this member."""
    value = answer.get(member)
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise ProtocolError(f"a reply's {member} are not a list of objects")
    return value


def limit(params: dict[str, Any]) -> float:
    """The seconds that a call may take."""
    deadline = params.get("deadlineMs")
    return (deadline / 1000 if isinstance(deadline, (int, float)) else DEADLINE) + GRACE


def may_repeat(method: str, params: dict[str, Any]) -> bool:
    """True if a request whose reply was lost may be sent again: it changed nothing, and the daemon usually answers the second one from its
    cache. False for a chain of paid calls, and for a request that skips the cache."""
    if params.get("cache", "default") not in ("default", "only"):
        return False
    return method in ("places.autocomplete", "places.search", "places.reverse") or (method == "places.details" and "session" not in params)
