"""Fits the weights of the matching model and writes them as Swift, with the figures that they reach.

usage: train.py DATA PLACES_QUALITY [WEIGHTS.swift]      (needs python3-scipy; about four minutes, eight on a busy machine)

DATA is the directory with match/ and geonames/; PLACES_QUALITY is the built program, whose `features` command prints the features of a
pair. Without a file to write, it only prints the figures of five folds; each fold is judged by weights that were fitted to the other four;
and it compares the weights that a fit to all pairs gives with those of the program. The exit status is 1 if a goal is missed, or if the
program's weights are others.
"""
import io
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

# One thread is faster, because the matrices are narrow and threads would mostly wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy
from scipy.optimize import minimize

import pairs as source

# FOR names features that are evidence for the same place: their weights are not negative. AGAINST names features that are evidence against
# it: their weights are not positive. The weights of the features in FREE, even if AGAINST names them too, and of all other features may
# have either sign.
FOR = set("sameName sameCore sameHead highOverlap edits highEdits jaroWinkler skeleton highSkeleton sharedWeight sharedNames otherScriptSkeleton characters "
          "otherScript sameHouse nearHouse sameStreet samePostcode sameLocality samePhone sameDomain sameCategory sameGroup restFitsCategory "
          "likeNameSameAddress likeNameSamePhone aheadOfRivals".split())
AGAINST = set("numberConflict numberInOne modifierConflict modifierInOne partInOne partConflict insertedWords facilityConflict facilityInOne insideOther endOfOther firstWordInOne restUnlikeCategory behindRival behindAtDistance lesserRest greaterRest firstDoubling secondDoubling thirdDoubling fourthDoubling beyondFourDoublings villageConflict sameNameDistance "
              "otherScriptDistance houseConflict streetConflict unitConflict postcodeConflict localityConflict regionConflict countryConflict "
              "phoneConflict pageConflict domainConflict groupConflict extentConflict unlikeNameSameAddress unlikeNameSamePhone "
              "sameNameHouseConflict sameNamePhoneConflict localityConflictNoPoint regionConflictNoPoint countryConflictNoPoint".split())
FREE = {"unlikeNameSameAddress", "unlikeNameSamePhone", "sameNameHouseConflict", "sameNamePhoneConflict", "sameNameDistance", "otherScriptDistance",
        "additionSameAddress", "sameGroupSameAddress", "samePhonePageConflict", "middleOverlap",
        "sameHouseNoPoint", "houseConflictNoPoint", "streetConflictNoPoint", "likeNameSameAddressNoPoint", "partCategoryInOne"}

# Bounds of weights (least, greatest) that the sets alone would not give: they have few pairs such as North Hall and South Hall, or the
# Museum of Modern Art and the Museum of Art.
MOST = {"numberConflict": (None, -2.5), "modifierConflict": (None, -3.2), "insideOther": (None, -2.0), "tailOfOther": (None, -2.0), "insertedWords": (None, -1.0), "countryConflict": (None, -2.0),
        "extentConflict": (None, -0.7),
        # Without a point only the areas distinguish the branches of a chain; the sets have few of them.
        "localityConflictNoPoint": (None, -2.5), "countryConflictNoPoint": (None, -3.0)}

# The sets of towns have no quarters, and a quarter of a town is not the town: Mitte, Berlin is not Berlin. Without points only the region
# and the country distinguish namesakes.
MOST_OF_AREAS = {**MOST, "insideOther": (None, -6.0), "tailOfOther": (None, -6.0), "localityConflictNoPoint": (None, -4.0), "regionConflictNoPoint": (None, -2.5), "countryConflictNoPoint": (None, -4.0)}


def features(pairs, program):
    text = io.StringIO()
    source.write(pairs, text)
    output = subprocess.run([program, "features"], input=text.getvalue(), capture_output=True, text=True, check=True).stdout.splitlines()
    names = output[0].split("\t")[1:]
    cells = [line.split("\t") for line in output[1:]]
    return names, [c[0] for c in cells], numpy.array([[float(v) for v in c[1:]] for c in cells])


def fit(x, y, weight, names, penalty, most=MOST):
    bounds = [most[n] if n in most else (None, None) if n in FREE or (n not in FOR and n not in AGAINST) else (0, None) if n in FOR else (None, 0) for n in names]
    free = numpy.array([0.0 if n == "prior" else 1.0 for n in names])
    total = weight.sum()

    def loss(w):
        z = x @ w
        p = 1 / (1 + numpy.exp(-z))
        value = (weight * (numpy.logaddexp(0, z) - y * z)).sum() + penalty * (free * w * w).sum()
        gradient = x.T @ (weight * (p - y)) + 2 * penalty * free * w
        return value / total, gradient / total

    return minimize(loss, numpy.zeros(x.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 800}).x


