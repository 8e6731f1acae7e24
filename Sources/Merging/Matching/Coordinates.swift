import Glibc

enum Coordinates {
  /// The cosine of an angle in degrees.
  static func cosine(ofDegrees degrees: Double) -> Double { cos(degrees * .pi / 180) }
}
