"""Checks what the engine guarantees whatever its providers do: answers in time, little processor time, few calls and little money. bench.py
runs these parts."""
import json, os, random, shutil, signal, socket, statistics, subprocess, time

PHOTON = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "geometry": {"type": "Point", "coordinates": [13.4, 52.5]},
     "properties": {"osm_type": "N", "osm_id": 240109189, "osm_key": "place", "osm_value": "city", "name": "Berlin", "country": "Germany",
                    "countrycode": "DE", "type": "city"}}]}

# How each provider answers: the milliseconds until its answer (-1: never), its body and its status; None for a port that refuses connections.
SERVICES = {"instant": (0, "good", 200), "ms20": (20, "good", 200), "ms80": (80, "good", 200), "ms300": (300, "good", 200),
            "hanging": (-1, "good", 200), "refusing": None, "failing": (0, "good", 500), "broken": (0, "broken", 200)}


def swarm(b, path, clients, requests, deadline_ms, stagger):
    """Sends requests on `clients` connections, one at a time on each. Returns (seconds, reply) for each request, in the order of the replies.
    Afterwards, `swarm.overslept` has the greatest delay, in milliseconds, with which the machine woke a thread that only slept."""
    swarm.sent = getattr(swarm, "sent", 0)
    numbers = range(swarm.sent, swarm.sent + requests)
    swarm.sent += requests
    with open(b.path("swarm"), "w") as file:
        for number in numbers:
            file.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": "places.autocomplete",
                                   "params": {"query": f"berl {number}", "deadlineMs": deadline_ms}}) + "\n")
    # The output goes to a file, because a program that reads a pipe would use the processor while the replies arrive.
    with open(b.path("replies"), "w+") as replies:
        command = [b.tool("swarm"), str(clients), str(int(stagger * 1e6)), path, b.path("swarm")]
        done = subprocess.run(command, stdout=replies, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"swarm: {done.stderr.strip()}")
        swarm.overslept = int(done.stderr) / 1000
        replies.seek(0)
        answers = []
        for line in replies:
            microseconds, _, reply = line.partition(" ")
            answers.append((int(microseconds) / 1e6, json.loads(reply)))
    missing = set(numbers) - {reply["id"] for _, reply in answers}
    if missing or len(answers) != requests:
        raise RuntimeError(f"{len(missing)} of {requests} requests have no reply; {len(answers)} replies arrived")
    return answers


def services(b):
    """Starts the providers. Returns the configuration and the port of each, by its name."""
    with open(b.path("good.json"), "w") as file:
        json.dump(PHOTON, file)
    with open(b.path("broken.json"), "w") as file:
        file.write('{"features": [{"type": "Fea')
    tables = {}
    for name, script in SERVICES.items():
        if script is None:
            taken = socket.socket()
            taken.bind(("127.0.0.1", 0))
            b.taken = taken  # The port stays reserved while the socket is referenced, and nobody listens on it.
            port = taken.getsockname()[1]
        else:
            delay, body, status = script
            child = b.start(b.tool("provider"), "0", str(delay), b.path(body + ".json"), str(status), stdout=subprocess.PIPE)
            port = int(child.stdout.readline())
        tables[name] = (f'[providers.{name}]\nplugin = "photon"\nenabled = true\nisolation = "in-process"\n'
                        f'base_url = "http://127.0.0.1:{port}"\nallow_private_addresses = true\ntimeout_ms = 450\n'
                        f'rate = {{ per_second = 10000, burst = 10000, concurrent = 64 }}\n', port)
    return tables


