#!/usr/bin/python3
"""A provider for placesd in 60 lines: suggests places of a server that answers
GET /search?q=TEXT with [{"id", "name", "country", "latitude", "longitude"}].

    [providers.example]
    command = ["/usr/bin/python3", "/etc/placesd/provider.py"]
    base_url = "https://places.example.org"

The protocol is JSON-RPC 2.0, one message a line; see places-provider(7)."""
import json, sys

MANIFEST = {
    "plugin": "example", "name": "Example", "version": "1.0", "summary": "Suggests places of a server of one's own.",
    "autocomplete": {"parameters": {"language": "native"}, "minimumLetters": 2, "maximumRows": 10},
    "needsBaseURL": True, "settings": [{"name": "country", "kind": "string", "summary": "only places of this country"}],
    "terms": {"source": "our own data", "idsSeconds": None, "coordinatesSeconds": 3600, "otherSeconds": 3600,
              "isolation": "system", "mixing": "free"}, "rate": {"perSecond": 10, "burst": 10, "concurrent": 4}}
CAUSES = {401: "http", 403: "http", 404: "http", 408: "http", 429: "rate_limit"}  # 401, 403 with a key of one's own: "credentials"
settings, asked = {}, {}

def write(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def fail(call, cause, message, wait=None):
    write(id=call, error={"code": -32000, "message": message, "data": {"cause": cause, "retryAfterSeconds": wait}})

def autocomplete(call, query, limit, language=None, **others):
    # The daemon asks the server for us; "for" says for whose sake, so that both are cancelled together.
    asked["http %s" % call] = call, limit
    items = [{"name": "q", "value": query}, {"name": "lang", "value": language or "en"}]
    write(id="http %s" % call, method="http.send", params={"path": ["search"], "query": items, "for": call})

def answered(reply, call, limit):
    if "error" in reply:
        return write(id=call, error=reply["error"])
    if (status := reply["result"]["status"]) != 200:
        waits = [int(h["value"][:9]) for h in reply["result"]["headers"] if h["name"] == "retry-after" and h["value"].isdecimal()]
        return fail(call, CAUSES.get(status, "bad_request" if 400 <= status < 500 else "http"), "HTTP status %d" % status, *waits[:1])
    try:
        found = [p for p in json.loads(reply["result"]["body"]) if p["country"] == settings.get("country", p["country"])]
        rows = [{"kind": "place", "id": p["id"], "text": {"text": p["name"]}, "evidence": {"country": p["country"]},
                 "location": {"latitude": p["latitude"], "longitude": p["longitude"]}} for p in found[:limit]]
    except (KeyError, TypeError, ValueError, RecursionError):
        return fail(call, "decode", "the server's answer is not as it should be")
    write(id=call, result={"rows": rows, "exhaustive": len(found) <= limit})

def configure(call, **given):
    settings.update(given["settings"])
    write(id=call, result={})

METHODS = {
    "initialize": lambda call, **_: write(id=call, result={"protocol": {"major": 1, "minor": 0}, "manifest": MANIFEST}),
    "configure": configure, "autocomplete": autocomplete, "shutdown": lambda call, **_: sys.exit(),
}
for message in map(json.loads, sys.stdin):
    if "method" not in message:
        answered(message, *asked.pop(message["id"]))
    elif "id" in message:
        method = METHODS.get(message["method"], lambda call, **_: fail(call, "unsupported", "no such method"))
        method(message["id"], **message["params"])
