"""Writes Page/basemap.json: the countries' outlines of Natural Earth at 1:110 million (public domain, naturalearthdata.com), as the wheel
of geopandas 0.14.4 on PyPI ships them.

    pip download --no-deps geopandas==0.14.4 && pip install pyshp
    unzip geopandas-0.14.4-py3-none-any.whl 'geopandas/datasets/naturalearth_lowres/*'
    python3 basemap.py geopandas/datasets/naturalearth_lowres/naturalearth_lowres.shp Page/basemap.json

Each outline is a list of numbers: the longitude and latitude of its first point in hundredths of a degree, then for each further point
the differences to the previous one.
"""
import json
import sys

import shapefile


def main(source, target):
    outlines = []
    for shape in shapefile.Reader(source).shapes():
        ends = list(shape.parts[1:]) + [len(shape.points)]
        for start, end in zip(shape.parts, ends):
            numbers, previous = [], (0, 0)
            for point in shape.points[start:end]:
                current = (round(point[0] * 100), round(point[1] * 100))
                if numbers and current == previous:
                    continue
                numbers += [current[0] - previous[0], current[1] - previous[1]]
                previous = current
            # An outline of fewer than four points, of which the last repeats the first, has no area at this precision.
            if len(numbers) >= 8:
                outlines.append(numbers)
    with open(target, "w", encoding="utf-8") as file:
        json.dump({"source": "Natural Earth 1:110m, public domain", "outlines": outlines}, file, separators=(",", ":"))
        file.write("\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