def scores(p, y, threshold=0.5):
    hit = ((p >= threshold) & (y == 1)).sum()
    precision, recall = hit / max(1, (p >= threshold).sum()), hit / max(1, (y == 1).sum())
    return 2 * precision * recall / max(1e-9, precision + recall), precision, recall


# The seeds of the random cities (`pairs.cities`). Several draws of the same businesses differ in their points and in what is known, which
# makes the weights and the figures steadier.
DRAWS = (21, 31, 32, 33)

# The least F1, precision of `same` and recall of `same` of a set of pairs. For cities: the least mean F1, and the least precision and
# recall in each city except the hardest.
GOALS = {"overture": (0.92, 0.97, 0.76), "native": (0.95, 0.97, 0), "foreign": (0.95, 0.97, 0)}
CITIES = (0.93, 0.96, 0.85)


# The greatest expected calibration error of the held-out probabilities of businesses, of all pairs and of those with a probability of at
# least 0.1. Nine in ten pairs of the cities are in the lowest bin, which alone would make the former small.
CALIBRATION = (0.03, 0.03)

# How much the probabilities of the program may differ from those of a fit to all pairs: the mean difference of the pairs of a model.
# Features may change a little after the weights were fitted, and scipy's versions end at slightly different weights.
STALE = 0.005

MATCHING = Path(__file__).resolve().parent.parent / "Matching"

# The measured share of pairs of one name that are the same place: (from metres, to metres, least share, greatest share). See
# pairs.BRANCHES.
SHARES = ((0, 100, 1.0, 1.0), (100, 200, 0.84, 0.99), (200, 350, 0.65, 0.85), (350, 500, 0.25, 0.70), (500, 750, 0.05, 0.14), (750, 1_000, 0.01, 0.02), (1_000, 10_000, 0, 0))


def thresholds():
    """The probability from which on two rows are the same, for rows with points and for others, as in PairClassifier.sameThreshold."""
    text = (MATCHING / "PairClassifier.swift").read_text()
    found = re.findall(r"func sameThreshold\(areLocated: Bool\) -> Double \{ areLocated \? ([0-9.]+) : ([0-9.]+) \}", text)
    if len(found) != 1: sys.exit("train.py: sameThreshold(areLocated:) in Matching/PairClassifier.swift is not written as expected; adapt thresholds()")
    return tuple(map(float, found[0]))


def shipped(model, names):
    """The weights of a table in ClassifierWeights.swift, in the order of the features' names."""
    text = (MATCHING / "ClassifierWeights.swift").read_text()
    table = re.search(rf"static let {model} = table\(\[(.*?)\]\)", text, re.DOTALL)
    weights = {name: float(value) for name, value in re.findall(r"\.(\w+): (-?[0-9.]+),", table[1])} if table else {}
    if not weights or weights.keys() - set(names): sys.exit(f"train.py: cannot read the table {model} of Matching/ClassifierWeights.swift")
    return numpy.array([weights.get(name, 0.0) for name in names])


def report(origins, p, y, same):
    """For each origin of pairs its line of text, and its F1, precision of `same` and recall of `same`. `same` is the threshold of each
    pair."""
    rows = {}
    for origin in sorted(set(origins)):
        m = origins == origin
        f1, precision, recall = scores(p[m], y[m])
        _, sure, found = scores(p[m], y[m], same[m])
        line = (f"{origin:10s} {m.sum():6d} pairs, {int(y[m].sum()):5d} the same: F1 {f1:.4f} (precision {precision:.3f}, recall {recall:.3f}); "
                f"same: precision {sure:.3f}, recall {found:.3f}")
        rows[origin] = (line, (f1, sure, found))
    return rows


def missed_goals(figures):
    """A sentence for each goal that the figures, by origin, do not reach."""
    cities = {origin: values for origin, values in figures.items() if origin.startswith("city")}
    goals = [(origin, values, GOALS[name]) for origin, values in figures.items() if (name := origin.rstrip("-")) in GOALS]
    if cities:
        hardest = min(cities, key=lambda origin: cities[origin][2])
        goals.append(("cities, mean", (numpy.mean([f1 for f1, _, _ in cities.values()]),), CITIES[:1]))
        goals += [(origin, values[1:], CITIES[1:]) for origin, values in cities.items() if origin != hardest]
    for name, values, least in goals:
        names = ("F1", "precision of same", "recall of same")[-len(values):] if len(values) > 1 else ("F1",)
        for what, value, goal in zip(names, values, least):
            if round(value, 3) < goal: yield f"{name}: {what} {value:.4f}, goal {goal}"


