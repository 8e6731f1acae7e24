"""Clients of PyPI and Debian, unmodified, at a gateway: search, reverse, and nothing found. Run by .ci/prove-clients.

    prove_real_clients.py    (PLACES_PROGRAMS and PLACES_INDEX as for the tests; PLACES_LIECHTENSTEIN=1 if the index has that;
                              PLACES_UMAP names the folder of the unpacked uMap wheel)
"""
import functools
import http.server
import json
import os
import subprocess
import threading
import unittest
import urllib.error
import urllib.request

import geocoder
import googlemaps
import mailwoman_client.nominatim as nominatim
import mailwoman_client.photon as photon
from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from google.maps import places_v1
from google.maps.places_v1.services.places.transports.rest import PlacesRestTransport
from mailwoman_client.nominatim.api.geocoding import reverse as nominatim_reverse
from mailwoman_client.nominatim.api.geocoding import search as nominatim_search
from mailwoman_client.nominatim.models.reverse_format import ReverseFormat
from mailwoman_client.nominatim.models.search_format import SearchFormat
from mailwoman_client.photon.api.geocoding import reverse as photon_reverse
from mailwoman_client.photon.api.geocoding import search as photon_search

from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from harness import Home

RUBY = """
require 'geocoder'
port = ARGV[0]
Geocoder.configure(use_https: false, lookup: :nominatim, nominatim: {host: "127.0.0.1:#{port}/nominatim"}, timeout: 10, language: :en,
  pelias: {endpoint: "127.0.0.1:#{port}/pelias"}, api_key: 'ignored', always_raise: :all)
[:nominatim, :pelias].each do |lookup|
  found = Geocoder.search('Berlin', lookup: lookup).first
  raise "#{lookup}: #{found.inspect}" unless (found.latitude.to_f - 52.52).abs < 0.1 && found.country =~ /Germany|Deutschland/
  back = Geocoder.search([52.52, 13.41], lookup: lookup).first
  raise "#{lookup}: #{back.inspect}" unless back.address =~ /Berlin/
  raise 'something' unless Geocoder.search('qqqqzzzzxx', lookup: lookup).empty?
end
raise 'viewport' unless Geocoder.search('Berlin').first.viewport.length == 4
"""

PERL = """
use strict; use Geo::Coder::OSM;
$Geo::Coder::OSM::SOURCES{local} = "http://127.0.0.1:$ARGV[0]/nominatim/";
my $geocoder = Geo::Coder::OSM->new(sources => 'local');
my $found = $geocoder->geocode(location => 'Berlin');
die 'search' unless abs($found->{lat} - 52.52) < 0.1 && $found->{display_name} =~ /Berlin/;
my $back = $geocoder->reverse_geocode(lat => 52.52, lon => 13.41);
die 'reverse' unless $back->{address}{city} =~ /Berlin/;
die 'nothing' if defined $geocoder->geocode(location => 'qqqqzzzzxx');
"""

GLIB = """
import gi, sys
gi.require_version('GeocodeGlib', '2.0')
from gi.repository import GeocodeGlib, GLib
backend = GeocodeGlib.Nominatim.new(f'http://127.0.0.1:{sys.argv[1]}/nominatim', 'me@example.org')
forward = GeocodeGlib.Forward.new_for_string('Berlin')
forward.set_backend(backend)
place = forward.search()[0]
assert place.get_name().startswith('Berlin') and place.get_country_code().upper() == 'DE', place.get_name()
assert place.get_place_type() == GeocodeGlib.PlaceType.TOWN, place.get_place_type()
box = place.get_bounding_box()
assert box.props.top > place.get_location().get_latitude() > box.props.bottom
reverse = GeocodeGlib.Reverse.new_for_location(GeocodeGlib.Location.new(52.52, 13.41, 0))
reverse.set_backend(backend)
assert 'Berlin' in (reverse.resolve().get_town() or ''), reverse.resolve().get_town()
nothing = GeocodeGlib.Forward.new_for_string('qqqqzzzzxx')
nothing.set_backend(backend)
try:
    nothing.search()
    raise SystemExit('something was found')
except GLib.Error as error:
    assert error.matches(GeocodeGlib.error_quark(), GeocodeGlib.Error.NO_MATCHES), error
"""

