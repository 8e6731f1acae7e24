"""Measures clusters of records against what is known to be the same, with the program as it is built.

usage: evaluate.py DATA PLACES_QUALITY        (needs Python alone)

Prints F1, precision and recall over pairs of records within clusters: the two restaurant lists of Locu and Foursquare, and towns of GeoNames as
four sources would have them: names shortened, qualified or exchanged, points moved, one in five records missing.
"""
import collections
import gzip
import itertools
import math
import random
import subprocess
import sys
from pathlib import Path

import pairs as source


def clusters(rows, program):
    text = "\t".join(source.COLUMNS) + "\n" + "".join("\t".join(str(row.get(c, "")) for c in source.COLUMNS) + "\n" for row in rows)
    output = subprocess.run([program, "match", "--records"], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    members = collections.defaultdict(list)
    for index, line in enumerate(output): members[line.split("\t")[1]].append(index)
    return {pair for group in members.values() for pair in itertools.combinations(group, 2)}


def report(name, rows, truth, program):
    found = clusters(rows, program)
    right = len(found & truth)
    precision, recall = right / max(1, len(found)), right / len(truth)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    print(f"{name:16s} {len(rows):6d} records  F1 {f1:.4f}  precision {precision:.4f}  recall {recall:.4f}")


def restaurants(folder):
    rows = list(source.locu_rows(folder, "locu")) + list(source.locu_rows(folder, "foursquare"))
    index = {(row["source"], row["id"]): number for number, row in enumerate(rows)}
    return rows, {(index["locu", a], index["foursquare", b]) for a, b in source.locu_matches(folder)}


def settlements(folder, seed=9, count=900):
    generator = random.Random(seed)
    regions = {}
    for line in open(folder / "geonames/admin1CodesASCII.txt", encoding="utf-8"):
        code, name, *_ = line.rstrip("\n").split("\t")
        regions[code] = name
    with gzip.open(folder / "geonames/cities500.txt.gz", "rt", encoding="utf-8") as file:
        towns = [line.rstrip("\n").split("\t") for line in file]
    place = lambda town: (float(town[4]), float(town[5]))
    namesakes = collections.defaultdict(list)
    for town in towns: namesakes[town[1]].append(town)
    chosen = []
    for town in generator.sample([t for t in towns if int(t[14] or 0) > 20_000], count):
        chosen.append(town)
        others = [t for t in namesakes[town[1]] if source.metres(place(town), place(t)) > 15_000]
        if others and generator.random() < 0.5: chosen.append(generator.choice(others))
    rows, truth = [], set()
    for town in {t[0]: t for t in chosen}.values():
        members = []
        region = regions.get(town[8] + "." + town[10])
        latin = [n for n in town[3].split(",") if n[:1].isupper() and not n.isupper() and all(ord(c) < 0x250 for c in n)]
        for number in range(4):
            if generator.random() < 0.2: continue
            distance = generator.choice((300, 800, 800, 4_000)) * math.exp(generator.gauss(0, 0.9))
            angle = generator.random() * 2 * math.pi
            latitude = float(town[4]) + math.cos(angle) * distance / 111_195
            longitude = float(town[5]) + math.sin(angle) * distance / 111_195 / max(0.05, math.cos(math.radians(float(town[4]))))
            name = town[1]
            if number == 1 and region and generator.random() < 0.3: name = f"{name}, {region}"
            if number == 2 and region and generator.random() < 0.3: name = f"{name} ({region[:4]})"
            if number == 3 and latin and generator.random() < 0.25: name = generator.choice(latin)
            members.append(len(rows))
            rows.append({"source": f"s{number}", "id": len(rows), "name": name, "latitude": f"{latitude:.5f}", "longitude": f"{longitude:.5f}"})
        truth.update(itertools.combinations(members, 2))
    return rows, truth


if __name__ == "__main__":
    data, program = Path(sys.argv[1]), sys.argv[2]
    report("locu-foursquare", *restaurants(data), program)
    report("four sources", *settlements(data), program)
