#!/usr/bin/env python3
"""Generates any number of places, to measure the gazetteer with far more places than there are cities.

    Tests/Benchmarks/places.py COUNT CITIES FOLDER

Reads GeoNames' cities (CITIES, such as cities500.txt.gz: https://download.geonames.org/export/dump/, CC BY 4.0) and writes these
files, which are the same for the same arguments:

    FOLDER/places.tsv           COUNT places in the nineteen columns of a GeoNames dump
    FOLDER/load/keystrokes.tsv  2,000 sessions of typing names of these places, as load/keystrokes.tsv of the data sets

A name consists of the halves of two real names. One place in three also has a name in another script. The place at
rank r of importance has 30,000,000 / r^0.9 people (Zipf's law with the exponent that cities have), and lies near a real city, which is
chosen by its population. Sessions choose places by their population; one in five mistypes a letter after the third.
"""
import gzip, itertools, os, random, sys

SESSIONS = 2000
ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class City:
    __slots__ = ("latitude", "longitude", "country", "region")

    def __init__(self, columns):
        self.latitude, self.longitude, self.country, self.region = float(columns[4]), float(columns[5]), columns[8], columns[10]


def read(path):
    """Reads GeoNames' cities. Returns the cities, the running sums of their populations, the first and the second halves of their names, and
    lists of their names in other scripts, one list for each script."""
    cities, populations, heads, tails, foreign = [], [], [], [], {}
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            columns = line.rstrip("\n").split("\t")
            cities.append(City(columns))
            populations.append(int(columns[14] or 0) + 100)
            name = columns[1]
            middle = max(1, len(name) // 2)
            heads.append(name[:middle])
            tails.append(name[middle:].lower().strip(" -'’"))
            for other in columns[3].split(",")[:12]:
                if other and ord(other[0]) > 0x370 and "\u0300" not in other:
                    # The upper bits of a letter separate the scripts well enough. Han and Hangul become several lists with enough names each.
                    foreign.setdefault(ord(other[0]) >> 9, []).append(other)
                    break
    return cities, list(itertools.accumulate(populations)), heads, tails, list(foreign.values())


def population(rank):
    """The population of the place at this rank, from 0."""
    return int(30_000_000 / (rank + 1) ** 0.9)


def write_places(path, count, seed, data):
    """Writes the places. Returns (id, name) of the places that the typing sessions choose."""
    cities, populations, heads, tails, foreign = data
    weights = [len(names) for names in foreign]
    pick = random.Random(seed)
    stride = 7_368_787  # A prime, so that each rank occurs once, and not in the order of importance.
    chosen = {}
    for rank in pick.choices(range(count), weights=[(rank + 1) ** -0.9 for rank in range(count)], k=SESSIONS):
        chosen.setdefault(rank, "")
    with open(path, "w", encoding="utf-8") as file:
        uniform, gauss, whole = pick.random, pick.gauss, len(heads)
        for start in range(0, count, 10_000):
            size = min(10_000, count - start)
            nearby_cities = pick.choices(cities, cum_weights=populations, k=size)
            scripts = pick.choices(foreign, weights=weights, k=size)
            lines = []
            for offset, (city, script) in enumerate(zip(nearby_cities, scripts)):
                number = start + offset
                rank = number * stride % count
                name = heads[int(uniform() * whole)] + tails[int(uniform() * whole)]
                others = ""
                if uniform() < 0.33:
                    first, second = script[int(uniform() * len(script))], script[int(uniform() * len(script))]
                    others = first[: (len(first) + 1) // 2] + second[len(second) // 2 :]
                latitude = min(89.9, max(-89.9, city.latitude + gauss(0, 0.15)))
                longitude = (city.longitude + gauss(0, 0.2) + 540) % 360 - 180
                lines.append(f"{100_000_000 + number}\t{name}\t{name}\t{others}\t{latitude:.5f}\t{longitude:.5f}\tP\tPPL\t{city.country}\t\t"
                             f"{city.region}\t\t\t\t{population(rank)}\t\t\t\t2026-01-01\n")
                if rank in chosen:
                    chosen[rank] = (100_000_000 + number, others if others and uniform() < 0.3 else name)
            file.write("".join(lines))
            if sys.stderr.isatty():
                print(f"\r{start + size:,} of {count:,} places", end="\n" if start + size == count else "", file=sys.stderr, flush=True)
    return [place for place in chosen.values() if place]


def mistype(name, pick):
    """The name with two letters swapped, one left out or one wrong, from the fourth on."""
    if len(name) < 6:
        return name
    at = pick.randrange(3, len(name) - 1)
    return pick.choice([name[:at] + name[at + 1] + name[at] + name[at + 2:], name[:at] + name[at + 1:], name[:at] + pick.choice(ALPHABET) + name[at + 1:]])


def write_keystrokes(path, places, seed):
    pick = random.Random(seed)
    with open(path, "w", encoding="utf-8") as file:
        file.write("session\tgeonameid\tlang\tt_ms\ttyped\tfinal\n")
        for session, (id, name) in enumerate(places):
            text = mistype(name, pick) if pick.random() < 0.2 else name
            end, clock = min(len(text), pick.randrange(3, 16)), 0
            for length in range(1, end + 1):
                clock += pick.randrange(90, 400)
                file.write(f"{session}\t{id}\ten\t{clock}\t{text[:length]}\t{int(length == end)}\n")


def main():
    if len(sys.argv) != 4 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    count, cities, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    os.makedirs(f"{folder}/load", exist_ok=True)
    places = write_places(f"{folder}/places.tsv", count, 1, read(cities))
    write_keystrokes(f"{folder}/load/keystrokes.tsv", places, 2)


if __name__ == "__main__":
    main()
