"""The Python package `places` at a real daemon."""
import ast
import asyncio
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "python"
sys.path.insert(0, str(FOLDER))

import places  # noqa: E402
import places.geopy  # noqa: E402
from harness import Home  # noqa: E402


class PlacesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.daemon = cls.home.start_daemon()

    @classmethod
    def tearDownClass(cls):
        cls.home.close()

    def client(self):
        client = places.Client(self.home.socket)
        self.addCleanup(client.close)
        return client

    def test_the_methods_and_replies_are_those_of_the_daemon(self):
        description = self.client().discover()
        sys.path.insert(0, str(FOLDER))
        import generate

        for name, text in (("types.py", generate.records(description)), ("_methods.py", generate.methods(description))):
            self.assertEqual((FOLDER / "places" / name).read_text(encoding="utf-8"), text, f"run generate.py: {name} is out of date")
        errors = {value["code"]: name for name, value in description["components"]["errors"].items()}
        self.assertEqual(errors, {code: kind.name for code, kind in places.errors.BY_CODE.items()})

    def test_it_is_written_for_python_3_9(self):
        for file in (FOLDER / "places").glob("*.py"):
            ast.parse(file.read_text(encoding="utf-8"), feature_version=(3, 9))

    def test_search_details_reverse_and_choice(self):
        client = self.client()
        rows = client.autocomplete("berl", limit=2)["suggestions"]
        self.assertEqual(rows[0]["primary"]["text"], "Berlin")
        place = client.details(rows[0]["id"], ["name", "coordinate"])["place"]
        self.assertAlmostEqual(place["coordinate"]["latitude"], 52.52, 1)
        self.assertEqual(client.search("Paris", ["name"], limit=1)["places"][0]["name"], "Paris")
        self.assertEqual(client.reverse({"latitude": 52.52, "longitude": 13.41}, limit=1)["places"][0]["name"], "Berlin")
        session = "c0ffee00-1234-4abc-8def-0123456789ab"
        client.autocomplete("par", session=session)
        client.select(session, rows[0]["id"])
        self.assertIn("gazetteer", [provider["id"] for provider in client.providers_list()["providers"]])

    def test_a_text_is_resolved_to_a_place_or_to_candidates(self):
        async def body(text):
            async with places.AsyncClient(self.home.socket) as client:
                return await client.resolve(text)

        for resolve in (self.client().resolve, lambda text: asyncio.run(body(text))):
            found = resolve("Berlin")
            self.assertEqual((found["certain"], found["match"], found["place"]["name"]), (True, "exact", "Berlin"))
            unsure = resolve("Berl")
            self.assertFalse(unsure["certain"] or "place" in unsure)
            self.assertGreater(len(unsure["candidates"]), 1)
            self.assertLess(unsure["confidence"], 0.8)
            self.assertEqual(unsure["candidates"][0]["confidence"], unsure["confidence"])
            self.assertEqual(resolve("qqqqzzzzxx")["candidates"], [])

    def test_fields_may_be_omitted_and_a_point_may_be_a_pair(self):
        client, point = self.client(), (52.52, 13.41)
        berlin = client.autocomplete("berl", limit=1)["suggestions"][0]["id"]

        async def both():
            async with places.AsyncClient(self.home.socket) as client:
                return [await client.details(berlin), await client.reverse(point, limit=1)]

        for details, reverse in ([client.details(berlin), client.reverse(point, limit=1)], asyncio.run(both())):
            self.assertEqual(details["place"]["name"], "Berlin")
            self.assertIn("coordinate", details["place"])
            self.assertEqual(reverse["places"][0]["name"], "Berlin")
        self.assertIn("formattedAddress", client.search("Berlin", limit=1)["places"][0])
        for arguments in [point, ({"latitude": 52.52, "longitude": 13.41}, 100)]:
            with self.assertRaisesRegex(TypeError, "^location is one argument, a pair .* not several arguments$"):
                client.reverse(*arguments)
        with self.assertRaisesRegex(TypeError, "latitude and longitude, not 'Berlin'$"):
            client.reverse("Berlin")

    def test_a_misspelt_field_has_a_suggestion(self):
        with self.assertRaisesRegex(places.InvalidParamsError, "did you mean `openingHours` instead of `openinghours`"):
            self.client().search("Berlin", ["name", "openinghours"])

    def test_errors(self):
        client = self.client()
        with self.assertRaises(places.NotFoundError) as caught:
            client.details("gazetteer:999999999", ["name"])
        self.assertEqual(caught.exception.name, "not_found")
        with self.assertRaises(places.InvalidParamsError) as caught:
            client.search("x", ["nothing"])
        self.assertEqual(caught.exception.data["parameter"], "fields")
        with self.assertRaises(places.UnreachableError):
            places.Client("/nonexistent/socket").info()

    def test_partial_answers_and_threads(self):
        client, partial = self.client(), []
        client.call("places.autocomplete", {"query": "berl", "stream": True}, partial.append)
        failures = []

        def ask():
            try:
                for _ in range(20):
                    self.assertTrue(client.autocomplete("berl")["suggestions"])
            except Exception as error:  # noqa: BLE001
                failures.append(error)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertEqual(failures, [])

    def test_it_connects_again_when_the_daemon_comes_back(self):
        home = Home()
        try:
            daemon = home.start_daemon()
            client = places.Client(home.socket)
            self.assertTrue(client.autocomplete("berl")["suggestions"])
            daemon.terminate()
            daemon.wait(20)
            with self.assertRaises(places.PlacesError):
                client.autocomplete("berl")
            home.start_daemon()
            self.assertTrue(client.autocomplete("berl")["suggestions"])
            client.close()
        finally:
            home.close()

    def test_many_calls_at_once(self):
        async def body():
            async with places.AsyncClient(self.home.socket) as client:
                replies = await asyncio.gather(*(client.autocomplete("berl", limit=1) for _ in range(50)))
                self.assertEqual({reply["suggestions"][0]["primary"]["text"] for reply in replies}, {"Berlin"})
                with self.assertRaises(places.NotFoundError):
                    await client.details("gazetteer:999999999", ["name"])
                task = asyncio.create_task(client.search("berlin", ["name"]))
                await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertTrue((await client.autocomplete("par"))["suggestions"])

        asyncio.run(body())

    def test_a_completer_answers_the_newest_text_only(self):
        async def body():
            async with places.AsyncClient(self.home.socket) as client:
                completer = places.Autocompleter(client, pause=0.05, limit=3)
                for text in ("b", "be", "ber", "berl"):
                    completer.type(text)
                async for state in completer.states():
                    self.assertEqual(state.text, "berl")
                    if state.is_final:
                        break
                self.assertEqual(state.rows[0]["primary"]["text"], "Berlin")
                self.assertTrue(state.attributions)
                place = (await completer.details(state.rows[0], ["coordinate"]))["place"]
                self.assertAlmostEqual(place["coordinate"]["longitude"], 13.41, 1)
                completer.type("")
                async for state in completer.states():
                    self.assertEqual((state.text, state.rows, state.is_final), ("", [], True))
                    break
                await completer.close()

        asyncio.run(body())

    def test_a_geocoder_as_geopy_has_it(self):
        geocoder = places.geopy.Places(self.home.socket, user_agent="ignored")
        self.addCleanup(geocoder.client.close)
        found = geocoder.geocode("Berlin", language="de")
        self.assertAlmostEqual(found.latitude, 52.52, 1)
        self.assertIn("Berlin", found.address)
        self.assertGreater(len(geocoder.geocode("Berlin", exactly_one=False)), 1)
        self.assertIsNone(geocoder.geocode("Berl"))
        self.assertGreater(len(geocoder.geocode("Berl", exactly_one=False)), 1)
        self.assertIn("Berlin", geocoder.reverse("52.52, 13.41").address)
        self.assertIsNone(geocoder.geocode("qqqqzzzzxx"))
        self.assertIsNone(geocoder.reverse((0, -30)))

    def test_it_installs_as_a_wheel(self):
        with tempfile.TemporaryDirectory(prefix="places-wheel-") as folder:
            shutil.copytree(FOLDER, f"{folder}/source")
            build = "import sys; from setuptools import build_meta; print(build_meta.build_wheel(sys.argv[1]))"
            made = subprocess.run([sys.executable, "-c", build, folder], cwd=f"{folder}/source", capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            wheel = made.stdout.split()[-1]
            self.assertRegex(wheel, r"^places-[0-9.]+-py3-none-any\.whl$")
            code = "import places, places.geopy, importlib.resources; print(places.__file__, importlib.resources.files(places).joinpath('py.typed').is_file())"
            # A wheel of pure Python can be imported as it is.
            run = subprocess.run([sys.executable, "-c", code], cwd="/", env={"PYTHONPATH": f"{folder}/{wheel}"}, capture_output=True, text=True)
            self.assertEqual(run.stdout.split(), [f"{folder}/{wheel}/places/__init__.py", "True"], run.stderr)

    def test_it_installs_without_geopy(self):
        code = "import sys; sys.modules['geopy'] = None; sys.modules['geopy.location'] = None; import places.geopy; print(places.geopy.Location.__module__)"
        run = subprocess.run([sys.executable, "-c", code], cwd=FOLDER, capture_output=True, text=True, check=True)
        self.assertEqual(run.stdout.strip(), "places.geopy")


if __name__ == "__main__":
    unittest.main()
