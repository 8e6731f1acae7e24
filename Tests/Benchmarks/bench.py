#!/usr/bin/env python3
"""Compares the daemon with the programs that a user would use instead, in one run.

    Tests/Benchmarks/bench.py [--quick] [--only NAME] [--data FOLDER]

Rows that are compared are measured in turn, several times, and their medians are compared: on a shared machine, the ratio is more
reliable than the number. Results go to standard output as a table and to .build/bench/results.json.

The data sets (--data) are public: GeoNames' cities500 dump (https://download.geonames.org/export/dump/, CC BY 4.0).
"""
import argparse, json, os, random, re, shutil, signal, socket, statistics, string, subprocess, sys, tempfile, time, uuid

sys.dont_write_bytecode = True
import promises

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
HERE = os.path.join(ROOT, "Tests", "Benchmarks")
BUILT = os.path.join(ROOT, ".build", "release")
OUT = os.path.join(ROOT, ".build", "bench")


class Bench:
    def __init__(self, quick, data):
        self.quick, self.data, self.built = quick, data, BUILT
        self.seconds = 0.5 if quick else 2.0
        self.rounds = 3 if quick else 5
        self.rows, self.children = [], []
        self.folder = tempfile.mkdtemp(prefix="placesd-bench-")
        os.makedirs(OUT, exist_ok=True)

    # Files, and programs that run during the measurements.

    # The path of the C program NAME.c of this folder, which is compiled if it has changed.
    def tool(self, name, *libraries):
        binary = os.path.join(OUT, name)
        source = os.path.join(HERE, name + ".c")
        if not os.path.exists(binary) or os.path.getmtime(binary) < os.path.getmtime(source):
            subprocess.run(["cc", "-O2", "-o", binary, source, *libraries], check=True)
        return binary

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *command, **options):
        options.setdefault("stderr", open(self.path(os.path.basename(command[0]) + ".log"), "ab"))
        options.setdefault("stdout", options["stderr"])
        child = subprocess.Popen(command, **options)
        self.children.append(child)
        return child

    def stop(self, child):
        child.terminate()
        try:
            child.wait(6)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        self.children.remove(child)

    def close(self):
        for child in list(self.children):
            self.stop(child)
        shutil.rmtree(self.folder, ignore_errors=True)

    def daemon(self, name, configuration="", index=None):
        home = self.path(name)
        os.makedirs(home + "/state", exist_ok=True)
        os.makedirs(home + "/cache", exist_ok=True)
        if index:
            os.symlink(index, home + "/state/gazetteer.db")
        with open(home + "/placesd.toml", "w") as file:
            file.write(f'[daemon]\nstate_dir = "{home}/state"\ncache_dir = "{home}/cache"\n[limits]\nconnections = 20000\n'
                       f'connections_per_user = 20000\n{configuration}')
        sock = home + "/placesd.sock"
        child = self.start(BUILT + "/placesd", "--config", home + "/placesd.toml", "--socket", sock)
        wait_for(sock)
        return child, sock

    # Measurements.

    def load(self, sock, requests, *options):
        command = [self.tool("load"), *map(str, options), sock, requests]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        if done.returncode:
            raise RuntimeError(f"load: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def in_turn(self, measures):
        """Runs each measure once in each round. Returns, by the name of the measure, the median of each of its figures."""
        results = {name: [] for name in measures}
        for _ in range(self.rounds):
            for name, measure in measures.items():
                results[name].append(measure())
        return {name: {key: statistics.median(r[key] for r in runs) for key in runs[0] if isinstance(runs[0][key], (int, float))}
                for name, runs in results.items()}

    def row(self, what, ours, other="", goal="", met=None):
        self.rows.append({"what": what, "ours": ours, "beside": other, "goal": goal, "met": met})
        mark = {True: "yes", False: "NO", None: ""}[met]
        print(f"  {what:<58} {ours:<26} {other:<44} {goal:<18} {mark}", flush=True)

    def head(self, title):
        print(f"\n{title}   (load of the machine: {os.getloadavg()[0]:.2f})", flush=True)


def wait_for(path, seconds=20):
    end = time.time() + seconds
    while time.time() < end:
        s = socket.socket(socket.AF_UNIX)
        try:
            s.connect(path)
            s.close()
            return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError(f"nothing answers on {path}")


def wait_until(holds, seconds=20, pause=0.02):
    finish = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > finish:
            raise RuntimeError(f"the condition was not met within {seconds} s")
        time.sleep(pause)


def ask(sock, method, params=None, id=1):
    s = socket.socket(socket.AF_UNIX)
    s.settimeout(10)
    s.connect(sock)
    s.sendall(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params or {}}).encode() + b"\n")
    data = b""
    while not data.endswith(b"\n"):
        part = s.recv(65536)
        if not part:
            raise RuntimeError(f"{method}: the daemon closed the connection")
        data += part
    s.close()
    reply = json.loads(data)
    if "error" in reply:
        raise RuntimeError(f"{method}: {reply['error']['message']}")
    return reply["result"], data


