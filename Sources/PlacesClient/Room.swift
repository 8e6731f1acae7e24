import PlacesAPI
