"""A function for each method of the daemon.

Made by generate.py from the daemon's `rpc.discover`; do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NoReturn, Optional, TypedDict, Union, cast

from . import _wire

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import types
    from .types import *


class AutocompleteOptions(TypedDict, total=False):
    """The optional parameters of places.autocomplete."""

    limit: int
    """The maximum number of rows."""
    language: str
    """The language of the texts in the reply."""
    region: str
    """The user's region."""
    origin: dict[str, Any]
    """The point from which distances are measured."""
    bias: Union[dict[str, Any]]
    """Places in this area are ranked higher."""
    restriction: Union[dict[str, Any]]
    """Only places in this area are returned."""
    types: list[str]
    """Only places of one of these types, or of one collection, are returned."""
    countries: list[str]
    """Only places in these countries are returned."""
    kinds: list[Literal["place", "query"]]
    """The kinds of rows to return."""
    inputOffset: int
    """The position of the caret, in code points of the trimmed query; 0 means the end."""
    session: str
    """The session of this request."""
    seq: int
    """The request's sequence number in its session; a higher number cancels the earlier requests."""
    providers: list[str]
    """Only these providers are queried."""
    deadlineMs: int
    """The time within which the reply is sent, from the arrival of the request; if absent, the configured value applies."""
    cache: Literal["default", "only", "refresh", "bypass"]
    """How the cache is used."""
    fold: bool
    """True if each row is one place, with its other sources as alternatives."""
    prefer: list[str]
    """The providers that lead a row with several sources, most preferred first."""
    explain: bool
    """True if rows explain why they were returned."""


class SelectOptions(TypedDict, total=False):
    """The optional parameters of places.select."""



class SearchOptions(TypedDict, total=False):
    """The optional parameters of places.search."""

    includedType: str
    """The preferred type of the places."""
    strictTypeFiltering: bool
    """True if places of other types are excluded."""
    openNow: bool
    """True if only places that are open now are returned."""
    minRating: float
    """The minimum rating, rounded up to the next 0.5."""
    priceLevels: list[Literal["free", "inexpensive", "moderate", "expensive", "very_expensive"]]
    """Only places with one of these price levels are returned."""
    rankBy: Literal["relevance", "distance"]
    """The order of the places; if absent, each service's own."""
    limit: int
    """The maximum number of places."""
    pageToken: str
    """The `nextPageToken` of the previous page."""
    language: str
    """The language of the texts in the reply."""
    region: str
    """The user's region."""
    origin: dict[str, Any]
    """The point from which distances are measured."""
    bias: Union[dict[str, Any]]
    """Places in this area are ranked higher."""
    restriction: Union[dict[str, Any]]
    """Only places in this area are returned."""
    countries: list[str]
    """Only places in these countries are returned."""
    session: str
    """The session of this request."""
    allowPrice: bool
    """True if a filter may make a call more expensive than `fields` alone does."""
    providers: list[str]
    """Only these providers are queried."""
    deadlineMs: int
    """The time within which the reply is sent, from the arrival of the request; if absent, the configured value applies."""
    cache: Literal["default", "only", "refresh", "bypass"]
    """How the cache is used."""
    fold: bool
    """True if each row is one place, with its other sources as alternatives."""
    prefer: list[str]
    """The providers that lead a row with several sources, most preferred first."""
    explain: bool
    """True if rows explain why they were returned."""


