#!/usr/bin/env python3
"""Measures the gazetteer on 24 thousand, 235 thousand, a million and ten million places, and draws the result.

    Tests/Benchmarks/scale.py --data FOLDER [--sizes 1000000,10000000] [--keep FOLDER] [--draw FILE.svg]

The first two sizes are real: Debian's cities, and GeoNames' cities500 of the data folder (https://download.geonames.org/export/dump/,
CC BY 4.0). places.py generates the others from the second. Ten million places take ten minutes to import and 4 GB of disk, so
`make bench` does not include this script. Times are processor time, which other work on the machine affects least.
"""
import argparse, json, math, os, re, shutil, subprocess, sys, tempfile, time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BUILT = os.path.join(ROOT, ".build", "release")
GOALS = {"texts with exact rows": 2, "texts without exact rows": 5, "with a country": 20, "within 1° × 1°": 20}
COLOURS = {"autocomplete": "#222222", "texts with exact rows": "#0072b2", "texts without exact rows": "#d55e00", "with a country": "#009e73",
           "within 1° × 1°": "#cc79a7", "with a bias": "#999999"}


def build(arguments, index):
    """Builds or extends an index. Returns the seconds, the seconds of processor time, and the peak of memory in MB."""
    begin = time.time()
    child = subprocess.Popen([BUILT + "/placesctl", "gazetteer", *arguments, "--index", index], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(errors.decode())
    return {"seconds": time.time() - begin, "processor": usage.ru_utime + usage.ru_stime, "memory_mb": usage.ru_maxrss / 1024}


def ask(data, index):
    """Measures the queries of the keystrokes. Returns the number of calls and the times in milliseconds of each kind of query, by its name."""
    done = subprocess.run([BUILT + "/places-quality", "bench-gazetteer", data, "--index", index, "--no-tables"], capture_output=True, text=True, check=True)
    result = {}
    for line in done.stdout.splitlines():
        found = re.match(r"^ *(\S.*?) {2,}(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) +(\d+)$", line)
        if found:
            result[found[1]] = {"calls": int(found[2]), "p50": int(found[4]) / 1000, "p99": int(found[6]) / 1000, "max": int(found[7]) / 1000}
    return result


def measure(name, data, steps, index):
    """Runs the steps that build the index, measures the last one and the queries, and prints the figures."""
    for arguments in steps:
        made = build(arguments, index)
    info = json.loads(subprocess.run([BUILT + "/placesctl", "gazetteer", "info", "--json", "--index", index], capture_output=True, text=True, check=True).stdout)
    row = {"name": name, "places": info["places"], "bytes": info["bytes"], **made, "queries": ask(data, index)}
    print(f"\n{name}: {row['places']:,} places, {row['bytes'] / 1e6:,.0f} MB; built in {made['seconds']:,.0f} s ({made['processor']:,.0f} s of the processor), "
          f"{made['memory_mb']:,.0f} MB of memory   (load of the machine: {os.getloadavg()[0]:.2f})")
    for query, times in row["queries"].items():
        goal = GOALS.get(query)
        print(f"  {query:<28} p50 {times['p50']:7.3f} ms   p99 {times['p99']:7.3f} ms   {f'goal {goal} ms' if goal else ''}"
              f"{'' if not goal or times['p99'] <= goal else '   NOT REACHED'}", flush=True)
    return row


def draw(rows, path):
    """Draws the 99th percentile of each kind of query against the number of places. Both axes are logarithmic."""
    left, right, top, bottom, width, height = 70, 230, 46, 56, 860, 460
    lows, highs = [10_000, 0.01], [20_000_000, 100]

    def x(places):
        return left + (width - left - right) * math.log10(places / lows[0]) / math.log10(highs[0] / lows[0])

    def y(milliseconds):
        return height - bottom - (height - top - bottom) * math.log10(max(milliseconds, lows[1]) / lows[1]) / math.log10(highs[1] / lows[1])

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
           f'<rect width="{width}" height="{height}" fill="#fff"/>',
           f'<text x="{left}" y="24" font-size="16">Gazetteer: 99th percentile of autocomplete, by the number of places</text>']
    for exponent in range(-2, 3):
        place = y(10 ** exponent)
        out.append(f'<path d="M{left} {place:.1f}H{width - right}" stroke="#ddd"/><text x="{left - 8}" y="{place + 4:.1f}" text-anchor="end">{10 ** exponent:g} ms</text>')
    for row in rows:
        place = x(row["places"])
        out.append(f'<path d="M{place:.1f} {top}V{height - bottom}" stroke="#eee"/><text x="{place:.1f}" y="{height - bottom + 20}" text-anchor="middle">{row["places"]:,}</text>')
    ends = []
    for name, colour in COLOURS.items():
        points = [(x(row["places"]), y(row["queries"][name]["p99"])) for row in rows if name in row["queries"]]
        if not points:
            continue
        out.append(f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
        ends.append([points[-1][1], name, colour, rows[-1]["queries"].get(name, {}).get("p99", 0)])
    # Each name is beside the end of its line, and no name covers another one.
    place = 0
    for end in sorted(ends):
        place = max(end[0], place + 17)
        out.append(f'<text x="{width - right + 10}" y="{place + 4:.1f}" fill="{end[2]}">{end[1]}: {end[3]:.2f} ms</text>')
    out.append(f'<text x="{left}" y="{height - 12}" fill="#666">Processor time on {machine()}; every size made and asked by Tests/Benchmarks/scale.py</text></svg>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


def machine():
    found = re.search(r"^model name\s*:\s*(.+)$", open("/proc/cpuinfo").read(), re.M)
    return f"{os.cpu_count()} cores of {found[1] if found else 'an unknown processor'}".replace("&", "and").replace("<", "")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", required=True)
    arguments.add_argument("--sizes", default="1000000,10000000")
    arguments.add_argument("--keep", help="a folder for the generated files, which later runs use again")
    arguments.add_argument("--draw")
    options = arguments.parse_args()
    folder = options.keep or tempfile.mkdtemp(prefix="placesd-scale-")
    os.makedirs(folder, exist_ok=True)
    dump = f"{options.data}/geonames/cities500.txt.gz"
    rows = []
    try:
        rows.append(measure("Debian's cities", options.data, [["build"]], f"{folder}/debian.db"))
        rows.append(measure("cities500", options.data, [["import", dump]], f"{folder}/cities500.db"))
        for size in map(int, filter(None, options.sizes.split(","))):
            made = f"{folder}/{size}"
            if not os.path.exists(f"{made}/places.tsv"):
                subprocess.run([os.path.join(os.path.dirname(__file__), "places.py"), str(size), dump, made], check=True)
            rows.append(measure(f"{size:,} made places", made, [["import", f"{made}/places.tsv", "--format", "geonames"]], f"{made}/gazetteer.db"))
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if options.draw:
        draw(rows, options.draw)


if __name__ == "__main__":
    main()
