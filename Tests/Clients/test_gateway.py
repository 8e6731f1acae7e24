"""The gateway as HTTP clients see it."""
import contextlib
import http.client
import json
import os
import random
import resource
import socket
import subprocess
import sys
import time
import unittest

from harness import Home, eventually, free_port

PAGE = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/places-gateway/Page"))


def get(port, path, headers=None, method="GET", body=None, host=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
    connection.request(method, path, body, {"Host": host or f"localhost:{port}", **(headers or {})})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response, text


class GatewayTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.home.start_daemon()
        cls.process, cls.port = cls.home.start_gateway(
            f'request_s = 1\nkeep_alive_s = 1\nbody_bytes = 2000\nheader_bytes = 4096\npage_dir = "{PAGE}"')

    @classmethod
    def tearDownClass(cls):
        cls.home.close()

    def test_every_api_finds_a_place(self):
        for path, member in [
            ("/photon/api?q=berlin", '"coordinates":[13.4'), ("/nominatim/search?q=berlin&format=json", '"lat":"52.5'),
            ("/pelias/v1/search?text=berlin", '"country_a":"DEU"'), ("/google/maps/api/geocode/json?address=berlin", '"status":"OK"'),
            ("/suggest?q=berl", '["berl",["Berlin'), ("/photon/reverse?lat=52.52&lon=13.41", '"name":"Berlin"'),
            ("/nominatim/reverse.php?lat=52.52&lon=13.41&format=jsonv2", '"city":"Berlin"'), ("/nominatim/status", "OK"),
        ]:
            response, text = get(self.port, path)
            self.assertEqual(response.status, 200, path)
            self.assertIn(member, text, path)
            self.assertEqual(response.headers["Cache-Control"], "no-store")
            self.assertEqual(response.headers["X-Content-Type-Options"], "nosniff")
            self.assertIn("default-src 'none'", response.headers["Content-Security-Policy"])
            self.assertNotIn("Access-Control-Allow-Origin", response.headers)

    def test_no_answer_is_a_script(self):
        for path in ("/nominatim/search?q=berlin&format=json&json_callback=f", "/photon/api?q=berlin&callback=f", "/google/maps/api/geocode/json?address=berlin&callback=f"):
            response, text = get(self.port, path)
            self.assertTrue(response.headers["Content-Type"].startswith("application/"), path)
            self.assertNotIn("javascript", response.headers["Content-Type"])
            json.loads(text)

    def test_foreign_hosts_and_pages_are_refused(self):
        self.assertEqual(get(self.port, "/photon/api?q=x", host="evil.example")[0].status, 421)
        self.assertEqual(get(self.port, "/photon/api?q=x", {"Origin": "http://evil.example"})[0].status, 403)
        self.assertEqual(get(self.port, "/photon/api?q=x", {"Sec-Fetch-Site": "cross-site"})[0].status, 403)
        self.assertEqual(get(self.port, "/photon/api?q=x", method="DELETE")[0].status, 405)
        self.assertEqual(get(self.port, "/nothing/here")[0].status, 404)

    def test_allowed_origins_may_read(self):
        _, port = self.home.start_gateway('allow_origins = ["https://maps.example.org"]')
        response, _ = get(port, "/photon/api?q=berlin", {"Origin": "https://maps.example.org", "Sec-Fetch-Site": "cross-site"})
        self.assertEqual(response.status, 200)
        self.assertEqual(response.headers["Access-Control-Allow-Origin"], "https://maps.example.org")
        response, _ = get(port, "/v1/rpc", {"Origin": "https://maps.example.org"}, method="OPTIONS")
        self.assertEqual(response.status, 204)
        self.assertIn("POST", response.headers["Access-Control-Allow-Methods"])

    def test_requests_are_bounded(self):
        self.assertEqual(get(self.port, "/photon/api?q=" + "a" * 8000)[0].status // 100, 4)
        self.assertEqual(get(self.port, "/photon/api?q=x", {"X-Long": "a" * 8000})[0].status // 100, 4)
        self.assertEqual(get(self.port, "/v1/rpc", method="POST", body="x" * 3000)[0].status, 413)
        # Without a length
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.sendall(f"POST /v1/rpc HTTP/1.1\r\nHost: localhost:{self.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            client.sendall((b"400\r\n" + b"x" * 1024 + b"\r\n") * 4 + b"0\r\n\r\n")
            self.assertIn(b"413", client.recv(1000))

    def raw(self, request):
        """All that a connection answers until it is closed or silent."""
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.sendall(request)
            client.settimeout(0.5)
            received = b""
            try:
                while more := client.recv(65536):
                    received += more
                return received, True
            except TimeoutError:
                return received, False

    def test_requests_that_two_servers_may_read_differently_are_refused(self):
        call = b'{"jsonrpc":"2.0","id":1,"method":"service.info","params":{}}'
        length = b"Content-Length: %d\r\n" % len(call)
        chunked = b"Transfer-Encoding: chunked\r\n"
        chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(call), call)
        host = b"Host: localhost:%d\r\n" % self.port
        post = b"POST /v1/rpc HTTP/1.1\r\n" + host
        hidden = b"GET /photon/status HTTP/1.1\r\n" + host + b"\r\n"
        for headers, body in [(length, call), (chunked, chunks), (b"transfer-encoding:\tChunked\r\n", chunks), (length + b"X-Folded: a\r\n b\r\n", call)]:
            received, _ = self.raw(post + headers + b"\r\n" + body)
            self.assertTrue(received.startswith(b"HTTP/1.1 200 "), headers)
        for headers, body in [
                (length * 2, call), (length + b"Content-Length: 0\r\n", call), (b"Content-Length: 0\r\n" + length, call),
                (b"Content-Length: %d, %d\r\n" % (len(call), len(call)), call), (b"Content-Length: +5\r\n", call),
                (b"Content-Length: -1\r\n", call), (b"Content-Length: 0x10\r\n", call), (b"Content-Length: 5 5\r\n", call),
                (b"Content-Length : 5\r\n", call), (b"Content-Length\t: 5\r\n", call), (b"Content-Length:\r\n", call),
                (length + chunked, chunks), (chunked + length, chunks), (chunked * 2, chunks),
                (chunked + b"Transfer-Encoding: identity\r\n", chunks), (b"Transfer-Encoding: identity\r\n", chunks),
                (b"Transfer-Encoding: gzip, chunked\r\n", chunks), (b"Transfer-Encoding: chunked, chunked\r\n", chunks),
                (b"Transfer-Encoding: xchunked\r\n", chunks), (b"Transfer-Encoding:\x0bchunked\r\n", chunks),
                (b"Transfer-Encoding : chunked\r\n", chunks), (b"Transfer-Encoding: chunked;a\r\n", chunks),
                (length + b"X Y: a\r\n", call), (length + b": a\r\n", call), (length + b"no colon\r\n", call),
                (b"X: a\r" + length, call), (length + b"X: \x01\r\n", call), (length + host, call), (length + b"Host: evil.example\r\n", call),
                (chunked, b"0x" + chunks), (chunked, b"-" + chunks), (chunked, b"+" + chunks), (chunked, b"1000000000000000f" + chunks[2:]),
                (chunked, chunks.replace(b"\r\n0\r\n", b"XX0\r\n")), (chunked, chunks.replace(b"\r\n", b"\r"))]:
            received, closed = self.raw(post + headers + b"\r\n" + body + hidden)
            self.assertIn(received[:13], (b"HTTP/1.1 400 ", b"HTTP/1.1 413 "), headers)
            self.assertIn(b"\r\nConnection: close\r\n", received, headers)
            self.assertTrue(closed, headers)
            # What follows is not answered as a request.
            self.assertNotIn(b"HTTP/1.1 200", received, headers)
        # White space before the first header
        received, closed = self.raw(b"GET /photon/status HTTP/1.1\r\n X: a\r\n" + host + b"\r\n" + hidden)
        self.assertTrue(received.startswith(b"HTTP/1.1 400 ") and closed, received)
        # The whole answer
        received, _ = self.raw(hidden[:-2] + b"Content-Length: 0\r\nContent-Length: 5\r\n\r\n" + hidden)
        status, _, rest = received.partition(b"\r\nDate: ")
        self.assertEqual(status, b"HTTP/1.1 400 Bad Request")
        self.assertEqual(rest.partition(b"\r\n")[2], (
            b"Connection: close\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
            b"Cross-Origin-Resource-Policy: same-origin\r\nContent-Length: 65\r\n\r\n"
            b"the headers do not determine one host and one end of the request\n"))

    def test_requests_with_empty_parts_do_not_end_the_program(self):
        host = b"Host: localhost:%d\r\n" % self.port
        for line in (b"GET /?a", b"GET /?a=", b"GET /?", b"GET /?a&b", b"GET /?=", b"GET /?&", b"GET ?a", b"HEAD /?a", b"POST /v1/rpc?a"):
            for version in (b"", b" HTTP/1.0", b" HTTP/1.1"):
                for headers in (b"", b"Cookie: a\r\n", b"Cookie:\r\n", b"Cookie: =;;\r\n", b"X:\r\n", b"Connection:\r\n", b"Expect:\r\n"):
                    # Then a request that follows on the same connection
                    for rest in (b"", b"GET /?a HTTP/1.0\r\n\r\n"):
                        for request in (line + version + b"\r\n" + headers + b"\r\n", line + version + b"\r\n" + host + headers + b"\r\n"):
                            with socket.create_connection(("127.0.0.1", self.port)) as client, contextlib.suppress(OSError):
                                client.sendall(request + rest)
                                client.shutdown(socket.SHUT_WR)
                                client.settimeout(0.02)
                                client.recv(4096)
        self.assertIsNone(self.process.poll(), self.home.read("gateway.log"))
        self.assertEqual(get(self.port, "/photon/api?q=berlin")[0].status, 200)

    def test_damaged_requests_do_not_end_the_program(self):
        host = f"Host: localhost:{self.port}\r\n".encode()
        call = b'{"jsonrpc":"2.0","id":1,"method":"service.info","params":{}}'
        whole = [
            b"GET /photon/api?q=%62erlin&limit=1 HTTP/1.1\r\n" + host + b"Accept-Language: de,en;q=0.5\r\nConnection: keep-alive\r\n\r\n",
            b"POST /v1/rpc HTTP/1.1\r\n" + host + b"Content-Length: %d\r\n\r\n" % len(call) + call,
            b"POST /v1/rpc HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n%x;a=b\r\n" % len(call) + call + b"\r\n0\r\nX: y\r\n\r\n",
            b"GET /suggest?q=b HTTP/1.1\r\n" + host + b"Upgrade: websocket\r\nConnection: Upgrade, close\r\nCookie: a=b; c=\"d\"\r\nX: a\r\n\tb\r\n\r\n",
            b"HEAD / HTTP/1.0\r\n" + host + b"Expect: 100-continue\r\nRange: bytes=0-1\r\nAuthorization: Digest a=\"b\"\r\n\r\n",
        ]
        pieces = [b"\r\n", b"\n", b"\r", b"\0", b" ", b":", b"0", b"ffffffffffffffff", b"-1", b"chunked", b"%", b"\xff\xfe", b"=" * 300, b"HTTP/1.1", b"\r\n\r\n"]
        dice = random.Random(11)
        for _ in range(50_000 if os.environ.get("PLACES_PROVE") else 4_000):
            request = b"".join(dice.sample(whole, dice.randint(1, 3)))
            for _ in range(dice.randint(1, 6)):
                at = dice.randrange(len(request) + 1)
                match dice.randrange(4):
                    case 0: request = request[:at] + dice.choice(pieces) + request[at:]
                    case 1: request = request[:at] + request[at + dice.randint(1, 40):]
                    case 2: request = request[:at] + bytes([dice.randrange(256)]) + request[at + 1:]
                    case 3: request = request[:at] + request[max(0, at - dice.randint(1, 80)):]
            with socket.create_connection(("127.0.0.1", self.port)) as client, contextlib.suppress(OSError):
                half = dice.randrange(len(request) + 1) if dice.random() < 0.3 else len(request)
                client.sendall(request[:half])
                client.sendall(request[half:])
                if dice.random() < 0.5:
                    client.shutdown(socket.SHUT_WR)
                    client.settimeout(0.02)
                    client.recv(4096)
        self.assertIsNone(self.process.poll(), self.home.read("gateway.log"))
        self.assertEqual(get(self.port, "/photon/api?q=berlin")[0].status, 200)

    def test_a_dripping_client_is_closed_on_time(self):
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.sendall(f"GET /photon/api?q=x HTTP/1.1\r\nHost: localhost:{self.port}\r\n".encode())

            def closed():
                try:
                    client.sendall(b"X-Drip: 1\r\n")
                    client.setblocking(False)
                    try:
                        return client.recv(1) == b""
                    except BlockingIOError:
                        return False
                    finally:
                        client.setblocking(True)
                except OSError:
                    return True

            eventually("the end of a dripping client", closed, 10)
        self.assertLess(time.monotonic() - began, 5)
        # A connection without a request
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            client.settimeout(10)
            self.assertEqual(client.recv(1), b"")

    def test_connections_are_bounded(self):
        _, port = self.home.start_gateway("connections = 3")
        # The one that asked whether it listens may be open still.
        clients = []
        try:
            def refused():
                clients.append(socket.create_connection(("127.0.0.1", port)))
                clients[-1].settimeout(0.2)
                try:
                    return b"503" in clients[-1].recv(200)
                except TimeoutError:
                    return False

            eventually("a refusal", refused)
            self.assertLessEqual(len(clients), 4)
        finally:
            for client in clients:
                client.close()
        eventually("room", lambda: get(port, "/photon/status")[0].status == 200)

    def test_keep_alive_serves_many_requests_and_pipelines(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        for _ in range(50):
            connection.request("GET", "/photon/api?q=berlin", headers={"Host": f"localhost:{self.port}"})
            response = connection.getresponse()
            response.read()
            self.assertEqual(response.status, 200)
        connection.close()
        with socket.create_connection(("127.0.0.1", self.port)) as client:
            request = f"GET /photon/api?q=paris&limit=1 HTTP/1.1\r\nHost: localhost:{self.port}\r\n\r\n".encode()
            client.sendall(request * 3)
            client.settimeout(10)
            received = b""
            while received.count(b"HTTP/1.1 200") < 3 or not received.endswith(b"}"):
                received += client.recv(65536)

    def test_own_methods_and_their_stream(self):
        body = {"jsonrpc": "2.0", "id": 5, "method": "places.autocomplete", "params": {"query": "berl", "limit": 1}}
        response, text = get(self.port, "/v1/rpc", method="POST", body=json.dumps(body))
        self.assertEqual(json.loads(text)["result"]["suggestions"][0]["primary"]["text"], "Berlin")
        body["params"]["stream"] = True
        response, text = get(self.port, "/v1/rpc", method="POST", body=json.dumps(body))
        self.assertEqual(response.headers["Content-Type"], "text/event-stream; charset=utf-8")
        event, data = text.strip().split("\n\n")[-1].split("\n")
        self.assertEqual(event, "event: reply")
        self.assertEqual(json.loads(data.removeprefix("data: "))["id"], 5)
        for wrong, status in [("{", 400), ("[]", 400), ('{"jsonrpc":"2.0","id":1,"method":"providers.disable","params":{}}', 403)]:
            self.assertEqual(get(self.port, "/v1/rpc", method="POST", body=wrong)[0].status, status)

    def test_another_user_is_refused(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        code = (
            "import os, socket; os.setgid(65534); os.setuid(65534)\n"
            f"s = socket.create_connection(('127.0.0.1', {self.port})); s.sendall(b'GET / HTTP/1.1\\r\\n\\r\\n'); print(s.recv(300).decode())")
        run = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, timeout=20, check=True)
        self.assertIn("403", run.stdout)
        self.assertIn("its own user only", run.stdout)

    def as_nobody(self, port, path="/photon/api?q=berlin"):
        """The status and the body of an answer to another user."""
        code = (
            "import os, urllib.request, urllib.error; os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
            "try:\n"
            f"  with urllib.request.urlopen('http://localhost:{port}{path}') as answer: print(answer.status, answer.read().decode())\n"
            "except urllib.error.HTTPError as error: print(error.code, error.read().decode())")
        run = subprocess.run(["/usr/bin/python3", "-c", code], capture_output=True, text=True, timeout=20, check=True)
        status, _, body = run.stdout.partition(" ")
        return int(status), body

    def test_one_gateway_serves_all_users_each_as_that_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        home = Home('gateway_user = "root"\n[quota]\nrequests_per_minute = 3')
        self.addCleanup(home.close)
        home.start_daemon()
        _, port = home.start_gateway("all_users = true")
        # The permissions of the daemon's folder exclude the other user.
        status, body = self.as_nobody(port)
        self.assertEqual(status, 403)
        self.assertIn("you may not use the places daemon", body)
        self.assertEqual(get(port, "/photon/api?q=berlin")[0].status, 200)
        os.chmod(home.folder, 0o711)
        os.chmod(home.socket, 0o666)
        _, port = home.start_gateway("all_users = true")
        statuses = [self.as_nobody(port)[0] for _ in range(5)]
        self.assertEqual(statuses[0], 200)
        self.assertEqual(statuses[-1], 429, statuses)
        # No user of such a gateway is an administrator.
        for status, body in [self.as_nobody(port, "/status"), self.as_nobody(port, "/status/data")]:
            self.assertEqual(status, 403)
            self.assertIn("administrators", body)
        self.assertEqual(get(port, "/status")[0].status, 403)
        # The other user has spent its own quota only.
        self.assertEqual(get(port, "/photon/api?q=paris")[0].status, 200)

    def test_all_users_are_refused_unless_the_daemon_names_the_gateway(self):
        _, port = self.home.start_gateway("all_users = true")
        response, text = get(port, "/photon/api?q=berlin")
        self.assertEqual(response.status, 403)
        self.assertIn("gateway_user", text)

    def test_the_status_is_for_administrators(self):
        response, text = get(self.port, "/status")
        self.assertEqual(response.status, 200)
        self.assertIn("/status.js", text)
        self.assertIn("script-src 'self'", response.headers["Content-Security-Policy"])
        response, text = get(self.port, "/status/data")
        self.assertEqual(response.status, 200)
        data = json.loads(text)
        self.assertEqual(data["providers"]["providers"][0]["id"], "gazetteer")
        self.assertEqual({type(data[name]) for name in ("log", "budget", "cache")}, {dict})
        self.assertEqual(get(self.port, "/status.html")[0].status, 404)
        if os.geteuid() != 0:
            self.skipTest("only root can start the gateway of another user")
        # The daemon answers every user, and this one is not an administrator.
        home = Home()
        self.addCleanup(home.close)
        home.start_daemon()
        os.chmod(home.folder, 0o711)
        os.chmod(home.socket, 0o666)
        port = free_port()
        path = home.write("other.toml", f'listen = ["127.0.0.1:{port}"]\n')
        os.chmod(path, 0o644)
        become_nobody = lambda: (os.setgroups([]), os.setgid(65534), os.setuid(65534))
        try:
            home.start("places-gateway", "--config", path, log="gateway.log", before=become_nobody)
        except PermissionError:
            self.skipTest("the other user may not run the programs where they are")
        eventually("the gateway's start", lambda: "listening at" in home.read("gateway.log"))
        self.assertEqual(self.as_nobody(port)[0], 200)
        status, body = self.as_nobody(port, "/status")
        self.assertEqual(status, 403)
        self.assertIn('<link rel="stylesheet" href="/page.css">', body)
        self.assertIn("for administrators", body)
        status, body = self.as_nobody(port, "/status/data")
        self.assertEqual(status, 403)
        self.assertNotIn("providers", body)

    def test_a_gateway_that_cannot_start_says_why(self):
        path = self.home.write("second.toml", f'listen = ["127.0.0.1:{self.port}"]\n')
        process = self.home.start("places-gateway", "--config", path, log="second.log")
        self.assertEqual(process.wait(timeout=20), 1)
        self.assertIn("in use", self.home.read("second.log"))

    def test_nothing_of_a_request_is_logged(self):
        get(self.port, "/photon/api?q=secretquery&key=AIzaSecret")
        get(self.port, "/photon/api?q=secretquery", host="evil.example")
        log = self.home.read("gateway.log")
        self.assertIn("listening at", log)
        self.assertNotIn("secretquery", log)
        self.assertNotIn("AIzaSecret", log)

    def test_a_client_that_goes_away_leaves_nothing_behind(self):
        for _ in range(8):
            get(self.port, "/photon/api?q=berlin")  # opens every connection to the daemon
        descriptors = lambda: len(os.listdir(f"/proc/{self.process.pid}/fd"))
        eventually("the end of other tests' connections", lambda: descriptors() < 40)
        before = descriptors()
        for _ in range(100):
            with socket.create_connection(("127.0.0.1", self.port)) as client:
                client.sendall(f"GET /photon/api?q=berlin HTTP/1.1\r\nHost: localhost:{self.port}\r\n\r\n".encode())
        eventually("the end of the connections", lambda: descriptors() <= before)

    def test_a_client_that_goes_away_cancels_its_request(self):
        # A service that never answers.
        hanging = socket.create_server(("127.0.0.1", 0))
        home = Home("deadline_ms = 25000", f"""[providers.photon]
plugin = "photon"
enabled = true
base_url = "http://127.0.0.1:{hanging.getsockname()[1]}"
allow_private_addresses = true
isolation = "process"
""")
        try:
            home.start_daemon()
            process, port = home.start_gateway()
            descriptors = lambda: len(os.listdir(f"/proc/{process.pid}/fd"))
            for _ in range(8):
                get(port, "/photon/status")
            # Connections of the requests above are closed within moments.
            before = min(descriptors() for _ in range(200) if not time.sleep(0.002))
            call = {"jsonrpc": "2.0", "id": 1, "method": "places.search", "params": {"query": "x", "fields": ["name"], "deadlineMs": 25_000}}
            for is_stream in (False, True):
                body = json.dumps({**call, "params": {**call["params"], "stream": is_stream}})
                head = f"POST /v1/rpc HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: {len(body)}\r\n\r\n"
                with socket.create_connection(("127.0.0.1", port)) as client:
                    client.sendall((head + body).encode())
                    eventually("the request", lambda: descriptors() > before)
                    time.sleep(0.3)
                eventually("the end of the exchange", lambda: descriptors() <= before, 5)
        finally:
            home.close()
            hanging.close()

    def test_without_a_daemon_it_says_so_and_comes_back(self):
        home = Home()
        try:
            _, port = home.start_gateway()
            response, text = get(port, "/nominatim/search?q=berlin&format=json")
            self.assertEqual(response.status, 503)
            self.assertNotIn(home.folder, text)
            home.start_daemon()
            self.assertEqual(get(port, "/nominatim/search?q=berlin&format=json")[0].status, 200)
        finally:
            home.close()

    def test_sockets_of_the_service_manager_and_the_end_when_idle(self):
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]

        # The number is the child's: a shell sets it and becomes the program.
        path = self.home.write("activated.toml", "idle_s = 1\nkeep_alive_s = 1")
        process = subprocess.Popen(
            ["/bin/sh", "-c", f'LISTEN_PID=$$ LISTEN_FDS=1 PLACES_SOCKET="{self.home.socket}" exec "$0" --config "{path}"',
             os.path.join(os.environ["PLACES_PROGRAMS"], "places-gateway")],
            preexec_fn=lambda: (os.dup2(listener.fileno(), 3), os.set_inheritable(3, True)), close_fds=False,
            stderr=subprocess.DEVNULL)
        try:
            self.assertEqual(get(port, "/photon/status")[0].status, 200)
            self.assertEqual(process.wait(15), 0)
        finally:
            process.kill()
            process.wait()
            listener.close()

    def test_ten_thousand_idle_connections(self):
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if limit != resource.RLIM_INFINITY and limit < 11_000 or not os.environ.get("PLACES_PROVE"):
            self.skipTest("takes long, and many descriptors: PLACES_PROVE=1")
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
        process, port = self.home.start_gateway("keep_alive_s = 600")
        resident = lambda: int(next(l for l in open(f"/proc/{process.pid}/status") if l.startswith("VmRSS")).split()[1])
        get(port, "/photon/api?q=berlin")
        before = resident()
        clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(9_900)]
        try:
            self.assertEqual(get(port, "/photon/api?q=berlin")[0].status, 200)
            print(f"\n{len(clients)} idle connections: {before} kB and {(resident() - before) * 1024 / len(clients):.0f} bytes a connection", file=sys.stderr)
            self.assertLess((resident() - before) * 1024 / len(clients), 6 * 1024)
        finally:
            for client in clients:
                client.close()


if __name__ == "__main__":
    unittest.main()
