#!/usr/bin/env python3
"""Kills the released daemon while paid calls are in progress, and sets its clocks. Fails if the ledger disagrees with the service, which
counts its requests.

    Tests/Benchmarks/money.py [--kills NUMBER] [--only kills|clock]

The daemon has two paid providers, both with the plugin for Google: the budget of `capped` is used up after two thirds of the kills, and
that of `open` never. After each kill, the requests that the service has received are compared with the ledger's file as the kill left it:

- The service has received no request that is not in the ledger, and from `capped` no more than its budget permits.
- The ledger has counted more requests than the service, but at most as many more as queries were in progress at the kills. A query needs
  one request, which is reserved before it is sent. A reservation that a kill leaves counts as spent, because the request may have been sent.
- The database is intact, and the next daemon makes paid calls without a confirmation.
"""
import argparse, datetime, json, os, random, selectors, shutil, signal, socket, sqlite3, struct, subprocess, sys, threading, time

import bench

CALLS_PER_KILL = 4  # The budget of `capped` is this number times the number of kills.
UNDER_WAY = 16  # The number of queries in progress.
ANSWER = json.dumps({"suggestions": [{"placePrediction": {
    "placeId": "A1", "text": {"text": "Berlin, Germany"}, "structuredFormat": {"mainText": {"text": "Berlin"}}}}]}).encode()
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(ANSWER), ANSWER)


class Service(threading.Thread):
    """Counts the requests at each of its ports, and answers after up to 20 ms or, one time in twenty, closes the connection instead."""

    def __init__(self, names):
        super().__init__(daemon=True)
        # The numbers of requests and the ports, by name. `idle_rounds` counts the rounds of the loop without a connection or an event.
        self.seen, self.ports, self.idle_rounds = dict.fromkeys(names, 0), {}, 0
        # The name and the unread bytes of each connection. Of each answer that is due: the time, the connection, and whether it is sent. If
        # it is not sent, the connection is closed.
        self.pick, self.connections, self.due_answers = random.Random(5), {}, []
        self.selector = selectors.DefaultSelector()
        for name in names:
            listener = socket.create_server(("127.0.0.1", 0), backlog=256)
            listener.setblocking(False)
            self.ports[name] = listener.getsockname()[1]
            self.selector.register(listener, selectors.EVENT_READ, name)
        self.start()

    def run(self):
        while True:
            ready = self.selector.select(0.002)
            if not ready and not self.connections:
                self.idle_rounds += 1
            for key, _ in ready:
                if isinstance(key.data, str):
                    peer, _ = key.fileobj.accept()
                    peer.setblocking(False)
                    self.connections[peer] = [key.data, b""]
                    self.selector.register(peer, selectors.EVENT_READ)
                else:
                    self.read(key.fileobj)
            now = time.monotonic()
            for _, peer, answers in [entry for entry in self.due_answers if entry[0] <= now]:
                if peer in self.connections:
                    self.answer(peer) if answers else self.close(peer)
            self.due_answers = [entry for entry in self.due_answers if entry[0] > now]

    def read(self, peer):
        try:
            data = peer.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            return self.close(peer)
        entry = self.connections[peer]
        entry[1] += data
        while b"\r\n\r\n" in entry[1]:
            head, _, body = entry[1].partition(b"\r\n\r\n")
            length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
            if len(body) < length:
                break
            entry[1] = body[length:]
            self.seen[entry[0]] += 1
            self.due_answers.append((time.monotonic() + self.pick.uniform(0, 0.02), peer, self.pick.random() >= 0.05))

    def answer(self, peer):
        try:
            peer.send(REPLY)
        except OSError:
            self.close(peer)

    def close(self, peer):
        if self.connections.pop(peer, None):
            self.selector.unregister(peer)
            peer.close()

    def settled(self):
        """The counts after all requests have been read that a daemon sent before its end."""
        idle_rounds, end = self.idle_rounds, time.monotonic() + 30
        while self.idle_rounds < idle_rounds + 2:
            if time.monotonic() > end:
                raise RuntimeError("the service still reads requests of a daemon that has ended")
            time.sleep(0.001)
        return dict(self.seen)


