#!/usr/bin/env python3
"""Counts the cost of requests to the released daemon, and of building an index, and fails if a count exceeds its threshold below.

    Tests/Benchmarks/counts.py

It counts the allocations of a request with a library that replaces the C library's (counting.c); the instructions of a request with
callgrind, if valgrind is installed; and the peak of memory of building an index of Debian's cities.

Counts differ less between machines than times do. They differ by a few hundredths, because the C library chooses its routines by the
processor, and because the daemon's periodic work has a greater share on a busy machine. Callgrind does not understand the debug
information of this compiler, so it runs copies of the programs without that information.
"""
import glob, itertools, os, re, shutil, socket, statistics, struct, subprocess, sys, tempfile, time, uuid

import bench

# Each threshold is about one tenth above the highest of several measurements, because the counts of cached requests differ by up to 700
# instructions between two starts of the daemon. If a change makes a request cheaper, lower its threshold.
ALLOCATIONS = {"cached": 0.1, "cached, a new session each": 0.1, "cached, a session's next keystroke": 0.1,
               "cached, worded as never before": 0.1, "uncached": 360, "asked of eight providers": 2_100}
INSTRUCTIONS = {"cached": 6_600, "cached, a new session each": 9_000, "cached, a session's next keystroke": 7_700,
                "cached, worded as never before": 6_500, "uncached": 1_090_000, "asked of eight providers": 4_150_000}
# The cost of a described provider, as a multiple of the cost of the plugin for the same service, Photon.
RATIOS = {"a described provider's call": 1.22}
MEGABYTES = {"an index of Debian's cities": 120}

# The number of parts in which the requests of a kind are counted. The median of the parts is reported.
PARTS = 3


def patient(lines):
    """The requests with the longest deadline, because callgrind slows the daemon down: with the usual one, a busy machine misses it."""
    return [line.replace('"cache"', '"deadlineMs":30000,"cache"') for line in lines]


def requests(b):
    """The requests of each kind, by the name of the kind. The requests of a kind differ only in ways that must not change their cost."""
    varied = open(bench.varied_requests(b.path("varied"))).read().splitlines()
    words = [a + e + c for a in "bdfgklmnprst" for e in "aeiou" for c in "lmnrst"]
    return {
        "cached": [line for line in varied if "session" not in line],
        "cached, a new session each": [line for line in varied if "session" in line],
        "cached, a session's next keystroke": [
            '{"jsonrpc":"2.0","id":%d,"method":"places.autocomplete",'
            '"params":{"query":"%s","language":"en","limit":4,"session":"%s","seq":@}}' % (
                number, bench.PREFIXES[number % 16], uuid.UUID(int=number % 50)) for number in range(1000)],
        "cached, worded as never before": [
            '{"jsonrpc":"2.0","id":%d,"method":"places.autocomplete","params":{"query":"%s","language":"en","limit":4,"deadlineMs":%d}}'
            % (number, bench.PREFIXES[number % 16], 100 + number) for number in range(1000)],
        "uncached": patient('{"jsonrpc":"2.0","id":%d,"method":"places.autocomplete","params":{"query":"%s","cache":"bypass"}}' % pair
                            for pair in enumerate(words)),
    }


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.file = self.socket.makefile("rwb")
        self.numbers = itertools.count(10_000)

    def ask(self, lines):
        """Sends each line and waits for its reply. Replaces `@` in a line by a number that is greater than all numbers before."""
        for line in lines:
            self.file.write(line.replace("@", str(next(self.numbers))).encode() + b"\n")
            self.file.flush()
            reply = self.file.readline()
            if b'"error"' in reply:
                raise RuntimeError(f"the request {line} failed: {reply.decode()}")


def warmed_up_client(b, sock):
    """A client of a daemon that has the answers to bench.PREFIXES in its cache."""
    # Answers that precede the reading of the user's choices from the disk are cached for two seconds only. These requests wait for that.
    for number in range(20):
        bench.ask(sock, "places.autocomplete", {"query": f"first {number}"})
    for query in bench.PREFIXES:
        for _ in range(2):
            bench.ask(sock, "places.autocomplete", {"query": query, "language": "en", "limit": 4})
    return Client(sock)


def measured_daemons(b):
    """The daemons to measure: of each the name, the index and the configuration, and the requests of each kind."""
    configuration, _, fanned = bench.eight_providers(b, 1)
    return [(("gazetteer", bench.gazetteer(b), ""), requests(b)),
            (("providers", None, configuration), {"asked of eight providers": patient(fanned[:200])})]


def start_preloaded(b, library, name, index, configuration, **environment):
    """Starts a daemon, with LD_PRELOAD if `library` is not None. Returns its process and a client that has filled its cache."""
    if library is None:
        child, sock = b.daemon("plain-" + name, configuration, index)
        return child, warmed_up_client(b, sock)
    built = os.path.join(bench.OUT, library + ".so")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", built, os.path.join(bench.HERE, library + ".c")], check=True)
    os.environ.update(environment, LD_PRELOAD=built)
    try:
        child, sock = b.daemon(library + "-" + name, configuration, index)
    finally:
        del os.environ["LD_PRELOAD"]
    return child, warmed_up_client(b, sock)