class ResolveOptions(TypedDict, total=False):
    """The optional parameters of places.resolve."""

    fields: list[Literal["id", "basic", "advanced", "preferred", "extended", "placeID", "name", "addressComponents", "businessStatus", "formattedAddress", "iconBackgroundColor", "iconImageURL", "coordinate", "photos", "plusCode", "types", "utcOffsetMinutes", "viewport", "wheelchairAccessibleEntrance", "currentOpeningHours", "secondaryOpeningHours", "phoneNumber", "priceLevel", "rating", "openingHours", "userRatingsTotal", "website", "curbsidePickup", "delivery", "dineIn", "editorialSummary", "reservable", "servesBeer", "servesBreakfast", "servesBrunch", "servesDinner", "servesLunch", "servesVegetarianFood", "servesWine", "takeout", "movedPlaceID", "shortFormattedAddress", "primaryType", "timeZone", "mapURL", "accessibilityOptions", "nationalPhoneNumber", "priceRange", "reviews", "paymentOptions", "parkingOptions", "evChargeOptions", "fuelOptions", "servesCocktails", "servesDessert", "servesCoffee", "outdoorSeating", "liveMusic", "menuForChildren", "goodForChildren", "allowsDogs", "restroom", "goodForGroups", "goodForWatchingSports"]]
    """The fields to return for each place."""
    includedType: str
    """The preferred type of the place."""
    language: str
    """The language of the texts in the reply."""
    region: str
    """The user's region."""
    origin: dict[str, Any]
    """The point from which distances are measured."""
    bias: Union[dict[str, Any]]
    """Places in this area are ranked higher."""
    restriction: Union[dict[str, Any]]
    """Only places in this area are returned."""
    countries: list[str]
    """Only places in these countries are returned."""
    session: str
    """The session of this request."""
    providers: list[str]
    """Only these providers are queried."""
    deadlineMs: int
    """The time within which the reply is sent, from the arrival of the request; if absent, the configured value applies to each step."""
    cache: Literal["default", "only", "refresh", "bypass"]
    """How the cache is used."""


class DetailsOptions(TypedDict, total=False):
    """The optional parameters of places.details."""

    language: str
    """The language of the texts in the reply."""
    region: str
    """The user's region."""
    session: str
    """The session of this request."""
    deadlineMs: int
    """The time within which the reply is sent, from the arrival of the request; if absent, the configured value applies."""
    cache: Literal["default", "only", "refresh", "bypass"]
    """How the cache is used."""
    explain: bool
    """True if rows explain why they were returned."""


class PhotoOptions(TypedDict, total=False):
    """The optional parameters of places.photo."""

    maxWidth: int
    """The maximum width in pixels; the image keeps its proportions and is not enlarged."""
    maxHeight: int
    """The maximum height in pixels."""
    deadlineMs: int
    """The time within which the reply is sent, from the arrival of the request."""


class ReverseOptions(TypedDict, total=False):
    """The optional parameters of places.reverse."""

    radius: float
    """The maximum distance of a place's location from the point, in metres; if absent, areas that contain the point are returned too."""
    types: list[str]
    """Only places of one of these types, or of one collection, are returned."""
    limit: int
    """The maximum number of places."""
    fields: list[Literal["id", "basic", "advanced", "preferred", "extended", "placeID", "name", "addressComponents", "businessStatus", "formattedAddress", "iconBackgroundColor", "iconImageURL", "coordinate", "photos", "plusCode", "types", "utcOffsetMinutes", "viewport", "wheelchairAccessibleEntrance", "currentOpeningHours", "secondaryOpeningHours", "phoneNumber", "priceLevel", "rating", "openingHours", "userRatingsTotal", "website", "curbsidePickup", "delivery", "dineIn", "editorialSummary", "reservable", "servesBeer", "servesBreakfast", "servesBrunch", "servesDinner", "servesLunch", "servesVegetarianFood", "servesWine", "takeout", "movedPlaceID", "shortFormattedAddress", "primaryType", "timeZone", "mapURL", "accessibilityOptions", "nationalPhoneNumber", "priceRange", "reviews", "paymentOptions", "parkingOptions", "evChargeOptions", "fuelOptions", "servesCocktails", "servesDessert", "servesCoffee", "outdoorSeating", "liveMusic", "menuForChildren", "goodForChildren", "allowsDogs", "restroom", "goodForGroups", "goodForWatchingSports"]]
    """The fields to return for each place."""
    language: str
    """The language of the texts in the reply."""
    region: str
    """The user's region."""
    providers: list[str]
    """Only these providers are queried."""
    deadlineMs: int
    """The time within which the reply is sent, from the arrival of the request; if absent, the configured value applies."""
    cache: Literal["default", "only", "refresh", "bypass"]
    """How the cache is used."""
    fold: bool
    """True if each row is one place, with its other sources as alternatives."""
    prefer: list[str]
    """The providers that lead a row with several sources, most preferred first."""
    explain: bool
    """True if rows explain why they were returned."""