def memory(pid):
    """The private, the proportional and the resident memory of a process, in MiB."""
    text = open(f"/proc/{pid}/smaps_rollup").read()
    kib = lambda key: sum(int(n) for n in re.findall(rf"^{key}:\s+(\d+)", text, re.M))
    # Only dirty pages count as private. Clean pages belong to files: the kernel can drop them, and other processes can share them.
    # Each shared page counts in `proportional` as one part for each process that uses it.
    return {"private": kib("Private_Dirty") / 1024, "proportional": kib("Pss") / 1024, "resident": kib("Rss") / 1024}


def switches(pid):
    """The number of voluntary context switches of each thread, by thread. A thread that ends in the meantime is left out."""
    counts = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            text = open(f"/proc/{pid}/task/{task}/status").read()
        except FileNotFoundError:
            continue
        counts[task] = int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.M).group(1))
    return counts


PREFIXES = ["berl", "münch", "san fran", "par", "lond", "new yo", "tok", "mad", "rom", "wien", "zür", "ams", "kop", "osl", "hel", "lis"]


def varied_requests(path, count=2000):
    """Writes autocomplete requests that differ only in ways that must not prevent a cached reply: the order of the members, white space, ids,
    sessions and deadlines. Returns the path."""
    pick = random.Random(1)
    with open(path, "w") as file:
        for number in range(count):
            params = [("query", pick.choice(PREFIXES)), ("language", "en"), ("limit", 4)]
            if pick.random() < 0.3:
                params.append(("stream", False))
            if pick.random() < 0.5:
                params += [("session", str(uuid.UUID(int=pick.getrandbits(128), version=4))), ("seq", number)]
            if pick.random() < 0.3:
                params.append(("deadlineMs", pick.randrange(100, 5000)))
            pick.shuffle(params)
            space = pick.choice(["", " "])
            body = ("," + space).join(
                f'"{key}":{space}{json.dumps(value, ensure_ascii=False)}'
                for key, value in params)
            members = [f'"jsonrpc":{space}"2.0"', f'"id":{space}' + pick.choice([str(number), f'"{number}"']),
                       f'"method":{space}"places.autocomplete"', f'"params":{space}{{{body}}}']
            pick.shuffle(members)
            file.write("{" + ("," + space).join(members) + "}\n")
    return path


def uncached_requests(path, data, count=20000):
    """Writes requests that bypass the cache, none of which is repeated soon. Returns the path."""
    words = []
    keystrokes = os.path.join(data or "", "load", "keystrokes.tsv")
    if os.path.exists(keystrokes):
        for line in open(keystrokes, encoding="utf-8").readlines()[1:]:
            words.append(line.split("\t")[4])
    else:
        words = [a + b + c for a in string.ascii_lowercase for b in "aeiou" for c in string.ascii_lowercase]
    with open(path, "w") as file:
        for number in range(count):
            request = {"jsonrpc": "2.0", "id": number, "method": "places.autocomplete",
                       "params": {"query": words[number % len(words)] or "a", "cache": "bypass"}}
            file.write(json.dumps(request, ensure_ascii=False) + "\n")
    return path