def probabilities(x, w, names):
    """The probability of each pair, as in PairClassifier.probability."""
    p = 1 / (1 + numpy.exp(-(x @ w)))
    for veto in ("numberConflict", "qualifierConflict", "villageConflict"): p[x[:, names.index(veto)] > 0] = 0
    return p


def unseen(x, y, weight, names, penalty, fold, most=MOST):
    """The probability of each pair by weights fitted to the other folds."""
    p = numpy.zeros(len(y))
    for k in sorted(set(fold)):
        inside = fold != k
        w = fit(x[inside], y[inside], weight[inside], names, penalty, most)
        p[~inside] = probabilities(x[~inside], w, names)
    return p


def calibration_error(p, y):
    """The expected calibration error, and the bins: for each tenth the number of pairs, their mean probability, and the share that is the
    same place."""
    number = numpy.minimum((p * 10).astype(int), 9)
    bins = [(int(m.sum()), p[m].mean(), y[m].mean()) if (m := number == k).any() else (0, 0.0, 0.0) for k in range(10)]
    return sum(count * abs(mean - share) for count, mean, share in bins) / max(1, len(p)), bins


def report_calibration(name, p, y):
    """Prints the ten bins of held-out probabilities, and returns the expected calibration error of all pairs, and of those with at least
    0.1."""
    error, bins = calibration_error(p, y)
    likely = calibration_error(p[p >= 0.1], y[p >= 0.1])[0]
    print(f"    calibration of {name}: expected error {error:.4f}, without the lowest bin {likely:.4f}")
    print("      mean probability, share that is the same, pairs: " + "; ".join(f"{mean:.3f} {share:.3f} {count}" for count, mean, share in bins))
    return error, likely


def report_distances(pairs, p, y, same):
    """Prints, for pairs of one name in cities, the share that is the same place by distance beside the measured share, and what the model
    says of them."""
    kept = [i for i, q in enumerate(pairs) if q.origin.startswith("city") and source.letters(q.a["name"]) == source.letters(q.b["name"])]
    metres = numpy.array([source.metres(source.place_of(pairs[i].a), source.place_of(pairs[i].b)) for i in kept])
    bare = numpy.array([pairs[i].origin in ("city3", "city4") for i in kept])
    print("    pairs of one name in cities, by distance (in brackets: kinds 3 and 4, in which little but names and points is known):")
    for low, high, least, greatest in SHARES:
        inside = (metres >= low) & (metres < high)
        def mean(values): return " (".join(f"{values[kept][m].mean():.3f}" if m.any() else "-" for m in (inside, inside & bare)) + ")"
        print(f"      {low:5d} to {high:5d} m, {int(inside.sum()):5d} pairs: measured {least:.2f} to {greatest:.2f}, the same {mean(y)}, "
              f"mean probability {mean(p)}, joined {mean(p >= same)}")


def report_countries(pairs, x, names, penalty, least=30):
    """Prints the F1 of each country's Overture pairs, judged by weights that were fitted to the other countries. Countries with few pairs
    count as one."""
    kept = [i for i, q in enumerate(pairs) if q.origin.startswith("overture")]
    countries = [pairs[i].a["country"] or "?" for i in kept]
    fold = numpy.array([c if countries.count(c) >= least else "others" for c in countries])
    y, weight = numpy.array([pairs[i].label for i in kept], float), numpy.ones(len(kept))
    p = unseen(x[kept], y, weight, names, penalty, fold)
    parts = [f"{c} {scores(p[fold == c], y[fold == c])[0]:.3f}" for c in sorted(set(fold), key=lambda c: -(fold == c).sum())]
    print(f"    countries left out one by one: F1 {scores(p, y)[0]:.4f}; {', '.join(parts)}")


