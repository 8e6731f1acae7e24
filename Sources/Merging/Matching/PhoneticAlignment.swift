/// Phonetic similarity of names in different scripts: a weighted alignment of their sounds, which are consonants and digits. Likely
/// substitutions (b for v, kh for h, ch for k) and deletions (h, w) have low costs.
extension WordBuffer {
  /// The similarity of two names, 0…1; 0 if only one of them has sounds. If neither has any, as Ōi and Aioi, they are compared by letters.
  func phoneticSimilarity(_ a: Range<Int>, _ b: Range<Int>) -> Double {
    let (first, countA) = sounds(a)
    let (second, countB) = sounds(b)
    guard countA > 0, countB > 0 else { return countA == countB ? editSimilarity(a, b) : 0 }
    let (deletionCosts, substitutionCosts) = (PhoneticAlignment.deletionCosts, PhoneticAlignment.substitutionCosts)
    let soundCount = PhoneticAlignment.soundCount
    var row = InlineArray<33, Float>(repeating: 0)
    for j in 0..<countB { row[j + 1] = row[j] + deletionCosts[Int(second[j])] }
    // The cost of deleting every sound of both names, which no alignment exceeds.
    var total = row[countB]
    for i in 0..<countA {
      let deletionCost = deletionCosts[Int(first[i])]
      total += deletionCost
      let rowOffset = Int(first[i]) * soundCount
      var diagonal = row[0]
      row[0] += deletionCost
      for j in 0..<countB {
        let above = row[j + 1]
        row[j + 1] = min(
          diagonal + substitutionCosts[rowOffset + Int(second[j])], above + deletionCost, row[j] + deletionCosts[Int(second[j])])
        diagonal = above
      }
    }
    return Double(1 - row[countB] / total)
  }

  /// The first 32 sounds, and their number. A sound that equals the one before it is dropped, even if vowels are between them: Nana is `n`.
  private func sounds(_ range: Range<Int>) -> (InlineArray<32, UInt8>, count: Int) {
    let soundOfLetter = PhoneticAlignment.soundOfLetter
    var sounds = InlineArray<32, UInt8>(repeating: 0)
    var count = 0
    var index = range.lowerBound
    while index < range.upperBound, count < 32 {
      let letter = letters[index]
      let next = index + 1 < range.upperBound ? letters[index + 1] : 0
      index += 1
      var sound = soundOfLetter[Int(letter)]
      if let both = PhoneticAlignment.sound(of: letter, next) { (sound, index) = (both, index + 1) }
      guard sound != 0, count == 0 || sounds[count - 1] != sound else { continue }
      sounds[count] = sound
      count += 1
    }
    return (sounds, count)
  }
}

/// The numbers of the sounds, and the costs of substitution and deletion.
enum PhoneticAlignment {
  /// The sounds in the order of their numbers. C stands for ch, S for sh and zh, T for ts and dz, H for kh and gh. The number 0
  /// stands for all other characters, such as vowels and y. They are ignored.
  private static let alphabet = Array("\0bpvfwtdszcjxkgqhlrmnCSTH0123456789".utf8)

  static let soundCount = alphabet.count

  private static func number(_ letter: UInt8) -> UInt8 { alphabet.firstIndex(of: letter).map { UInt8($0) } ?? 0 }

  /// The number of each letter's sound; 0 for a letter that is ignored.
  static let soundOfLetter: [UInt8] = (0..<256).map { number(UInt8($0)) }

  /// The number of the sound that two letters spell together; nil if they spell two sounds.
  static func sound(of letter: UInt8, _ next: UInt8) -> UInt8? {
    guard next == UInt8(ascii: "h") || next == UInt8(ascii: "z") || next == UInt8(ascii: "s") else { return nil }
    return switch (letter, next) {
    case (UInt8(ascii: "c"), UInt8(ascii: "h")), (UInt8(ascii: "c"), UInt8(ascii: "z")): chSound
    case (UInt8(ascii: "s"), UInt8(ascii: "h")), (UInt8(ascii: "z"), UInt8(ascii: "h")), (UInt8(ascii: "s"), UInt8(ascii: "z")): shSound
    case (UInt8(ascii: "t"), UInt8(ascii: "s")), (UInt8(ascii: "t"), UInt8(ascii: "z")), (UInt8(ascii: "d"), UInt8(ascii: "z")): tsSound
    case (UInt8(ascii: "k"), UInt8(ascii: "h")), (UInt8(ascii: "g"), UInt8(ascii: "h")): khSound
    case (UInt8(ascii: "t"), UInt8(ascii: "h")): soundOfLetter[Int(UInt8(ascii: "t"))]
    case (UInt8(ascii: "d"), UInt8(ascii: "h")): soundOfLetter[Int(UInt8(ascii: "d"))]
    case (UInt8(ascii: "p"), UInt8(ascii: "h")): soundOfLetter[Int(UInt8(ascii: "f"))]
    default: nil
    }
  }

  private static let chSound = number(UInt8(ascii: "C"))
  private static let shSound = number(UInt8(ascii: "S"))
  private static let tsSound = number(UInt8(ascii: "T"))
  private static let khSound = number(UInt8(ascii: "H"))

  /// The cost of deleting each sound, by its number.
  static let deletionCosts: [Float] = alphabet.map { letter in
    switch letter {
    case UInt8(ascii: "h"): 0.25
    case UInt8(ascii: "w"): 0.35
    case UInt8(ascii: "H"), UInt8(ascii: "j"): 0.6
    case UInt8(ascii: "r"), UInt8(ascii: "n"), UInt8(ascii: "l"): 0.75
    default: 0.9
    }
  }

  /// The cost of substituting one sound for another. Indexed by `first * soundCount + second` (sound numbers).
  static let substitutionCosts: [Float] = {
    var costs = [Float](repeating: 1.4, count: soundCount * soundCount)
    for number in 0..<soundCount { costs[number * soundCount + number] = 0 }
    // Each entry consists of two sounds and the cost in hundredths: b for p, or p for b, costs 0.15.
    let likely = """
      pb15 pf35 bv25 vf10 vw15 fw40 fh40 bw50 td15 tT35 tC50 dj50 dT40 sz10 sS15 zS20 sC40 sT20 zT15 cs15 ck10 cC20 cT20 cS30 CS30 CT25 Ck30 CH30 \
      jS20 jC20 jz30 jT40 jH35 jg40 kg15 kq05 gq15 Hk30 Hh15 Hg25 hg35 hk60 xs40 xk40 xS40 xH40 xC40 lr35 mn35 ln60 tc60 ts60 Tk70 zd70
      """
    for entry in likely.split(whereSeparator: \.isWhitespace) {
      let bytes = Array(entry.utf8)
      let (a, b) = (Int(number(bytes[0])), Int(number(bytes[1])))
      let cost = Float(entry.suffix(2)).map { $0 / 100 } ?? 1
      (costs[a * soundCount + b], costs[b * soundCount + a]) = (cost, cost)
    }
    return costs
  }()
}