def cached(b):
    b.head("Cached autocomplete over the socket, requests a second")
    daemon, sock = b.daemon("cached", index=gazetteer(b))
    requests = varied_requests(b.path("varied"))
    for query in PREFIXES:
        for _ in range(3):
            ask(sock, "places.autocomplete", {"query": query, "language": "en", "limit": 4})
    reply = ask(sock, "places.autocomplete", {"query": "berl", "language": "en", "limit": 4})[1]
    size = len(reply)
    floor_sock = b.path("floor.sock")
    b.start(b.tool("floor"), floor_sock, str(size))
    wait_for(floor_sock)
    redis_sock = b.path("redis.sock")
    b.start(shutil.which("redis-server") or "redis-server", "--port", "0", "--unixsocket", redis_sock, "--save", "", "--appendonly", "no", "--dir", b.folder)
    wait_for(redis_sock)
    value = reply.rstrip(b"\n")
    s = socket.socket(socket.AF_UNIX)
    s.connect(redis_sock)
    for query in range(16):
        s.sendall(b"SET place%d \"" % query + b"x" * len(value) + b"\"\r\n")
        s.recv(100)
    with open(b.path("gets"), "w") as file:
        file.writelines(f"GET place{n}\r\n" for n in range(16))
    print(f"  replies of {size} bytes")
    seconds = b.seconds
    for connections, pipeline in [(1, 1), (8, 1), (50, 1), (8, 16)]:
        options = ["-s", seconds, "-c", connections, "-p", pipeline]
        r = b.in_turn({
            "placesd": lambda: b.load(sock, requests, *options),
            "floor": lambda: b.load(floor_sock, requests, *options),
            "redis": lambda: b.load(redis_sock, b.path("gets"), *options, "-l", 2)})
        ours, floor, redis = (r[name]["rate"] for name in ("placesd", "floor", "redis"))
        beside = f"Redis {redis:,.0f} ({ours / redis:.2f}×), floor {floor:,.0f} ({ours / floor:.2f}×)"
        if connections == 1:
            ratio = r["placesd"]["p50_us"] / r["floor"]["p50_us"]
            b.row("one connection, p50", f"{r['placesd']['p50_us']:.1f} µs", f"floor {r['floor']['p50_us']:.1f} µs ({ratio:.2f}×)", "≤ 1.3× floor", ratio <= 1.3)
        elif pipeline == 1:
            goal = 1.25 if connections == 8 else 1
            b.row(f"{connections} connections", f"{ours:,.0f}", beside, f"≥ {goal} R", ours >= goal * redis)
        else:
            b.row(f"{connections} connections, pipeline {pipeline}", f"{ours:,.0f}", beside, "≥ 1.0 R", ours >= redis)
    nginx(b, reply, requests, sock)
    for child in list(b.children):
        b.stop(child)


def nginx(b, reply, requests, sock):
    """Compares with nginx as a caching proxy in front of a provider, over a Unix socket."""
    binary = shutil.which("nginx") or "/usr/sbin/nginx"
    if not os.path.exists(binary):
        return print("  nginx is not installed: row left out")
    with open(b.path("body.json"), "wb") as file:
        file.write(reply)
    provider = b.start(b.tool("provider"), "0", "0", b.path("body.json"), stdout=subprocess.PIPE)
    port = int(provider.stdout.readline())
    http_sock = b.path("nginx.sock")
    with open(b.path("nginx.conf"), "w") as file:
        # If root starts nginx, its worker runs as another user by default, who may not write into the folder.
        user = "user root;" if os.geteuid() == 0 else ""
        file.write(f"""daemon off; {user} pid {b.path('nginx.pid')}; error_log {b.path('nginx.err')}; worker_processes 1;
events {{ worker_connections 1024; }}
http {{ access_log off; client_body_temp_path {b.path('t1')}; proxy_temp_path {b.path('t2')}; fastcgi_temp_path {b.path('t3')};
  uwsgi_temp_path {b.path('t4')}; scgi_temp_path {b.path('t5')}; keepalive_requests 1000000000;
  proxy_cache_path {b.path('c')} keys_zone=c:1m;
  server {{ listen unix:{http_sock}; location / {{ proxy_pass http://127.0.0.1:{port}; proxy_cache c; proxy_cache_valid 200 1h; proxy_http_version 1.1; proxy_set_header Connection ""; }} }} }}""")
    b.start(binary, "-c", b.path("nginx.conf"), "-p", b.folder)
    wait_for(http_sock)
    s = socket.socket(socket.AF_UNIX)
    s.connect(http_sock)
    s.sendall(b"GET /berl HTTP/1.1\r\nHost: a\r\n\r\n")
    time.sleep(0.3)
    lines = s.recv(1 << 20).count(b"\n")
    with open(b.path("http"), "wb") as file:
        file.write(b"GET /berl HTTP/1.1\r\nHost: a\r\n\r\n")
    try:
        r = b.in_turn({
            "placesd": lambda: b.load(sock, requests, "-s", b.seconds, "-c", 8),
            "nginx": lambda: b.load(http_sock, b.path("http"), "-s", b.seconds, "-c", 8, "-n", 3, "-l", lines)})
        ours, theirs = r["placesd"]["rate"], r["nginx"]["rate"]
        b.row("8 connections, beside nginx proxy_cache", f"{ours:,.0f}", f"nginx {theirs:,.0f} ({ours / theirs:.2f}×)")
    except RuntimeError as problem:
        print(f"  nginx: {problem}")


