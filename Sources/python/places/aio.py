"""The client for asyncio, and a completer of typed text."""
from __future__ import annotations

import asyncio
import contextlib
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Optional, Union

from . import _wire
from ._methods import AsyncMethods
from .errors import ConnectionLostError, PlacesError, ProtocolError, TimeLimitError, UnreachableError

if TYPE_CHECKING:
    from .types import Details, Suggestion


@dataclass
class _Call:
    """A call that waits for its reply."""

    future: asyncio.Future[Any]
    partial: Optional[Callable[[dict[str, Any]], None]]
    #: The exception that `partial` raised, or None.
    failure: Optional[BaseException] = None


class AsyncClient(AsyncMethods):
    """One connection to the daemon, for many calls at once. A task that is cancelled cancels its call in the daemon."""

    def __init__(self, path: Optional[str] = None) -> None:
        """`path` is the daemon's socket, in place of the usual ones."""
        self._paths = _wire.socket_paths(path)
        self._connecting = asyncio.Lock()
        self._writer: Optional[asyncio.StreamWriter] = None
        self._reader: Optional[asyncio.Task[None]] = None
        self._number = 0
        self._waiting: dict[int, _Call] = {}
        #: The number of calls of `close`. A connection that is opened during such a call is closed again.
        self._closed = 0

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection; calls that wait fail."""
        self._closed += 1
        for call in self._waiting.values():
            if not call.future.done():
                call.future.set_exception(PlacesError("the client was closed"))
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
        call = _Call(asyncio.get_running_loop().create_future(), partial)
        self._waiting[number] = call
        try:
            writer.write(_wire.request(number, method, params))
            message = await asyncio.wait_for(call.future, _wire.limit(params))
        except (asyncio.TimeoutError, asyncio.CancelledError) as error:
            if not writer.is_closing():
                writer.write(_wire.cancellation(number))
            if isinstance(error, asyncio.CancelledError):
                raise
            raise TimeLimitError(f"{method}: no reply within {_wire.limit(params):g} s") from None
        finally:
            self._waiting.pop(number, None)
        if call.failure:
            writer.write(_wire.cancellation(number))
            raise call.failure
        return _wire.result(method, message)

    async def _connect(self) -> asyncio.StreamWriter:
        closed = self._closed
        async with self._connecting:
            if self._writer and not self._writer.is_closing():
                return self._writer
            reason: object = "no socket is configured"
            for path in self._paths:
                try:
                    reader, writer = await asyncio.open_unix_connection(path, limit=_wire.MAX_REPLY)
                except OSError as error:
                    reason = error
                    continue
                if self._closed != closed:
                    writer.close()
                    raise PlacesError("the client was closed")
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
            failure = ProtocolError(f"a reply is longer than {_wire.MAX_REPLY} bytes")
        except OSError as error:
            failure = ConnectionLostError(str(error))
        finally:
            writer.close()
            for call in self._waiting.values():
                if not call.future.done():
                    call.future.set_exception(failure)

    def _receive(self, message: dict[str, Any]) -> None:
        answer = _wire.partial(message)
        number = answer[0] if answer else _wire.number(message.get("id"))
        call = self._waiting.get(-1 if number is None else number)
        if not call or call.future.done():
            return
        if not answer:
            call.future.set_result(message)
        elif call.partial:
            try:
                call.partial(answer[1])
            # `partial` raises CancelledError if it uses a future that was cancelled.
            except (Exception, asyncio.CancelledError) as error:
                call.failure = error
                call.future.set_result(None)


@dataclass(frozen=True)
class State:
    """The rows for the newest text so far."""

    text: str
    rows: list[Suggestion] = field(default_factory=list)
    #: The credits that must be shown with the rows.
    attributions: list[Any] = field(default_factory=list)
    #: False for a partial answer; more may come.
    is_final: bool = False
    error: Optional[PlacesError] = None


class Autocompleter:
    """Turns typed text into rows. It sends the newest text after a pause in typing, and ignores answers to older texts. Its requests belong
    to one session until a row is chosen."""

    #: Seconds without use after which the daemon forgets a session.
    IDLE = 180.0
    #: The longest pause that the daemon may suggest, in milliseconds.
    MAX_PAUSE = 10_000

    def __init__(self, client: AsyncClient, pause: Optional[float] = None, **options: Any) -> None:
        """`pause` is in seconds; by default, the daemon's value is used. `options` are parameters of places.autocomplete."""
        self._client, self._pause, self._options = client, pause, options
        self._task: Optional[asyncio.Task[None]] = None
        self._states: asyncio.Queue[Union[None, State, Exception]] = asyncio.Queue(1)
        self._session, self._sequence, self._used = "", 0, 0.0
        #: The number of texts and ended sessions so far. A task for an older text shows nothing, even if it was cancelled too late.
        self._generation = 0

    def type(self, text: str) -> None:
        """Must be called when the text of the field has changed."""
        self._discard_older()
        self._task = asyncio.create_task(self._complete(text.strip(), self._generation))

    async def states(self) -> AsyncIterator[State]:
        """Each state; a slow reader gets only the newest one. Raises exceptions that are not this package's, such as for an option that cannot
        be converted to JSON."""
        while (state := await self._states.get()) is not None:
            if isinstance(state, Exception):
                raise state
            yield state

    async def select(self, row: Suggestion) -> None:
        """Reports the chosen row, and ends the session."""
        session = self._end()
        if session and "id" in row:
            await self._client.select(session, row["id"])

    async def details(self, row: Suggestion, fields: Optional[list[Any]] = None) -> Details:
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

    def _discard_older(self) -> None:
        if self._task:
            self._task.cancel()
        self._generation += 1
        # None ends `states`, and is put back.
        if self._states.full() and self._states.get_nowait() is None:
            self._show(None)

    def _end(self) -> str:
        self._discard_older()
        session, self._session, self._sequence = self._session, "", 0
        return session

    async def _complete(self, text: str, generation: int) -> None:
        def show(state: Union[State, Exception]) -> None:
            if generation == self._generation:
                self._show(state)

        if not text:
            return show(State(text, is_final=True))
        try:
            if self._pause is None:
                pause = _wire.number((await self._client.info()).get("suggestedDebounceMs"))
                if pause is None or not 0 <= pause <= self.MAX_PAUSE:
                    raise ProtocolError(f"a reply's suggestedDebounceMs is not a number from 0 to {self.MAX_PAUSE}")
                self._pause = pause / 1000
            await asyncio.sleep(self._pause)
            if generation != self._generation:
                return
            now = asyncio.get_running_loop().time()
            if not self._session or now - self._used > self.IDLE:
                self._session, self._sequence = str(uuid.uuid4()), 0
            self._used = now
            self._sequence += 1
            params = {**self._options, "query": text, "session": self._session, "seq": self._sequence, "stream": True}

            def partial(answer: dict[str, Any]) -> None:
                if "suggestions" in answer:
                    show(State(text, _wire.rows(answer, "suggestions"), _wire.rows(answer, "attributions")))

            result = await self._client.call("places.autocomplete", params, partial)
            show(State(text, _wire.rows(result, "suggestions"), _wire.rows(result, "attributions"), is_final=True))
        except PlacesError as error:
            show(State(text, is_final=True, error=error))
        except Exception as error:
            show(error)

    def _show(self, state: Union[None, State, Exception]) -> None:
        if self._states.full():
            self._states.get_nowait()
        self._states.put_nowait(state)
