"""Learns how Chinese characters are read in the names of Japanese towns, and writes the readings as Swift.

usage: kanji.py DATA KanjiReadings.swift        (needs Python alone; ten seconds)

GeoNames (CC BY 4.0) has the names of most Japanese towns in Latin letters and in characters, but does not say which letters belong to which
character. Expectation maximisation over all ways to split the syllables finds it.

Some towns have the characters of a former town that they absorbed (保谷 of Nishi-Tokyo). No split of such a name is right, and the best split
invents readings (保 nishitokyo). A reading is confirmed if it occurs in two spellings. A reading that is not confirmed is an alignment error, and is
left out, if
- another character of the name has a confirmed reading but is read otherwise in this name (the 谷 of 保谷 is ya elsewhere), or
- it begins or ends with another reading of the character, since its other letters belong to words that the characters lack (森 morinaka), or
- the character is the whole name and has a confirmed reading.
"""
import collections
import gzip
import re
import sys
import unicodedata
from pathlib import Path

SYLLABLE = re.compile(r"(?:[kgsztdnhbpmyrwfjcv]|sh|ch|ts|[kgnhbpmr]y)?[aeiou]")
SUFFIXES = set("市町村区郡県")
LATIN_SUFFIX = re.compile(r"[- ](?:shi|son|ku|gun|ken)$|[- ]?(?:machi|ch[oō]|mura)$")
MAX_SYLLABLES = 4
# Alignment errors that no rule above detects, each from one town whose characters and letters are two different names.
WRONG = {("港", "yoichi"), ("門", "mitsuishi"), ("騨", "rukawa")}


def syllables(name):
    """The syllables of a name in Latin letters, or None if the name is not Japanese."""
    letters = re.sub("[^a-z]", "", "".join(c for c in unicodedata.normalize("NFD", name.lower()) if not unicodedata.combining(c)))
    found, i = [], 0
    while i < len(letters):
        syllable = next((letters[i:i + n] for n in (3, 2, 1) if SYLLABLE.fullmatch(letters[i:i + n])), letters[i] if letters[i] in "nkstpmc" else None)
        if not syllable: return None
        found.append(syllable)
        i += len(syllable)
    return found


def names(folder):
    """For each town: its spellings in characters, with and without the character for town; and its syllables, without a word for town if the characters
    lack it."""
    with gzip.open(folder / "geonames/cities500.txt.gz", "rt", encoding="utf-8") as file:
        for line in file:
            f = line.rstrip("\n").split("\t")
            for name in f[3].split(",") if f[8] == "JP" else ():
                if not name or not all("\u4e00" <= c <= "\u9fff" or c == "々" for c in name): continue
                characters = []
                for c in name: characters.append(characters[-1] if c == "々" and characters else c)
                has_suffix = len(characters) > 1 and characters[-1] in SUFFIXES
                sounds = syllables(f[1].split(",")[0] if has_suffix else LATIN_SUFFIX.sub("", f[1].split(",")[0]))
                if sounds: yield [characters, characters[:-1]] if has_suffix else [characters], sounds


def steps(characters, sounds, likelihood):
    """Each way to read a character: the index of the character, the index of its first syllable, the number of its syllables, and the likelihood."""
    k, m = len(characters), len(sounds)
    return [(i, j, n, likelihood(characters[i], i > 0, tuple(sounds[j:j + n])))
            for i in range(k) for j in range(m) for n in range(1, MAX_SYLLABLES + 1) if j + n <= m]


def learn(data, rounds=15):
    """A function that returns the likelihood of a reading of a character, at the start of a name or later."""
    chance = {}
    def likelihood(c, later, reading):
        return 0.02 * 0.25 ** len(reading) + 0.6 * chance.get((c, later), {}).get(reading, 0) + 0.4 * chance.get((c, None), {}).get(reading, 0)
    for _ in range(rounds):
        counts = collections.defaultdict(lambda: collections.defaultdict(float))
        for spellings, sounds in data:
            m, splits, total = len(sounds), [], 0.0
            for characters in spellings:
                k = len(characters)
                if k > min(m, 6): continue
                ways = steps(characters, sounds, likelihood)
                ahead = [[0.0] * (m + 1) for _ in range(k + 1)]
                back = [[0.0] * (m + 1) for _ in range(k + 1)]
                ahead[0][0] = back[k][m] = 1.0
                for i, j, n, p in ways: ahead[i + 1][j + n] += ahead[i][j] * p
                for i, j, n, p in reversed(ways): back[i][j] += back[i + 1][j + n] * p
                total += ahead[k][m]
                splits.append((characters, ways, ahead, back))
            for characters, ways, ahead, back in splits if total else ():
                for i, j, n, p in ways:
                    share = ahead[i][j] * p * back[i + 1][j + n] / total
                    if share > 1e-4:
                        for place in (i > 0, None): counts[characters[i], place][tuple(sounds[j:j + n])] += share
        chance = {key: {r: n / (sum(found.values()) + 0.5) for r, n in found.items()} for key, found in counts.items()}
    return likelihood


