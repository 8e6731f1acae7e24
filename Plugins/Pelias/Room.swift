import PlacesKit