def allocations(b):
    """The allocations of a request of each kind."""
    counter, found = b.path("counter"), {}
    read = lambda: struct.unpack("Q", open(counter, "rb").read(8))[0]
    for daemon, kinds in measured_daemons(b):
        with open(counter, "wb") as file:
            file.write(bytes(8))
        child, client = start_preloaded(b, "counting", *daemon, COUNTER=counter)
        for name, lines in kinds.items():
            client.ask(lines)
            rounds = []
            # The lowest of three rounds is used, because the daemon's periodic work may be in one of them.
            for _ in range(3):
                before = read()
                client.ask(lines)
                rounds.append((read() - before) / len(lines))
            found[name] = min(rounds)
        b.stop(child)
    return found


def instructions(b):
    """The instructions of a request of each kind, counted by callgrind."""
    bare, found = b.path("bare"), {}
    os.makedirs(bare)
    for program in [bench.BUILT + "/placesd", *glob.glob(bench.BUILT + "/*.so")]:
        subprocess.run(["strip", "-g", "-o", os.path.join(bare, os.path.basename(program)), program], check=True)
    for daemon, kinds in measured_daemons(b):
        report = b.path("callgrind-" + daemon[0])
        start, built = b.start, bench.BUILT
        b.start = lambda *command, **options: start(
            "valgrind", "--tool=callgrind", "--instr-atstart=no", "--callgrind-out-file=" + report, *command, **options)
        bench.BUILT = bare
        try:
            child, client = start_preloaded(b, None, *daemon)
        finally:
            b.start, bench.BUILT = start, built
        control = lambda *command: subprocess.run(["callgrind_control", *command, str(child.pid)], check=True, capture_output=True)
        dumps = itertools.count(1)
        for name, lines in kinds.items():
            client.ask(lines[:200])
            parts = []
            # The median is used, because the daemon's periodic work may be in one of the parts.
            for part in range(PARTS):
                asked = lines[part::PARTS]
                control("--instr=on")
                client.ask(asked)
                control("--instr=off")
                control("--dump")
                text = open(f"{report}.{next(dumps)}").read()
                parts.append(int(re.search(r"^totals: (\d+)", text, re.M).group(1)) / len(asked))
            found[name] = statistics.median(parts)
        b.stop(child)
    return found


def ratios(b):
    """The instructions of a call with a description, divided by those of a call with the plugin in Swift."""
    bare = b.path("bare-described")
    os.makedirs(bare)
    for file in ["bench-described", "libPlacesKit.so"]:
        subprocess.run(["strip", "-g", "-o", os.path.join(bare, file), os.path.join(bench.BUILT, file)], check=True)
    tests = os.path.join(bench.HERE, "..")
    data = [os.path.join(bench.HERE, "Described/answer.json"), os.path.join(tests, "DescribedTests/Services/photon.toml")]

    def per_call(kind):
        counts = []
        for calls in (20, 120):
            done = subprocess.run(
                ["valgrind", "--tool=callgrind", "--callgrind-out-file=" + b.path("described.callgrind"), bare + "/bench-described", kind, str(calls), *data],
                check=True, capture_output=True, text=True, env={**os.environ, "LD_LIBRARY_PATH": bare})
            counts.append(int(re.search(r"Collected *: *(\d+)", done.stderr).group(1)))
        return (counts[1] - counts[0]) / 100

    return {"a described provider's call": per_call("described") / per_call("swift")}


def megabytes(b):
    """The peak of resident memory of building the index."""
    build = subprocess.Popen([bench.BUILT + "/placesctl", "gazetteer", "build", "--quiet", "--index", b.path("built.db")], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(build.pid, 0)
    if status:
        raise RuntimeError("no index could be made of Debian's cities")
    return {"an index of Debian's cities": usage.ru_maxrss * 1024 / 1e6}


def main():
    b, failed = bench.Bench(True, ""), False
    measures = [("megabytes of memory", megabytes, MEGABYTES), ("allocations", allocations, ALLOCATIONS)]
    if shutil.which("valgrind"):
        measures += [("instructions", instructions, INSTRUCTIONS), ("times the plugin's instructions", ratios, RATIOS)]
    else:
        print("valgrind is not installed: instructions are not counted")
    try:
        for what, measure, thresholds in measures:
            for name, count in measure(b).items():
                limit = thresholds[name]
                failed |= count > limit
                print(f"  {name:<35} {count:>12,.{2 if count < 10 else 1}f} {what}, at most {limit:,}" + ("   TOO MANY" if count > limit else ""))
    finally:
        b.close()
    sys.exit(failed)


if __name__ == "__main__":
    main()