def http_request(port, target, body=""):
    """A request for the load generator, and the number of its lines."""
    verb = f"POST {target} HTTP/1.1\r\nContent-Length: {len(body) + 1}" if body else f"GET {target} HTTP/1.1"
    text = f"{verb}\r\nHost: 127.0.0.1:{port}\r\n\r\n" + (body + "\n" if body else "")
    return text, text.count("\n")


def http_answer(port, text):
    """Sends one request. Returns the head and the body of the response."""
    with socket.create_connection(("127.0.0.1", port), 10) as s:
        s.sendall(text.encode())
        data = b""
        while b"\r\n\r\n" not in data:
            data += s.recv(1 << 16)
        head, _, body = data.partition(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head, re.I)[1])
        while len(body) < length:
            more = s.recv(1 << 16)
            if not more:
                raise RuntimeError(f"{text.split(chr(13))[0]}: the answer ends after {len(body)} of {length} bytes")
            body += more
    return head, body


def gateway(b):
    b.head("A cached autocomplete over HTTP, requests a second")
    _, sock = b.daemon("gateway", index=gazetteer(b))
    with socket.socket() as probe, socket.socket() as second:
        probe.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        port, web = probe.getsockname()[1], second.getsockname()[1]
    with open(b.path("gateway.toml"), "w") as file:
        file.write(f'listen = ["127.0.0.1:{port}"]\nkeep_alive_s = 600\n')
    server = b.start(BUILT + "/places-gateway", "--config", b.path("gateway.toml"), env={**os.environ, "PLACES_SOCKET": sock})
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.02)
    binary = shutil.which("nginx") or "/usr/sbin/nginx"
    user = "user root;" if os.geteuid() == 0 else ""
    with open(b.path("files.conf"), "w") as file:
        file.write(f"""daemon off; {user} pid {b.path('files.pid')}; error_log {b.path('files.err')}; worker_processes 1;
events {{ worker_connections 1024; }}
http {{ access_log off; client_body_temp_path {b.path('f1')}; proxy_temp_path {b.path('f2')}; fastcgi_temp_path {b.path('f3')};
  uwsgi_temp_path {b.path('f4')}; scgi_temp_path {b.path('f5')}; keepalive_requests 1000000000; open_file_cache max=10;
  server {{ listen 127.0.0.1:{web}; location / {{ root {b.folder}; default_type application/json; }} }} }}""")
    b.start(binary, "-c", b.path("files.conf"), "-p", b.folder)
    call = {"jsonrpc": "2.0", "id": 1, "method": "places.autocomplete", "params": {"query": "berl", "language": "en", "limit": 4}}
    # The request that the gateway sends to the daemon for the two emulated APIs. The reply cache does not have replies to searches. The
    # gateway parses the reply and writes another one, which takes about 500,000 instructions for four places.
    search = {"jsonrpc": "2.0", "id": 1, "method": "places.search", "params": {
        "query": "berlin", "language": "en", "limit": 4, "fields": ["addressComponents", "coordinate", "formattedAddress", "name", "types", "viewport"]}}
    for number, (name, target, body) in enumerate([
            ("/v1/rpc", "/v1/rpc", json.dumps(call)), ("/photon/api", "/photon/api?q=berlin&limit=4&lang=en", None),
            ("/nominatim/search", "/nominatim/search?q=berlin&format=jsonv2&limit=4&accept-language=en", None)]):
        ours_text, ours_lines = http_request(port, target, body)
        theirs_text, theirs_lines = http_request(web, f"/answer{number}.json")  # nginx remembers a file's size
        for _ in range(5):
            head, answer = http_answer(port, ours_text)
        with open(b.path(f"answer{number}.json"), "wb") as file:
            file.write(answer)
        theirs_head, _ = http_answer(web, theirs_text)
        for path, text in (("ours.http", ours_text), ("theirs.http", theirs_text)):
            with open(b.path(path), "w", newline="") as file:
                file.write(text)
        with open(b.path("line"), "w") as file:
            file.write(json.dumps(call if body else search) + "\n")
        count = lambda head: head.count(b"\n") + 2
        for connections in (1, 50) if name == "/v1/rpc" else (50,):
            options = ["-s", b.seconds, "-c", connections]
            r = b.in_turn({
                "gateway": lambda: b.load(f"tcp:{port}", b.path("ours.http"), *options, "-n", ours_lines, "-l", count(head)),
                "nginx": lambda: b.load(f"tcp:{web}", b.path("theirs.http"), *options, "-n", theirs_lines, "-l", count(theirs_head)),
                "socket": lambda: b.load(sock, b.path("line"), *options)})
            if connections == 1:
                ours, plain = r["gateway"]["p50_us"], r["socket"]["p50_us"]
                b.row(f"{name}, one connection, p50", f"{ours:.1f} µs", f"socket {plain:.1f} µs ({ours / plain:.2f}×), nginx, a file {r['nginx']['p50_us']:.1f} µs", "≤ 2× socket", ours <= 2 * plain)
            else:
                ours, theirs = r["gateway"]["rate"], r["nginx"]["rate"]
                plain = r["socket"]["rate"]
                compared = f"nginx, a file {theirs:,.0f} ({ours / theirs:.2f}×); socket {plain:,.0f} ({ours / plain:.2f}×)"
                if body:
                    b.row(f"{name}, {connections} connections, {len(answer):,} bytes", f"{ours:,.0f}", compared, "≥ 0.5× nginx or 60,000",
                          ours >= min(60_000, 0.5 * theirs))
                else:
                    b.row(f"{name}, {connections} connections, {len(answer):,} bytes", f"{ours:,.0f}", compared)
    before = memory(server.pid)
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(900)]
    time.sleep(0.3)
    each = (memory(server.pid)["private"] - before["private"]) * 1048576 / len(clients)
    b.row("private memory of the gateway", f"{before['private']:.1f} MB",
          f"{each:,.0f} bytes an idle connection; resident with shared libraries {before['resident']:.1f} MB",
          "≤ 12 MB, 6 kB each", before["private"] <= 12 and each <= 6_144)
    for client in clients:
        client.close()
    for child in list(b.children):
        b.stop(child)


