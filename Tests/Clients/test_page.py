"""The search page in a real Chromium, driven by the keyboard. Needs Debian's chromium-driver, and selenium from PyPI."""
import http.server
import json
import os
import threading
import unittest

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from harness import Home

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/places-gateway/Page")


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.home.start_daemon()
        _, cls.port = cls.home.start_gateway(f'page_dir = "{os.path.realpath(PAGE)}"')
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--window-size=1200,800", "--lang=en", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.home.close()

    def setUp(self):
        self.browser.get("about:blank")
        self.browser.get_log("performance")
        self.browser.get_log("browser")
        self.open()

    def open(self):
        """Opens the page and records the methods that it calls."""
        self.browser.get(f"http://localhost:{self.port}/")
        self.wait("the map", "return !!document.querySelector('#map canvas')")
        self.js("""
            const fetched = window.fetch;
            window.called = [];
            window.fetch = (url, options) => {
              if (options?.body) window.called.push(JSON.parse(options.body).method);
              return fetched(url, options);
            };""")

    def tearDown(self):
        said = [entry for entry in self.browser.get_log("browser") if entry["level"] == "SEVERE" and "503" not in entry["message"]]
        self.assertEqual(said, [], "the browser complained: a script failed, or the content security policy forbade something")

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def wait(self, what, script):
        WebDriverWait(self.browser, 15, 0.02).until(lambda _: self.js(script), what)

    def keys(self, *keys):
        ActionChains(self.browser, 0).send_keys(*keys).perform()

    def evaluate(self, script):
        """Runs a script that the page's security policy would not load."""
        self.browser.execute_cdp_cmd("Runtime.evaluate", {"expression": script})

    SHADOW = "const root = document.querySelector('places-search').shadowRoot; const input = root.querySelector('input');"

    def rows(self):
        return self.js(self.SHADOW + "return Array.from(root.querySelectorAll('[role=option]'), (row) => row.querySelector('.primary').textContent)")

    def typed(self, text):
        self.keys(text)
        self.wait("rows", self.SHADOW + "return root.querySelectorAll('[role=option]').length > 0 && root.querySelector('.busy').hidden")

    def screenshot(self, name):
        folder = os.environ.get("PLACES_SCREENSHOTS")
        if folder:
            self.browser.save_screenshot(f"{folder}/{name}.png")

    def test_a_place_is_found_with_the_keyboard_alone(self):
        self.typed("berl")
        self.assertEqual(self.rows()[0], "Berlin")
        self.assertEqual(self.js(self.SHADOW + "return root.querySelector('mark').textContent"), "Berl")
        self.assertIn("GeoNames", self.js(self.SHADOW + "return root.querySelector('.credits').textContent"))
        self.assertEqual(self.js(self.SHADOW + "return input.getAttribute('aria-expanded')"), "true")
        self.screenshot("light")
        self.keys(Keys.ARROW_DOWN)
        self.assertEqual(self.js(self.SHADOW + "return root.getElementById(input.getAttribute('aria-activedescendant')).ariaSelected"), "true")
        self.keys(Keys.ENTER)
        self.wait("the place", "return document.querySelector('#place h2').textContent === 'Berlin'")
        self.assertTrue(self.js("return !!document.querySelector('.marker')"))
        self.assertIn("#id=gazetteer", self.js("return location.hash"))
        self.assertIn("GeoNames", self.js("return document.querySelector('#place .credits').textContent"))
        self.wait("the towns around", "return document.querySelectorAll('.town').length > 0")
        self.assertIn("Berlin", self.js("return Array.from(document.querySelectorAll('.town'), (town) => town.textContent)"))
        self.screenshot("chosen")
        # One details call, which ended the session, and no select beside it.
        methods = self.js("return window.called")
        self.assertEqual(methods.count("places.details"), 1)
        self.assertNotIn("places.select", methods)

    def test_nothing_is_loaded_from_elsewhere(self):
        self.typed("par")
        urls = [json.loads(entry["message"])["message"]["params"]["request"]["url"] for entry in self.browser.get_log("performance")
                if '"Network.requestWillBeSent"' in entry["message"]]
        self.assertGreater(len(urls), 5)
        self.assertEqual([url for url in urls if not url.startswith((f"http://localhost:{self.port}/", "data:", "about:", "chrome"))], [])

    def test_escape_and_tab_do_not_choose(self):
        self.typed("berl")
        self.keys(Keys.ARROW_DOWN, Keys.ESCAPE)
        self.assertTrue(self.js(self.SHADOW + "return root.querySelector('.panel').hidden && input.value === 'berl'"))
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.js(self.SHADOW + "return input.value"), "")
        self.typed("par")
        self.keys(Keys.ARROW_DOWN, Keys.TAB)
        self.assertEqual(self.js(self.SHADOW + "return input.value"), "par")
        self.assertTrue(self.js("return document.querySelector('#place').hidden"))

    def test_nothing_found_is_said(self):
        self.keys("qqqqzzzz")
        self.wait("a note", self.SHADOW + "return root.querySelector('.note').textContent === 'Nothing found.'")
        self.assertEqual(self.js(self.SHADOW + "return root.querySelector('.announcement').textContent"), "0 places")

    def test_names_are_never_markup_and_matches_are_code_points(self):
        parts = self.js(
            "return import('/places-source.js').then((module) => module.marked({text: '😀<b>é', matches: [{start: 1, end: 4}]}))")
        self.assertEqual(parts, [
            {"text": "😀", "isMatch": False}, {"text": "<b>", "isMatch": True}, {"text": "é", "isMatch": False}])
        self.js(self.SHADOW + """
            const source = document.querySelector('places-search').source;
            source.call = async () => ({suggestions: [{kind: 'place', id: 'x:1', row: 'r1', types: ['locality'], sources: [],
              text: {text: '<img src=x onerror=alert(1)>', matches: []}}], providers: [], attributions: [{provider: 'x', text: 'X', url: 'javascript:alert(1)'}]});""")
        self.typed("x")
        self.assertEqual(self.rows(), ["<img src=x onerror=alert(1)>"])
        self.assertEqual(self.js(self.SHADOW + "return root.querySelectorAll('img, .credits a').length"), 0)

    def test_rows_of_a_partial_answer_stay_under_the_cursor(self):
        row = "(id) => ({kind: 'place', id, row: id, types: ['locality'], sources: [], text: {text: id, matches: []}})"
        self.js(self.SHADOW + "const row = " + row + """;
            const answer = (...ids) => ({suggestions: ids.map(row), providers: [], attributions: [], complete: false});
            document.querySelector('places-search').source.call = (method, params, { partial }) => {
              partial(answer('a', 'b'));
              return new Promise((resolve) => { window.answerAll = () => resolve(answer('a', 'b', 'c')); });
            };""")
        self.keys("x")
        self.wait("the partial answer", self.SHADOW + "return root.querySelectorAll('[role=option]').length === 2")
        self.assertFalse(self.js(self.SHADOW + "return root.querySelector('.busy').hidden"))
        self.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.js("window.answerAll()")
        self.wait("the answer", self.SHADOW + "return root.querySelectorAll('[role=option]').length === 3")
        self.assertEqual(self.rows(), ["a", "b", "c"])
        self.assertEqual(self.js(self.SHADOW + "return root.getElementById(input.getAttribute('aria-activedescendant')).textContent"), "btown")

    def test_a_place_fills_the_map_and_the_view_biases_searches(self):
        bias = "return document.querySelector('places-search').source.params.bias?.circle"
        self.assertIsNone(self.js(bias))
        self.js("document.querySelector('places-search').source.details = async () => ({name: 'Box', types: ['locality'], sources: [], coordinate: {latitude: 47.1, longitude: 9.5},"
                " viewport: {low: {latitude: 47, longitude: 9.4}, high: {latitude: 47.2, longitude: 9.6}}}); location.hash = '#id=x:1'")
        self.wait("the view", bias)
        circle = self.js(bias)
        self.assertAlmostEqual(circle["center"]["latitude"], 47.1, 1)
        self.assertAlmostEqual(circle["center"]["longitude"], 9.5, 1)
        # The box is 22 km high; the view is not four times as large.
        self.assertTrue(11_000 < circle["radius"] <= 50_000, circle)

    def test_any_event_stream_is_a_result_or_an_error_of_its_own(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz_events.js"), encoding="utf-8") as file:
            # Marionette has a global object of its own.
            self.evaluate(file.read().replace("globalThis", "window"))
        self.assertEqual(self.js("return import('/places-source.js').then((module) => window.fuzzEvents(module, 200))"), [])

    def click(self, x, y):
        actions = ActionChains(self.browser, 0)
        actions.w3c_actions.pointer_action.move_to_location(x, y)
        actions.w3c_actions.pointer_action.click()
        actions.perform()

    def test_a_click_on_the_map_asks_what_is_there(self):
        self.js("location.hash = '#id=gazetteer:2950159'")
        self.wait("the place", "return document.querySelector('#place h2').textContent === 'Berlin'")
        self.js("document.querySelector('#place h2').textContent = ''")
        box = self.js("const box = document.querySelector('#map').getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2 - 40]")
        self.click(int(box[0]), int(box[1]))
        self.wait("an answer", "return document.querySelector('#place h2').textContent !== ''")

    def test_a_link_searches(self):
        self.browser.get(f"http://localhost:{self.port}/#q=munich")
        self.browser.refresh()
        self.wait("rows", self.SHADOW + "return root.querySelectorAll('[role=option]').length > 0")

    def test_a_daemon_that_is_gone_can_be_tried_again(self):
        home = Home()
        try:
            _, port = home.start_gateway(f'page_dir = "{os.path.realpath(PAGE)}"')
            self.browser.get(f"http://localhost:{port}/")
            self.wait("the map", "return !!document.querySelector('#map canvas')")
            self.keys("berl")
            self.wait("the failure", self.SHADOW + "return root.querySelector('.note').textContent.includes('does not answer')")
            home.start_daemon()
            self.keys(Keys.ENTER)
            self.wait("rows", self.SHADOW + "return root.querySelectorAll('[role=option]').length > 0")
        finally:
            home.close()

    def test_dark_phone_and_right_to_left(self):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        self.typed("berl")
        self.screenshot("dark")
        background = self.js(self.SHADOW + "return getComputedStyle(root.querySelector('.panel')).backgroundColor")
        self.assertEqual(background, "rgb(27, 29, 31)")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 640, "deviceScaleFactor": 2, "mobile": True})
        try:
            self.screenshot("phone")
            # The kind of a place does not take a line of its own.
            lines = self.js(self.SHADOW + "return Array.from(root.querySelectorAll('.type'), (one) => { const [own, row] = [one.getBoundingClientRect(), one.parentElement.getBoundingClientRect()]; return Math.abs(own.y + own.height / 2 - row.y - row.height / 2); })")
            self.assertLess(max(lines), 3)
            self.assertLessEqual(self.js("return document.documentElement.scrollWidth"), 360)
            heights = self.js(self.SHADOW + "return Array.from(root.querySelectorAll('[role=option], button:not([hidden]), input'), (one) => one.getBoundingClientRect().height).filter(Boolean)")
            self.assertGreaterEqual(min(heights), 44)
            self.js("document.documentElement.dir = 'rtl'")
            self.screenshot("rtl")
        finally:
            self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_a_place_from_right_to_left(self):
        self.js("document.documentElement.dir = 'rtl'; location.hash = '#id=gazetteer:2950159'")
        self.wait("the towns around", "return document.querySelectorAll('.town').length > 3")
        self.assertEqual(self.js("return getComputedStyle(document.querySelector('#place h2')).textAlign"), "right")
        # The latitude stands left of the longitude.
        x = ("const bdi = Array.from(document.querySelectorAll('#place dd bdi')).find((one) => one.textContent.startsWith('52.')).firstChild; const range = document.createRange();"
             " const left = (at) => { range.setStart(bdi, at); range.setEnd(bdi, at + 1); return range.getBoundingClientRect().left; }; return left(0) < left(bdi.length - 1)")
        self.assertTrue(self.js(x))
        # Names stand right of their points, where the page leaves room for them.
        self.assertTrue(self.js("return Array.from(document.querySelectorAll('.town'), (one) => one.firstElementChild.getBoundingClientRect().left > one.getBoundingClientRect().left).every(Boolean)"))
        self.screenshot("rtl-place")

    def media(self, **features):
        """Sets media features; without any, those of the browser return."""
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    FORM = """
        const form = document.createElement('form');
        form.innerHTML = `<places-search name="place" lang="de" limit="3" types="(cities)" bias="52.5,13.4,1000" placeholder="Wo?"
          style="--places-background: rgb(1, 2, 3); --places-row-height: 99px"></places-search>
          <style>places-search::part(row) { border-top: 7px solid } places-search::part(mark) { color: rgb(4, 5, 6) }</style>`;
        document.body.prepend(form);
        window.field = form.firstElementChild;
        window.events = [];
        for (const name of ['place-input', 'place-select']) {
          form.addEventListener(name, ({ type, detail }) => window.events.push([type, detail.text ?? detail.row.id]));
        }"""
    FIELD_ROWS = "return window.field.shadowRoot.querySelectorAll('[role=option]').length > 0 && window.field.source.state.activity === 'idle'"

    def test_the_component_in_a_form_of_another_page(self):
        self.js(self.FORM)
        self.assertEqual(self.js("return window.field.source.params"), {
            "limit": 3, "language": "de", "types": ["(cities)"],
            "bias": {"circle": {"center": {"latitude": 52.5, "longitude": 13.4}, "radius": 1000}}})
        self.assertEqual(self.js("return window.field.input.placeholder"), "Wo?")
        value = "return new FormData(document.querySelector('form')).get('place')"
        self.js("window.field.input.focus()")
        self.keys("münch")
        self.wait("rows", self.FIELD_ROWS)
        style = lambda part, name: self.js(f"return getComputedStyle(window.field.shadowRoot.querySelector('{part}')).{name}")
        self.assertEqual(style(".panel", "backgroundColor"), "rgb(1, 2, 3)")
        self.assertEqual(style("[role=option]", "minHeight"), "99px")
        self.assertEqual(style("[role=option]", "borderTopWidth"), "7px")
        self.assertEqual(style("mark", "color"), "rgb(4, 5, 6)")
        self.assertIn(self.js(value), ("", None))
        self.keys(Keys.ARROW_DOWN, Keys.ENTER)
        chosen = self.js(value)
        self.assertRegex(chosen, r"^gazetteer:\d+$")
        self.assertEqual(self.js("return window.field.value.startsWith('München')"), True)
        self.assertEqual(self.js("return window.events"), [["place-input", "münch"[:end]] for end in range(1, 6)] + [["place-select", chosen]])
        # Without a listener that asks for details, the choice alone ends the session.
        self.wait("the choice", "return window.called.includes('places.select')")
        self.assertNotIn("places.details", self.js("return window.called"))
        self.js("document.querySelector('form').reset()")
        self.assertEqual(self.js("return window.field.value"), "")
        self.assertIn(self.js(value), ("", None))

    def test_results_on_the_whole_screen(self):
        self.js(self.FORM + "window.field.setAttribute('presentation', 'fullscreen'); window.field.input.focus();")
        self.keys("par")
        self.wait("rows", self.FIELD_ROWS)
        box = "const box = window.field.shadowRoot.querySelector('input').parentElement.parentElement.getBoundingClientRect();"
        self.assertEqual(self.js(box + "return [box.x, box.y, box.width - innerWidth, box.height - innerHeight]"), [0, 0, 0, 0])
        self.screenshot("fullscreen")
        self.keys(Keys.ESCAPE)
        self.assertLess(self.js(box + "return box.height"), 100)

    def test_reduced_motion_and_forced_colours(self):
        busy = self.SHADOW + "return getComputedStyle(root.querySelector('.busy')).animationName"
        self.assertEqual(self.js(busy), "turn")
        try:
            self.media(prefers_reduced_motion="reduce")
            # Firefox applies the preference a moment later.
            self.wait("no animation", busy + " === 'none'")
            self.media(forced_colors="active")
            self.typed("berl")
            self.keys(Keys.ARROW_DOWN)
            self.assertEqual(self.js(self.SHADOW + "return getComputedStyle(root.querySelector('[aria-selected=true]')).outlineStyle"), "solid")
            self.screenshot("forced-colors")
        finally:
            self.media()

    def test_the_source_serves_a_list_of_another_program(self):
        self.js("""
            import('/places-source.js').then(({ PlacesSource }) => {
              const states = [];
              const source = new PlacesSource({ pause: 1, params: { limit: 2, language: 'en' } });
              source.addEventListener('state', () => {
                const { text, rows, activity } = source.state;
                states.push([text, activity, rows.length]);
                if (activity === 'idle') window.states = states;
              });
              // The earlier text is not asked for.
              source.type('par');
              source.type('berl');
            });""")
        self.wait("an answer", "return !!window.states")
        states = self.js("return window.states")
        self.assertEqual(states[:2], [["par", "waiting", 0], ["berl", "waiting", 0]])
        self.assertEqual(states[-1], ["berl", "idle", 2])
        self.assertEqual(self.js("return window.called"), ["places.autocomplete"])

    def test_tiles_of_another_server(self):
        asked = []

        class Tiles(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "image/svg+xml")
                self.end_headers()
                self.wfile.write(b'<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="red"/></svg>')

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Tiles)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            _, port = self.home.start_gateway(
                f'page_dir = "{os.path.realpath(PAGE)}"\ntiles_url = "http://127.0.0.1:{server.server_port}/t/{{z}}/{{x}}/{{y}}"\ntiles_attribution = "A <b> B"')
            self.browser.get(f"http://localhost:{port}/")
            self.wait("a tile", "return Array.from(document.querySelectorAll('img.leaflet-tile')).some((tile) => tile.naturalWidth > 0)")
            self.assertIn("A <b> B", self.js("return document.querySelector('.leaflet-control-attribution').textContent"))
            self.assertRegex(asked[0], r"^/t/2/\d+/\d+$")
        finally:
            server.shutdown()
            server.server_close()

    def test_sources_and_alternatives_unfold_on_demand(self):
        self.js(self.SHADOW + """
            const row = (id, provider, text, more) => ({kind: 'place', id, row: 'r1', types: ['cafe'], text: {text, matches: []},
              sources: [{provider, id, rank: 1}], ...more});
            document.querySelector('places-search').source.call = async () => ({
              suggestions: [row('one:1', 'one', 'Café A', {alternatives: [row('two:1', 'two', 'Café A, Main Street', {attributions: [{provider: 'two', text: 'Two Inc.'}]}),
                {kind: 'place', id: 'x:1', row: 'r2', text: {text: 'Café B', matches: []}}]})],
              providers: [{provider: 'one', outcome: 'ok', count: 1, latencyMs: 3}, {provider: 'two', outcome: 'timed_out'}],
              attributions: [{provider: 'one', text: 'One Ltd.'}], complete: true});
            document.addEventListener('place-select', (event) => { window.taken = event.detail.row.id; event.preventDefault(); }, {capture: true});""")
        self.typed("caf")
        # Also those of the alternatives
        self.assertEqual(self.js(self.SHADOW + "return root.querySelector('.credits').textContent"), "One Ltd. · Two Inc.")
        self.assertFalse(self.js(self.SHADOW + "return root.querySelector('.more').open"))
        self.js(self.SHADOW + "root.querySelector('.more summary').click()")
        self.screenshot("sources")
        self.assertEqual(
            self.js(self.SHADOW + "return Array.from(root.querySelectorAll('.more li'), (one) => one.textContent)"),
            ["one: ok, 1, 3 ms", "two: timed out", "Café A: one Café A, Main Street (two) Café B ()"])
        self.js(self.SHADOW + "root.querySelector('.more button').click()")
        self.assertEqual(self.js("return window.taken"), "two:1")

    def test_the_advice_of_a_provider_that_found_nothing_is_shown(self):
        self.js(self.SHADOW + """
            document.querySelector('places-search').source.call = async () => ({suggestions: [], attributions: [], complete: true,
              providers: [{provider: 'one', outcome: 'empty', count: 0, message: 'add the town'}, {provider: 'two', outcome: 'empty', count: 0}]});""")
        self.keys("main street 1")
        self.wait("the advice", self.SHADOW + "return root.querySelector('.note').textContent === 'Nothing found. one: add the town.'")

    def test_states_that_a_picture_shows(self):
        """Emoji, offline, a slow provider, an error, alternatives: what the field says in each."""
        source = self.SHADOW + "const source = document.querySelector('places-search').source;"
        row = "{kind: 'place', id: 'x:1', row: 'r1', types: ['restaurant'], sources: [], location: {latitude: 1, longitude: 2}, "
        answer = "providers: PROVIDERS, attributions: [{provider: 'x', text: 'X'}], complete: true}"
        self.js(source + "source.call = async () => ({suggestions: [" + row + "text: {text: '🍕👩‍👩‍👧 بيتزا Пицца 披萨', matches: [{start: 0, end: 1}]}, "
                "primary: {text: '🍕👩‍👩‍👧 بيتزا Пицца 披萨', matches: [{start: 0, end: 1}]}}], " + answer.replace("PROVIDERS", "[]") + ");")
        self.typed("pizza")
        self.assertEqual(self.js(self.SHADOW + "return root.querySelector('mark').textContent"), "🍕")
        self.screenshot("emoji")
        self.js(source + "source.call = async () => { throw Object.assign(new Error('Every provider failed.'), {name: 'allProvidersFailed'}); };")
        self.keys("x")
        self.wait("the error", self.SHADOW + "return root.querySelector('.note').textContent.includes('Every provider failed.')")
        self.screenshot("error")
        self.js(source + "source.call = () => new Promise(() => {});")
        self.keys("y")
        self.wait("activity", self.SHADOW + "return !root.querySelector('.busy').hidden")
        self.screenshot("slow")
        self.js("window.fetch = async () => { throw new TypeError('Failed to fetch'); };" + source + "delete source.call;")
        self.keys("z")
        self.wait("that nothing answers", self.SHADOW + "return root.querySelector('.note').textContent !== '' && root.querySelector('.busy').hidden")
        self.screenshot("offline")

    def test_the_status_page_shows_the_providers(self):
        self.browser.get(f"http://localhost:{self.port}/status")
        self.wait("the gazetteer", "return document.querySelector('#providers h2')?.textContent === 'Gazetteer ready'")
        self.assertIn("succeeded", self.js("return document.querySelector('#providers').textContent"))
        self.screenshot("status")

    def test_the_status_page_shows_faults_and_budgets(self):
        home = Home(providers="""[providers.photon]
plugin = "photon"
enabled = true
base_url = "http://127.0.0.1:9"
allow_private_addresses = true
[providers.photon.budget]
calls_per_day = 10
""")
        try:
            home.start_daemon()
            _, port = home.start_gateway(f'page_dir = "{os.path.realpath(PAGE)}"')
            call = {"jsonrpc": "2.0", "id": 1, "method": "places.search", "params": {"query": "berlin", "fields": ["name"], "cache": "bypass"}}
            self.browser.get(f"http://localhost:{port}/status")
            self.js("window.asked = (async () => { for (let n = 0; n < 12; n++) await fetch('/v1/rpc', {method: 'POST', headers: {'Content-Type': 'application/json'},"
                    " body: arguments[0]}); window.isAsked = true; })()", json.dumps(call))
            self.wait("the answers", "return window.isAsked")
            self.browser.refresh()
            card = "document.querySelector('#providers section[aria-label=Photon]')"
            self.wait("the provider", f"return !!{card}")
            text = self.js(f"return {card}.textContent")
            self.assertRegex(text, r"\d+ calls: 0 succeeded, \d+ failed")
            self.assertRegex(text, r"Today: \d+ of \d+ calls")
            self.assertIn("Today's budget", self.js(f"return Array.from({card}.querySelectorAll('progress'), (one) => one.ariaLabel)"))
            self.assertNotIn("ready", self.js(f"return {card}.querySelector('h2').textContent"), "the breaker has opened")
            self.wait("the log", "return document.querySelector('#log li')?.textContent.includes('photon')")
            self.screenshot("status-faults")
        finally:
            home.close()

    def test_axe_finds_nothing_serious(self):
        try:
            import axe_playwright_python
        except ImportError:
            self.skipTest("axe-playwright-python is not installed")
        folder = os.path.dirname(axe_playwright_python.__file__)
        script = next(os.path.join(path, name) for path, _, names in os.walk(folder) for name in names if name in ("axe.min.js", "axe.js"))
        self.typed("berl")
        with open(script, encoding="utf-8") as file:
            self.evaluate(file.read())
        found = self.js("return axe.run(document).then((result) => result.violations.map((one) => [one.id, one.impact, one.nodes.map((node) => node.html)]))")
        self.assertEqual([one for one in found if one[1] in ("serious", "critical")], [])


if __name__ == "__main__":
    unittest.main()
