import Glibc
import PluginHost

/// `places-provider-host lib<Name>.so`: runs one plugin for the daemon, which starts this program in a sandbox.
@main
struct Program {
  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      let usage =
        "usage: places-provider-host lib<Name>.so\nThe daemon starts it; it speaks the provider protocol, see places-provider(7).\n"
      _ = usage.withCString { write(2, $0, strlen($0)) }
      exit(2)
    }
    exit(await ProviderHost.run(plugin: CommandLine.arguments[1]))
  }
}
