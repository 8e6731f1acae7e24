#!/usr/bin/python3
"""OpenStreetMap as addok's documents: GeoJSON features, one a line, from `osmium export -f geojsonseq -u type_id`, become streets
with their house numbers, settlements and places with a name.

    osmium export -f geojsonseq -u type_id FILE.osm.pbf | documents.py > documents.json"""
import json, sys
from collections import defaultdict

KINDS = {"n": "N", "w": "W", "r": "R", "a": "W"}  # An area is a closed way here: its id is twice the way's, and odd for relations.
IMPORTANCE = {"city": 0.9, "town": 0.8, "village": 0.7, "hamlet": 0.5, "suburb": 0.5, "neighbourhood": 0.4}

def points(coordinates):
    """The positions of a geometry of whatever depth."""
    if isinstance(coordinates[0], (int, float)):
        return [coordinates]
    return [point for part in coordinates for point in points(part)]

def middle(geometry):
    found = points(geometry["coordinates"])
    return tuple(round(sum(point[axis] for point in found) / len(found), 7) for axis in (0, 1))

def identity(text):
    kind, number = text[0], int(text[1:])
    if kind == "a":
        kind, number = ("r" if number % 2 else "w"), number // 2
    return KINDS[kind], number

streets = defaultdict(dict)
for line in sys.stdin:
    feature = json.loads(line.lstrip("\x1e"))
    tags = feature["properties"]
    longitude, latitude = middle(feature["geometry"])
    kind, number = identity(feature["id"])
    street, city = tags.get("addr:street") or tags.get("addr:place"), tags.get("addr:city")
    if street and "addr:housenumber" in tags:
        streets[street, city, tags.get("addr:postcode")][tags["addr:housenumber"]] = {"lat": latitude, "lon": longitude}
    key = next((key for key in ("place", "amenity", "shop", "tourism", "leisure") if key in tags), None)
    if "name" not in tags or key is None:
        continue
    value = tags[key]
    document = {
        "_id": feature["id"], "id": feature["id"], "type": "place" if key == "place" else "poi", "name": tags["name"],
        "lat": latitude, "lon": longitude, "importance": IMPORTANCE.get(value, 0.1), "city": city, "context": value.replace("_", " "),
        "osm_type": kind, "osm_id": number, "osm_key": key, "osm_value": value, "countrycode": "LI", "country": "Liechtenstein"}
    print(json.dumps({name: value for name, value in document.items() if value is not None}))

for index, ((street, city, postcode), houses) in enumerate(streets.items()):
    first = next(iter(houses.values()))
    document = {
        "_id": f"street{index}", "id": f"street{index}", "type": "street", "name": street, "city": city, "postcode": postcode,
        "importance": 0.2, "housenumbers": houses, "countrycode": "LI", "country": "Liechtenstein", **first}
    print(json.dumps({name: value for name, value in document.items() if value is not None}))
