"""The synchronous client."""
from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Any, Callable, Iterator, Optional

from . import _wire
from ._methods import Methods
from .errors import ConnectionLostError, PlacesError, ProtocolError, TimeLimitError, UnreachableError


class Client(Methods):
    """One connection to the daemon. The first call opens it; if it breaks, the next call opens another one. Calls from several threads are
    made one after the other."""

    def __init__(self, path: Optional[str] = None) -> None:
        """`path` is the daemon's socket, in place of the usual ones."""
        self._paths = _wire.socket_paths(path)
        self._socket: Optional[socket.socket] = None
        self._received = bytearray()
        self._number = 0
        self._lock = threading.Lock()
        #: The thread that has the lock; None if no thread has it.
        self._caller: Optional[int] = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection; a later call opens another one."""
        with self._exclusively():
            self._drop()

    def call(
        self, method: str, params: dict[str, Any], partial: Optional[Callable[[dict[str, Any]], None]] = None
    ) -> Any:
        """Calls a method by its name. `partial` gets the params of each `places.partial`, if `stream` is true in the params; it must not
        use this client."""
        with self._exclusively():
            try:
                return self._call(method, params, partial)
            except ConnectionLostError:
                if not _wire.may_repeat(method, params):
                    raise
                return self._call(method, params, partial)

    def _call(self, method: str, params: dict[str, Any], partial: Optional[Callable[[dict[str, Any]], None]]) -> Any:
        end = time.monotonic() + _wire.limit(params)
        connection = self._connect(end)
        self._number += 1
        number = self._number
        request = _wire.request(number, method, params)
        with self._converting_failures(connection, number, method, params):
            connection.settimeout(max(0.01, end - time.monotonic()))
            connection.sendall(request)
        while True:
            with self._converting_failures(connection, number, method, params):
                message = self._message(connection, end)
                if _wire.number(message.get("id")) == number:
                    return _wire.result(method, message)
            answer = _wire.partial(message)
            if partial and answer and answer[0] == number:
                try:
                    partial(answer[1])
                except BaseException:
                    # The connection stays open; the late reply is recognized by its id and skipped.
                    with contextlib.suppress(OSError):
                        connection.sendall(_wire.cancellation(number))
                    raise

    @contextlib.contextmanager
    def _exclusively(self) -> Iterator[None]:
        if self._caller == threading.get_ident():
            raise PlacesError("a client cannot be used from within its own partial; use a second one")
        with self._lock:
            self._caller = threading.get_ident()
            try:
                yield
            finally:
                self._caller = None

    @contextlib.contextmanager
    def _converting_failures(self, connection: socket.socket, number: int, method: str, params: dict[str, Any]) -> Iterator[None]:
        """Converts failures of the connection to exceptions of this package."""
        try:
            yield
        except socket.timeout:  # is TimeoutError since Python 3.10 only
            # The connection stays open; the late reply is recognized by its id and skipped.
            with contextlib.suppress(OSError):
                connection.sendall(_wire.cancellation(number))
            raise TimeLimitError(f"{method}: no reply within {_wire.limit(params):g} s") from None
        except OSError as error:
            self._drop()
            raise ConnectionLostError(f"{method}: {error}") from error
        except (ConnectionLostError, ProtocolError, KeyboardInterrupt):
            self._drop()
            raise

    def _message(self, connection: socket.socket, end: float) -> dict[str, Any]:
        searched = 0
        while (length := self._received.find(b"\n", searched)) < 0:
            searched = len(self._received)
            left = end - time.monotonic()
            if left <= 0:
                raise socket.timeout
            connection.settimeout(left)
            arrived = connection.recv(1 << 16)
            if not arrived:
                raise ConnectionLostError("the daemon closed the connection before it answered")
            self._received += arrived
            # What arrived last may contain the end of the reply and the beginning of the next one.
            if len(self._received) - len(arrived) > _wire.MAX_REPLY:
                raise ProtocolError(f"a reply is longer than {_wire.MAX_REPLY} bytes")
        line = bytes(self._received[:length])
        del self._received[: length + 1]
        return _wire.message(line)

    def _connect(self, end: float) -> socket.socket:
        if self._socket:
            return self._socket
        reason: object = "no socket is configured"
        for path in self._paths:
            opened = socket.socket(socket.AF_UNIX)
            try:
                opened.settimeout(max(0.01, end - time.monotonic()))
                opened.connect(path)
            except OSError as error:
                opened.close()
                reason = error
                continue
            self._socket, self._received = opened, bytearray()
            return opened
        raise UnreachableError(f"no daemon answers at {' or '.join(self._paths)}: {reason}")

    def _drop(self) -> None:
        if self._socket:
            self._socket.close()
        self._socket, self._received = None, bytearray()