# Every map program in QML asks like this.
QML = """
import QtQuick 2.0
import QtLocation 5.15
import QtPositioning 5.15
Item {
  property string base: "BASE"
  property var steps: ["Berlin", QtPositioning.coordinate(52.52, 13.41), "qqqqzzzzxx"]
  property int step: 0
  Plugin {
    id: osm
    name: "osm"
    PluginParameter { name: "osm.geocoding.host"; value: base }
    PluginParameter { name: "osm.places.host"; value: base + "/search" }
    PluginParameter { name: "osm.mapping.providersrepository.disabled"; value: "true" }
  }
  GeocodeModel {
    id: geocoder
    plugin: osm
    autoUpdate: false
    onStatusChanged: {
      if (status == GeocodeModel.Loading || status == GeocodeModel.Null) return
      var first = count ? get(0) : null
      console.log("row", step, status == GeocodeModel.Ready, count, first ? first.address.text + "|" + first.coordinate.latitude.toFixed(1) : "")
      if (++step < steps.length) { query = steps[step]; update() } else places.update()
    }
  }
  PlaceSearchModel {
    id: places
    plugin: osm
    searchTerm: "Berlin"
    searchArea: QtPositioning.circle(QtPositioning.coordinate(52.5, 13.4), 50000)
    onStatusChanged: {
      if (status == PlaceSearchModel.Loading || status == PlaceSearchModel.Null) return
      console.log("places", status == PlaceSearchModel.Ready, count, count ? data(0, "title") : errorString())
      Qt.quit()
    }
  }
  Timer { interval: 20000; running: true; onTriggered: { console.log("nothing happened"); Qt.quit() } }
  Component.onCompleted: { geocoder.query = steps[0]; geocoder.update() }
}
"""


# QGIS 3.22's geocoders search only; they have no reverse.
QGIS = """
import sys
from qgis.core import (QgsApplication, QgsCoordinateTransformContext, QgsFeedback, QgsGeocoderContext, QgsGoogleMapsGeocoder,
  QgsNominatimGeocoder)
application = QgsApplication([], False)
application.initQgis()
nominatim = QgsNominatimGeocoder("", sys.argv[1] + "/nominatim/search")
nominatim.setRequestsPerSecond(1000)
google = QgsGoogleMapsGeocoder("AIzaIgnored", "")
google.setEndpoint(sys.argv[1] + "/google/maps/api/geocode/json")
for geocoder in (nominatim, google):
    ask = lambda text: geocoder.geocodeString(text, QgsGeocoderContext(QgsCoordinateTransformContext()), QgsFeedback())
    found = ask("Berlin")[0]
    point = found.geometry().asPoint()
    assert found.isValid() and found.identifier() == "Berlin, Germany", found.identifier()
    assert abs(point.y() - 52.52) < 0.1 and abs(point.x() - 13.41) < 0.1, point
    assert found.viewport().contains(point), found.viewport()
    assert found.additionalAttributes()["country"] == "Germany", found.additionalAttributes()
    assert ask("qqqqzzzzxx") == []
application.exitQgis()
"""

# Shows the window, waits until it has asked, and takes a picture.
GNOME_MAPS = """
gnome-maps -S "$1" > "$2.log" 2>&1 &
for _ in $(seq 300); do [ -s "$3" ] && break; sleep 0.1; done
sleep 3
import -window root "$2.png"
kill $!
"""

# The page that a program with leaflet.photon would have.
PHOTON_PAGE = """<!doctype html><html><head><link rel="stylesheet" href="/vendors/leaflet/leaflet.css"></head>
<body><input id="q"><div id="map" style="height: 300px"></div><script type="module">
import { Map } from "/vendors/leaflet/leaflet-src.esm.js";
import { PhotonSearch } from "/vendors/photon/leaflet.photon.esm.js";
const map = new Map("map").setView([52, 13], 6);
window.search = new PhotonSearch(map, document.querySelector("#q"), {url: "URL/photon/api?", onSelected: (feature) => { window.chosen = feature; }});
</script></body></html>"""


