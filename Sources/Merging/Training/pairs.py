"""Makes labelled pairs of rows for training from the data folder: businesses from Overture and Locu-Foursquare, towns from GeoNames."""
import csv
import gzip
import json
import math
import random
from collections import defaultdict
from pathlib import Path

COLUMNS = ("source id name other_names latitude longitude address house_number postcode locality region country phone website category").split()


class Pair:
    """Two rows, whether they mean the same place, the set they come from, the fold they belong to, their weight in training, and the part of the
    set that is told apart in reports."""

    def __init__(self, a, b, label, origin, fold, weight=1.0, part=""):
        self.a, self.b, self.label, self.origin, self.fold, self.weight, self.part = a, b, label, origin, fold, weight, part

    def without(self, columns_a, columns_b, weight):
        drop = lambda row, columns: {k: v for k, v in row.items() if k not in columns}
        return Pair(drop(self.a, columns_a), drop(self.b, columns_b), self.label, self.origin + "-", self.fold, weight)


def metres(a, b):
    x = math.radians(b[1] - a[1]) * math.cos(math.radians((a[0] + b[0]) / 2))
    return 6_371_008.8 * math.hypot(x, math.radians(b[0] - a[0]))


def clean(value):
    value = (value or "").replace("\t", " ").replace("\n", " ").strip()
    return "" if value in ("None", "nan", "null") else value


PLACE = {"latitude", "longitude"}


def overture(folder):
    """Labelled pairs of two sources of Overture. Only one pair in nine has both coordinates, mostly pairs that differ, so that the
    mere presence would tell the answer: the pairs are taken without them."""
    with open(folder / "match/overture/pairs.tsv", newline="", encoding="utf-8") as file:
        for index, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)):
            sides = []
            for side in "ab":
                sides.append({
                    "source": side, "id": clean(row["id_" + side]), "name": clean(row["name_" + side]), "address": clean(row["freeform_" + side]),
                    "postcode": clean(row["postcode_" + side]), "locality": clean(row["locality_" + side]), "region": clean(row["region_" + side]),
                    "country": clean(row["country_" + side]), "phone": clean(row["phone_" + side]), "website": clean(row["web_" + side]),
                    "category": clean(row["cat_" + side]), "latitude": clean(row["lat_" + side]), "longitude": clean(row["lon_" + side])})
            pair = Pair(sides[0], sides[1], int(row["label"]), "overture", index % 5)
            yield pair.without(PLACE, PLACE, 1.0)


def locu_rows(folder, name):
    for row in json.load(open(folder / f"match/locu-foursquare/{name}_train.json", encoding="utf-8")):
        yield {
            "source": name, "id": row["id"], "name": clean(row["name"]), "address": clean(row["street_address"]),
            "postcode": clean(row["postal_code"]), "locality": clean(row["locality"]), "region": clean(row["region"]),
            "country": clean(row["country"]), "phone": clean(row["phone"]), "website": clean(row["website"]),
            "latitude": "" if row["latitude"] is None else str(row["latitude"]),
            "longitude": "" if row["longitude"] is None else str(row["longitude"])}


def locu_matches(folder):
    with open(folder / "match/locu-foursquare/matches_train.csv", newline="") as file:
        return {(row["locu_id"], row["foursquare_id"]) for row in csv.DictReader(file)}


def locu(folder):
    """The true pairs, and for each Locu row its nearest and its most similarly named Foursquare rows that are others."""
    left, right = list(locu_rows(folder, "locu")), list(locu_rows(folder, "foursquare"))
    matches = locu_matches(folder)
    grams = lambda name: {name.lower()[i:i + 3] for i in range(max(1, len(name) - 2))}
    place = lambda row: (float(row["latitude"]), float(row["longitude"])) if row["latitude"] else None
    random.seed(3)
    for number, a in enumerate(left):
        scored = []
        for b in right:
            same = (a["id"], b["id"]) in matches
            likeness = len(grams(a["name"]) & grams(b["name"])) / len(grams(a["name"]) | grams(b["name"]))
            distance = metres(place(a), place(b)) if place(a) and place(b) else 1e6
            scored.append((same, likeness, -distance, b))
        nearest = sorted(scored, key=lambda s: s[2])[-4:]
        alike = [s for s in sorted(scored, key=lambda s: s[1])[-3:] if s[1] > 0.2]
        chosen = {s[3]["id"]: s for s in nearest + alike + [s for s in scored if s[0]]}
        for same, _, _, b in chosen.values():
            pair = Pair(a, b, int(same), "locu", number % 5)
            yield pair
            # Services know less of many places than these two do.
            contact, street = {"phone", "website"}, {"phone", "website", "address", "postcode", "locality", "region", "country"}
            yield pair.without(contact, contact, 0.5)
            yield pair.without(street, contact, 1.0)
            yield pair.without(street, set(), 0.5)
            yield pair.without(street, street, 0.5)