class Queries:
    """A connection with queries in progress. Each query is a new one, so that its answer is not cached."""

    def __init__(self, path, pick):
        self.pick, self.answered, self.sent, self.rest = pick, 0, 0, b""
        end = time.monotonic() + 30
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                break
            except OSError:
                self.socket.close()
                if time.monotonic() > end:
                    raise
                time.sleep(0.001)

    def send(self, count, providers=None):
        for _ in range(count):
            self.sent += 1
            names = providers or ["open"] + ["capped"] * (self.pick.random() < 0.125)
            self.socket.sendall(json.dumps({
                "jsonrpc": "2.0", "id": self.sent, "method": "places.autocomplete",
                "params": {"query": f"berl {self.pick.random()}", "providers": names, "deadlineMs": 5000}}).encode() + b"\n")

    def receive(self, seconds):
        """The replies that arrive within this time; an empty list if none arrives or the daemon has ended."""
        self.socket.settimeout(max(0.0001, seconds))
        try:
            data = self.socket.recv(1 << 18)
        except (TimeoutError, ConnectionError):
            return []
        *lines, self.rest = (self.rest + data).split(b"\n")
        self.answered += len(lines)
        return [json.loads(line) for line in lines]


def configuration(b, service, home, calls):
    """Writes the configuration, with the daily budget of each provider."""
    for folder in ("state", "cache"):
        os.makedirs(f"{home}/{folder}")
    with open(home + "/key", "w") as file:
        os.chmod(home + "/key", 0o600)
        file.write("not-a-real-key")
    with open(home + "/placesd.toml", "w") as file:
        file.write(f'[daemon]\nstate_dir = "{home}/state"\ncache_dir = "{home}/cache"\n[providers.gazetteer]\nenabled = false\n')
        for name, limit in calls.items():
            file.write(f'[providers.{name}]\nplugin = "google"\nenabled = true\napi_key_file = "{home}/key"\n'
                       f'base_url = "http://127.0.0.1:{service.ports[name]}"\nallow_private_addresses = true\nfailure_share = 1\n'
                       f'rate = {{ per_second = 10000, burst = 10000, concurrent = {UNDER_WAY} }}\n'
                       f'budget = {{ calls_per_day = {limit}, user_share = 1 }}\n')


def start(b, home, **options):
    return b.start(b.built + "/placesd", "--config", home + "/placesd.toml", "--socket", home + "/placesd.sock", **options)


def ledger(b, home):
    """The result of the integrity check, and the requests of each provider in the ledger's file. A copy is opened, because opening the file
    would change it."""
    copy = b.path("copy.db")
    for suffix in ("", "-wal"):
        if os.path.exists(f"{home}/state/ledger.db{suffix}"):
            shutil.copyfile(f"{home}/state/ledger.db{suffix}", copy + suffix)
        elif os.path.exists(copy + suffix):
            os.remove(copy + suffix)
    database = sqlite3.connect(copy)
    try:
        check = database.execute("PRAGMA integrity_check").fetchone()[0]
        found = dict(database.execute("SELECT provider, sum(reserved_calls + spent_calls) FROM entries GROUP BY provider"))
    finally:
        database.close()
    return check, found


def kills(b, count):
    pick, home, faults = random.Random(3), b.path("money"), []
    service, cap = Service(["open", "capped"]), CALLS_PER_KILL * count
    configuration(b, service, home, {"open": 1_000_000_000, "capped": cap})
    under_way, excess, begin, first_day = 0, {}, time.monotonic(), datetime.datetime.now(datetime.UTC).date()
    lives, least_under_way, capped_at = 0, UNDER_WAY, None
    for number in range(count):
        daemon = start(b, home)
        queries = Queries(home + "/placesd.sock", pick)
        queries.send(UNDER_WAY)
        # One kill in ten happens while the daemon starts, the others after the answer to its first paid call.
        is_paid, end = number % 10 == 9, time.monotonic() + (pick.uniform(0, 0.1) if number % 10 == 9 else 30)
        while time.monotonic() < end:
            replies = queries.receive(end - time.monotonic())
            queries.send(len(replies))
            if not is_paid and any(report["provider"] == "open" and report["outcome"] == "ok"
                                   for reply in replies for report in reply.get("result", {}).get("providers", [])):
                is_paid, end = True, time.monotonic() + pick.uniform(0, 0.15)
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()
        b.children.remove(daemon)
        while queries.receive(0.05):
            pass
        queries.socket.close()
        lives += queries.answered
        under_way += queries.sent - queries.answered
        least_under_way = min(least_under_way, queries.sent - queries.answered)
        seen = service.settled()
        check, written = ledger(b, home)
        if not is_paid:
            faults.append(f"kill {number}: the daemon made no paid call in 30 s")
        if check != "ok":
            faults.append(f"kill {number}: integrity_check says {check}")
        days = (datetime.datetime.now(datetime.UTC).date() - first_day).days + 1
        for name in seen:
            # The excess must not become smaller: then a request without a reservation would have been hidden by an earlier excess.
            before, excess[name] = excess.get(name, 0), written.get(name, 0) - seen[name]
            if not before <= excess[name] <= under_way:
                faults.append(f"kill {number}: {name} has received {seen[name]} requests, the ledger holds {written.get(name, 0)}, {before} more "
                              f"before this start, and {under_way} queries were under way at the kills")
        if seen["capped"] > cap * days or written.get("capped", 0) > cap * days:
            faults.append(f"kill {number}: capped has received {seen['capped']} requests of {cap}")
        if capped_at is None and written.get("capped", 0) >= cap:
            capped_at = number
        if faults:
            break
    log = open(b.path("placesd.log")).read()
    for line in log.splitlines():
        if "paid calls are off" in line or "confirm" in line:
            faults.append(line)
    if not faults and (capped_at is None or capped_at < count / 4):
        faults.append(f"the budget of capped was used up at kill {capped_at} of {count}: that shows too little")
    print(f"  {number + 1} kills in {time.monotonic() - begin:.0f} s, {lives} answers, {least_under_way} or more queries under way at each: "
          f"requests {service.seen['open']} + {service.seen['capped']}, the ledger has {excess['open']} + {excess['capped']} more, at most "
          f"{under_way}; the cap of {cap} was reached at kill {capped_at}", flush=True)
    return faults


