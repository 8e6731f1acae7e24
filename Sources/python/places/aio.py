"""The client for asyncio, and a completer of typed text."""
from __future__ import annotations

import asyncio
import contextlib
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Optional

from . import _wire
from ._methods import AsyncMethods
from .errors import ConnectionLostError, PlacesError, ProtocolError, TimeLimitError, UnreachableError

if TYPE_CHECKING:
    from .types import Details, Suggestion


class AsyncClient(AsyncMethods):
    """One connection to the daemon, for many calls at once. A task that is cancelled cancels its call in the daemon."""

    def __init__(self, path: Optional[str] = None) -> None:
        """`path` is the daemon's socket, in place of the usual ones."""
        self._paths = _wire.socket_paths(path)
        self._connecting = asyncio.Lock()
        self._writer: Optional[asyncio.StreamWriter] = None
        self._reader: Optional[asyncio.Task[None]] = None
        self._number = 0
        self._waiting: dict[int, tuple[asyncio.Future[Any], Optional[Callable[[dict[str, Any]], None]]]] = {}

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection; calls that wait fail."""
        writer, reader = self._writer, self._reader
        self._writer = self._reader = None
        if reader:
            reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await reader
        if writer:
            writer.close()

    async def call(
        self, method: str, params: dict[str, Any], partial: Optional[Callable[[dict[str, Any]], None]] = None
    ) -> Any:
        """Calls a method by its name. `partial` gets the params of each `places.partial`, if `stream` is true in the params."""
        try:
            return await self._call(method, params, partial)
        except ConnectionLostError:
            if not _wire.may_repeat(method, params):
                raise
            return await self._call(method, params, partial)

    async def _call(self, method: str, params: dict[str, Any], partial: Optional[Callable[[dict[str, Any]], None]]) -> Any:
        writer = await self._connect()
        self._number += 1
        number = self._number
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = (future, partial)
        try:
            writer.write(_wire.request(number, method, params))
            return _wire.result(method, await asyncio.wait_for(future, _wire.limit(params)))
        except (asyncio.TimeoutError, asyncio.CancelledError) as error:
            if not writer.is_closing():
                writer.write(_wire.cancellation(number))
            if isinstance(error, asyncio.CancelledError):
                raise
            raise TimeLimitError(f"{method}: no reply within {_wire.limit(params):g} s") from None
        finally:
            self._waiting.pop(number, None)

    async def _connect(self) -> asyncio.StreamWriter:
        async with self._connecting:
            if self._writer and not self._writer.is_closing():
                return self._writer
            reason: object = "no socket is configured"
            for path in self._paths:
                try:
                    reader, writer = await asyncio.open_unix_connection(path, limit=_wire.LONGEST)
                except OSError as error:
                    reason = error
                    continue
                self._writer = writer
                self._reader = asyncio.create_task(self._read(reader, writer))
                return writer
            raise UnreachableError(f"no daemon answers at {' or '.join(self._paths)}: {reason}")

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        failure: PlacesError = ConnectionLostError("the daemon closed the connection before it answered")
        try:
            while (line := await reader.readline()).endswith(b"\n"):
                self._receive(_wire.message(line))
        except ProtocolError as error:
            failure = error
        except ValueError:
            failure = ProtocolError("a reply is too long")
        except OSError as error:
            failure = ConnectionLostError(str(error))
        finally:
            writer.close()
            for future, _ in self._waiting.values():
                if not future.done():
                    future.set_exception(failure)

    def _receive(self, message: dict[str, Any]) -> None:
        answer = _wire.partial(message)
        number = answer[0] if answer else _wire.number(message.get("id"))
        future, partial = self._waiting.get(-1 if number is None else number, (None, None))
        if not future or future.done():
            return
        if not answer:
            future.set_result(message)
        elif partial:
            try:
                partial(answer[1])
            except Exception as error:
                future.set_exception(error)


@dataclass(frozen=True)
class State:
    """What a completer knows of the newest text."""

    text: str
    rows: list[Suggestion] = field(default_factory=list)
    #: The credits that must be shown with the rows.
    attributions: list[Any] = field(default_factory=list)
    #: False for a partial answer; more may come.
    is_final: bool = False
    error: Optional[PlacesError] = None


class Autocompleter:
    """Turns typed text into rows: waits for a pause, asks for the newest text only, drops overtaken answers, and keeps a session until a
    row is chosen."""

    #: Seconds without use after which the daemon forgets a session.
    IDLE = 180.0

    def __init__(self, client: AsyncClient, pause: Optional[float] = None, **options: Any) -> None:
        """`pause` is in seconds; without it, the daemon's own value is used. `options` are parameters of places.autocomplete."""
        self._client, self._pause, self._options = client, pause, options
        self._task: Optional[asyncio.Task[None]] = None
        self._states: asyncio.Queue[Optional[State]] = asyncio.Queue(1)
        self._session, self._sequence, self._used = "", 0, 0.0

    def type(self, text: str) -> None:
        """The field's text changed."""
        if self._task:
            self._task.cancel()
        self._task = asyncio.create_task(self._complete(text.strip()))

    async def states(self) -> AsyncIterator[State]:
        """Each state; a slow reader gets the newest only."""
        while (state := await self._states.get()) is not None:
            yield state

    async def select(self, row: Suggestion) -> None:
        """Reports the chosen row, and ends the session."""
        session = self._end()
        if session and "id" in row:
            await self._client.select(session, row["id"])

    async def details(self, row: Suggestion, fields: list[Any]) -> Details:
        """The details of a row's place; ends the session."""
        session = self._end()
        options: Any = {key: value for key, value in self._options.items() if key in ("language", "region")}
        if session:
            options["session"] = session
        return await self._client.details(row["id"], fields, **options)

    async def close(self) -> None:
        """Ends `states`."""
        self._end()
        self._show(None)

    def _end(self) -> str:
        if self._task:
            self._task.cancel()
        session, self._session, self._sequence = self._session, "", 0
        return session

    async def _complete(self, text: str) -> None:
        if not text:
            return self._show(State(text, is_final=True))
        try:
            if self._pause is None:
                pause = _wire.number((await self._client.info()).get("suggestedDebounceMs"))
                if pause is None:
                    raise ProtocolError("a reply's suggestedDebounceMs is not a number")
                self._pause = pause / 1000
            await asyncio.sleep(self._pause)
            now = asyncio.get_running_loop().time()
            if not self._session or now - self._used > self.IDLE:
                self._session, self._sequence = str(uuid.uuid4()), 0
            self._used = now
            self._sequence += 1
            params = {**self._options, "query": text, "session": self._session, "seq": self._sequence, "stream": True}

            def partial(own: dict[str, Any]) -> None:
                if "suggestions" in own:
                    self._show(State(text, _wire.rows(own, "suggestions"), _wire.rows(own, "attributions")))

            result = await self._client.call("places.autocomplete", params, partial)
            self._show(State(text, _wire.rows(result, "suggestions"), _wire.rows(result, "attributions"), is_final=True))
        except PlacesError as error:
            self._show(State(text, is_final=True, error=error))

    def _show(self, state: Optional[State]) -> None:
        if self._states.full():
            self._states.get_nowait()
        self._states.put_nowait(state)
