/// What the programs of this repository call their version.
public enum Release {
  public static let version = "1.0.0"
}