def towns(folder, seed=5, share=0.06):
    """Towns of GeoNames against themselves as another service would have them: one name each, often in another script or spelling, moved by
    what services differ; and against their neighbours and namesakes."""
    generator = random.Random(seed)
    regions = {}
    for line in open(folder / "geonames/admin1CodesASCII.txt", encoding="utf-8"):
        code, name, *_ = line.rstrip("\n").split("\t")
        regions[code] = name
    rows = []
    with gzip.open(folder / "geonames/cities500.txt.gz", "rt", encoding="utf-8") as file:
        for line in file:
            f = line.rstrip("\n").split("\t")
            rows.append((f[0], f[1], f[3].split(",") if f[3] else [], float(f[4]), float(f[5]), f[8], regions.get(f[8] + "." + f[10], ""), int(f[14] or 0)))
    cells, names = defaultdict(list), defaultdict(list)
    for index, row in enumerate(rows):
        cells[(int(row[3] * 5), int(row[4] * 5))].append(index)
        names[row[1]].append(index)
    def neighbours(row):
        y, x = int(row[3] * 5), int(row[4] * 5)
        found = [i for dy in (-1, 0, 1) for dx in (-1, 0, 1) for i in cells[(y + dy, x + dx)] if rows[i][0] != row[0]]
        return sorted(found, key=lambda i: metres(row[3:5], rows[i][3:5]))
    def other_name(row):
        """Mostly in another script, where there is one; codes, tails and transliterations that GeoNames made itself are left out."""
        latin, foreign = [], []
        for name in row[2]:
            if len(name) < 2 or name.isupper() or name.startswith("http"): continue
            (latin if all(ord(c) < 0x250 for c in name) else foreign).append(name)
        latin = [n for n in latin if n[0].isupper()]
        pick = generator.random()
        if foreign and pick < 0.55: return generator.choice(foreign)
        if latin and pick < 0.7: return generator.choice(latin)
        return row[1]
    def decorated(row, name):
        pick = generator.random()
        if pick < 0.05: return f"{name} ({row[6]})" if row[6] else name
        if pick < 0.08: return f"{name}, {row[6]}" if row[6] else name
        if pick < 0.10: return f"City of {name}"
        return name
    def moved(row):
        median = generator.choice((150, 500, 900, 2_500, 5_000))
        distance = median * math.exp(generator.gauss(0, 0.9))
        angle = generator.random() * 2 * math.pi
        return (row[3] + math.cos(angle) * distance / 111_195,
                row[4] + math.sin(angle) * distance / 111_195 / max(0.05, math.cos(math.radians(row[3]))))
    def side(row, name, place, source, bare):
        made = {"source": source, "id": row[0], "name": clean(name), "latitude": f"{place[0]:.5f}", "longitude": f"{place[1]:.5f}"}
        if not bare: made.update(country=row[5], category="city", region=row[6])
        return made
    wanted = [i for i, row in enumerate(rows) if generator.random() < share * (1 if row[2] else 0.3)]
    for number, index in enumerate(wanted):
        row = rows[index]
        bare = generator.random() < 0.7
        def pair(other, label, weight=1.0):
            a = side(row, row[1], row[3:5], "a", bare)
            b = side(other, decorated(other, other_name(other)), moved(other), "b", bare or generator.random() < 0.5)
            made = Pair(a, b, label, "towns", number % 5, weight)
            return made.without(PLACE, set(), weight * 0.5) if generator.random() < 0.06 else made
        yield pair(row, 1)
        near = neighbours(row)[:6]
        for other in near[:3] + generator.sample(near, min(1, len(near))): yield pair(rows[other], 0)
        namesakes = [i for i in names[row[1]] if rows[i][0] != row[0] and metres(row[3:5], rows[i][3:5]) > 5_000]
        if namesakes:
            closest = min(namesakes, key=lambda i: metres(row[3:5], rows[i][3:5]))
            yield pair(rows[closest], 0, 0.3)


