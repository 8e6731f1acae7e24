"""Measures the built program on pairs and records that are known to be the same place or not.

usage: evaluate.py DATA PLACES_QUALITY        (needs Python alone)

Prints F1, precision and recall beside their goals. The exit status is 1 if a goal is missed. As pairs: Overture's businesses, as they are
and in cities; towns of GeoNames in two scripts, with one name each, script by script; and a harder set of towns. As clusters of records:
the same businesses; the same towns in two scripts; the restaurant lists of Locu and Foursquare; and towns as four sources would have them,
with names shortened, qualified or exchanged, points moved, and one in five records missing. The records of towns are clustered twice: with
the probability of `places-quality match --records`, and with those of the daemon.

The weights in the program were fitted to all labelled businesses and to most of the towns, so these figures are not held out: they show
what the program does with pairs that it knows. train.py measures pairs that the weights have not seen, and checks that the weights are
those of the program.
"""
import collections
import gzip
import io
import itertools
import math
import random
import subprocess
import sys
from pathlib import Path

import pairs as source

# The seeds of the random cities (`pairs.cities`). The weights were fitted to other seeds (train.DRAWS), whose cities have the same
# businesses, but other points, neighbours and fields.
DRAWS = (22, 41, 42, 43)

# The least F1, precision of `same` and recall of `same` of a set of pairs. For cities: the least mean F1, and the least precision and
# recall in each city except the hardest.
OVERTURE = (0.92, 0.97, 0.76)
CITIES_F1, CITIES_SAME = 0.93, (0.96, 0.85)
IN_SCRIPTS = (0.95, 0.97, 0)


