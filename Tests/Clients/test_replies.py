"""The Python package `places` at a daemon that sends damaged replies: each call ends in time, with a result or an error of the package."""
import asyncio
import json
import pathlib
import random
import socket
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Sources" / "python"))

import places  # noqa: E402
import places.geopy  # noqa: E402
from places import _wire  # noqa: E402

ROW = {"kind": "place", "id": "x:1", "row": "r1", "types": ["locality"], "text": {"text": "Zürich 😀", "matches": [{"start": 0, "end": 1}]}}
PLACE = {"id": "x:1", "name": "Zürich", "formattedAddress": "Zürich, CH", "coordinate": {"latitude": 47.37, "longitude": 8.54}}
CREDIT = {"provider": "x", "text": "© X", "url": "https://x.example/"}
# A reply to any of the methods below. `ID` is replaced by the request's.
RESULT = {"suggestions": [ROW], "places": [PLACE], "place": PLACE, "attributions": [CREDIT], "providers": [], "complete": True, "suggestedDebounceMs": 1}
REPLY = {"jsonrpc": "2.0", "id": "ID", "result": RESULT}
PARTIAL = {"jsonrpc": "2.0", "method": "places.partial", "params": {"request": "ID", "suggestions": [ROW], "attributions": [CREDIT]}}
ERROR = {"jsonrpc": "2.0", "id": "ID", "error": {"code": -32004, "message": "no", "data": {"name": "not_found", "retryAfterMs": 5, "providers": [{}]}}}
# Values of other types than expected, and values at limits.
VALUES = [None, True, False, 0, -1, 1.0, 1e308, 10**30, 10**400, "", "ID", "\0", "\ud800", [], [[]], [1], [None], {}, {"a": 1}, {"latitude": "x", "longitude": None}, "x" * 5000]
JUNK = [b"", b"\0", b"\r", b"null", b"[]", b"1", b'"x"', b"{}", b"{", b"\xef\xbb\xbf{}", b"\xff\xfe{\0}\0", b"\xed\xa0\x80", b"\xc3", b"NaN", b"1" * 10_000,
        b"[" * 100_000, b'{"a":' * 100_000, b"\x80" * 100, b'{"id":ID}', b'{"id":ID,"result":null}', b'{"id":ID,"error":null}', b'{"id":[ID]}', b'{"id":{}}',
        b'{"id":ID,"error":{"code":"x"}}', b'{"id":ID,"error":{"code":1,"message":{},"data":[]}}', b'{"method":"places.partial","params":[]}',
        b'{"method":"places.partial","params":{"request":[]}}', b'{"method":"places.partial","params":{"request":ID}}', b'{"method":{},"params":{}}']


def text(message):
    return json.dumps(message, ensure_ascii=False).replace('"ID"', "ID").encode(errors="surrogatepass")


