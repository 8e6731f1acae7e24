"""A geocoder with the same functions as geopy's geocoders, for programs that accept any of them. If geopy is installed, results are
instances of its class Location."""
from __future__ import annotations

from typing import Any, Optional, Union

from . import _wire
from .client import Client
from .errors import ProtocolError

try:
    from geopy.location import Location  # type: ignore[import-not-found,import-untyped,unused-ignore]
except ImportError:

    class Location:  # type: ignore[no-redef]
        """The members of geopy's Location that programs use."""

        def __init__(self, address: str, point: tuple[float, float], raw: dict[str, Any]) -> None:
            self.address, self.raw = address, raw
            self.latitude, self.longitude = point
            self.point = point

        def __str__(self) -> str:
            return self.address

        def __repr__(self) -> str:
            return f"Location({self.address}, ({self.latitude}, {self.longitude}))"


FIELDS: list[Any] = ["name", "addressComponents", "formattedAddress", "coordinate", "types", "viewport"]
Found = Union[None, Location, "list[Location]"]


class Places:
    """Searches the places daemon of this machine."""

    def __init__(self, path: Optional[str] = None, **_: Any) -> None:
        """`path` is the daemon's socket. Options of other geocoders, such as `user_agent`, are accepted and ignored."""
        self.client = Client(path)

    def geocode(self, query: str, exactly_one: bool = True, limit: Optional[int] = None, language: Optional[str] = None, **_: Any) -> Found:
        """The place that the text means; None if that is not certain. With `exactly_one=False`, the results of a search as a list; None if
        there are none."""
        options: Any = {"language": language} if language else {}
        if not exactly_one:
            return self._found(self.client.search(query, FIELDS, limit=limit or 10, **options), exactly_one)
        answer = self.client.resolve(query, fields=FIELDS, **options)
        return self._found({"places": [answer["place"]] if "place" in answer else []}, exactly_one)

    def reverse(self, query: Any, exactly_one: bool = True, language: Optional[str] = None, **_: Any) -> Found:
        """The places at a point: a pair, a text such as `47.1, 9.5`, or a geopy Point."""
        if isinstance(query, str):
            query = [float(part) for part in query.replace(",", " ").split()]
        latitude, longitude = (query.latitude, query.longitude) if hasattr(query, "latitude") else (query[0], query[1])
        options: dict[str, Any] = {"limit": 1 if exactly_one else 10, "fields": FIELDS}
        if language:
            options["language"] = language
        return self._found(self.client.reverse({"latitude": latitude, "longitude": longitude}, **options), exactly_one)

    @staticmethod
    def _found(answer: Any, exactly_one: bool) -> Found:
        found = []
        for row in _wire.rows(answer, "places"):
            point = row.get("coordinate")
            if not point:
                continue
            address, name = str(row.get("formattedAddress", "")), str(row.get("name", ""))
            text = address if name in address else f"{name}, {address}" if address else name
            try:
                found.append(Location(text, (float(point["latitude"]), float(point["longitude"])), row))
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                raise ProtocolError("a place's coordinate is not a point") from error
        if not found:
            return None
        return found[0] if exactly_one else found