def gazetteer(b):
    """The path of an index of all cities of the data folder or, without them, of Debian's cities. It is built once, and again if the programs
    cannot read its layout."""
    dump = os.path.join(b.data or "", "geonames", "cities500.txt.gz")
    index = os.path.join(OUT, "cities500.db" if os.path.exists(dump) else "debian.db")
    if subprocess.run([BUILT + "/placesctl", "gazetteer", "info", "--index", index], capture_output=True).returncode != 0:
        if os.path.exists(index):
            os.remove(index)
        command = [BUILT + "/placesctl", "gazetteer"]
        command += ["import", "--index", index, dump] if os.path.exists(dump) else ["build", "--index", index]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return index


def uncached(b):
    b.head("Answered by the gazetteer alone, over the socket")
    daemon, sock = b.daemon("uncached", index=gazetteer(b))
    requests = uncached_requests(b.path("uncached-requests"), b.data)
    # The first pass is not measured: it reads the index's pages from the disk and renders the places of the rows.
    b.load(sock, requests, "-s", 2, "-c", 50)
    closed = b.in_turn({"placesd": lambda: b.load(sock, requests, "-s", b.seconds, "-c", 50)})["placesd"]
    b.row("50 connections, closed loop, requests a second", f"{closed['rate']:,.0f}", "", "≥ 15,000", closed["rate"] >= 15_000)
    opened = b.in_turn({"placesd": lambda: b.load(sock, requests, "-s", b.seconds, "-c", 50, "-r", 8000)})["placesd"]
    b.row("open loop at 8,000 a second, p99", f"{opened['p99_us'] / 1000:.2f} ms", f"p50 {opened['p50_us'] / 1000:.2f} ms", "≤ 3 ms", opened["p99_us"] <= 3000)
    b.stop(daemon)


