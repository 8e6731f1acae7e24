/// A number of calls and their cost, in millionths of the currency's unit. Sums saturate instead of overflowing.
public struct Spending: Sendable, Hashable, Codable {
  public var calls: Int
  public var micros: Int

  public init(calls: Int = 0, micros: Int = 0) {
    self.calls = calls
    self.micros = micros
  }

  public static let zero = Spending()
  public var isZero: Bool { self == .zero }

  public static func + (a: Spending, b: Spending) -> Spending {
    Spending(calls: a.calls.saturatingAdding(b.calls), micros: a.micros.saturatingAdding(b.micros))
  }
  public static func += (a: inout Spending, b: Spending) { a = a + b }
  public static prefix func - (a: Spending) -> Spending {
    Spending(calls: a.calls.saturatingMultiplied(by: -1), micros: a.micros.saturatingMultiplied(by: -1))
  }
}

extension Int {
  func saturatingAdding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    guard overflow else { return sum }
    return other > 0 ? .max : .min
  }
  func saturatingMultiplied(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard overflow else { return product }
    return (self > 0) == (other > 0) ? .max : .min
  }
}