HOUR, DAY = 3_600, 86_400


def clock(b):
    home, faults = b.path("clock"), []
    service = Service(["capped"])
    configuration(b, service, home, {"capped": 10})
    library, clocks = b.path("clock.so"), b.path("clocks")
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", "-o", library, os.path.join(bench.HERE, "clock.c")], check=True)
    # The daemon starts at noon, and days ahead of the file system's clock, which is not changed. So the ledger's mark never seems older
    # than its file, even after the daemon's clock is set back.
    ahead, noon = [0, 0], 3 * DAY + DAY // 2 - int(time.time()) % DAY
    with open(clocks, "wb") as file:
        file.write(bytes(16))

    def set_clocks(wall=0, elapsed=0):
        ahead[0] += wall + elapsed
        ahead[1] += elapsed
        with open(clocks, "r+b") as file:
            file.write(struct.pack("qq", *ahead))

    def run():
        daemon = start(b, home, env={**os.environ, "LD_PRELOAD": library, "CLOCKS": clocks})
        bench.wait_for(home + "/placesd.sock")
        return daemon

    def spend(what, *allowed):
        """Makes fifteen queries; the service must receive one of the allowed numbers of requests."""
        before, queries = service.seen["capped"], Queries(home + "/placesd.sock", random.Random(time.monotonic()))
        for _ in range(15):
            queries.send(1, ["capped"])
            deadline = time.monotonic() + 30
            while queries.answered < queries.sent:
                if time.monotonic() > deadline:
                    sys.exit(f"{what}: no answer within 30 s")
                queries.receive(1)
        queries.socket.close()
        received = service.seen["capped"] - before
        print(f"  {what}: {received} requests", flush=True)
        if received not in allowed:
            faults.append(f"{what}: {received} requests, not {' or '.join(map(str, allowed))}")

    set_clocks(wall=noon)
    daemon = run()
    spend("budget of ten a day", 10)
    set_clocks(wall=DAY)
    spend("a day ahead", 0)
    b.stop(daemon)
    daemon = run()
    spend("a day ahead, restarted", 0)
    set_clocks(wall=-DAY)
    spend("and back", 0)
    set_clocks(wall=-DAY)
    spend("a day behind", 0)
    b.stop(daemon)
    daemon = run()
    spend("a day behind, restarted", 0)
    set_clocks(wall=DAY)
    jump = 2_713_910_400 - int(time.time()) - ahead[0]
    set_clocks(wall=jump)
    spend("in 2056", 0)
    set_clocks(elapsed=30 * HOUR)
    spend("in 2056, thirty hours later", *range(11))
    set_clocks(wall=-jump)
    spend("back from 2056", 0)
    set_clocks(elapsed=2 * DAY)
    spend("two days later", 10)
    set_clocks(elapsed=DAY)
    spend("three days later", 10)
    b.stop(daemon)
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=400)
    parser.add_argument("--only", choices=["kills", "clock"])
    options = parser.parse_args()
    b, faults = bench.Bench(True, ""), []
    try:
        if options.only != "clock":
            print("Killed while paid calls are under way", flush=True)
            faults += kills(b, options.kills)
        if options.only != "kills":
            print("A clock that is set", flush=True)
            faults += clock(b)
    finally:
        b.close()
    sys.exit("\n".join(faults) or 0)


if __name__ == "__main__":
    main()