class Recorder(http.server.BaseHTTPRequestHandler):
    """Passes requests on to a gateway and records them with their answers."""

    def do_GET(self):
        try:
            request = urllib.request.Request(self.server.target + self.path, headers={"User-Agent": self.headers["User-Agent"]})
            with urllib.request.urlopen(request, timeout=20) as answer:
                status, kind, body = answer.status, answer.headers["Content-Type"], answer.read()
        except urllib.error.HTTPError as error:
            status, kind, body = error.code, error.headers["Content-Type"], error.read()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.server.record(self.path, status, body)

    def log_message(self, *_):
        pass


class RealClients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.home.start_daemon()
        _, cls.port = cls.home.start_gateway()
        cls.url = f"http://127.0.0.1:{cls.port}"

    @classmethod
    def tearDownClass(cls):
        cls.home.close()

    def near(self, latitude, longitude):
        self.assertAlmostEqual(float(latitude), 52.52, 1)
        self.assertAlmostEqual(float(longitude), 13.41, 1)

    def test_googlemaps(self):
        client = googlemaps.Client(key="AIzaIgnored", base_url=f"{self.url}/google")
        found = client.geocode("Berlin", region="de", language="en")[0]
        self.near(found["geometry"]["location"]["lat"], found["geometry"]["location"]["lng"])
        self.assertIn("Berlin", client.reverse_geocode((52.52, 13.41))[0]["formatted_address"])
        self.assertEqual(client.geocode("qqqqzzzzxx"), [])
        prediction = client.places_autocomplete("berl", session_token="a")[0]
        self.assertIn("Berlin", prediction["description"])
        self.assertEqual(client.place(prediction["place_id"], session_token="a", fields=["name"])["result"]["name"], "Berlin")
        self.assertEqual(client.places("Berlin")["status"], "OK")
        self.assertEqual(client.places("qqqqzzzzxx")["results"], [])

    def test_google_maps_places(self):
        transport = PlacesRestTransport(host=f"127.0.0.1:{self.port}/google", url_scheme="http", credentials=AnonymousCredentials())
        client = places_v1.PlacesClient(transport=transport, client_options=ClientOptions())
        answer = client.autocomplete_places({"input": "berl"})
        self.assertEqual(answer.suggestions[0].place_prediction.structured_format.main_text.text, "Berlin")
        self.assertEqual(answer.suggestions[0].place_prediction.text.matches[0].end_offset, 4)
        mask = [("x-goog-fieldmask", "*")]
        found = client.search_text({"text_query": "Berlin"}, metadata=mask).places[0]
        self.near(found.location.latitude, found.location.longitude)
        self.assertIn("GeoNames", found.attributions[0].provider)
        self.assertEqual(client.get_place({"name": found.name}, metadata=[("x-goog-fieldmask", "displayName")]).display_name.text, "Berlin")
        self.assertEqual(list(client.search_text({"text_query": "qqqqzzzzxx"}, metadata=mask).places), [])
        circle = {"center": {"latitude": 52.52, "longitude": 13.41}, "radius": 5000}
        near = client.search_nearby({"location_restriction": {"circle": circle}, "included_types": ["locality"]}, metadata=mask)
        self.assertEqual(near.places[0].display_name.text, "Berlin")

    def test_geocoder(self):
        found = geocoder.osm("Berlin", url=f"{self.url}/nominatim/search")
        self.near(found.lat, found.lng)
        self.assertEqual(found.country_code, "de")
        self.assertIn("Berlin", geocoder.osm([52.52, 13.41], method="reverse", url=f"{self.url}/nominatim/search").address)
        self.assertFalse(geocoder.osm("qqqqzzzzxx", url=f"{self.url}/nominatim/search").ok)
        found = geocoder.komoot("Berlin", url=f"{self.url}/photon/api")
        self.near(found.lat, found.lng)
        found = geocoder.google("Berlin", key="AIza", url=f"{self.url}/google/maps/api/geocode/json")
        self.near(found.lat, found.lng)

    def test_mailwoman_which_reads_strictly(self):
        client = nominatim.Client(base_url=f"{self.url}/nominatim", raise_on_unexpected_status=True)
        rows = nominatim_search.sync(client=client, q="Berlin", format_=SearchFormat.JSONV2)
        self.near(rows[0].lat, rows[0].lon)
        self.assertEqual(len(rows[0].boundingbox), 4)
        back = nominatim_reverse.sync(client=client, lat=52.52, lon=13.41, format_=ReverseFormat.JSONV2)
        self.assertIn("Berlin", back.display_name)
        self.assertEqual(nominatim_search.sync(client=client, q="qqqqzzzzxx", format_=SearchFormat.JSONV2), [])
        client = photon.Client(base_url=f"{self.url}/photon", raise_on_unexpected_status=True)
        found = photon_search.sync(client=client, q="Berlin")
        self.near(found.features[0].geometry.coordinates[1], found.features[0].geometry.coordinates[0])
        self.assertEqual(found.features[0].properties.name, "Berlin")
        self.assertEqual(photon_reverse.sync(client=client, lat=52.52, lon=13.41).features[0].properties.name, "Berlin")
        self.assertEqual(photon_search.sync(client=client, q="qqqqzzzzxx").features, [])

    def run_program(self, *words):
        environment = {**os.environ, "XDG_CACHE_HOME": f"{self.home.folder}/xdg", "LC_ALL": "C.UTF-8"}
        run = subprocess.run(words, capture_output=True, text=True, timeout=60, env=environment)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_ruby_geocoder(self):
        self.run_program("ruby", "-W0", "-e", RUBY, str(self.port))

    def test_perl_geo_coder_osm(self):
        self.run_program("perl", "-e", PERL, str(self.port))

    def test_geocode_glib(self):
        self.run_program("/usr/bin/python3", "-c", GLIB, str(self.port))

    def test_qt_location(self):
        path = self.home.write("client.qml", QML.replace("BASE", f"{self.url}/nominatim"))
        environment = {
            **os.environ, "QT_QUICK_BACKEND": "software", "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8",
            "XDG_CACHE_HOME": f"{self.home.folder}/xdg", "XDG_RUNTIME_DIR": self.home.folder}
        run = subprocess.run(["qmlscene", path], capture_output=True, text=True, timeout=60, env=environment)
        lines = [line.removeprefix("qml: ") for line in run.stderr.splitlines() if line.startswith("qml: ")]
        self.assertRegex(lines[0], r"^row 0 true [1-9]\d* Berlin, Germany\|52\.5$", run.stderr)
        self.assertRegex(lines[1], r"^row 1 true 1 Berlin, Germany\|52\.5$")
        self.assertEqual(lines[2].strip(), "row 2 true 0")
        self.assertRegex(lines[3], r"^places true [1-9]\d* Berlin$")

    def test_qgis(self):
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": self.home.folder, "XDG_RUNTIME_DIR": self.home.folder}
        run = subprocess.run(
            ["/usr/bin/python3", "-c", QGIS, self.url], capture_output=True, text=True, timeout=120, env=environment)
        self.assertEqual(run.returncode, 0, run.stderr)

    def serve(self, server):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}"

    def test_gnome_maps(self):
        asked, mark = [], f"{self.home.folder}/asked"

        def record(path, status, body):
            if path.startswith("/photon/"):
                asked.append((path, status, json.loads(body)))
                with open(mark, "a", encoding="utf-8") as file:
                    file.write("x")

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        server.target, server.record = self.url, record
        base = self.serve(server)
        with open("/usr/share/gnome-maps/maps-service.json", encoding="utf-8") as file:
            tiles = json.load(file)["tiles"]
        for layer in tiles.values():
            layer["uri_format"] = f"{base}/none/#Z#/#X#/#Y#.png"
        service = self.home.write("maps.json", json.dumps({"tiles": tiles, "photonGeocode": {"baseUrl": f"{base}/photon", "supportedLanguages": ["en"]}}))
        folder = os.environ.get("PLACES_SCREENSHOTS") or self.home.folder
        environment = {
            **os.environ, "MAPS_SERVICE": service, "HOME": self.home.folder, "XDG_RUNTIME_DIR": self.home.folder, "LC_ALL": "C.UTF-8",
            "GSETTINGS_BACKEND": "memory", "GDK_BACKEND": "x11", "LIBGL_ALWAYS_SOFTWARE": "1"}
        pictures = {}
        for text in ("berlin", "qqqqzzzzxx"):
            picture = f"{folder}/gnome-maps-{text}"
            subprocess.run(
                ["xvfb-run", "-a", "-s", "-screen 0 1024x768x24", "dbus-run-session", "sh", "-c", GNOME_MAPS, "sh", text, picture, mark],
                env=environment, capture_output=True, timeout=90)
            with open(f"{picture}.log", encoding="utf-8") as file:
                self.assertNotIn("JS ERROR", file.read())
            with open(f"{picture}.png", "rb") as file:
                pictures[text] = file.read()
            os.remove(mark)
        (path, status, found), (_, nothing_status, nothing) = asked[0], asked[-1]
        self.assertTrue(path.startswith("/photon/api/?"), path)
        self.assertEqual((status, nothing_status), (200, 200))
        self.near(found["features"][0]["geometry"]["coordinates"][1], found["features"][0]["geometry"]["coordinates"][0])
        self.assertEqual(nothing["features"], [])
        # One shows the places, the other that there is none.
        self.assertNotEqual(pictures["berlin"], pictures["qqqqzzzzxx"])

    def test_leaflet_photon(self):
        folder = os.environ.get("PLACES_UMAP")
        if not folder:
            self.skipTest("PLACES_UMAP does not name the folder of uMap's wheel")
        static = f"{folder}/umap/static/umap"
        handler = functools.partial(type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None}), directory=static)
        origin = self.serve(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
        # The page is of another origin, as in every map program.
        _, port = self.home.start_gateway(f'allow_origins = ["{origin}"]')
        with open(f"{static}/places.html", "w", encoding="utf-8") as file:
            file.write(PHOTON_PAGE.replace("URL", f"http://127.0.0.1:{port}"))
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        self.addCleanup(browser.quit)
        browser.get(f"{origin}/places.html")
        wait = lambda what, script: WebDriverWait(browser, 15, 0.05).until(lambda _: browser.execute_script(script), what)
        wait("the module", "return !!window.search")
        field = browser.find_element("css selector", "#q")
        field.send_keys("berlin")
        wait("rows", "return document.querySelector('.photon-autocomplete li')?.textContent.includes('Berlin')")
        if os.environ.get("PLACES_SCREENSHOTS"):
            browser.save_screenshot(f"{os.environ['PLACES_SCREENSHOTS']}/leaflet-photon.png")
        field.send_keys("\ue007")
        wait("the choice", "return window.chosen?.properties.name === 'Berlin'")
        longitude, latitude = browser.execute_script("return window.chosen.geometry.coordinates")
        self.near(latitude, longitude)
        field.clear()
        field.send_keys("qqqqzzzzxx")
        wait("that nothing was found", "return !!document.querySelector('.photon-no-result')")

    def test_liechtenstein(self):
        if not os.environ.get("PLACES_LIECHTENSTEIN"):
            self.skipTest("the index does not have it")
        found = geocoder.osm("Landesmuseum Vaduz", url=f"{self.url}/nominatim/search")
        self.assertEqual((found.json["raw"]["osm_type"], found.json["raw"]["category"]), ("way", "tourism"))
        self.assertIn("Vaduz", found.address)
        found = photon_search.sync(client=photon.Client(base_url=f"{self.url}/photon"), q="Städtle Vaduz").features[0]
        self.assertEqual((found.properties.osm_key, found.properties.city), ("highway", "Vaduz"))
        rows = googlemaps.Client(key="AIza", base_url=f"{self.url}/google").reverse_geocode((47.1381, 9.5226))
        self.assertIn("Vaduz", json.dumps(rows))


if __name__ == "__main__":
    unittest.main()
