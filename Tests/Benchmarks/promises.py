"""What the engine promises whatever its providers do: answers in time, little work of its own, few calls and little money."""
import json, os, random, selectors, shutil, signal, socket, statistics, subprocess, time

PHOTON = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "geometry": {"type": "Point", "coordinates": [13.4, 52.5]},
     "properties": {"osm_type": "N", "osm_id": 240109189, "osm_key": "place", "osm_value": "city", "name": "Berlin", "country": "Germany",
                    "countrycode": "DE", "type": "city"}}]}

# What each provider does: milliseconds until it answers (-1: never), its body, its status.
SERVICES = {"instant": (0, "good", 200), "ms20": (20, "good", 200), "ms80": (80, "good", 200), "ms300": (300, "good", 200),
            "hanging": (-1, "good", 200), "refusing": None, "failing": (0, "good", 500), "broken": (0, "broken", 200)}


def swarm(path, clients, requests, deadline_ms, stagger):
    """Sends requests from so many connections, one at a time each, and gives (seconds, reply) of each in the order of their ends."""
    selector, answers, number = selectors.DefaultSelector(), [], 0
    begin = time.perf_counter()
    idle = []
    for client in range(clients):
        s = socket.socket(socket.AF_UNIX)
        s.connect(path)
        idle.append((begin + client * stagger, s))

    def send(s):
        nonlocal number
        request = {"jsonrpc": "2.0", "id": number, "method": "places.autocomplete",
                   "params": {"query": f"berl {number}", "deadlineMs": deadline_ms}}
        number += 1
        line = json.dumps(request).encode() + b"\n"
        key = {"id": request["id"], "data": [], "at": time.perf_counter()}
        s.sendall(line)
        return key

    while len(answers) < requests:
        while idle and idle[0][0] <= time.perf_counter():
            s = idle.pop(0)[1]
            selector.register(s, selectors.EVENT_READ, send(s))
        wait = max(0, idle[0][0] - time.perf_counter()) if idle else 10
        ready = selector.select(wait)
        if not ready and not idle:
            raise RuntimeError(f"{requests - len(answers)} requests were lost")
        for key, _ in ready:
            data = key.fileobj.recv(1 << 18)
            at = time.perf_counter()
            if not data:
                raise RuntimeError("the daemon closed a connection")
            state = key.data
            state["data"].append(data)
            if data.endswith(b"\n"):
                answers.append((at - state["at"], state["id"], b"".join(state["data"])))
                selector.unregister(key.fileobj)
                if number < requests:
                    selector.register(key.fileobj, selectors.EVENT_READ, send(key.fileobj))
                else:
                    key.fileobj.close()
    return answers


def services(b):
    """Starts the providers; their configuration by name."""
    with open(b.path("good.json"), "w") as file:
        json.dump(PHOTON, file)
    with open(b.path("broken.json"), "w") as file:
        file.write('{"features": [{"type": "Fea')
    tables = {}
    for name, script in SERVICES.items():
        if script is None:
            taken = socket.socket()
            taken.bind(("127.0.0.1", 0))
            b.taken = taken  # A port that is taken and that nobody listens on.
            port = taken.getsockname()[1]
        else:
            delay, body, status = script
            child = b.start(b.tool("provider"), "0", str(delay), b.path(body + ".json"), str(status), stdout=subprocess.PIPE)
            port = int(child.stdout.readline())
        tables[name] = (f'[providers.{name}]\nplugin = "photon"\nenabled = true\nisolation = "in-process"\n'
                        f'base_url = "http://127.0.0.1:{port}"\nallow_private_addresses = true\ntimeout_ms = 450\n'
                        f'rate = {{ per_second = 10000, burst = 10000, concurrent = 128 }}\n')
    return tables


