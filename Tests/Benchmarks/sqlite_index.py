#!/usr/bin/env python3
"""Compares SQLite's FTS5 and R*Tree modules with the gazetteer's own index, in one run.

    Tests/Benchmarks/sqlite_index.py --data FOLDER [--sizes cities500,1000000]

A size is `cities500`, GeoNames' dump in the data folder (https://download.geonames.org/export/dump/, CC BY 4.0), or a number of places,
which places.py generates from that dump. For each size, the script builds:

    FTS5     one table of all names of a place (unicode61, diacritics removed, prefix indexes of 1 to 4 letters), in falling order of
             population, so that `ORDER BY rowid LIMIT 10` needs no sorting; the records; an R*Tree of the locations
    placesd  the same dump, imported by placesctl

and queries the texts of load/keystrokes.tsv. `hits` is the share of keystrokes for which the expected place is among the first
ten rows. Times are processor time; those of FTS5 include the few microseconds of Python's sqlite3 module. docs/decisions/0001-gazetteer-index.md
has the figures of one run.
"""
import argparse, gzip, os, random, re, shutil, sqlite3, subprocess, sys, tempfile, time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scale import ask, build, BUILT


def rows(dump):
    """The records of a dump, in falling order of population."""
    with (gzip.open(dump, "rt", encoding="utf-8") if dump.endswith(".gz") else open(dump, encoding="utf-8")) as file:
        places = [line.rstrip("\n").split("\t") for line in file]
    return sorted(places, key=lambda place: -int(place[14] or 0))


def fts5(dump, path):
    """Builds the tables; returns the seconds of processor time."""
    places = rows(dump)
    begin = time.process_time()
    database = sqlite3.connect(path)
    database.executescript("""
        PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
        CREATE TABLE place (rank INTEGER PRIMARY KEY, id INTEGER, record TEXT);
        CREATE VIRTUAL TABLE word USING fts5 (names, content = '', columnsize = 0, detail = none, prefix = '1 2 3 4',
                                               tokenize = 'unicode61 remove_diacritics 2');
        CREATE VIRTUAL TABLE spot USING rtree (rank, south, north, west, east);""")
    with database:
        for rank, place in enumerate(places, 1):
            latitude, longitude = float(place[4]), float(place[5])
            database.execute("INSERT INTO place VALUES (?, ?, ?)", (rank, int(place[0]), "\t".join(place)))
            database.execute("INSERT INTO word (rowid, names) VALUES (?, ?)", (rank, " ".join([place[1], place[2], place[3].replace(",", " ")])))
            database.execute("INSERT INTO spot VALUES (?, ?, ?, ?, ?)", (rank, latitude, latitude, longitude, longitude))
        database.execute("INSERT INTO word (word) VALUES ('optimize')")
    database.close()
    return time.process_time() - begin


def keystrokes(data):
    with open(f"{data}/load/keystrokes.tsv", encoding="utf-8") as file:
        header = next(file).rstrip("\n").split("\t")
        return [dict(zip(header, line.rstrip("\n").split("\t"))) for line in file]


def spread(times):
    """The median and the 99th percentile, in milliseconds."""
    times.sort()
    return {"p50": times[len(times) // 2] * 1e3, "p99": times[len(times) * 99 // 100] * 1e3}


def ask_fts5(data, path):
    """The times of the name queries and of the area queries, the share of hits, and the share of keystrokes without a row."""
    database = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    database.execute("PRAGMA mmap_size = 2147418112")
    sql = "SELECT id FROM word JOIN place ON place.rank = word.rowid WHERE word MATCH ? ORDER BY word.rowid LIMIT 10"
    times, hits, without = [], 0, 0
    typed = keystrokes(data)
    for keystroke in typed:
        words = re.findall(r"\w+", keystroke["typed"])
        begin = time.thread_time()
        # A table with `detail = none` supports no phrases. Prefixes of single words are enough here.
        found = database.execute(sql, (" AND ".join(f'"{word}"*' for word in words),)).fetchall() if words else []
        times.append(time.thread_time() - begin)
        hits += (int(keystroke["geonameid"]),) in found
        without += not found
    chosen = random.Random(1)
    points = database.execute("SELECT south, west FROM spot LIMIT 100000").fetchall()
    around = []
    for _ in range(2000):
        latitude, longitude = chosen.choice(points)
        begin = time.thread_time()
        database.execute("SELECT rank FROM spot WHERE south >= ? AND north <= ? AND west >= ? AND east <= ? LIMIT 100",
                         (latitude - 0.1, latitude + 0.1, longitude - 0.1, longitude + 0.1)).fetchall()
        around.append(time.thread_time() - begin)
    return spread(times), spread(around), hits / len(typed), without / len(typed)


def measure(name, data, dump, arguments, folder):
    mine, theirs = f"{folder}/placesd.db", f"{folder}/fts5.db"
    made = build(arguments, mine)
    seconds = fts5(dump, theirs)
    own = ask(data, mine)
    done = subprocess.run([BUILT + "/places-quality", "bench-gazetteer", data, "--index", mine, "--no-tables", "--hits"],
                          capture_output=True, text=True, check=True).stdout
    hits = float(re.search(r"^hits (\S+)$", done, re.M)[1])
    times, around, their_hits, without = ask_fts5(data, theirs)
    print(f"\n{name}   (load of the machine: {os.getloadavg()[0]:.2f})")
    print("                                  build s   file MB   p50 ms   p99 ms    hits   without a row")
    print(f"  FTS5 and R*Tree              {seconds:10.1f}{os.path.getsize(theirs) / 1e6:10.1f}{times['p50']:9.3f}{times['p99']:9.3f}{their_hits:8.3f}{without:10.3f}")
    print(f"  R*Tree alone, 0.2° × 0.2°    {'':20}{around['p50']:9.3f}{around['p99']:9.3f}")
    for kind in ("autocomplete", "texts with exact rows", "texts without exact rows"):
        if kind in own:
            first = kind == "autocomplete"
            print(f"  {'placesd' if first else '  ' + kind:<29}" + (f"{made['processor']:10.1f}{os.path.getsize(mine) / 1e6:10.1f}" if first else " " * 20)
                  + f"{own[kind]['p50']:9.3f}{own[kind]['p99']:9.3f}" + (f"{hits:8.3f}" if first else ""), flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", required=True)
    arguments.add_argument("--sizes", default="cities500,1000000")
    options = arguments.parse_args()
    dump = f"{options.data}/geonames/cities500.txt.gz"
    for size in options.sizes.split(","):
        folder = tempfile.mkdtemp(prefix="placesd-sqlite-")
        try:
            if size == "cities500":
                measure("cities500", options.data, dump, ["import", dump], folder)
            else:
                subprocess.run([os.path.join(os.path.dirname(__file__), "places.py"), size, dump, folder], check=True)
                measure(f"{int(size):,} made places", folder, f"{folder}/places.tsv", ["import", f"{folder}/places.tsv", "--format", "geonames"], folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
