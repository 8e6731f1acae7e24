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
    """Two rows: whether they mean the same place (label, 1 or 0), the set from which they come (origin), the fold to which they belong, their weight in
    training, and the part of the set, which is reported separately."""

    def __init__(self, a, b, label, origin, fold, weight=1.0, part=""):
        self.a, self.b, self.label, self.origin, self.fold, self.weight, self.part = a, b, label, origin, fold, weight, part

    def without(self, columns_a, columns_b, weight):
        """The pair with these columns of its rows left out. A `-` at the end of its origin says so."""
        drop = lambda row, columns: {k: v for k, v in row.items() if k not in columns}
        return Pair(drop(self.a, columns_a), drop(self.b, columns_b), self.label, self.origin + "-", self.fold, weight)


def metres(a, b):
    x = math.radians(b[1] - a[1]) * math.cos(math.radians((a[0] + b[0]) / 2))
    return 6_371_008.8 * math.hypot(x, math.radians(b[0] - a[0]))


def clean(value):
    value = (value or "").replace("\t", " ").replace("\n", " ").strip()
    return "" if value in ("None", "nan", "null") else value


POINT = {"latitude", "longitude"}


def overture(folder):
    """Labelled pairs of two sources of Overture, without their coordinates. Only one pair in nine has both coordinates, and mostly pairs of two places
    have them, so that their mere presence would predict the label."""
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
            yield pair.without(POINT, POINT, 3.0)


# The distances between two services' points of one business were measured: 4,368 pairs of OpenStreetMap with Foursquare and Yelp in two cities have a
# median of 35 to 39 m, 90 % are within 96 to 124 m, and 99 % within 344 to 444 m. The mixture of two log-normal distributions has 37 m, 111 m and 390 m.
def offset(generator):
    """A random distance in metres between two services' points of one business."""
    return 300 * math.exp(generator.gauss(0, 0.6)) if generator.random() < 0.03 else 37 * math.exp(generator.gauss(0, 0.8))


# The number of branches that a business has: (from metres, to metres, branches at this distance). With the offsets above, the share of pairs of one name
# that are the same place is in the measured ranges: 1.00 up to 100 m, 0.84 to 0.99 up to 200 m, 0.65 to 0.85 up to 350 m, 0.25 to 0.70 up to 500 m,
# 0.05 to 0.14 up to 750 m, 0.01 to 0.02 up to 1 km.
BRANCHES = ((100, 200, 0.004), (200, 350, 0.002), (350, 500, 0.002), (500, 750, 0.015), (750, 1_000, 0.04), (1_000, 3_000, 0.4))


def branch_distance(generator):
    low, high, _ = generator.choices(BRANCHES, [weight for _, _, weight in BRANCHES])[0]
    return generator.uniform(low, high)


def moved(place, distance, generator):
    angle = generator.random() * 2 * math.pi
    return (place[0] + math.cos(angle) * distance / 111_195, place[1] + math.sin(angle) * distance / 111_195 / max(0.05, math.cos(math.radians(place[0]))))


def put(row, place, **other):
    return {**row, "latitude": f"{place[0]:.6f}", "longitude": f"{place[1]:.6f}", **other}


def place_of(row):
    return float(row["latitude"]), float(row["longitude"])


def letters(name):
    """The letters and digits of a name, without case."""
    return "".join(c for c in name.lower() if c.isalnum())


def alike(a, b):
    """Whether two names share a word of three letters, or a fifth of their groups of three letters."""
    first, second = a["name"].lower(), b["name"].lower()
    if {w for w in first.split() if len(w) > 2} & {w for w in second.split() if len(w) > 2}: return True
    grams = lambda name: {name[i:i + 3] for i in range(max(1, len(name) - 2))}
    return len(grams(first) & grams(second)) >= 0.2 * len(grams(first) | grams(second))


CONTACT, STREET, CATEGORY = {"phone", "website"}, {"address", "house_number", "postcode", "locality"}, {"category"}
# The columns that each of a city's two services leaves out, with the share of its rows that lack them. The kinds of coverage: 0 everything is known,
# 1 no telephones, 2 OpenStreetMap against a service, 3 names and categories alone, 4 names alone.
COVERAGE = (
    ((), ()),
    (((CONTACT, 1), (CATEGORY, 0.3)), ((CONTACT, 1), (CATEGORY, 0.3))),
    (((CONTACT, 0.8), (STREET, 0.6)), ((CONTACT, 0.3), (STREET, 0.2))),
    (((CONTACT, 1), (STREET, 1)), ((CONTACT, 1), (STREET, 1))),
    (((CONTACT, 1), (STREET, 1), (CATEGORY, 1)), ((CONTACT, 1), (STREET, 0.3), (CATEGORY, 1))))