def best_split(spellings, sounds, likelihood):
    """The most likely readings of a town's characters, as (character, reading) in order; empty if there is no split."""
    best = (0.0, [])
    for characters in spellings:
        paths = {(0, 0): (1.0, [])}
        for i, j, n, p in steps(characters, sounds, likelihood):
            if (i, j) not in paths: continue
            before, path = paths[i, j]
            if before * p > paths.get((i + 1, j + n), (0.0,))[0]:
                paths[i + 1, j + n] = (before * p, path + [(characters[i], tuple(sounds[j:j + n]))])
        best = max(best, paths.get((len(characters), len(sounds)), (0.0, [])))
    return best[1]


def readings(data):
    """How often each character, at the start (False), later (True) or anywhere (None), is read in each way."""
    likelihood = learn(data)
    splits = [split for spellings, sounds in data if (split := best_split(spellings, sounds, likelihood))]
    seen = collections.defaultdict(set)
    for split in splits:
        spelling = "".join(c for c, _ in split if c not in SUFFIXES)
        for pair in split: seen[pair].add(spelling)
    confirmed = collections.defaultdict(set)
    for (c, reading), spellings in seen.items():
        if len(spellings) > 1: confirmed[c].add(reading)
    accepted = collections.defaultdict(set)
    for split in splits:
        contradicts = [c in confirmed and reading not in confirmed[c] for c, reading in split]
        for i, (c, reading) in enumerate(split):
            if not any(contradicts[:i] + contradicts[i + 1:]) and (len(split) > 1 or not contradicts[i]): accepted[c].add(reading)
    for c, found in accepted.items():
        found |= confirmed[c]
        found -= {r for r in found - confirmed[c] for n in range(1, len(r)) if voiceless(r[:n]) in voiceless_all(found) or voiceless(r[n:]) in voiceless_all(found)}
    counts = collections.defaultdict(lambda: collections.defaultdict(float))
    for split in splits:
        for i, (c, reading) in enumerate(split):
            if reading in accepted[c]:
                for place in (i > 0, None): counts[c, place][reading] += 1
    return counts


def voiceless(reading): return "".join(reading).translate(str.maketrans("gzdbj", "ksths"))


def voiceless_all(readings): return {voiceless(r) for r in readings}


def usual(counted, most=3, share=0.12):
    """The readings with at least this share of all readings, the most usual first. Of readings that differ only in whether consonants are voiced, which
    the comparison of sounds ignores, only the first is returned."""
    found, sounds = [], set()
    for reading, count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        sound = voiceless(reading)
        if sound in sounds or (found and count < max(0.8, share * sum(counted.values()))): continue
        sounds.add(sound)
        found.append("".join(reading))
    return ",".join(found[:most])


def main():
    counts = readings(list(names(Path(sys.argv[1]))))
    words, known = [], sorted(c for c, place in counts if place is None and sum(counts[c, None].values()) >= 2)
    for (c, place), found in counts.items():
        for reading in [r for r in found if (c, "".join(r)) in WRONG]: del found[reading]
    for c in known:
        words.append(f"{c} {usual(counts.get((c, False)) or counts[c, None])} {usual(counts.get((c, True)) or counts[c, None])}")
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > 110: lines, line = lines + [line], ""
        line = f"{line} {word}".strip()
    Path(sys.argv[2]).write_text(
        "// Made by Training/kanji.py from the names of GeoNames (CC BY 4.0).\n\n"
        "/// The usual Japanese readings of Chinese characters in the names of Japanese towns. Without them, `Transliteration` spells the characters\n"
        "/// by their Mandarin readings, which do not match the Latin names of these towns.\n"
        "enum KanjiReadings {\n"
        "  /// The readings of a character at the start of a name or later, the most frequent first.\n"
        "  static func readings(_ character: Unicode.Scalar, first: Bool) -> [String]? {\n"
        "    table[character].map { first ? $0.first : $0.later }\n  }\n\n"
        "  private static let table: [Unicode.Scalar: (first: [String], later: [String])] = {\n"
        "    let words = readings.split(whereSeparator: \\.isWhitespace)\n"
        "    var table: [Unicode.Scalar: (first: [String], later: [String])] = [:]\n"
        "    for index in stride(from: 0, to: words.count - 2, by: 3) {\n"
        "      guard let character = words[index].unicodeScalars.first else { continue }\n"
        "      let (first, later) = (words[index + 1].split(separator: \",\"), words[index + 2].split(separator: \",\"))\n"
        "      table[character] = (first.map { String($0) }, later.map { String($0) })\n"
        "    }\n    return table\n  }()\n\n"
        '  private static let readings = """\n' + "".join(f"    {l}\n" for l in lines + [line]) + '    """\n}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