class ChoicesListOptions(TypedDict, total=False):
    """The optional parameters of places.choices.list."""

    limit: int
    """The maximum number of choices."""


class ChoicesForgetOptions(TypedDict, total=False):
    """The optional parameters of places.choices.forget."""

    id: str
    """The place whose choices are removed."""
    all: bool
    """Whether all choices of the caller are removed."""


class InfoOptions(TypedDict, total=False):
    """The optional parameters of service.info."""



class DiscoverOptions(TypedDict, total=False):
    """The optional parameters of rpc.discover."""



class TypesListOptions(TypedDict, total=False):
    """The optional parameters of types.list."""



class ProvidersListOptions(TypedDict, total=False):
    """The optional parameters of providers.list."""



class ProvidersGetOptions(TypedDict, total=False):
    """The optional parameters of providers.get."""



class ProvidersTestOptions(TypedDict, total=False):
    """The optional parameters of providers.test."""

    query: str
    """The text to search for."""


class ProvidersEnableOptions(TypedDict, total=False):
    """The optional parameters of providers.enable."""



class ProvidersDisableOptions(TypedDict, total=False):
    """The optional parameters of providers.disable."""



class ProvidersResetOptions(TypedDict, total=False):
    """The optional parameters of providers.reset."""



class ProvidersResumeOptions(TypedDict, total=False):
    """The optional parameters of providers.resume."""



class ProvidersLogOptions(TypedDict, total=False):
    """The optional parameters of providers.log."""

    lines: int
    """The maximum number of lines."""


class CacheStatsOptions(TypedDict, total=False):
    """The optional parameters of cache.stats."""

    provider: str
    """Only this provider."""
    user: int
    """The id of another user, instead of the caller; for administrators."""
    all: bool
    """True for the total of all users; for administrators."""


class CachePurgeOptions(TypedDict, total=False):
    """The optional parameters of cache.purge."""

    provider: str
    """Only this provider."""
    user: int
    """The id of another user, instead of the caller; for administrators."""
    all: bool
    """True for the total of all users; for administrators."""


class CacheListOptions(TypedDict, total=False):
    """The optional parameters of cache.list."""

    provider: str
    """Only this provider."""
    user: int
    """Only answers of this user, by user id."""
    contains: str
    """Only answers whose request, in canonical form, contains this text."""
    limit: int
    """The maximum number of answers."""


class CacheExpireOptions(TypedDict, total=False):
    """The optional parameters of cache.expire."""



class BudgetGetOptions(TypedDict, total=False):
    """The optional parameters of budget.get."""

    provider: str
    """Only this provider."""
    user: int
    """The id of another user, instead of the caller; for administrators."""
    all: bool
    """True for the total of all users; for administrators."""


class BudgetConfirmOptions(TypedDict, total=False):
    """The optional parameters of budget.confirm."""



class ServiceReloadOptions(TypedDict, total=False):
    """The optional parameters of service.reload."""



class ServiceMetricsOptions(TypedDict, total=False):
    """The optional parameters of service.metrics."""

    format: Literal["json", "openmetrics"]
    """The format: a JSON object, or OpenMetrics text in a string."""


