import CLinux

/// What a process may give back of its memory; what is needed again comes from the page cache, within a fraction of a millisecond. Nobody may unmap a file that is
/// mapped to be read and shared meanwhile: its addresses may be those of written memory then.
public enum Memory {
  /// Free heap, and every page of code, constants and mapped files that the disk has too.
  public static func giveBack() { clinux_give_memory_back() }

  /// The pages of files that are mapped to be read and shared. A single fault may have mapped megabytes of them, since Linux maps all
  /// that it cached in one piece.
  public static func giveMappedFilesBack() { clinux_give_files_back() }
}

/// The processor's time that all threads of this process had so far, in microseconds.
public func processorTime() -> Int64 { clinux_processor_time() }
