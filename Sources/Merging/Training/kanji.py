"""Learns how Chinese characters are read in the names of Japanese towns, and writes the readings as Swift.

usage: kanji.py DATA KanjiReadings.swift        (needs Python alone; ten seconds)

GeoNames (CC BY 4.0) has most Japanese towns in Latin letters and in characters, but not which letters belong to which character: expectation
maximisation over all ways to part the syllables finds it. A character seen in fewer than two names is left out.
"""
import collections
import gzip
import re
import sys
import unicodedata
from pathlib import Path

SYLLABLE = re.compile(r"(?:[kgsztdnhbpmyrwfjcv]|sh|ch|ts|[kgnhbpmr]y)?[aeiou]")
SUFFIXES = set("市町村区郡県")


def syllables(name):
    """The syllables of a name in Latin letters, or None where it is no Japanese one."""
    letters = re.sub("[^a-z]", "", "".join(c for c in unicodedata.normalize("NFD", name.lower()) if not unicodedata.combining(c)))
    found, i = [], 0
    while i < len(letters):
        syllable = next((letters[i:i + n] for n in (3, 2, 1) if SYLLABLE.fullmatch(letters[i:i + n])), letters[i] if letters[i] in "nkstpmc" else None)
        if not syllable: return None
        found.append(syllable)
        i += len(syllable)
    return found


def names(folder):
    """For each name its characters, the same without the word for town or None, and the syllables."""
    with gzip.open(folder / "geonames/cities500.txt.gz", "rt", encoding="utf-8") as file:
        for line in file:
            f = line.rstrip("\n").split("\t")
            sounds = syllables(f[1]) if f[8] == "JP" else None
            for name in f[3].split(",") if sounds else ():
                if name and all("\u4e00" <= c <= "\u9fff" or c == "々" for c in name):
                    characters = []
                    for c in name: characters.append(characters[-1] if c == "々" and characters else c)
                    bare = characters[:-1] if len(characters) > 1 and characters[-1] in SUFFIXES else None
                    yield [x for x in (characters, bare) if x], sounds


def readings(data, rounds=15):
    """How often each character, at the start or later, is read in each way."""
    chance = {}
    def likelihood(c, later, reading):
        return 0.02 * 0.25 ** len(reading) + 0.6 * chance.get((c, later), {}).get(reading, 0) + 0.4 * chance.get((c, None), {}).get(reading, 0)
    for _ in range(rounds):
        counts = collections.defaultdict(lambda: collections.defaultdict(float))
        for spellings, sounds in data:
            m, parted, total = len(sounds), [], 0.0
            for characters in spellings:
                k = len(characters)
                if k > min(m, 6): continue
                steps = [(i, j, n, likelihood(characters[i], i > 0, tuple(sounds[j:j + n]))) for i in range(k) for j in range(m) for n in range(1, 5) if j + n <= m]
                ahead = [[0.0] * (m + 1) for _ in range(k + 1)]
                back = [[0.0] * (m + 1) for _ in range(k + 1)]
                ahead[0][0] = back[k][m] = 1.0
                for i, j, n, p in steps: ahead[i + 1][j + n] += ahead[i][j] * p
                for i, j, n, p in reversed(steps): back[i][j] += back[i + 1][j + n] * p
                total += ahead[k][m]
                parted.append((characters, steps, ahead, back))
            for characters, steps, ahead, back in parted if total else ():
                for i, j, n, p in steps:
                    share = ahead[i][j] * p * back[i + 1][j + n] / total
                    if share > 1e-4:
                        for place in (i > 0, None): counts[characters[i], place][tuple(sounds[j:j + n])] += share
        chance = {key: {r: n / (sum(found.values()) + 0.5) for r, n in found.items()} for key, found in counts.items()}
    return counts


def usual(counted, most=3, share=0.12):
    """The readings with at least that share of all, the most usual first; of those that differ in a voiced consonant alone, which the
    comparison of sounds forgives, the first."""
    found, sounds = [], set()
    for reading, count in sorted(counted.items(), key=lambda item: (-item[1], item[0])):
        sound = "".join(reading).translate(str.maketrans("gzdbj", "ksths"))
        if sound in sounds or (found and count < max(0.8, share * sum(counted.values()))): continue
        sounds.add(sound)
        found.append("".join(reading))
    return ",".join(found[:most])


def main():
    counts = readings(list(names(Path(sys.argv[1]))))
    words = []
    for c in sorted(c for c, place in counts if place is None and sum(counts[c, None].values()) >= 2):
        words.append(f"{c} {usual(counts.get((c, False)) or counts[c, None])} {usual(counts.get((c, True)) or counts[c, None])}")
    lines, line = [], ""
    for word in words:
        if len(line) + len(word) > 110: lines, line = lines + [line], ""
        line = f"{line} {word}".strip()
    Path(sys.argv[2]).write_text(
        "// Made by Training/kanji.py from the names of GeoNames (CC BY 4.0).\n\n"
        "/// How Chinese characters are mostly read in the names of Japanese towns, where their Mandarin reading tells nothing.\n"
        "enum KanjiReadings {\n"
        "  /// The readings of a character at the start of a name or later, the most usual first.\n"
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
