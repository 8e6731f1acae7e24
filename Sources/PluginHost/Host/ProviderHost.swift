import CSeccomp
import Glibc
import PlacesKit
import Synchronization

/// The program of a provider process: opens a plugin and serves the provider protocol on the pipes to the daemon.
public enum ProviderHost {
  /// Serves standard input and output until the input ends, and then ends the process with status 0.
  /// - Returns: the process's exit status, only if serving cannot begin.
  public static func run(plugin path: String) async -> Int32 {
    guard let thread = try? PipeThread.shared.get(), let (input, output) = takePipes() else { return 1 }
    // If the daemon reads slowly, at most four lines of the maximum length wait, or as many bytes of shorter lines.
    let writer = LineWriter(output, maxUnwritten: 4 * ProviderProtocol.maxLineFromProvider)
    let peer = ProtocolPeer { writer.write($0) }
    let plugin = HostedPlugin(peer: peer) { () throws(ProviderStartError) in
      try PluginLibrary(opening: PluginFile(path: path)).provider
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask(name: "write") { await writer.drain(thread) }
      var splitter = LineSplitter(maxLength: ProviderProtocol.maxLineFromDaemon)
      while let piece = await input.read(thread), let lines = try? splitter.add(piece) {
        // From the first request on, other processes of the user cannot read this process's memory. The process must not hide it earlier,
        // because the daemon first sets oom_score_adj of the process, which the kernel does not allow afterwards. No secret arrives before
        // the first request.
        guard cseccomp_hide() == 0 else { _exit(1) }
        for line in lines {
          guard case .request(let id, let method, let parameters, let cancellation) = try? peer.receive(line) else { continue }
          // After `shutdown`, requests in progress need no replies.
          if method == ProviderProtocol.Method.shutdown { _exit(0) }
          group.addTask(name: method) {
            peer.reply(to: id, await cancellation.during { await plugin.answer(id, method, parameters) })
          }
        }
      }
      _exit(0)
    }
    return 0
  }

  /// Reserves standard input and output for the protocol; the plugin's own output goes to the log.
  private static func takePipes() -> (PipeEnd, PipeEnd)? {
    let input = fcntl(0, F_DUPFD_CLOEXEC, 3)
    let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard input >= 0, output >= 0, nothing >= 0, dup2(nothing, 0) == 0, dup2(2, 1) == 1 else { return nil }
    close(nothing)
    guard fcntl(input, F_SETFL, O_NONBLOCK) == 0, fcntl(output, F_SETFL, O_NONBLOCK) == 0 else { return nil }
    return (PipeEnd(input), PipeEnd(output))
  }
}