class ServiceLogOptions(TypedDict, total=False):
    """The optional parameters of service.log."""

    level: Literal["error", "warning", "notice", "info", "debug"]
    """The new log level; less important lines are not logged."""
    lines: int
    """The maximum number of lines."""


class Methods:
    """The methods; `call` sends one."""

    def call(self, method: str, params: dict[str, Any]) -> Any:
        raise NotImplementedError

    def autocomplete(self, query: str, **options: Unpack[AutocompleteOptions]) -> Suggestions:
        """Suggests places and queries for a partly typed text."""
        return cast("Suggestions", self.call("places.autocomplete", {"query": query, **options}))

    def select(self, session: str, id: str, **options: Unpack[SelectOptions]) -> Nothing:
        """Reports which row the user chose; ends the session and queries no provider."""
        return cast("Nothing", self.call("places.select", {"session": session, "id": id, **options}))

    def search(self, query: str, fields: Optional[list[Literal["id", "basic", "advanced", "preferred", "extended", "placeID", "name", "addressComponents", "businessStatus", "formattedAddress", "iconBackgroundColor", "iconImageURL", "coordinate", "photos", "plusCode", "types", "utcOffsetMinutes", "viewport", "wheelchairAccessibleEntrance", "currentOpeningHours", "secondaryOpeningHours", "phoneNumber", "priceLevel", "rating", "openingHours", "userRatingsTotal", "website", "curbsidePickup", "delivery", "dineIn", "editorialSummary", "reservable", "servesBeer", "servesBreakfast", "servesBrunch", "servesDinner", "servesLunch", "servesVegetarianFood", "servesWine", "takeout", "movedPlaceID", "shortFormattedAddress", "primaryType", "timeZone", "mapURL", "accessibilityOptions", "nationalPhoneNumber", "priceRange", "reviews", "paymentOptions", "parkingOptions", "evChargeOptions", "fuelOptions", "servesCocktails", "servesDessert", "servesCoffee", "outdoorSeating", "liveMusic", "menuForChildren", "goodForChildren", "allowsDogs", "restroom", "goodForGroups", "goodForWatchingSports"]]] = None, **options: Unpack[SearchOptions]) -> Places:
        """Searches places by text and filters."""
        return cast("Places", self.call("places.search", {"query": query, "fields": ["basic"] if fields is None else fields, **options}))

    def resolve(self, query: str, **options: Unpack[ResolveOptions]) -> Resolution:
        """Finds the one place that a text most likely means, and returns candidates if that is not certain."""
        return cast("Resolution", self.call("places.resolve", {"query": query, **options}))

    def details(self, id: str, fields: Optional[list[Literal["id", "basic", "advanced", "preferred", "extended", "placeID", "name", "addressComponents", "businessStatus", "formattedAddress", "iconBackgroundColor", "iconImageURL", "coordinate", "photos", "plusCode", "types", "utcOffsetMinutes", "viewport", "wheelchairAccessibleEntrance", "currentOpeningHours", "secondaryOpeningHours", "phoneNumber", "priceLevel", "rating", "openingHours", "userRatingsTotal", "website", "curbsidePickup", "delivery", "dineIn", "editorialSummary", "reservable", "servesBeer", "servesBreakfast", "servesBrunch", "servesDinner", "servesLunch", "servesVegetarianFood", "servesWine", "takeout", "movedPlaceID", "shortFormattedAddress", "primaryType", "timeZone", "mapURL", "accessibilityOptions", "nationalPhoneNumber", "priceRange", "reviews", "paymentOptions", "parkingOptions", "evChargeOptions", "fuelOptions", "servesCocktails", "servesDessert", "servesCoffee", "outdoorSeating", "liveMusic", "menuForChildren", "goodForChildren", "allowsDogs", "restroom", "goodForGroups", "goodForWatchingSports"]]] = None, **options: Unpack[DetailsOptions]) -> Details:
        """Returns the requested fields of one place; ends the session."""
        return cast("Details", self.call("places.details", {"id": id, "fields": ["basic"] if fields is None else fields, **options}))

    def photo(self, id: str, **options: Unpack[PhotoOptions]) -> PhotoFile:
        """Returns a photograph of a place as a file."""
        return cast("PhotoFile", self.call("places.photo", {"id": id, **options}))

    def reverse(self, location: _wire.Point, *more: NoReturn, **options: Unpack[ReverseOptions]) -> Places:
        """Finds the places at and around a point."""
        return cast("Places", self.call("places.reverse", {"location": _wire.point("location", location, more), **options}))

    def choices_list(self, **options: Unpack[ChoicesListOptions]) -> Choices:
        """Lists the caller's learned choices, latest first."""
        return cast("Choices", self.call("places.choices.list", {**options}))

    def choices_forget(self, **options: Unpack[ChoicesForgetOptions]) -> ForgottenChoices:
        """Removes learned choices of the caller: those of one place, or all."""
        return cast("ForgottenChoices", self.call("places.choices.forget", {**options}))

    def info(self, **options: Unpack[InfoOptions]) -> Service:
        """Returns the daemon's name, version, protocol, capabilities, limits and defaults."""
        return cast("Service", self.call("service.info", {**options}))

    def discover(self, **options: Unpack[DiscoverOptions]) -> dict[str, Any]:
        """Returns an OpenRPC document that describes every method."""
        return cast("dict[str, Any]", self.call("rpc.discover", {**options}))

    def types_list(self, **options: Unpack[TypesListOptions]) -> Types:
        """Lists the place types and collections, with each provider's own names for them."""
        return cast("Types", self.call("types.list", {**options}))

    def providers_list(self, **options: Unpack[ProvidersListOptions]) -> Providers:
        """Lists the configured providers with the status of each."""
        return cast("Providers", self.call("providers.list", {**options}))

    def providers_get(self, provider: str, **options: Unpack[ProvidersGetOptions]) -> ProviderAndManifest:
        """Returns a provider's status and its manifest."""
        return cast("ProviderAndManifest", self.call("providers.get", {"provider": provider, **options}))

    def providers_test(self, provider: str, **options: Unpack[ProvidersTestOptions]) -> Test:
        """Sends one real request to a provider and reports what it cost. Administrators only."""
        return cast("Test", self.call("providers.test", {"provider": provider, **options}))

    def providers_enable(self, provider: str, **options: Unpack[ProvidersEnableOptions]) -> Change:
        """Enables a configured provider, also after a restart. Administrators only."""
        return cast("Change", self.call("providers.enable", {"provider": provider, **options}))

    def providers_disable(self, provider: str, **options: Unpack[ProvidersDisableOptions]) -> Change:
        """Disables a configured provider, also after a restart. Administrators only."""
        return cast("Change", self.call("providers.disable", {"provider": provider, **options}))

    def providers_reset(self, provider: str, **options: Unpack[ProvidersResetOptions]) -> Change:
        """Removes the effect of providers.enable and providers.disable: the configuration decides again. Administrators only."""
        return cast("Change", self.call("providers.reset", {"provider": provider, **options}))

    def providers_resume(self, provider: str, **options: Unpack[ProvidersResumeOptions]) -> Change:
        """Ends a provider's suspension. Administrators only."""
        return cast("Change", self.call("providers.resume", {"provider": provider, **options}))

    def providers_log(self, provider: str, **options: Unpack[ProvidersLogOptions]) -> ProviderLog:
        """Returns the latest lines that a provider logged or wrote to standard error. Administrators only."""
        return cast("ProviderLog", self.call("providers.log", {"provider": provider, **options}))

    def cache_stats(self, **options: Unpack[CacheStatsOptions]) -> CacheShares:
        """Returns cache statistics of the caller, by provider."""
        return cast("CacheShares", self.call("cache.stats", {**options}))

    def cache_purge(self, **options: Unpack[CachePurgeOptions]) -> Removal:
        """Removes everything that is stored for the caller."""
        return cast("Removal", self.call("cache.purge", {**options}))

    def cache_list(self, **options: Unpack[CacheListOptions]) -> CacheEntries:
        """Lists cached answers, newest first. Administrators only."""
        return cast("CacheEntries", self.call("cache.list", {**options}))

    def cache_expire(self, **options: Unpack[CacheExpireOptions]) -> Removal:
        """Immediately removes everything that the providers' terms no longer allow storing. Administrators only."""
        return cast("Removal", self.call("cache.expire", {**options}))

    def budget_get(self, **options: Unpack[BudgetGetOptions]) -> Accounts:
        """Returns what the caller spent, reserved and saved, by provider, for today and this month."""
        return cast("Accounts", self.call("budget.get", {**options}))

    def budget_confirm(self, provider: str, **options: Unpack[BudgetConfirmOptions]) -> ConfirmedAccount:
        """Allows paid calls again if the record of past spending is in doubt. The provider may be any that costs money or has a limit of calls. Administrators only."""
        return cast("ConfirmedAccount", self.call("budget.confirm", {"provider": provider, **options}))

    def service_reload(self, **options: Unpack[ServiceReloadOptions]) -> Reload:
        """Reloads the configuration; an invalid one changes nothing. Administrators only."""
        return cast("Reload", self.call("service.reload", {**options}))

    def service_metrics(self, **options: Unpack[ServiceMetricsOptions]) -> Union[dict[str, Any], str]:
        """Returns the daemon's counters, as a tree or as OpenMetrics text. Administrators only."""
        return cast("Union[dict[str, Any], str]", self.call("service.metrics", {**options}))

    def service_log(self, **options: Unpack[ServiceLogOptions]) -> Log:
        """Returns the latest log lines; with `level`, also sets the log level until the next start or reload. Administrators only."""
        return cast("Log", self.call("service.log", {**options}))