# A script's name, where its letters lie, and where it is at home.
SCRIPTS = (
    ("Cyrillic", ((0x400, 0x52F),), "RU UA BY BG RS MK KZ KG MN TJ"), ("Greek", ((0x370, 0x3FF), (0x1F00, 0x1FFF)), "GR CY"),
    ("Arabic", ((0x600, 0x6FF), (0x750, 0x77F)), "EG SA IQ SY JO LB AE OM YE KW QA BH LY TN DZ MA SD IR AF PK PS"), ("Hebrew", ((0x590, 0x5FF),), "IL"),
    ("Thai", ((0xE00, 0xE7F),), "TH"), ("Devanagari", ((0x900, 0x97F),), "IN NP"), ("Bengali", ((0x980, 0x9FF),), "BD IN"), ("Tamil", ((0xB80, 0xBFF),), "IN LK"),
    ("Georgian", ((0x10A0, 0x10FF),), "GE"), ("Armenian", ((0x530, 0x58F),), "AM"), ("Hangul", ((0xAC00, 0xD7A3),), "KR KP"), ("Kana", ((0x3040, 0x30FF),), "JP"),
    ("Chinese", ((0x3400, 0x9FFF),), "CN TW HK"), ("Kanji", ((0x3400, 0x9FFF),), "JP"), ("Khmer", ((0x1780, 0x17FF),), "KH"), ("Burmese", ((0x1000, 0x109F),), "MM"),
    ("Ethiopic", ((0x1200, 0x137F),), "ET"), ("Lao", ((0xE80, 0xEFF),), "LA"))


def scripts(folder, each=400, seed=11):
    """Towns of GeoNames by their main name and by one in another script: of the country's own ("native") or any other ("foreign"), moved by
    up to some kilometres; against the nearest town that has a name in that script, and against one of the next four. GeoNames holds former names and
    exonyms too; those only their place can tell."""
    generator = random.Random(seed)
    rows, cells = [], defaultdict(list)
    with gzip.open(folder / "geonames/cities500.txt.gz", "rt", encoding="utf-8") as file:
        for line in file:
            f = line.rstrip("\n").split("\t")
            cells[int(float(f[4]) * 5), int(float(f[5]) * 5)].append(len(rows))
            rows.append((f[0], f[1], f[3].split(","), float(f[4]), float(f[5]), f[8]))
    def moved(row):
        distance = generator.choice((generator.uniform(0, 2_000), generator.uniform(0, 2_000), 700 * math.exp(generator.gauss(0, 1)), 1_000 * math.exp(generator.gauss(0, 1.1))))
        angle = generator.random() * 2 * math.pi
        return (row[3] + math.cos(angle) * distance / 111_195,
                row[4] + math.sin(angle) * distance / 111_195 / max(0.05, math.cos(math.radians(row[3]))))
    number = 0
    for script, ranges, home in SCRIPTS:
        inside = lambda c: any(low <= ord(c) <= high for low, high in ranges)
        named = {}
        for index, row in enumerate(rows):
            found = [n for n in row[2] if n and inside(n[0]) and all(inside(c) or not c.isalpha() for c in n)]
            if found: named[index] = found
        for kind in ("native", "foreign"):
            if script == "Kanji" and kind == "foreign": continue
            known = [i for i in named if (rows[i][5] in home.split()) == (kind == "native")]
            generator.shuffle(known)
            for index in known[:each]:
                row = rows[index]
                y, x = int(row[3] * 5), int(row[4] * 5)
                near = sorted((metres(row[3:5], rows[i][3:5]), i) for dy in (-1, 0, 1) for dx in (-1, 0, 1) for i in cells.get((y + dy, x + dx), ()) if i != index and i in named)
                bare = generator.random() < 0.7
                others = [i for _, i in near[:1]] + ([generator.choice(near[1:5])[1]] if len(near) > 1 else [])
                for other in [index] + others:
                    place = moved(rows[other])
                    a = {"source": "a", "id": row[0], "name": clean(row[1]), "latitude": row[3], "longitude": row[4]}
                    b = {"source": "b", "id": rows[other][0], "name": clean(generator.choice(named[other])), "latitude": f"{place[0]:.5f}", "longitude": f"{place[1]:.5f}"}
                    if not bare:
                        a.update(country=row[5], category="city")
                        b.update(country=rows[other][5], category="city")
                    yield Pair(a, b, int(other == index), kind, number % 5, part=script)
                number += 1


def write(pairs, file):
    file.write("\t".join(f"{side}_{column}" for side in "ab" for column in COLUMNS) + "\n")
    for pair in pairs:
        file.write("\t".join(str(row.get(column, "")) for row in (pair.a, pair.b) for column in COLUMNS) + "\n")
