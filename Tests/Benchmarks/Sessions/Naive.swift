import QueryEngine
import PlacesKit

/// A client without a daemon: it sends every keystroke to every provider, and requests the details of the chosen place.
struct Naive {
  private let services: ScriptedServices

  init(_ services: ScriptedServices) { self.services = services }

  func ask(_ sessions: [TypedSession]) -> Figures {
    var figures = Figures()
    for session in sessions {
      figures.keystrokes += session.keystrokes.count
      for instance in services.instances {
        figures.calls["\(instance.id) autocomplete", default: 0] += session.keystrokes.count
        figures.micros += session.keystrokes.count * price(instance, .autocomplete, [])
      }
      guard let google = services.instances.first else { continue }
      figures.calls["\(google.id) details", default: 0] += 1
      figures.micros += price(google, .details, Daemon.fields)
    }
    return figures
  }

  private func price(_ instance: ProviderInstance, _ call: Call, _ fields: Set<PlaceField>) -> Int {
    instance.manifest.prices.priceClass(of: call, fields: fields)?.micros ?? 0
  }
}