class AsyncMethods:
    """The methods; `call` sends one."""

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        raise NotImplementedError

    async def autocomplete(self, query: str, **options: Unpack[AutocompleteOptions]) -> Suggestions:
        """Suggests places and queries for a partly typed text."""
        return cast("Suggestions", await self.call("places.autocomplete", {"query": query, **options}))

    async def select(self, session: str, id: str, **options: Unpack[SelectOptions]) -> Nothing:
        """Reports which row the user chose; ends the session and queries no provider."""
        return cast("Nothing", await self.call("places.select", {"session": session, "id": id, **options}))

    async def search(self, query: str, fields: Optional[list[Literal["id", "basic", "advanced", "preferred", "extended", "placeID", "name", "addressComponents", "businessStatus", "formattedAddress", "iconBackgroundColor", "iconImageURL", "coordinate", "photos", "plusCode", "types", "utcOffsetMinutes", "viewport", "wheelchairAccessibleEntrance", "currentOpeningHours", "secondaryOpeningHours", "phoneNumber", "priceLevel", "rating", "openingHours", "userRatingsTotal", "website", "curbsidePickup", "delivery", "dineIn", "editorialSummary", "reservable", "servesBeer", "servesBreakfast", "servesBrunch", "servesDinner", "servesLunch", "servesVegetarianFood", "servesWine", "takeout", "movedPlaceID", "shortFormattedAddress", "primaryType", "timeZone", "mapURL", "accessibilityOptions", "nationalPhoneNumber", "priceRange", "reviews", "paymentOptions", "parkingOptions", "evChargeOptions", "fuelOptions", "servesCocktails", "servesDessert", "servesCoffee", "outdoorSeating", "liveMusic", "menuForChildren", "goodForChildren", "allowsDogs", "restroom", "goodForGroups", "goodForWatchingSports"]]] = None, **options: Unpack[SearchOptions]) -> Places:
        """Searches places by text and filters."""
        return cast("Places", await self.call("places.search", {"query": query, "fields": ["basic"] if fields is None else fields, **options}))

    async def resolve(self, query: str, **options: Unpack[ResolveOptions]) -> Resolution:
        """Finds the one place that a text most likely means, and returns candidates if that is not certain."""
        return cast("Resolution", await self.call("places.resolve", {"query": query, **options}))

    async def details(self, id: str, fields: Optional[list[Literal["id", "basic", "advanced", "preferred", "extended", "placeID", "name", "addressComponents", "businessStatus", "formattedAddress", "iconBackgroundColor", "iconImageURL", "coordinate", "photos", "plusCode", "types", "utcOffsetMinutes", "viewport", "wheelchairAccessibleEntrance", "currentOpeningHours", "secondaryOpeningHours", "phoneNumber", "priceLevel", "rating", "openingHours", "userRatingsTotal", "website", "curbsidePickup", "delivery", "dineIn", "editorialSummary", "reservable", "servesBeer", "servesBreakfast", "servesBrunch", "servesDinner", "servesLunch", "servesVegetarianFood", "servesWine", "takeout", "movedPlaceID", "shortFormattedAddress", "primaryType", "timeZone", "mapURL", "accessibilityOptions", "nationalPhoneNumber", "priceRange", "reviews", "paymentOptions", "parkingOptions", "evChargeOptions", "fuelOptions", "servesCocktails", "servesDessert", "servesCoffee", "outdoorSeating", "liveMusic", "menuForChildren", "goodForChildren", "allowsDogs", "restroom", "goodForGroups", "goodForWatchingSports"]]] = None, **options: Unpack[DetailsOptions]) -> Details:
        """Returns the requested fields of one place; ends the session."""
        return cast("Details", await self.call("places.details", {"id": id, "fields": ["basic"] if fields is None else fields, **options}))

    async def photo(self, id: str, **options: Unpack[PhotoOptions]) -> PhotoFile:
        """Returns a photograph of a place as a file."""
        return cast("PhotoFile", await self.call("places.photo", {"id": id, **options}))

    async def reverse(self, location: _wire.Point, *more: NoReturn, **options: Unpack[ReverseOptions]) -> Places:
        """Finds the places at and around a point."""
        return cast("Places", await self.call("places.reverse", {"location": _wire.point("location", location, more), **options}))

    async def choices_list(self, **options: Unpack[ChoicesListOptions]) -> Choices:
        """Lists the caller's learned choices, latest first."""
        return cast("Choices", await self.call("places.choices.list", {**options}))

    async def choices_forget(self, **options: Unpack[ChoicesForgetOptions]) -> ForgottenChoices:
        """Removes learned choices of the caller: those of one place, or all."""
        return cast("ForgottenChoices", await self.call("places.choices.forget", {**options}))

    async def info(self, **options: Unpack[InfoOptions]) -> Service:
        """Returns the daemon's name, version, protocol, capabilities, limits and defaults."""
        return cast("Service", await self.call("service.info", {**options}))

    async def discover(self, **options: Unpack[DiscoverOptions]) -> dict[str, Any]:
        """Returns an OpenRPC document that describes every method."""
        return cast("dict[str, Any]", await self.call("rpc.discover", {**options}))

    async def types_list(self, **options: Unpack[TypesListOptions]) -> Types:
        """Lists the place types and collections, with each provider's own names for them."""
        return cast("Types", await self.call("types.list", {**options}))

    async def providers_list(self, **options: Unpack[ProvidersListOptions]) -> Providers:
        """Lists the configured providers with the status of each."""
        return cast("Providers", await self.call("providers.list", {**options}))

    async def providers_get(self, provider: str, **options: Unpack[ProvidersGetOptions]) -> ProviderAndManifest:
        """Returns a provider's status and its manifest."""
        return cast("ProviderAndManifest", await self.call("providers.get", {"provider": provider, **options}))

    async def providers_test(self, provider: str, **options: Unpack[ProvidersTestOptions]) -> Test:
        """Sends one real request to a provider and reports what it cost. Administrators only."""
        return cast("Test", await self.call("providers.test", {"provider": provider, **options}))

    async def providers_enable(self, provider: str, **options: Unpack[ProvidersEnableOptions]) -> Change:
        """Enables a configured provider, also after a restart. Administrators only."""
        return cast("Change", await self.call("providers.enable", {"provider": provider, **options}))

    async def providers_disable(self, provider: str, **options: Unpack[ProvidersDisableOptions]) -> Change:
        """Disables a configured provider, also after a restart. Administrators only."""
        return cast("Change", await self.call("providers.disable", {"provider": provider, **options}))

    async def providers_reset(self, provider: str, **options: Unpack[ProvidersResetOptions]) -> Change:
        """Removes the effect of providers.enable and providers.disable: the configuration decides again. Administrators only."""
        return cast("Change", await self.call("providers.reset", {"provider": provider, **options}))

    async def providers_resume(self, provider: str, **options: Unpack[ProvidersResumeOptions]) -> Change:
        """Ends a provider's suspension. Administrators only."""
        return cast("Change", await self.call("providers.resume", {"provider": provider, **options}))

    async def providers_log(self, provider: str, **options: Unpack[ProvidersLogOptions]) -> ProviderLog:
        """Returns the latest lines that a provider logged or wrote to standard error. Administrators only."""
        return cast("ProviderLog", await self.call("providers.log", {"provider": provider, **options}))

    async def cache_stats(self, **options: Unpack[CacheStatsOptions]) -> CacheShares:
        """Returns cache statistics of the caller, by provider."""
        return cast("CacheShares", await self.call("cache.stats", {**options}))

    async def cache_purge(self, **options: Unpack[CachePurgeOptions]) -> Removal:
        """Removes everything that is stored for the caller."""
        return cast("Removal", await self.call("cache.purge", {**options}))

    async def cache_list(self, **options: Unpack[CacheListOptions]) -> CacheEntries:
        """Lists cached answers, newest first. Administrators only."""
        return cast("CacheEntries", await self.call("cache.list", {**options}))

    async def cache_expire(self, **options: Unpack[CacheExpireOptions]) -> Removal:
        """Immediately removes everything that the providers' terms no longer allow storing. Administrators only."""
        return cast("Removal", await self.call("cache.expire", {**options}))

    async def budget_get(self, **options: Unpack[BudgetGetOptions]) -> Accounts:
        """Returns what the caller spent, reserved and saved, by provider, for today and this month."""
        return cast("Accounts", await self.call("budget.get", {**options}))

    async def budget_confirm(self, provider: str, **options: Unpack[BudgetConfirmOptions]) -> ConfirmedAccount:
        """Allows paid calls again if the record of past spending is in doubt. The provider may be any that costs money or has a limit of calls. Administrators only."""
        return cast("ConfirmedAccount", await self.call("budget.confirm", {"provider": provider, **options}))

    async def service_reload(self, **options: Unpack[ServiceReloadOptions]) -> Reload:
        """Reloads the configuration; an invalid one changes nothing. Administrators only."""
        return cast("Reload", await self.call("service.reload", {**options}))

    async def service_metrics(self, **options: Unpack[ServiceMetricsOptions]) -> Union[dict[str, Any], str]:
        """Returns the daemon's counters, as a tree or as OpenMetrics text. Administrators only."""
        return cast("Union[dict[str, Any], str]", await self.call("service.metrics", {**options}))

    async def service_log(self, **options: Unpack[ServiceLogOptions]) -> Log:
        """Returns the latest log lines; with `level`, also sets the log level until the next start or reload. Administrators only."""
        return cast("Log", await self.call("service.log", {**options}))