def cities(folder, seed=21, weight=1.0):
    """Pairs of Overture's labelled businesses, which are put into cities of about sixty businesses of one country, as two services would answer for a
    whole city. The points of true pairs differ by `offset`. Some rows have no partner, some have branches, and some lie in another place and are named
    after it. Every row is paired with the rows of the other service that have a similar name, and with some others."""
    generator = random.Random(seed)
    groups = defaultdict(list)
    for pair in overture(folder):
        if pair.a["country"] and pair.a["country"] == pair.b["country"]: groups[pair.fold, pair.a["country"]].append(pair)
    number = 0
    for fold, country in sorted(groups):
        for kind, coverage in enumerate(COVERAGE):
            group = list(groups[fold, country])
            generator.shuffle(group)
            if len(group) < 12: continue
            for start in range(0, len(group), 60):
                number += 1
                yield from city(group[start:start + 60], fold, kind, coverage, number, generator, weight)


def city(group, fold, kind, coverage, number, generator, weight):
    """The pairs of one city. Each city lies at a different place."""
    centre = (generator.uniform(-55, 60), -170 + (number % 3_400) * 0.1)
    streets = [moved(centre, generator.uniform(0, 1_800), generator) for _ in range(8)]
    town = next((pair.b["locality"] for pair in group if pair.b["locality"]), "")
    def anywhere(): return moved(generator.choice(streets), abs(generator.gauss(0, 300)), generator)
    def settled(row, place, later=False):
        """The row at a place in this town, with the town's name and postcode.
        later: whether it gets the next postcode, because the rows of the labelled pair have different ones."""
        cell = f"{int((place[0] - centre[0]) * 80 + 50):02d}{int((place[1] - centre[1]) * 80 + 50) + later:02d}"
        return put(row, place, id=f"{row['id']}/{kind}", locality=row["locality"] and town, region="", postcode=row["postcode"] and "4" + cell)
    lefts, rights, labels = [], [], {}
    for pair in group:
        same_town = not pair.a["locality"] or not pair.b["locality"] or pair.a["locality"].lower() == pair.b["locality"].lower()
        later = bool(pair.a["postcode"] and pair.b["postcode"]) and pair.a["postcode"][:5] != pair.b["postcode"][:5]
        here = anywhere()
        one_name, one_house = letters(pair.a["name"]) == letters(pair.b["name"]), pair.a["address"] and letters(pair.a["address"]) == letters(pair.b["address"])
        if pair.label or one_house: there = moved(here, offset(generator), generator)
        elif one_name or not same_town: there = moved(here, branch_distance(generator), generator)
        else: there = moved(here, offset(generator), generator) if generator.random() < 0.35 else anywhere()
        a, b = settled(pair.a, here), settled(pair.b, there, later)
        if generator.random() < 0.06 and pair.label and lefts:
            a, b = within(a, b, generator.randrange(len(lefts)), lefts, rights, generator)
        if pair.label and generator.random() < 0.25:
            if generator.random() < 0.5: lefts.append(a)
            else: rights.append(b)
            continue
        lefts.append(a)
        rights.append(b)
        labels[a["id"], b["id"]] = pair.label
        if generator.random() < sum(weight for _, _, weight in BRANCHES):
            other = generator.choice(group).b
            rights.append(settled({**b, "id": pair.b["id"] + "/branch", "address": other["address"] and b["address"] and other["address"], "phone": other["phone"] and b["phone"] and other["phone"]},
                                  moved(place_of(a), branch_distance(generator), generator)))
    def known(row, parts):
        hidden = set().union(*[columns for columns, share in parts if generator.random() < share])
        return {column: value for column, value in row.items() if column not in hidden}
    lefts, rights = [known(row, coverage[0]) for row in lefts], [known(row, coverage[1]) for row in rights]
    for a in lefts:
        rest = []
        for b in rights:
            if (a["id"], b["id"]) in labels or alike(a, b):
                yield Pair(a, b, labels.get((a["id"], b["id"]), 0), f"city{kind}", fold, weight)
            else:
                rest.append(b)
        rest.sort(key=lambda b: metres(place_of(a), place_of(b)))
        for b in rest[:1] + generator.sample(rest, min(2, len(rest))): yield Pair(a, b, 0, f"city{kind}", fold, weight)