def part(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def outcomes(answers):
    """Checks that no answer is empty or twice; gives how often each provider had each outcome."""
    words = {}
    if len({id for _, id, _ in answers}) != len(answers):
        raise RuntimeError("an answer came twice")
    for _, id, data in answers:
        reply = json.loads(data)
        if reply["id"] != id or not reply.get("result", {}).get("suggestions"):
            raise RuntimeError(f"not an answer: {data[:300]}")
        for report in reply["result"]["providers"]:
            words.setdefault(report["provider"], {}).setdefault(report["outcome"], 0)
            words[report["provider"]][report["outcome"]] += 1
    return words


def deadlines(b):
    deadline, requests = 500, 1000 if b.quick else 10000
    b.head(f"Eight providers of every kind, {requests:,} requests, 50 at a time")
    off = "[providers.gazetteer]\nenabled = false\n"
    tables = services(b)
    for title, share in [("breakers may open", 0.5), ("breakers stay closed, every fault is met", 1)]:
        daemon, sock = b.daemon(f"deadlines{share}", off + "".join(
            table.replace("timeout_ms", f"failure_share = {share}\ntimeout_ms") for table in tables.values()))
        swarm(sock, 10, 20, deadline, 0.02)
        answers = swarm(sock, 50, requests, deadline, deadline / 1000 / 50)
        words = outcomes(answers)
        late = [(seconds - deadline / 1000) * 1000 for seconds, _, _ in answers]
        b.row(f"latest answer after its deadline ({title})", f"{max(late):.1f} ms", f"p99 {part(late, 0.99):.1f} ms; none lost, none empty",
              "≤ 20 ms", max(late) <= 20)
        print("    " + "; ".join(f"{name} " + ", ".join(f"{word} {count}" for word, count in sorted(found.items())) for name, found in words.items()))
        b.stop(daemon)
    # Without the one that hangs a request ends when the slowest provider has answered: the rest is the engine's own.
    daemon, sock = b.daemon("overhead", off + "".join(
        table.replace("timeout_ms", "failure_share = 1\ntimeout_ms") for name, table in tables.items() if name != "hanging"))
    swarm(sock, 10, 20, 2000, 0.02)
    answers = swarm(sock, 50, requests, 2000, 0.3 / 50)
    own = [(seconds - 0.3) * 1000 for seconds, _, _ in answers]
    b.row("added to the slowest provider's 300 ms, p50", f"{part(own, 0.5):.2f} ms", "", "≤ 1 ms", part(own, 0.5) <= 1)
    b.row("added to the slowest provider's 300 ms, p99", f"{part(own, 0.99):.2f} ms", f"max {max(own):.2f} ms", "≤ 5 ms", part(own, 0.99) <= 5)
    for child in list(b.children):
        b.stop(child)


def sessions(b):
    b.head("What 1,000 typing sessions cost at Google, Foursquare and Photon, list prices without free calls")
    keystrokes = os.path.join(b.data or "", "load", "keystrokes.tsv")
    if not os.path.exists(keystrokes):
        return print("  left out: needs --data with load/keystrokes.tsv")
    if b.quick:
        lines = [line for line in open(keystrokes, encoding="utf-8") if not line[0].isdigit() or int(line.split("\t")[0]) < 300]
        keystrokes = b.path("keystrokes.tsv")
        with open(keystrokes, "w", encoding="utf-8") as file:
            file.writelines(lines)
    done = subprocess.run([b.built + "/bench-sessions", keystrokes, b.built], text=True, capture_output=True, check=True)
    result = json.loads(done.stdout)
    naive = result["naive"]
    for name in ["naive", "daemon", "daemon and fetcher"]:
        figures = result[name]
        calls = sum(figures["calls"].values())
        saved = "" if name == "naive" else f"{1 - figures['dollars'] / naive['dollars']:.0%} less money, {1 - calls / sum(naive['calls'].values()):.0%} fewer calls"
        b.row(name, f"{calls:,.0f} calls, {figures['dollars']:,.2f} USD", saved, "" if name == "naive" else "< naive", None if name == "naive" else figures["dollars"] < naive["dollars"])
        print("    calls: " + ", ".join(f"{call} {count:,.0f}" for call, count in figures["calls"].items()))
        if figures["shares"]:
            print("    keystrokes: " + ", ".join(f"{share} {part:.1%}" for share, part in figures["shares"].items()))


def kills(b):
    b.head("Killed at random moments under load, with the databases of a long life")
    filled, home, sock = b.path("filled"), b.path("kills"), b.path("kills.sock")
    os.makedirs(filled)
    subprocess.run([b.built + "/keeping-kill", filled, "fill"], check=True)
    for folder, names in {"state": ["ledger.db", "ledger.db.mark"], "cache": ["cache.db"]}.items():
        os.makedirs(f"{home}/{folder}")
        for name in names:
            shutil.move(f"{filled}/{name}", f"{home}/{folder}/{name}")
    sizes = [os.path.getsize(f"{home}/{name}") / 1e6 for name in ("state/ledger.db", "cache/cache.db")]
    table = services(b)["instant"].replace("timeout_ms", "budget = { calls_per_day = 100000000 }\ntimeout_ms")
    with open(home + "/placesd.toml", "w") as file:
        file.write(f'[daemon]\nstate_dir = "{home}/state"\ncache_dir = "{home}/cache"\n[providers.gazetteer]\nenabled = false\n{table}')
    pick, ready = random.Random(3), []
    for _ in range(50 if b.quick else 500):
        begin = time.perf_counter()
        daemon = b.start(b.built + "/placesd", "--config", home + "/placesd.toml", "--socket", sock)
        client = Client(sock)
        # The provider's calls are counted: it answers as soon as the ledger is read.
        reply = client.ask()
        ready.append((time.perf_counter() - begin) * 1000)
        if not reply.get("result", {}).get("suggestions"):
            raise RuntimeError(f"not an answer: {reply}")
        end = time.perf_counter() + pick.uniform(0.005, 0.06)
        while time.perf_counter() < end:
            client.ask(20)
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()
        b.children.remove(daemon)
    b.row(f"ready again, {len(ready)} kills, median", f"{statistics.median(ready):.0f} ms",
          f"p99 {part(ready, 0.99):.0f} ms; ledger {sizes[0]:.1f} MB, cache {sizes[1]:.1f} MB", "≤ 300 ms", statistics.median(ready) <= 300)
    b.row("ready again, the slowest", f"{max(ready):.0f} ms", "", "≤ 300 ms", max(ready) <= 300)
    for child in list(b.children):
        b.stop(child)


class Client:
    """One connection that asks and waits."""

    def __init__(self, path, seconds=20):
        self.number, self.rest, end = 0, b"", time.perf_counter() + seconds
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(seconds)
            try:
                return self.socket.connect(path)
            except OSError:
                self.socket.close()
                if time.perf_counter() > end:
                    raise
                time.sleep(0.001)

    def ask(self, count=1):
        """Sends so many questions at once; gives the last reply."""
        for _ in range(count):
            self.number += 1
            request = {"jsonrpc": "2.0", "id": self.number, "method": "places.autocomplete",
                       "params": {"query": f"berl {random.random()}", "deadlineMs": 5000}}
            self.socket.sendall(json.dumps(request).encode() + b"\n")
        for _ in range(count):
            reply = self.line()
        return json.loads(reply)

    def line(self):
        while b"\n" not in self.rest:
            data = self.socket.recv(1 << 18)
            if not data:
                raise RuntimeError("the daemon closed the connection")
            self.rest += data
        reply, _, self.rest = self.rest.partition(b"\n")
        return reply