def clusters(rows, program, *options):
    """The pairs of rows that the program puts into one cluster, as pairs of indexes."""
    text = "\t".join(source.COLUMNS) + "\n" + "".join("\t".join(str(row.get(c, "")) for c in source.COLUMNS) + "\n" for row in rows)
    output = subprocess.run([program, "match", "--records", *options], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    members = collections.defaultdict(list)
    for index, line in enumerate(output): members[line.split("\t")[1]].append(index)
    return {pair for group in members.values() for pair in itertools.combinations(group, 2)}


missed = []


def goals(name, *figures):
    """The text of the goals of a row. Each figure is its name, the value and the least value that is good enough."""
    missed.extend(f"{name}: {what} {value:.4f}, goal {least}" for what, value, least in figures if round(value, 3) < least)
    return f"  [goal: {', '.join(f'{what} {least}' for what, _, least in figures)}]"


def report(name, rows, truth, program, goal=None, *options):
    found = clusters(rows, program, *options)
    report_records(name, len(rows), len(found & truth), len(found), len(truth), goal)


def report_records(name, count, right, found, true, goal=None):
    f1, precision, recall = scores(right, found, true)
    print(f"  {name:26s} {count:6d} records: F1 {f1:.4f} (precision {precision:.3f}, recall {recall:.3f})"
          + (goals(f"{name}, as records", ("F1", f1, goal)) if goal else ""))


def scores(right, found, true):
    """F1, precision and recall, from the number of right pairs among those found, of all found pairs and of all true pairs."""
    precision, recall = right / max(1, found), right / max(1, true)
    return 2 * precision * recall / max(1e-9, precision + recall), precision, recall


def judged(pairs, program):
    """For each pair its label, and the probability and the decision of the program."""
    text = io.StringIO()
    source.write(pairs, text)
    output = subprocess.run([program, "match", "--pairs"], input=text.getvalue(), capture_output=True, text=True, check=True).stdout.splitlines()
    return [(pair.label, *line.split("\t")) for pair, line in zip(pairs, output)]


SAME_FIGURES = "F1", "precision of same", "recall of same"


def report_pairs(name, verdicts, goal=()):
    """Prints the figures of pairs, and returns F1, precision of `same` and recall of `same`; `goal` is the least of each, 0 for none."""
    true = sum(label for label, _, _ in verdicts)
    likely = [label for label, probability, _ in verdicts if float(probability) >= 0.5]
    sure = [label for label, _, decision in verdicts if decision == "same"]
    f1, precision, recall = scores(sum(likely), len(likely), true)
    _, sure_precision, sure_recall = scores(sum(sure), len(sure), true)
    figures = f1, sure_precision, sure_recall
    print(f"  {name:18s} {len(verdicts):6d} pairs: F1 {f1:.4f} (precision {precision:.3f}, recall {recall:.3f}); "
          f"same: precision {sure_precision:.3f}, recall {sure_recall:.3f}"
          + (goals(name, *[figure for figure in zip(SAME_FIGURES, figures, goal) if figure[2]]) if goal else ""))
    return figures


def two_scripts(folder, program):
    """Reports pairs of another draw of towns and names than the one to which the weights were fitted, and returns them. In some scripts few
    towns have names, so most of these towns are in both draws; only the five folds of train.py measure towns that the weights have not
    seen."""
    pairs = list(source.scripts(folder, each=250, seed=12))
    verdicts = judged(pairs, program)
    parts = collections.defaultdict(list)
    for pair, verdict in zip(pairs, verdicts):
        parts[pair.origin].append(verdict)
        parts[f"  {pair.part} {pair.origin}"].append(verdict)
    report_pairs("all", verdicts, IN_SCRIPTS)
    for part in sorted(parts, key=lambda part: (part.startswith(" "), part)): report_pairs(part, parts[part])
    hard = [pair for pair in source.towns(folder, share=0.03) if any(ord(c) > 0x36F for c in pair.b["name"])]
    report_pairs("hard", judged(hard, program))
    return pairs


def report_scripts(pairs, program, name, goal, *options):
    """Reports the same towns as records of two sources, one script at a time."""
    right = found = true = count = 0
    for script, _, _ in source.SCRIPTS:
        rows, truth, index = [], set(), {}
        for pair in pairs:
            if pair.part != script: continue
            for row in (pair.a, pair.b):
                if (row["source"], row["id"]) not in index:
                    index[row["source"], row["id"]] = len(rows)
                    rows.append(row)
        for side, id in index:
            if side == "a" and ("b", id) in index: truth.add(tuple(sorted((index["a", id], index["b", id]))))
        joined = clusters(rows, program, *options)
        right, found, true, count = right + len(joined & truth), found + len(joined), true + len(truth), count + len(rows)
    report_records(name, count, right, found, true, goal)


def businesses(folder, program):
    """Reports Overture's businesses in cities, as pairs and as the records of two services, one kind of coverage at a time. Each draw is a
    separate answer; their pairs are counted together."""
    draws = collections.defaultdict(list)
    for seed in DRAWS:
        parts = collections.defaultdict(list)
        for pair in source.cities(folder, seed=seed): parts[pair.origin].append(pair)
        for part, pairs in parts.items(): draws[part].append(pairs)
    # The range of the precision over single draws shows how much of a difference is chance.
    figures, spread = {}, {}
    for part, of_draws in sorted(draws.items()):
        verdicts = [judged(pairs, program) for pairs in of_draws]
        figures[part] = report_pairs(part, [verdict for of_draw in verdicts for verdict in of_draw])
        spread[part] = [precision_of_same(of_draw) for of_draw in verdicts]
    print("    precision of same in single draws: " + ", ".join(f"{part} {min(values):.3f} to {max(values):.3f}" for part, values in spread.items()))
    hardest = min(figures, key=lambda part: figures[part][2])
    mean = sum(f1 for f1, _, _ in figures.values()) / len(figures)
    print(f"  mean F1 {mean:.4f}" + goals("cities", ("mean F1", mean, CITIES_F1)))
    for part, (_, *same) in figures.items():
        print(f"  {part}:" + (" the hardest, without a goal" if part == hardest else goals(part, *zip(SAME_FIGURES[1:], same, CITIES_SAME))))
    print("The same as records of two services, one draw:")
    for part, of_draws in sorted(draws.items()):
        index, rows = {}, []
        for pair in of_draws[0]:
            for row in (pair.a, pair.b):
                if (row["source"], row["id"]) not in index:
                    index[row["source"], row["id"]] = len(rows)
                    rows.append(row)
        truth = {tuple(sorted((index["a", pair.a["id"]], index["b", pair.b["id"]]))) for pair in of_draws[0] if pair.label}
        report(part, rows, truth, program)


def precision_of_same(verdicts):
    sure = [label for label, _, decision in verdicts if decision == "same"]
    return sum(sure) / max(1, len(sure))


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


def main():
    data, program = Path(sys.argv[1]), sys.argv[2]
    print("Pairs of Overture without points. The weights in the program were fitted to all of them; see train.py for held-out pairs:")
    report_pairs("overture", judged(list(source.overture(data)), program), OVERTURE)
    draws = ", ".join(map(str, DRAWS))
    print(f"Pairs of businesses in cities, draws {draws}. The weights in the program were fitted to the same businesses in other draws:")
    businesses(data, program)
    print("Pairs of towns in two scripts, another draw than the one to which the weights were fitted, mostly of the same towns:")
    in_scripts = two_scripts(data, program)
    print("Clusters of records, joined as by `match --records`:")
    four_sources = settlements(data)
    report_scripts(in_scripts, program, "two scripts", 0.985)
    # Locu's points are copies of Foursquare's, so this set says nothing about distances. The bound only shows regressions.
    report("locu-foursquare", *restaurants(data), program, 0.975)
    report("four sources", *four_sources, program, 0.99)
    print("Clusters of records, joined as in an answer of the daemon:")
    report_scripts(in_scripts, program, "two scripts", None, "--as-daemon")
    report("four sources", *four_sources, program, None, "--as-daemon")
    for text in missed: print(f"Missed: {text}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