def eight_providers(b, delay):
    """Starts eight providers that answer after `delay` milliseconds. Returns the configuration of a daemon that calls them, their ports, and
    requests to the daemon."""
    with open(b.path("photon.json"), "w") as file:
        json.dump({"type": "FeatureCollection", "features": [
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [13.4, 52.5]},
             "properties": {"osm_type": "N", "osm_id": 240109189, "osm_key": "place", "osm_value": "city", "name": "Berlin", "country": "Germany",
                            "countrycode": "DE", "type": "city"}}]}, file)
    ports = []
    for _ in range(8):
        child = b.start(b.tool("provider"), "0", str(delay), b.path("photon.json"), stdout=subprocess.PIPE)
        ports.append(int(child.stdout.readline()))
    configuration = "[providers.gazetteer]\nenabled = false\n" + "".join(
        f'[providers.p{n}]\nplugin = "photon"\nenabled = true\nisolation = "in-process"\nbase_url = "http://127.0.0.1:{port}"\n'
        f'allow_private_addresses = true\nrate = {{ per_second = 10000, burst = 10000, concurrent = 64 }}\n' for n, port in enumerate(ports))
    pick = random.Random(2)
    queries = ("".join(pick.choice(string.ascii_lowercase) for _ in range(8)) for _ in range(20000))
    requests = [json.dumps({"jsonrpc": "2.0", "id": number, "method": "places.autocomplete", "params": {"query": query, "cache": "bypass"}})
                for number, query in enumerate(queries)]
    return configuration, ports, requests


