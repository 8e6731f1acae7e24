"""The search page in a real Firefox: the tests of Chromium, by Marionette, which Firefox speaks itself. Needs marionette-driver from PyPI."""
import base64
import gc
import os
import shutil
import tempfile
import unittest

from marionette_driver.marionette import ActionSequence, Marionette
from selenium.webdriver.support.ui import WebDriverWait

import test_page
from harness import Home


class Firefox:
    """The part of Selenium's driver that the tests use."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="places-firefox-")
        # Firefox refuses to start in a home that belongs to another user.
        os.environ["HOME"] = self.home
        # The driver replaces an existing file: /dev/null would become a regular file.
        log = os.path.join(self.home, "log")
        self.marionette = Marionette(host="127.0.0.1", port=0, bin="/usr/bin/firefox-esr", headless=True, app="fxdesktop", gecko_log=log)
        self.marionette.start_session()
        self.marionette.set_window_rect(width=1200, height=900)

    def get(self, url):
        self.marionette.navigate(url)

    def refresh(self):
        self.marionette.refresh()

    def execute_script(self, script, *arguments):
        # Without a sandbox: in the page itself, whose elements then have their own properties.
        return self.marionette.execute_script(script, script_args=arguments, sandbox=None)

    def get_log(self, _):
        return []

    def save_screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.marionette.screenshot(full=False)))

    def quit(self):
        self.marionette.cleanup()
        self.marionette.instance.profile.cleanup()
        del self.marionette
        gc.collect()
        shutil.rmtree(self.home, ignore_errors=True)


class FirefoxPageTest(test_page.PageTest):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.home.start_daemon()
        _, cls.port = cls.home.start_gateway(f'page_dir = "{os.path.realpath(test_page.PAGE)}"')
        cls.browser = Firefox()

    def keys(self, *keys):
        for text in keys:
            ActionSequence(self.browser.marionette, "key", "keyboard").send_keys(text).perform()

    def click(self, x, y):
        ActionSequence(self.browser.marionette, "pointer", "mouse").pointer_move(x, y).click().perform()

    def media(self, prefers_reduced_motion=None, forced_colors=None):
        for name, value in {"ui.prefersReducedMotion": prefers_reduced_motion and 1, "browser.display.document_color_use": forced_colors and 2}.items():
            self.browser.marionette.clear_pref(name) if value is None else self.browser.marionette.set_pref(name, value)

    def evaluate(self, script):
        self.js(script)

    def screenshot(self, name):
        super().screenshot(f"firefox-{name}")

    def test_nothing_is_loaded_from_elsewhere(self):
        self.typed("par")
        urls = self.js("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        self.assertGreater(len(urls), 5)
        self.assertEqual([url for url in urls if not url.startswith((f"http://localhost:{self.port}/", "data:"))], [])

    def test_dark_phone_and_right_to_left(self):
        name = "layout.css.prefers-color-scheme.content-override"
        self.browser.marionette.set_pref(name, 0)
        try:
            self.typed("berl")
            self.screenshot("dark")
            background = self.js(self.SHADOW + "return getComputedStyle(root.querySelector('.panel')).backgroundColor")
            self.assertEqual(background, "rgb(27, 29, 31)")
            self.js("document.documentElement.dir = 'rtl'")
            self.screenshot("rtl")
        finally:
            self.browser.marionette.clear_pref(name)


if __name__ == "__main__":
    unittest.main()