class Daemon:
    """Sends the bytes of `script` after each request, in the parts that `cut` makes of them, and closes the connection."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="places-replies-")
        self.path = f"{self.folder.name}/s"
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(16)
        self.script, self.cut, self.is_closing = b"", lambda script: [script], True
        # The methods of the requests, and the number of connections.
        self.requests, self.connections = [], 0
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while True:
            connection, _ = self.listener.accept()
            self.connections += 1
            with connection:
                connection.settimeout(20)
                try:
                    received = b""
                    while True:
                        while b"\n" not in received:
                            more = connection.recv(65536)
                            if not more:
                                break
                            received += more
                        if received == b"end\n":
                            return
                        line, _, received = received.partition(b"\n")
                        if not line:
                            break
                        number = json.loads(line).get("id")
                        self.requests.append(json.loads(line)["method"])
                        if number is None:
                            continue
                        for part in self.cut(self.script.replace(b"ID", str(number).encode())):
                            connection.sendall(part)
                        if self.is_closing:
                            break
                except OSError:
                    continue

    def close(self):
        with socket.socket(socket.AF_UNIX) as last:
            last.connect(self.path)
            last.sendall(b"end\n")
        self.thread.join()
        self.listener.close()
        self.folder.cleanup()


class RepliesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon()
        cls.addClassCleanup(cls.daemon.close)

    def setUp(self):
        self.daemon.cut, self.daemon.is_closing = lambda script: [script], True
        self.daemon.requests, self.daemon.connections = [], 0

    def outcome(self, script):
        """What the client that waits and the one of asyncio make of a script: a result, or the class of an error."""

        async def asynchronous():
            async with places.AsyncClient(self.daemon.path) as client:
                return await client.call("places.search", {"query": "x"}, lambda _: None)

        self.daemon.script = script
        outcomes = []
        for call in (lambda: self.synchronous(), lambda: asyncio.run(asynchronous())):
            began = time.monotonic()
            try:
                outcomes.append(call())
            except places.PlacesError as error:
                self.assertTrue(str(error) or isinstance(error, places.RefusedError))
                outcomes.append(type(error))
            except Exception as error:
                raise AssertionError(f"{type(error).__name__} of {script[:300]!r}") from error
            self.assertLess(time.monotonic() - began, 5, script[:300])
        self.assertEqual(outcomes[0], outcomes[1], script[:300])
        return outcomes[0]

    def synchronous(self):
        with places.Client(self.daemon.path) as client:
            return client.call("places.search", {"query": "x"}, lambda _: None)

    def test_a_reply_may_be_cut_at_every_byte(self):
        whole = text(PARTIAL) + b"\n" + text(REPLY) + b"\n"
        for at in range(len(whole)):
            self.daemon.cut = lambda script: [script[:at], script[at:]]
            self.assertEqual(self.outcome(whole), RESULT)
            self.daemon.cut = lambda script: [script]
            # One that ends there is no reply.
            self.assertEqual(self.outcome(whole[:at]), places.ConnectionLostError)
        self.daemon.cut = lambda script: [script[at:at + 1] for at in range(len(script))]
        self.assertEqual(self.outcome(whole), RESULT)

    def test_lines_that_are_no_reply_are_errors_of_the_package_or_skipped(self):
        whole = text(REPLY) + b"\n"
        for junk in JUNK:
            self.assertIn(self.outcome(junk + b"\n" + whole), (RESULT, places.ProtocolError, places.RefusedError), junk[:100])
            self.assertEqual(self.outcome(junk), places.ConnectionLostError, junk[:100])
        for junk in (b"", b"{}", b"null", b"\xff"):
            self.assertEqual(self.outcome(junk + b"\n" + whole), RESULT if junk == b"{}" else places.ProtocolError, junk)
        self.assertEqual(self.outcome(text({**REPLY, "id": 2 ** 40}) + b"\n" + whole), RESULT)
        self.assertEqual(self.outcome(text(ERROR) + b"\n"), places.NotFoundError)

    def test_a_line_without_end_is_refused(self):
        self.daemon.cut = lambda script: (b"x" * (1 << 20) for _ in range(72))
        self.assertEqual(self.outcome(b""), places.ProtocolError)

    def test_a_reply_is_accepted_up_to_the_greatest_limit_of_the_daemon(self):
        # One digit, the id, takes the place of the two bytes `ID`.
        head, end = b'{"jsonrpc":"2.0","id":ID,"result":{"a":"', b'"}}\n'
        text = b"x" * ((64 << 20) + 2 - len(head) - len(end))
        self.assertEqual(self.outcome(head + text + end), {"a": text.decode()})

    def test_messages_without_end_do_not_outlast_the_deadline(self):
        grace, _wire.GRACE = _wire.GRACE, 0.1
        self.addCleanup(setattr, _wire, "GRACE", grace)
        self.daemon.cut = lambda script: (b"{}\n" * 1000 for _ in iter(lambda: time.sleep(0.01), 0))
        with places.Client(self.daemon.path) as client, self.assertRaises(places.TimeLimitError):
            client.call("places.search", {"query": "x", "deadlineMs": 100})

        async def asynchronous():
            async with places.AsyncClient(self.daemon.path) as client:
                with self.assertRaises(places.TimeLimitError):
                    await client.call("places.search", {"query": "x", "deadlineMs": 100})

        asyncio.run(asynchronous())

    def damaged(self, dice):
        """A script with some damage to its bytes, lines or values."""
        messages = [json.loads(json.dumps(message)) for message in dice.choice([[PARTIAL, REPLY], [REPLY], [PARTIAL, PARTIAL, ERROR], [ERROR]])]
        while dice.random() < 0.6:
            holder = dice.choice(messages)
            while True:
                keys = list(holder) if isinstance(holder, dict) else range(len(holder))
                if not keys:
                    break
                key = dice.choice(list(keys))
                if isinstance(holder[key], (dict, list)) and dice.random() < 0.75:
                    holder = holder[key]
                    continue
                if isinstance(holder, dict) and dice.random() < 0.2:
                    del holder[key]
                else:
                    holder[key] = json.loads(json.dumps(dice.choice(VALUES)))
                break
        lines = [text(message) for message in messages]
        if dice.random() < 0.3:
            lines.insert(dice.randrange(len(lines) + 1), dice.choice(JUNK))
        script = dice.choice([b"\n", b"\n", b"\n", b"\r\n"]).join(lines) + b"\n"
        for _ in range(dice.choice([0, 0, 1, 3])):
            at = dice.randrange(len(script))
            script = dice.choice([
                lambda: script[:at] + bytes([dice.randrange(256)]) + script[at + 1:], lambda: script[:at] + script[at + dice.randrange(20):],
                lambda: script[:at] + dice.choice(JUNK) + script[at:], lambda: script[:at], lambda: script[:at] + script[max(0, at - 30):]])() or b"\n"
        return script

    def test_damaged_replies_are_results_or_errors_of_the_package(self):
        dice = random.Random(5)
        self.daemon.cut = lambda script: [script[at:at + 700] for at in range(0, min(len(script), 20_000), 700)] + [script[20_000:]]
        kinds = set()
        for _ in range(1500):
            outcome = self.outcome(self.damaged(dice))
            kinds.add(outcome.__name__ if isinstance(outcome, type) else "result")
        self.assertLessEqual({"result", "NotFoundError", "RefusedError", "ProtocolError", "ConnectionLostError"}, kinds)

    def test_the_completer_and_the_geocoder_show_damaged_replies_as_errors(self):
        dice = random.Random(6)

        async def complete():
            async with places.AsyncClient(self.daemon.path) as client:
                completer = places.Autocompleter(client, pause=dice.choice([0, None]))
                completer.type("x")

                async def last():
                    async for state in completer.states():
                        self.assertTrue(all(isinstance(row, dict) for row in [*state.rows, *state.attributions]))
                        if state.is_final:
                            return state

                state = await asyncio.wait_for(last(), 5)
                self.assertTrue(state.error is None or isinstance(state.error, places.PlacesError))
                await completer.close()

        for _ in range(700):
            self.daemon.script = script = self.damaged(dice)
            try:
                asyncio.run(complete())
                geocoder = places.geopy.Places(self.daemon.path)
                with geocoder.client:
                    for found in (lambda: geocoder.geocode("x"), lambda: geocoder.reverse((1, 2), exactly_one=False)):
                        try:
                            found()
                        except places.PlacesError:
                            pass
            except Exception as error:
                raise AssertionError(f"{type(error).__name__} of {script[:300]!r}") from error

    def test_an_exception_of_the_program_ends_its_own_call_only(self):
        self.daemon.is_closing = False
        self.daemon.script = text(PARTIAL) + b"\n" + text(REPLY) + b"\n"
        for kind in (KeyError, BrokenPipeError, TimeoutError, StopIteration, places.PlacesError):
            with self.subTest(kind.__name__):
                self.daemon.requests = []

                def failing(_):
                    raise kind("own")

                with places.Client(self.daemon.path) as client:
                    with self.assertRaises(kind):
                        client.call("places.search", {}, failing)
                    self.assertEqual(client.call("places.search", {}), RESULT)

                async def asynchronous():
                    async with places.AsyncClient(self.daemon.path) as client:
                        # asyncio makes a RuntimeError of StopIteration.
                        with self.assertRaises(RuntimeError if kind is StopIteration else kind):
                            await client.call("places.search", {}, failing)
                        self.assertEqual(await client.call("places.search", {}), RESULT)

                asyncio.run(asynchronous())
                self.assertEqual(self.daemon.requests.count("places.search"), 4)

    def test_a_call_within_partial_is_refused(self):
        self.daemon.is_closing = False
        self.daemon.script = text(PARTIAL) + b"\n" + text(REPLY) + b"\n"
        with places.Client(self.daemon.path) as client:
            for use in (lambda _: client.call("places.search", {}), lambda _: client.close()):
                with self.assertRaisesRegex(places.PlacesError, "within its own partial"):
                    client.call("places.search", {}, use)

    def test_closing_ends_calls_and_sends_nothing_again(self):
        self.daemon.is_closing, self.daemon.script = False, b""

        async def asynchronous():
            client = places.AsyncClient(self.daemon.path)
            call = asyncio.create_task(client.call("places.search", {}))
            while not self.daemon.requests:
                await asyncio.sleep(0.001)
            await client.close()
            with self.assertRaisesRegex(places.PlacesError, "closed"):
                await asyncio.wait_for(call, 5)
            # A call that is still connecting.
            call = asyncio.create_task(client.call("places.search", {}))
            await asyncio.sleep(0)
            await client.close()
            with self.assertRaisesRegex(places.PlacesError, "closed"):
                await asyncio.wait_for(call, 5)

        asyncio.run(asynchronous())
        self.assertEqual([method for method in self.daemon.requests if method == "places.search"], ["places.search"])

    def test_a_cancelled_future_within_partial_ends_its_own_call_only(self):
        self.daemon.is_closing = False
        self.daemon.script = text(PARTIAL) + b"\n" + text(REPLY) + b"\n"

        def failing(_):
            raise asyncio.CancelledError

        async def asynchronous():
            async with places.AsyncClient(self.daemon.path) as client:
                with self.assertRaises(asyncio.CancelledError):
                    await client.call("places.search", {}, failing)
                self.assertEqual(await client.call("places.search", {}), RESULT)

        asyncio.run(asynchronous())
        self.assertEqual((self.daemon.requests.count("places.search"), self.daemon.connections), (2, 1))

    def test_a_state_that_was_not_read_is_overtaken_and_the_end_is_not(self):
        self.daemon.is_closing, self.daemon.script = False, text(REPLY) + b"\n"

        async def asynchronous():
            async with places.AsyncClient(self.daemon.path) as client:
                completer = places.Autocompleter(client, pause=0)
                for typed in ("a", "b"):
                    completer.type(typed)
                    while typed == "a" and completer._states.empty():
                        await asyncio.sleep(0.001)
                async for state in completer.states():
                    self.assertEqual(state.text, "b")
                    break
                await completer.close()
                await completer.details(ROW, ["name"])
                self.assertEqual([state async for state in completer.states()], [])

        asyncio.run(asyncio.wait_for(asynchronous(), 5))

    def test_an_option_that_cannot_be_sent_is_raised_from_the_states(self):
        async def asynchronous(**options):
            async with places.AsyncClient(self.daemon.path) as client:
                completer = places.Autocompleter(client, pause=0, **options)
                completer.type("a")
                async for _ in completer.states():
                    self.fail("a state was shown")

        for kind, options in ((TypeError, {"limit": {1}}), (OverflowError, {"deadlineMs": 10**400})):
            with self.assertRaises(kind):
                asyncio.run(asyncio.wait_for(asynchronous(**options), 5))

    def test_an_overtaken_answer_is_not_shown_and_closing_ends_the_states(self):
        self.daemon.is_closing = False
        self.daemon.script = text(REPLY) + b"\n"

        async def asynchronous(change):
            async with places.AsyncClient(self.daemon.path) as client:
                completer = places.Autocompleter(client, pause=0)
                shown = []

                async def read():
                    async for state in completer.states():
                        shown.append(state.text)

                reader = asyncio.create_task(read())
                received = client._receive

                def receive(message):
                    received(message)
                    # The reply has arrived, and the completer's task has not run yet.
                    if "result" in message and not changed:
                        changed.append(True)
                        change(completer)

                changed = []
                client._receive = receive
                completer.type("a")
                while not changed:
                    await asyncio.sleep(0.001)
                await asyncio.sleep(0.05)
                await completer.close()
                await asyncio.wait_for(reader, 5)
                return shown

        self.assertEqual(asyncio.run(asynchronous(lambda completer: completer.type("b"))), ["b"])
        self.assertEqual(asyncio.run(asynchronous(lambda completer: asyncio.ensure_future(completer.close()))), [])

    def test_a_pause_and_a_text_that_are_out_of_range_are_errors(self):
        self.daemon.is_closing = False

        async def state(typed, reply):
            self.daemon.script = reply
            async with places.AsyncClient(self.daemon.path) as client:
                completer = places.Autocompleter(client)
                completer.type(typed)
                async for state in completer.states():
                    await completer.close()
                    return state

        for pause in (10**400, 10**30, -1, 10_001):
            shown = asyncio.run(asyncio.wait_for(state("a", text({**REPLY, "result": {**RESULT, "suggestedDebounceMs": pause}}) + b"\n"), 5))
            self.assertIsInstance(shown.error, places.ProtocolError)
        shown = asyncio.run(asyncio.wait_for(state("\ud800", text(REPLY) + b"\n"), 5))
        self.assertIsInstance(shown.error, places.PlacesError)

    def test_connecting_has_the_time_limit_of_the_call(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{folder}/s")
            listener.listen(0)
            fillers = [socket.socket(socket.AF_UNIX) for _ in range(4)]
            try:
                for filler in fillers:
                    filler.setblocking(False)
                    filler.connect_ex(f"{folder}/s")
                start = time.monotonic()
                with self.assertRaises(places.PlacesError):
                    places.Client(f"{folder}/s").call("places.search", {"deadlineMs": 10})
                self.assertLess(time.monotonic() - start, 10)
            finally:
                for filler in fillers:
                    filler.close()

    def test_only_calls_that_cost_nothing_more_are_repeated(self):
        for method, params, repeats in [
            ("places.search", {}, True), ("places.search", {"cache": "only"}, True), ("places.search", {"cache": "bypass"}, False),
            ("places.reverse", {"cache": "refresh"}, False), ("places.resolve", {}, False), ("places.details", {}, True),
            ("places.details", {"session": "s"}, False), ("places.select", {}, False),
        ]:
            self.assertEqual(_wire.may_repeat(method, params), repeats, (method, params))


if __name__ == "__main__":
    unittest.main()
