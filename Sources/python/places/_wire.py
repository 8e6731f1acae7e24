"""The daemon's socket and its lines."""
from __future__ import annotations

import json
import os
from typing import Any, Optional

#: The longest reply that is read, in bytes.
LONGEST = 32 << 20
#: The longest deadline of the protocol, and the time beyond a deadline that a client waits, in seconds.
DEADLINE, GRACE = 30.0, 2.0


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
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def request(number: int, method: str, params: dict[str, Any]) -> bytes:
    return encode({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def cancellation(number: int) -> bytes:
    return encode({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})


def resolve_steps(providers: list[Any]) -> list[list[str]]:
    """Whom to ask for a place, one step after the other: the providers on this machine, the free services, the others."""
    ready = [one for one in providers if one["state"] == "ready" and "search" in one["calls"]]
    local = [one["id"] for one in ready if not one["leavesMachine"]]
    free = [one["id"] for one in ready if one["leavesMachine"] and one.get("isFree")]
    paid = [one["id"] for one in ready if one["leavesMachine"] and not one.get("isFree")]
    return [step for step in (local, free, paid) if step]


def limit(params: dict[str, Any]) -> float:
    """The seconds that a call may take."""
    deadline = params.get("deadlineMs")
    return (deadline / 1000 if isinstance(deadline, (int, float)) else DEADLINE) + GRACE


def may_repeat(method: str, params: dict[str, Any]) -> bool:
    """True if a request whose reply was lost may be sent again: it changed nothing, and nobody paid for it twice."""
    return method in ("places.autocomplete", "places.search", "places.reverse") or (
        method == "places.details" and "session" not in params)
