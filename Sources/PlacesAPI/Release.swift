/// The version of the programs of this repository.
public enum Release {
  public static let version = "1.0.0"
}
