"""geopy's geocoders, unmodified, at the gateway: search, reverse, and nothing found."""
import unittest

from geopy.exc import GeocoderQueryError, GeocoderServiceError
from geopy.geocoders import GoogleV3, Nominatim, Pelias, Photon

from harness import Home


class GeopyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.home.start_daemon()
        _, cls.port = cls.home.start_gateway()
        cls.host = f"127.0.0.1:{cls.port}"

    @classmethod
    def tearDownClass(cls):
        cls.home.close()

    def check(self, geocoder, name="Berlin", **options):
        found = geocoder.geocode("Berlin", **options)
        self.assertAlmostEqual(found.latitude, 52.52, 1)
        self.assertAlmostEqual(found.longitude, 13.41, 1)
        self.assertIn(name, found.address)
        self.assertGreater(len(geocoder.geocode("Berlin", exactly_one=False)), 1)
        back = geocoder.reverse((52.524, 13.411))
        self.assertIn(name, back.address)
        self.assertIsNone(geocoder.geocode("qqqqzzzzxx"))

    def test_nominatim(self):
        geocoder = Nominatim(domain=f"{self.host}/nominatim", scheme="http", user_agent="test")
        self.check(geocoder, addressdetails=True, namedetails=True, extratags=True, language="de", country_codes=["de"],
                   viewbox=((50, 10), (54, 15)), bounded=True)
        self.assertIsNone(geocoder.reverse((0, -30)))
        self.assertEqual(geocoder.geocode({"city": "Berlin", "country": "Germany"}).raw["address"]["country_code"], "de")
        self.assertEqual(geocoder.geocode("Berlin", featuretype="city", limit=1).raw["type"], "city")

    def test_photon(self):
        geocoder = Photon(domain=f"{self.host}/photon", scheme="http", user_agent="test")
        self.check(geocoder, language="de", location_bias=(52, 13), osm_tag=["place:city"], limit=3)
        self.assertIsNone(geocoder.reverse((0, -30)))

    def test_pelias(self):
        geocoder = Pelias(domain=f"{self.host}/pelias", scheme="http", api_key="ignored", user_agent="test")
        self.check(geocoder, boundary_rect=((50, 10), (54, 15)), countries=["DEU"])
        self.assertIsNone(geocoder.reverse((0, -30)))

    def test_google(self):
        geocoder = GoogleV3(domain=f"{self.host}/google", scheme="http", api_key="AIzaIgnored")
        self.check(geocoder, region="de", language="de", components={"country": "DE"}, bounds=((50, 10), (54, 15)))
        place = geocoder.geocode("Berlin").raw["place_id"]
        self.assertIn("Berlin", geocoder.geocode(place_id=place).address)

    def test_errors_have_the_names_that_clients_know(self):
        home = Home()
        try:
            _, port = home.start_gateway()
            with self.assertRaises(GeocoderServiceError):
                Nominatim(domain=f"127.0.0.1:{port}/nominatim", scheme="http", user_agent="test", timeout=15).geocode("Berlin")
            with self.assertRaises((GeocoderQueryError, GeocoderServiceError)):
                GoogleV3(domain=f"127.0.0.1:{port}/google", scheme="http", api_key="AIza", timeout=15).geocode("Berlin")
        finally:
            home.close()


if __name__ == "__main__":
    unittest.main()