def train(model, pairs, names, x, penalty, replaces=False):
    """Fits the weights of a model, and prints what five folds reach.
    replaces: whether the weights will replace those of the program, which then may be others.
    Returns the weights, a line of text for each origin of pairs, the figures of each origin, and a sentence for each missed goal."""
    y = numpy.array([p.label for p in pairs], float)
    fold = numpy.array([p.fold for p in pairs])
    weight = numpy.array([p.weight for p in pairs])
    origins = numpy.array([p.origin for p in pairs])
    most = MOST if model == "points" else MOST_OF_AREAS
    p = unseen(x, y, weight, names, penalty, fold, most)
    with_points, without = thresholds()
    same = numpy.where(x[:, names.index("located")] > 0, with_points, without)
    rows = report(origins, p, y, same)
    lines = [line for line, _ in rows.values()]
    print(f"{model}:", *lines, sep="\n  ")
    parts = numpy.array([f"{q.origin} {q.part}" if q.part else "" for q in pairs])
    for part in sorted(set(parts) - {""}):
        m = parts == part
        print(f"    {part:20s} {m.sum():6d} pairs: F1 {scores(p[m], y[m])[0]:.3f}; same: precision {scores(p[m], y[m], same[m])[1]:.3f}")
    missed = []
    if model == "points":
        for name in ("city", "overture"):
            m = numpy.array([origin.startswith(name) for origin in origins])
            errors = report_calibration({"city": "cities"}.get(name, name), p[m], y[m])
            missed += [f"{name}: expected calibration error of {what} {error:.4f}, goal {goal}"
                       for what, error, goal in zip(("all pairs", "pairs from 0.1"), errors, CALIBRATION) if round(error, 3) > goal]
        report_distances(pairs, p, y, same)
        report_countries(pairs, x, names, penalty)
    else:
        report_calibration(model, p, y)
    weights = fit(x, y, weight, names, penalty, most)
    fitted, used = probabilities(x, weights, names), probabilities(x, shipped(model, names), names)
    difference = abs(fitted - used)
    print(f"    weights of the program against a fit to all pairs: probabilities differ by {difference.mean():.5f} on average, by {difference.max():.3f} at most; "
          f"{int(((fitted >= same) != (used >= same)).sum())} of {len(y)} decisions differ")
    print("    F1 with the weights of the program, which were fitted to these pairs: "
          + ", ".join(f"{origin} {scores(used[origins == origin], y[origins == origin])[0]:.4f}" for origin in sorted(set(origins))))
    if difference.mean() > STALE and not replaces: missed.append(f"{model}: the weights of the program are not those of a fit to these pairs; see README.md, Retraining")
    return weights, lines, {origin: figures for origin, (_, figures) in rows.items()}, missed


def swift(tables, names):
    out = ["// Made by Training/train.py; the figures are those of five folds, each judged by weights fitted to the other four.",
           "// `-` after the name of a set: columns were left out. `same`: from the threshold at which rows are joined. See Training/README.md.", ""]
    out += ["/// The weights of the features in log odds, by the kind of pair.", "enum ClassifierWeights {"]
    for model, (weights, lines) in tables.items():
        out += [f"  // {line}" for line in lines]
        out += [f"  static let {model} = table(["]
        out += [f"    .{name}: {weight:.4f}," for name, weight in zip(names, weights) if abs(weight) >= 0.0005]
        out += ["  ])", ""]
    out += ["  private static func table(_ weights: [Feature: Double]) -> [FeatureWeight] {",
            "    weights.sorted { $0.key.rawValue < $1.key.rawValue }.map { FeatureWeight(feature: $0.key, value: $0.value) }", "  }", "}", ""]
    return "\n".join(out)


def main():
    data, program = Path(sys.argv[1]), sys.argv[2]
    tables, figures, missed = {}, {}, []
    cities = [partial(source.cities, seed=seed, weight=0.5) for seed in DRAWS]
    for model, sets, penalty in (("points", (source.overture, *cities, source.locu), 1.0), ("areas", (source.towns,), 1.0), ("areasAcrossScripts", (source.scripts, source.towns), 1.0)):
        # Each set is a separate answer, so that its rows are not rivals of the others'.
        made = [list(make(data)) for make in sets]
        parts = [features(pairs, program) for pairs in made]
        pairs, names = [pair for pairs in made for pair in pairs], parts[0][0]
        models, x = [m for part in parts for m in part[1]], numpy.concatenate([part[2] for part in parts])
        kept = [i for i, m in enumerate(models) if m == model]
        weights, lines, of_model, missed_of_model = train(model, [pairs[i] for i in kept], names, x[kept], penalty, replaces=len(sys.argv) > 3)
        tables[model] = (weights, lines)
        figures.update(of_model)
        missed += missed_of_model
    if len(sys.argv) > 3: Path(sys.argv[3]).write_text(swift(tables, names))
    missed += missed_goals(figures)
    for text in missed: print(f"Missed: {text}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