def within(a, b, host, lefts, rights, generator):
    """The two rows, moved into a place that is already in the city, with one or both named after it."""
    place = place_of(lefts[host])
    name = lefts[host]["name"]
    forms = ("{} @ {}", "{} at {}", "{} | {}", "{}, {}", "{} - {}", "{} ({})", "{} in {}")
    here = moved(place, generator.uniform(5, 60), generator)
    a, b = put(a, here), put(b, moved(here, offset(generator), generator))
    b["name"] = generator.choice(forms).format(b["name"], name)
    if generator.random() < 0.3: a["name"] = generator.choice(forms).format(a["name"], name)
    return a, b


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
    """The true pairs, and for each Locu row the Foursquare rows with a similar name anywhere in New York, the nearest ones and some others. Locu's points
    are copies of Foursquare's, so one row of a true pair is moved by `offset`."""
    generator = random.Random(3)
    left, right = list(locu_rows(folder, "locu")), list(locu_rows(folder, "foursquare"))
    matches = locu_matches(folder)
    matched = {b for _, b in matches}
    for row in right:
        if row["id"] in matched and row["latitude"]: row.update(put(row, moved(place_of(row), offset(generator), generator)))
    # Many services know less than these two, so each pair is also used with columns left out.
    street = STREET | {"region", "country"}
    coverage = ((set(), set(), 1.0), (CONTACT, CONTACT, 0.5), (street, CONTACT, 1.0), (street, set(), 0.5), (street | CONTACT, street | CONTACT, 0.5))
    for number, a in enumerate(left):
        chosen = {b["id"]: b for b in right if (a["id"], b["id"]) in matches or alike(a, b)}
        if a["latitude"]:
            rest = sorted((b for b in right if b["latitude"]), key=lambda b: metres(place_of(a), place_of(b)))
            chosen.update({b["id"]: b for b in rest[:2] + generator.sample(rest, 2)})
        for b in chosen.values():
            pair = Pair(a, b, int((a["id"], b["id"]) in matches), "locu", number % 5)
            for index, (columns_a, columns_b, weight) in enumerate(coverage):
                made = pair.without(columns_a, columns_b, weight)
                made.origin = "locu" if index == 0 else "locu-"
                # Each kind of coverage is a separate answer.
                made.a["source"], made.b["source"] = f"locu{index}", f"foursquare{index}"
                yield made


def towns(folder, seed=5, share=0.06):
    """Pairs of a GeoNames town with itself as another service would describe it, with one name, often in another script or spelling, and the point moved
    as far as services differ; and pairs with neighbours and namesakes."""
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
        """Another name of the town, mostly one in another script if there is one. Codes, links and lower-case transliterations are left out."""
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
            return made.without(POINT, set(), weight * 0.5) if generator.random() < 0.06 else made
        yield pair(row, 1)
        near = neighbours(row)[:6]
        for other in near[:3] + generator.sample(near, min(1, len(near))): yield pair(rows[other], 0)
        namesakes = [i for i in names[row[1]] if rows[i][0] != row[0] and metres(row[3:5], rows[i][3:5]) > 5_000]
        if namesakes:
            closest = min(namesakes, key=lambda i: metres(row[3:5], rows[i][3:5]))
            yield pair(rows[closest], 0, 0.3)


# A script's name, the ranges of its letters, and the countries that use it.
SCRIPTS = (
    ("Cyrillic", ((0x400, 0x52F),), "RU UA BY BG RS MK KZ KG MN TJ"), ("Greek", ((0x370, 0x3FF), (0x1F00, 0x1FFF)), "GR CY"),
    ("Arabic", ((0x600, 0x6FF), (0x750, 0x77F)), "EG SA IQ SY JO LB AE OM YE KW QA BH LY TN DZ MA SD IR AF PK PS"), ("Hebrew", ((0x590, 0x5FF),), "IL"),
    ("Thai", ((0xE00, 0xE7F),), "TH"), ("Devanagari", ((0x900, 0x97F),), "IN NP"), ("Bengali", ((0x980, 0x9FF),), "BD IN"), ("Tamil", ((0xB80, 0xBFF),), "IN LK"),
    ("Georgian", ((0x10A0, 0x10FF),), "GE"), ("Armenian", ((0x530, 0x58F),), "AM"), ("Hangul", ((0xAC00, 0xD7A3),), "KR KP"), ("Kana", ((0x3040, 0x30FF),), "JP"),
    ("Chinese", ((0x3400, 0x9FFF),), "CN TW HK"), ("Kanji", ((0x3400, 0x9FFF),), "JP"), ("Khmer", ((0x1780, 0x17FF),), "KH"), ("Burmese", ((0x1000, 0x109F),), "MM"),
    ("Ethiopic", ((0x1200, 0x137F),), "ET"), ("Lao", ((0xE80, 0xEFF),), "LA"))


def scripts(folder, each=400, seed=11):
    """Pairs of a GeoNames town by its main name with the same town by a name in another script, the country's own ("native") or any other ("foreign"),
    and its point moved by up to some kilometres; and pairs with the nearest town that has a name in that script, and with one of the next four. The names
    include former names and exonyms, of which only the point shows which town they mean."""
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
