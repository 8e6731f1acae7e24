"""Fits the weights of the matching model and writes them as Swift, with the figures that they reach.

usage: train.py DATA PLACES_QUALITY [WEIGHTS.swift]      (needs python3-scipy; about four minutes)

DATA is the directory with match/ and geonames/; PLACES_QUALITY is the built program, whose `features` command prints the features of a pair.
Without a file to write, it only prints the figures of five folds; each fold is judged by weights that were fitted to the other four. The exit status is 1
if a goal is missed.
"""
import io
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

# The matrices are too narrow to be worth threads, which only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy
from scipy.optimize import minimize

import pairs as source

# The weights of FOR, features that are evidence for the same place, are not negative; those of AGAINST are not positive. The weights of FREE and of all
# other features may have either sign.
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

# Bounds of weights (least, greatest) that the sets alone would not give: they have few pairs such as North Hall and South Hall, or the Museum of Modern
# Art and the Museum of Art.
MOST = {"numberConflict": (None, -2.5), "modifierConflict": (None, -3.2), "insideOther": (None, -2.0), "tailOfOther": (None, -2.0), "insertedWords": (None, -1.0), "countryConflict": (None, -2.0),
        "extentConflict": (None, -0.7),
        # Without a point only the areas distinguish the branches of a chain; the sets have few of them.
        "localityConflictNoPoint": (None, -2.5), "countryConflictNoPoint": (None, -3.0)}

# The sets of towns have no quarters, and a quarter of a town is not the town: Mitte, Berlin is not Berlin. Without points only the region and the country
# distinguish namesakes.
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


# The draws of the cities. Several draws of the same businesses differ in their points and in what is known, which makes the weights and the figures steadier.
DRAWS = (21, 31, 32, 33)

# The least F1, precision of `same` and recall of `same` of a set of pairs. Those of cities: mean F1, and the others in each city but the hardest.
GOALS = {"overture": (0.92, 0.97, 0.76), "native": (0.95, 0.97, 0), "foreign": (0.95, 0.97, 0)}
CITIES = (0.93, 0.96, 0.85)


# The probability from which on two rows are the same: for rows with points, and for others. As PairClassifier.sameThreshold.
SAME, SAME_WITHOUT_POINT = 0.79, 0.83


def report(origins, p, y, same):
    """For each origin of pairs its line of text, and its F1, precision of `same` and recall of `same`. `same` is the threshold of each pair."""
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


def unseen(x, y, weight, names, penalty, fold, most=MOST):
    """The probability of each pair by weights fitted to the other folds."""
    p = numpy.zeros(len(y))
    for k in sorted(set(fold)):
        inside = fold != k
        w = fit(x[inside], y[inside], weight[inside], names, penalty, most)
        p[~inside] = 1 / (1 + numpy.exp(-(x[~inside] @ w)))
    # As in PairClassifier.probability.
    for veto in ("numberConflict", "qualifierConflict", "villageConflict"): p[x[:, names.index(veto)] > 0] = 0
    return p


def report_countries(pairs, x, names, penalty, least=30):
    """Prints the F1 of each country's Overture pairs, judged by weights that were fitted to the other countries. Countries with few pairs count as one."""
    kept = [i for i, q in enumerate(pairs) if q.origin.startswith("overture")]
    countries = [pairs[i].a["country"] or "?" for i in kept]
    fold = numpy.array([c if countries.count(c) >= least else "others" for c in countries])
    y, weight = numpy.array([pairs[i].label for i in kept], float), numpy.ones(len(kept))
    p = unseen(x[kept], y, weight, names, penalty, fold)
    parts = [f"{c} {scores(p[fold == c], y[fold == c])[0]:.3f}" for c in sorted(set(fold), key=lambda c: -(fold == c).sum())]
    print(f"    countries left out one by one: F1 {scores(p, y)[0]:.4f}; {', '.join(parts)}")


def train(model, pairs, names, x, penalty):
    y = numpy.array([p.label for p in pairs], float)
    fold = numpy.array([p.fold for p in pairs])
    weight = numpy.array([p.weight for p in pairs])
    origins = numpy.array([p.origin for p in pairs])
    most = MOST if model == "points" else MOST_OF_AREAS
    p = unseen(x, y, weight, names, penalty, fold, most)
    same = numpy.where(x[:, names.index("located")] > 0, SAME, SAME_WITHOUT_POINT)
    rows = report(origins, p, y, same)
    lines = [line for line, _ in rows.values()]
    print(f"{model}:", *lines, sep="\n  ")
    parts = numpy.array([f"{q.origin} {q.part}" if q.part else "" for q in pairs])
    for part in sorted(set(parts) - {""}):
        m = parts == part
        print(f"    {part:20s} {m.sum():6d} pairs: F1 {scores(p[m], y[m])[0]:.3f}; same: precision {scores(p[m], y[m], same[m])[1]:.3f}")
    if any(q.origin.startswith("overture") for q in pairs): report_countries(pairs, x, names, penalty)
    return fit(x, y, weight, names, penalty, most), lines, {origin: figures for origin, (_, figures) in rows.items()}


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
    tables, figures = {}, {}
    cities = [partial(source.cities, seed=seed, weight=0.5) for seed in DRAWS]
    for model, sets, penalty in (("points", (source.overture, *cities, source.locu), 1.0), ("areas", (source.towns,), 1.0), ("areasAcrossScripts", (source.scripts, source.towns), 1.0)):
        # Each set is a separate answer, so that its rows are not rivals of the others'.
        made = [list(make(data)) for make in sets]
        parts = [features(pairs, program) for pairs in made]
        pairs, names = [pair for pairs in made for pair in pairs], parts[0][0]
        models, x = [m for part in parts for m in part[1]], numpy.concatenate([part[2] for part in parts])
        kept = [i for i, m in enumerate(models) if m == model]
        weights, lines, of_model = train(model, [pairs[i] for i in kept], names, x[kept], penalty)
        tables[model] = (weights, lines)
        figures.update(of_model)
    if len(sys.argv) > 3: Path(sys.argv[3]).write_text(swift(tables, names))
    missed = list(missed_goals(figures))
    for text in missed: print(f"Missed: {text}")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