def percentile(times, share):
    """The time that this share of the times does not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def outcomes(answers):
    """Checks that no answer is empty. Returns how often each provider had each outcome."""
    words = {}
    for _, reply in answers:
        if not reply.get("result", {}).get("suggestions"):
            raise RuntimeError(f"not an answer: {json.dumps(reply)[:300]}")
        for report in reply["result"]["providers"]:
            words.setdefault(report["provider"], {}).setdefault(report["outcome"], 0)
            words[report["provider"]][report["outcome"]] += 1
    return words


def deadlines(b):
    deadline, requests = 500, 1000 if b.quick else 10000
    b.head(f"Eight providers of every kind, {requests:,} requests, 50 at a time")
    off = "[providers.gazetteer]\nenabled = false\n"
    tables = services(b)
    in_processes = {name: (table.replace('isolation = "in-process"\n', ""), port) for name, (table, port) in tables.items()}
    # If a provider's own time limit is later than the deadline, each request waits for the hanging provider until the deadline.
    for number, (title, share, limit, providers, count) in enumerate([
            ("breakers may open", 0.5, 450, tables, requests), ("every fault is met", 1, 450, tables, requests),
            ("every request waits for it", 1, 600, tables, requests), ("providers in processes", 1, 600, in_processes, min(requests, 500))]):
        daemon, sock = b.daemon(f"deadlines{number}", off + "".join(
            table.replace("timeout_ms = 450", f"failure_share = {share}\ntimeout_ms = {limit}") for table, _ in providers.values()))
        wait_for_providers(sock, len(providers))
        swarm(b, sock, 10, 20, deadline, 0.02)
        answers = swarm(b, sock, 50, count, deadline, deadline / 1000 / 50)
        words = outcomes(answers)
        late = [(seconds - deadline / 1000) * 1000 for seconds, _ in answers]
        b.row(f"latest answer after its deadline ({title})", f"{max(late):.1f} ms", f"p99 {percentile(late, 0.99):.1f} ms; a bare sleep on this machine {swarm.overslept:.1f}",
              "≤ 20 ms", max(late) <= 20)
        print("    " + "; ".join(f"{name} " + ", ".join(f"{word} {count}" for word, count in sorted(found.items())) for name, found in words.items()))
        b.stop(daemon)
    for title, providers, count in [("", tables, requests), (", in processes", in_processes, min(requests, 1000))]:
        overhead(b, title, count, off, {name: entry for name, entry in providers.items() if name != "hanging"})
    for child in list(b.children):
        b.stop(child)


def wait_for_providers(sock, count, seconds=20):
    """Waits until `count` providers take part in answers, because providers in processes of their own start later than the daemon."""
    client, end = Client(sock), time.perf_counter() + seconds
    while len(client.ask().get("result", {}).get("providers", [])) < count:
        if time.perf_counter() > end:
            raise RuntimeError(f"fewer than {count} providers take part in answers after {seconds} s")
        time.sleep(0.05)


def overhead(b, title, requests, off, tables):
    """Measures the engine's own share of a request's time. Without the hanging provider, a request ends when the slowest provider has
    answered, so the time after that is the engine's. For comparison, a program with one loop around curl_multi sends the same number of
    requests to the same services; its time shows the share of the services, the kernel and the machine."""
    daemon, sock = b.daemon("overhead" + str(len(title)), off + "".join(
        table.replace("timeout_ms", "failure_share = 1\ntimeout_ms") for table, _ in tables.values()))
    wait_for_providers(sock, len(tables))
    urls = [f"http://127.0.0.1:{port}/api?q=berl" for name, (_, port) in tables.items() if name != "refusing"]
    swarm(b, sock, 50, 200, 2000, 0.3 / 50)
    rounds = 2 if requests <= 1000 else 5
    ours, lanes, theirs = [], [], []
    for _ in range(rounds):
        for seconds, reply in swarm(b, sock, 50, requests // rounds, 2000, 0.3 / 50):
            ours.append(seconds * 1000 - 300)
            lanes.append(max(report["latencyMs"] for report in reply["result"]["providers"]) - 300)
        seconds = requests / rounds * 0.3 / 50
        done = subprocess.run([b.tool("fanout", "-lcurl"), str(50 / 0.3), str(seconds), *urls], capture_output=True, text=True, check=True)
        theirs.append(json.loads(done.stdout))
    for name, share, goal in [("p50", 0.5, 1), ("p99", 0.99, 5)]:
        bare = statistics.median(run[f"{name}_us"] for run in theirs) / 1000 - 300
        own = percentile(ours, share)
        b.row(f"after the slowest provider's 300 ms, {name}{title}", f"{own:.2f} ms",
              f"curl_multi in C {bare:.2f}, the provider's call as the engine saw it {percentile(lanes, share):.2f} ms")
        b.row(f"added to what curl_multi waits, {name}{title}", f"{own - bare:.2f} ms", "", f"≤ {goal} ms", own - bare <= goal)


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
    subprocess.run([b.built + "/storage-kill", filled, "fill"], check=True)
    for folder, names in {"state": ["ledger.db", "ledger.db.mark"], "cache": ["cache.db"]}.items():
        os.makedirs(f"{home}/{folder}")
        for name in names:
            shutil.move(f"{filled}/{name}", f"{home}/{folder}/{name}")
    sizes = [os.path.getsize(f"{home}/{name}") / 1e6 for name in ("state/ledger.db", "cache/cache.db")]
    table = services(b)["instant"][0].replace("timeout_ms", "budget = { calls_per_day = 100000000 }\ntimeout_ms")
    with open(home + "/placesd.toml", "w") as file:
        file.write(f'[daemon]\nstate_dir = "{home}/state"\ncache_dir = "{home}/cache"\n[providers.gazetteer]\nenabled = false\n{table}')
    pick, ready = random.Random(3), []
    for _ in range(50 if b.quick else 500):
        begin = time.perf_counter()
        daemon = b.start(b.built + "/placesd", "--config", home + "/placesd.toml", "--socket", sock)
        client = Client(sock)
        # The provider has a budget, so it is called only after the ledger has been read.
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
          f"p99 {percentile(ready, 0.99):.0f} ms; ledger {sizes[0]:.1f} MB, cache {sizes[1]:.1f} MB", "≤ 300 ms", statistics.median(ready) <= 300)
    b.row("ready again, the slowest", f"{max(ready):.0f} ms", "", "≤ 300 ms", max(ready) <= 300)
    for child in list(b.children):
        b.stop(child)


class Client:
    """A connection that sends queries and waits for their replies."""

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
        """Sends `count` queries at once. Returns the last reply."""
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