def fanout(b):
    b.head("Fan-out to 8 providers on loopback that take 20 ms, 200 requests a second")
    configuration, ports, requests = eight_providers(b, 20)
    daemon, sock = b.daemon("fanout", configuration)
    with open(b.path("fan-requests"), "w") as file:
        file.write("\n".join(requests) + "\n")
    urls = [f"http://127.0.0.1:{port}/api?q=berl" for port in ports]

    def peer():
        done = subprocess.run([b.tool("fanout", "-lcurl"), "200", str(b.seconds), *urls], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    b.load(sock, b.path("fan-requests"), "-s", 0.5, "-c", 20, "-r", 200)
    r = b.in_turn({"placesd": lambda: b.load(sock, b.path("fan-requests"), "-s", b.seconds, "-c", 20, "-r", 200), "curl": peer})
    ours, theirs = r["placesd"], r["curl"]
    ratio = ours["p50_us"] / theirs["p50_us"]
    b.row("p50", f"{ours['p50_us'] / 1000:.1f} ms", f"curl_multi in C {theirs['p50_us'] / 1000:.1f} ms ({ratio:.2f}×)", "≤ 22 ms, ≤ 1.15×", ours["p50_us"] <= 22_000 and ratio <= 1.15)
    b.row("p99", f"{ours['p99_us'] / 1000:.1f} ms", f"curl_multi in C {theirs['p99_us'] / 1000:.1f} ms", "≤ 30 ms", ours["p99_us"] <= 30_000)
    for child in list(b.children):
        b.stop(child)


def under_load(b, pid, sock, requests, idle):
    """The daemon's memory while 8 connections send 2,000 requests a second and `idle` connections send none, and the figures of the load
    generator."""
    seconds = max(3, b.seconds)
    child = subprocess.Popen([b.tool("load"), "-i", str(idle), "-c", "8", "-r", "2000", "-s", str(seconds), sock, requests],
                             stdout=subprocess.PIPE, text=True)
    time.sleep(seconds * 0.8)
    return memory(pid), json.loads(child.communicate()[0])


def process(b):
    """Measures the memory of the providers' processes at rest, and of the daemon that has just started them."""
    b.head("Memory of a provider's process")
    with open(b.path("process-key"), "w") as file:
        file.write("key")
    os.chmod(file.name, 0o600)
    key = f'api_key_file = "{file.name}"\nbudget.calls_per_day = 10\n'
    settings = {"photon": "", "pelias": "", "nominatim": "", "google": key, "foursquare": key}
    daemon, sock = b.daemon("process", "[providers.gazetteer]\nenabled = false\n" + "".join(
        f'[providers.{plugin}]\nplugin = "{plugin}"\nenabled = true\nisolation = "process"\nbase_url = "http://127.0.0.1:9"\n'
        f"allow_private_addresses = true\n{more}" for plugin, more in settings.items()))
    state = lambda plugin: ask(sock, "providers.get", {"provider": plugin})[0]["provider"]["state"]
    while any(state(plugin) == "starting" for plugin in settings):
        time.sleep(0.01)
    start = memory(daemon.pid)
    children = subprocess.run(["pgrep", "-P", str(daemon.pid)], capture_output=True, text=True).stdout.split()
    if len(children) != len(settings):
        raise RuntimeError("not all providers have a process: " + ", ".join(f"{plugin} {state(plugin)}" for plugin in settings))
    time.sleep(2)
    rest = [memory(int(child)) for child in children]
    private, resident = (max(found[kind] for found in rest) for kind in ("private", "resident"))
    largest = f"the largest of {len(rest)}"
    b.row("a provider's process at rest, private memory", f"{private:.1f} MB", largest, "≤ 16 MiB", private <= 16)
    b.row("a provider's process at rest, resident memory", f"{resident:.1f} MB", largest + ", libraries included", "≤ 16 MiB", resident <= 16)
    b.row("the daemon just started, private memory", f"{start['private']:.1f} MB",
          f"resident {start['resident']:.1f} MB with the pages of files, {start['proportional']:.1f} MB with its part of them", "≤ 24 MiB",
          start["private"] <= 24)
    b.stop(daemon)


def restart(b):
    """Measures how long a provider does not answer after its process has died for the first time. Later restarts are delayed
    (LifeCycle.Policy)."""
    b.head("Restart of a provider's process")
    with open(b.path("restart.json"), "w") as file:
        json.dump(promises.PHOTON, file)
    service = b.start(b.tool("provider"), "0", "0", b.path("restart.json"), "200", stdout=subprocess.PIPE)
    port = int(service.stdout.readline())
    times = []
    for n in range(2 * b.rounds):
        daemon, sock = b.daemon(f"restart{n}", '[providers.gazetteer]\nenabled = false\n[providers.photon]\nplugin = "photon"\n'
                                f'enabled = true\nisolation = "process"\nbase_url = "http://127.0.0.1:{port}"\n'
                                'allow_private_addresses = true\nrate = { per_second = 10000, burst = 10000 }\n')

        def answers():
            # A call that fails during the restart opens the circuit breaker, which this closes.
            ask(sock, "providers.resume", {"provider": "photon"})
            try:
                return ask(sock, "places.autocomplete", {"query": "berl", "cache": "bypass"})[0]["suggestions"]
            except RuntimeError:
                return False

        wait_until(answers, pause=0.001)
        process, = subprocess.run(["pgrep", "-P", str(daemon.pid)], capture_output=True, text=True, check=True).stdout.split()
        begin = time.perf_counter()
        os.kill(int(process), signal.SIGKILL)
        # The killed process may still answer until it has ended.
        wait_until(lambda: not os.path.exists(f"/proc/{process}"), pause=0.001)
        wait_until(answers, pause=0.001)
        times.append((time.perf_counter() - begin) * 1000)
        b.stop(daemon)
    b.stop(service)
    b.row("a provider's process died, until the next one answers", f"{max(times):.0f} ms",
          f"the slowest of {len(times)}; median {statistics.median(times):.0f} ms", "≤ 100 ms", max(times) <= 100)


def idle(b):
    b.head("Start, rest and many clients")
    index = gazetteer(b)
    starts, first = [], []
    for n in range(b.rounds):
        home = f"start{n}"
        begin = time.perf_counter()
        daemon, sock = b.daemon(home, index=index)
        ask(sock, "places.autocomplete", {"query": "berl"})
        first.append((time.perf_counter() - begin) * 1000)
        if n < b.rounds - 1:
            b.stop(daemon)
    b.row("start to first answer", f"{statistics.median(first):.0f} ms", "", "≤ 100 ms", statistics.median(first) <= 100)
    time.sleep(4)  # The daemon checks every second whether it was idle, and returns memory to the system if it was.
    rest = memory(daemon.pid)
    b.row("idle, private memory", f"{rest['private']:.1f} MB", "", "≤ 12 MB", rest["private"] <= 12)
    b.row("idle, resident memory", f"{rest['resident']:.1f} MB", "", "≤ 40 MB", rest["resident"] <= 40)
    time.sleep(2)  # Threads that have nothing to do end after five seconds.
    before = switches(daemon.pid)
    time.sleep(5)
    after = switches(daemon.pid)
    wakes = sum(after[task] - before[task] for task in before.keys() & after.keys()) / 5
    b.row("idle, wake-ups a second", f"{wakes:.1f}", "", "≤ 1", wakes <= 1)
    for n in range(3):
        ask(sock, "places.autocomplete", {"query": "berl", "language": "en", "limit": 4})
    requests = varied_requests(b.path("idle-requests"), 200)
    # The memory is also measured without idle connections, because the requests themselves need some.
    (before, _), (after, result) = (under_load(b, daemon.pid, sock, requests, count) for count in (0, 10_000))
    each = (after["private"] - before["private"]) * 1024 / 10_000
    b.row("10,000 idle connections, memory in all", f"{after['resident']:.1f} MB", f"{each:.2f} KiB a connection", "≤ 60 MB, 0.5 KiB each",
          after["resident"] <= 60 and each <= 0.5)
    b.row("10,000 idle connections, p99 of the others", f"{result['p99_us'] / 1000:.2f} ms", "", "≤ 1 ms", result["p99_us"] <= 1000)
    b.stop(daemon)


def inside(b):
    b.head("The gazetteer inside, beside a plain table with LIKE 'prefix%' ORDER BY population")
    if not b.data:
        return print("  left out: needs --data with geonames/cities500.txt.gz and load/keystrokes.tsv")
    done = subprocess.run([BUILT + "/places-quality", "bench-gazetteer", b.data], text=True, capture_output=True)
    print("  " + done.stdout.replace("\n", "\n  "))
    done = subprocess.run([BUILT + "/places-quality", "bench-merge"], text=True, capture_output=True)
    print("  " + done.stdout.replace("\n", "\n  "))


def described(b):
    """Compares the processor time of a call with a description and with the plugin in Swift, for the same service and the same answer."""
    b.head("A described provider beside a plugin in Swift, for Photon's answer of ten rows")
    data = [os.path.join(HERE, "Described/answer.json"), os.path.join(HERE, "../DescribedTests/Services/photon.toml")]

    def microseconds(kind):
        used = []
        for calls in (500, 5500):
            child = subprocess.Popen([BUILT + "/bench-described", kind, str(calls), *data], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            if status:
                raise RuntimeError(f"bench-described {kind} failed")
            used.append(usage.ru_utime + usage.ru_stime)
        return {"call": (used[1] - used[0]) / 5000 * 1e6}

    took = b.in_turn({kind: lambda kind=kind: microseconds(kind) for kind in ("swift", "described")})
    ours, other = took["described"]["call"], took["swift"]["call"]
    b.row("processor time of a call", f"{ours:.0f} µs", f"in Swift {other:.0f} µs, {ours / other:.2f} times", "≤ 1.3 times", ours <= 1.3 * other)


PARTS = {"cached": cached, "gateway": gateway, "uncached": uncached, "fanout": fanout, "deadlines": promises.deadlines, "kills": promises.kills,
         "sessions": promises.sessions,
         "idle": idle, "process": process, "restart": restart, "described": described, "inside": inside}


# The parts that --quick leaves out, unless --only names them.
LONG = {"inside", "deadlines", "kills", "sessions"}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help="take less than a minute: measure less exactly, and leave out the long parts")
    arguments.add_argument("--only", choices=PARTS, action="append")
    arguments.add_argument("--data", default="")
    options = arguments.parse_args()
    bench = Bench(options.quick, options.data)
    try:
        left_out = LONG if options.quick else set()
        for name in options.only or [name for name in PARTS if name not in left_out]:
            PARTS[name](bench)
    finally:
        bench.close()
    with open(os.path.join(OUT, "results.json"), "w") as file:
        json.dump(bench.rows, file, indent=1, ensure_ascii=False)
    missed = [row["what"] for row in bench.rows if row["met"] is False]
    if missed:
        sys.exit("\nNot reached: " + "; ".join(missed))


if __name__ == "__main__":
    main()
