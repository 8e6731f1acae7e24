"""The examples of etc/examples that ask a daemon. The GTK entry runs where GTK and Xvfb are; with PLACES_PROVE it must."""
import os
import shutil
import subprocess
import unittest

from harness import PROGRAMS, Home

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = f"{ROOT}/etc/examples"

# What a person does: types, looks at the rows, chooses the first one.
PERSON = """
import importlib.util, subprocess, sys
sys.path.insert(0, sys.argv[2])
specification = importlib.util.spec_from_file_location("entry", sys.argv[1])
entry = importlib.util.module_from_spec(specification)
specification.loader.exec_module(entry)
from gi.repository import Gdk, GLib, Gtk
window = Gtk.Window(default_width=400)
def chosen(place):
    print("chosen", place["name"], field.get_text(), field.get_tooltip_text())
    # Once, whatever this returns.
    GLib.timeout_add(100, Gtk.main_quit)
    return True
field = entry.PlaceEntry(chosen)
window.add(field)
window.show_all()
def look():
    if not field.rows or len(field.model) != len(field.rows):
        return True
    def choose():
        if len(sys.argv) > 3:
            root = Gdk.get_default_root_window()
            Gdk.pixbuf_get_from_window(root, 0, 0, 640, 480).savev(sys.argv[3], "png", [], [])
        subprocess.Popen(["xdotool", "key", "Down", "Return"])
    # GTK opens its list a moment after the rows are there.
    GLib.timeout_add(500, choose)
GLib.timeout_add(20, look)
GLib.timeout_add_seconds(20, lambda: (print("nothing was shown"), Gtk.main_quit()))
def type_text():
    if not field.has_focus():
        # As a window manager would
        window.get_window().focus(0)
        field.grab_focus()
        return True
    # Keys of a keyboard: GTK shows no rows for a text that a program sets.
    subprocess.Popen(["xdotool", "type", "berli"])
GLib.timeout_add(20, type_text)
Gtk.main()
"""


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.home.start_daemon()

    @classmethod
    def tearDownClass(cls):
        cls.home.close()

    def run_program(self, *words, **environment):
        environment = {**os.environ, "PLACES_SOCKET": self.home.socket, "LC_ALL": "C.UTF-8", **environment}
        return subprocess.run(words, capture_output=True, text=True, timeout=60, env=environment)

    def test_the_shell_function(self):
        path = f"{PROGRAMS}:{os.environ['PATH']}"
        for shell in [name for name in ("sh", "bash", "zsh") if shutil.which(name)]:
            found = self.run_program(shell, "-c", f". {EXAMPLES}/place.sh; place Berlin", PATH=path)
            self.assertRegex(found.stdout, r"^52\.5\d*,13\.4\d*\n$", (shell, found.stderr))
            self.assertEqual(found.returncode, 0)
            nothing = self.run_program(shell, "-c", f". {EXAMPLES}/place.sh; place qqqqzzzzxx", PATH=path)
            self.assertEqual(nothing.stdout, "")
            self.assertNotEqual(nothing.returncode, 0)

    def test_the_gtk_entry(self):
        with open(f"{EXAMPLES}/entry.py", encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), 60)
        lacks = self.run_program("/usr/bin/python3", "-c", "import gi; gi.require_version('Gtk', '3.0')").returncode
        if (lacks or not shutil.which("xvfb-run") or not shutil.which("xdotool")) and not os.environ.get("PLACES_PROVE"):
            self.skipTest("GTK or Xvfb is not installed")
        picture = [f"{os.environ['PLACES_SCREENSHOTS']}/entry.png"] if os.environ.get("PLACES_SCREENSHOTS") else []
        run = self.run_program(
            "xvfb-run", "-a", "/usr/bin/python3", "-c", PERSON, f"{EXAMPLES}/entry.py", f"{ROOT}/Sources/python", *picture)
        # The place, the text of the field, the credits.
        self.assertRegex(run.stdout, r"^chosen Berlin Berlin, .*GeoNames", run.stderr)
        self.assertEqual(run.stdout.count("chosen"), 1)


if __name__ == "__main__":
    unittest.main()
