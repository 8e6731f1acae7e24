"""The page's reader of event streams in Node; `test_page` runs the same in browsers."""
import json
import os
import subprocess
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "../../Sources/places-gateway/Page/places-source.js")
PROGRAM = """
import { readFileSync } from "node:fs";
import { webcrypto } from "node:crypto";
globalThis.crypto ??= webcrypto;
const [fuzz, source, rounds] = process.argv.slice(1);
(0, eval)(readFileSync(fuzz, "utf8"));
const own = await import("data:text/javascript;base64," + readFileSync(source).toString("base64"));
console.log(JSON.stringify(await fuzzEvents(own, Number(rounds))));
"""


class EventsTest(unittest.TestCase):
    def test_any_stream_is_a_result_or_an_error_of_its_own(self):
        rounds = "20000" if os.environ.get("PLACES_PROVE") else "1000"
        run = subprocess.run(["node", "--input-type=module", "-e", PROGRAM, os.path.join(HERE, "fuzz_events.js"), SOURCE, rounds],
                             capture_output=True, text=True, timeout=100)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(json.loads(run.stdout), [])


if __name__ == "__main__":
    unittest.main()
