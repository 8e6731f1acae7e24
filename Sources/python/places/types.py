"""The replies of the daemon.

Made by generate.py from the daemon's `rpc.discover`; do not edit."""

from __future__ import annotations

from typing import Any, Literal, Optional, TypedDict, Union


class _SuggestionsAlways(TypedDict):
    suggestions: list["Suggestion"]
    """The rows, best first."""
    providers: list["Report"]
    """The outcome of each provider."""
    attributions: list["Attribution"]
    """The credits that must be shown with the answer."""
    complete: bool
    """True if every provider that was queried answered."""
    revision: int
    """The number of this answer to the request, counting partial answers."""


class Suggestions(_SuggestionsAlways, total=False):
    """The result of an autocomplete."""



class _SuggestionAlways(TypedDict):
    kind: str
    """The kind of suggestion."""
    text: "Text"
    """The whole text of the row."""
    row: str
    """The identifier of the row within its request."""
    types: list[str]
    """Types of the type table and the service's own types, most specific first."""
    sources: list["Source"]
    """The sources that are blended into this row, the leading one first."""


class Suggestion(_SuggestionAlways, total=False):
    """One row of an autocomplete answer."""

    id: str
    """The id of the leading source; a query has none."""
    primary: "Text"
    """Its first part, such as the name."""
    secondary: "Text"
    """The rest, such as the region."""
    language: str
    """The text's language."""
    location: "Point"
    """The location of the place."""
    viewport: "Rectangle"
    """The area of the place, to which a map can be fitted."""
    distance: float
    """The distance from the request's origin to the location, in metres; 0 if the origin is in the place, as far as a provider says."""
    iconImageURL: str
    """The http or https address of an image of the row, such as its category's icon."""
    url: str
    """The http or https address of a page about the row, such as the article that a completion names."""
    group: str
    """Rows with the same group mean the same place but may not be blended, by the providers' terms; only without `fold`."""
    attributions: list["Attribution"]
    """Credits that must be shown with this row, in addition to those of the answer."""
    alternatives: list["Suggestion"]
    """The rows of the same place that the providers' terms forbid blending with this row; they have no alternatives themselves."""
    explain: "Explanation"
    """Only with `explain`."""


class _TextAlways(TypedDict):
    text: str
    """The text."""
    matches: list["Range"]
    """The parts that match, ascending."""


class Text(_TextAlways, total=False):
    """A text, and the parts of it that match the typed text."""



class _RangeAlways(TypedDict):
    start: int
    """The first code point, from 0."""
    end: int
    """The code point after the last one."""


class Range(_RangeAlways, total=False):
    """A half-open range of Unicode code points of the text beside it."""



class _PointAlways(TypedDict):
    latitude: float
    """Degrees, -90 to 90."""
    longitude: float
    """Degrees, -180 to 180."""


class Point(_PointAlways, total=False):
    """A point of WGS 84."""



class _RectangleAlways(TypedDict):
    low: "Point"
    """The south-west corner."""
    high: "Point"
    """The north-east corner."""


class Rectangle(_RectangleAlways, total=False):
    """A closed rectangle."""



class _SourceAlways(TypedDict):
    provider: str
    """The provider's id."""
    rank: int
    """The rank of the row in the provider's own answer, from 1."""


class Source(_SourceAlways, total=False):
    """The origin of a row, or of a part of it."""

    id: str
    """The provider's id of the place; a query has none."""


class _AttributionAlways(TypedDict):
    provider: str
    """The id of the provider."""
    text: str
    """The credit."""


class Attribution(_AttributionAlways, total=False):
    """A credit that must be shown."""

    url: str
    """The address that the credit links to."""


class _ExplanationAlways(TypedDict):
    match: str
    """How the text matches the typed text, as a code."""
    score: float
    """The score that determines the order; if rows are ranked by distance, the distance comes first."""
    parts: list["Part"]
    """The parts of the score."""
    merges: list["Pair"]
    """The rows that were merged into this one."""
    tied: list["Pair"]
    """Rows that mean the same place but, by the providers' terms, may not be blended with this one."""
    maybe: list["Pair"]
    """Rows that may mean the same place and were not merged."""
    fields: list["FieldOrigin"]
    """The origins of the row's members."""


class Explanation(_ExplanationAlways, total=False):
    """Why a row was returned and how it was ranked."""

    matchedName: str
    """The name by which the text matches, if the row does not show that name."""
    importance: float
    """The importance of the place by the first of its sources that states one, from 0 to 1; the order uses the mean of all sources."""
    partialMatch: bool
    """True if the leading source says that the place matches only a part of the query."""
    leads: str
    """Why the leading source precedes the next one: prefer, match, language, weight, details, rank or provider; only with several sources."""


class _PartAlways(TypedDict):
    name: str
    """The name of the term."""
    value: float
    """The value of the term."""


class Part(_PartAlways, total=False):
    """One term of a sum."""



class _PairAlways(TypedDict):
    first: str
    """The id of the first row."""
    second: str
    """The id of the second row."""
    probability: float
    """The probability that both are the same place, 0 to 1."""
    reasons: list["Part"]
    """The evidence for it; negative values are evidence against it."""


class Pair(_PairAlways, total=False):
    """Two rows that were compared."""



class _FieldOriginAlways(TypedDict):
    field: str
    """The name of the member."""
    provider: str
    """The provider's id."""
    at: str
    """The time at which the provider returned it."""


class FieldOrigin(_FieldOriginAlways, total=False):
    """The origin of one member of a row."""



class _ReportAlways(TypedDict):
    provider: str
    """The provider's id."""
    outcome: str
    """The outcome."""
    count: int
    """The number of rows that it returned."""
    latencyMs: float
    """The duration, in milliseconds; for a provider on this machine rounded up to 10, 100, 1000 and so on."""


class Report(_ReportAlways, total=False):
    """The outcome of a request at one provider."""

    served: str
    """The origin of the answer."""
    cause: str
    """Why there is no answer, as a code."""
    message: str
    """The reason as a sentence; if the outcome is empty, a hint for a better request."""
    detail: str
    """A more specific code, such as Google's rateLimitExceeded."""
    retryAfterMs: int
    """The time in milliseconds after which a retry can succeed."""


class _NothingAlways(TypedDict):
    pass


class Nothing(_NothingAlways, total=False):
    """An object without members."""



class _PlacesAlways(TypedDict):
    places: list["Place"]
    """The rows, best first."""
    providers: list["Report"]
    """The outcome of each provider."""
    attributions: list["Attribution"]
    """The credits that must be shown with the answer."""
    complete: bool
    """True if every provider that was queried answered."""


class Places(_PlacesAlways, total=False):
    """The result of a search and of a reverse search."""

    nextPageToken: str
    """The `pageToken` of the next page."""


class _PlaceAlways(TypedDict):
    id: str
    """The id of the leading source."""
    row: str
    """The identifier of the row within its request."""
    sources: list["Source"]
    """The sources that are blended into this row, the leading one first."""
    attributions: list["Attribution"]
    """Credits that must be shown with this place, in addition to those of the answer."""


class Place(_PlaceAlways, total=False):
    """A place: the requested fields that are known, and the members below."""

    placeID: str
    """The place's id."""
    name: str
    """Its name."""
    addressComponents: list["AddressComponent"]
    """The parts of its address, most specific first."""
    businessStatus: str
    """The operational status."""
    formattedAddress: str
    """Its address on one line."""
    iconBackgroundColor: str
    """The background colour of its icon, #rrggbb."""
    iconImageURL: str
    """The address of its icon."""
    coordinate: "Point"
    """Its location."""
    photos: list["Photo"]
    """Photographs of it."""
    plusCode: "PlusCode"
    """Its plus code."""
    types: list[str]
    """Types of the type table and the service's own types, most specific first."""
    utcOffsetMinutes: int
    """The current offset of its local time from UTC, in minutes."""
    viewport: "Rectangle"
    """The area that a map should show."""
    wheelchairAccessibleEntrance: bool
    """True if the entrance is accessible to wheelchairs."""
    currentOpeningHours: "OpeningHours"
    """The opening hours of the next seven days."""
    secondaryOpeningHours: list["OpeningHours"]
    """The opening hours of its parts, such as a kitchen."""
    phoneNumber: str
    """Its telephone number in international format."""
    priceLevel: str
    """The price level."""
    rating: float
    """The average rating, 0 to 5."""
    openingHours: "OpeningHours"
    """The regular weekly opening hours."""
    userRatingsTotal: int
    """The number of ratings."""
    website: str
    """The address of its website."""
    curbsidePickup: bool
    """True if it offers curbside pickup."""
    delivery: bool
    """True if it delivers."""
    dineIn: bool
    """True if guests can eat there."""
    editorialSummary: str
    """A short description."""
    reservable: bool
    """True if it takes reservations."""
    servesBeer: bool
    """True if it serves beer."""
    servesBreakfast: bool
    """True if it serves breakfast."""
    servesBrunch: bool
    """True if it serves brunch."""
    servesDinner: bool
    """True if it serves dinner."""
    servesLunch: bool
    """True if it serves lunch."""
    servesVegetarianFood: bool
    """True if it serves vegetarian food."""
    servesWine: bool
    """True if it serves wine."""
    takeout: bool
    """True if it offers food to take away."""
    movedPlaceID: str
    """The id under which the service knows the place now, if it moved or was replaced."""
    shortFormattedAddress: str
    """Its address on one line, without region and country."""
    primaryType: str
    """The type that describes it best."""
    timeZone: str
    """Its time zone, such as Europe/Berlin."""
    mapURL: str
    """The address of its page on the service's own map."""
    accessibilityOptions: dict[str, bool]
    """What is accessible to wheelchairs: wheelchairAccessibleParking, -Entrance, -Restroom, -Seating."""
    nationalPhoneNumber: str
    """Its telephone number as it is dialled in its country."""
    priceRange: "PriceRange"
    """The usual price for one person."""
    reviews: list["Review"]
    """Reviews by visitors, with their authors, who must be named."""
    paymentOptions: dict[str, bool]
    """The accepted means of payment: acceptsCreditCards, acceptsDebitCards, acceptsCashOnly, acceptsNfc."""
    parkingOptions: dict[str, bool]
    """The kinds of parking: freeParkingLot, paidParkingLot, freeStreetParking, paidStreetParking, valetParking, freeGarageParking, paidGarageParking."""
    evChargeOptions: list["Charger"]
    """Chargers of electric vehicles, by type."""
    fuelOptions: list["Fuel"]
    """The latest prices of fuels."""
    servesCocktails: bool
    """True if it serves cocktails."""
    servesDessert: bool
    """True if it serves dessert."""
    servesCoffee: bool
    """True if it serves coffee."""
    outdoorSeating: bool
    """True if guests can sit outside."""
    liveMusic: bool
    """True if it has live music."""
    menuForChildren: bool
    """True if it has a menu for children."""
    goodForChildren: bool
    """True if it suits children."""
    allowsDogs: bool
    """True if dogs may come in."""
    restroom: bool
    """True if it has a restroom."""
    goodForGroups: bool
    """True if it suits groups."""
    goodForWatchingSports: bool
    """True if it suits watching sports."""
    distance: float
    """The distance from the request's origin or point to the location, in metres; 0 if the point is in the place, as far as a provider says."""
    group: str
    """Rows with the same group mean the same place but may not be blended, by the providers' terms; only without `fold`."""
    confidence: float
    """The probability that this is the meant place, 0 to 1, in hundredths; only in the candidates of places.resolve."""
    partialMatch: bool
    """True if the leading source says that the place matches only a part of the query."""
    alternatives: list["Place"]
    """The rows of the same place that the providers' terms forbid blending with this row; they have no alternatives themselves."""
    provenance: dict[str, "Provenance"]
    """The origin of each field; only with `explain`."""
    explain: "Explanation"
    """Only with `explain`."""


class _AddressComponentAlways(TypedDict):
    long: str
    """The full name."""
    types: list[str]
    """The types of this part."""


class AddressComponent(_AddressComponentAlways, total=False):
    """A part of an address."""

    short: str
    """The usual short name, such as DE."""


class _PhotoAlways(TypedDict):
    id: str
    """The id of the photograph, for places.photo."""
    attributions: list["Credit"]
    """The credits of the authors."""


class Photo(_PhotoAlways, total=False):
    """A photograph."""

    width: int
    """In pixels."""
    height: int
    """In pixels."""


class _CreditAlways(TypedDict):
    text: str
    """The credit."""


class Credit(_CreditAlways, total=False):
    """A credit that must be shown."""

    url: str
    """The address that the credit links to."""


PlusCode = TypedDict("PlusCode", {"global": "str", "compound": "str"}, total=False)


class _OpeningHoursAlways(TypedDict):
    periods: list["Period"]
    """The periods in which the place is open; empty if they are not known."""


class OpeningHours(_OpeningHoursAlways, total=False):
    """When a place is open."""

    openNow: bool
    """True if the place is open now."""
    weekdayText: list[str]
    """The same as text, one line for each day."""
    text: str
    """The service's own text, if it returns no times."""
    specialDays: list[str]
    """The dates, YYYY-MM-DD, whose hours differ from the regular ones."""
    nextOpen: str
    """When the place opens next, if it is closed."""
    nextClose: str
    """When the place closes next, if it is open."""
    kind: str
    """For secondary opening hours, the part of the place that they apply to."""


class _PeriodAlways(TypedDict):
    open: "Moment"
    """The beginning."""


class Period(_PeriodAlways, total=False):
    """A continuous period."""

    close: "Moment"
    """The end; absent if the place never closes."""


class _MomentAlways(TypedDict):
    day: int
    """0 for Sunday to 6."""
    hour: int
    """0 to 23."""
    minute: int
    """0 to 59."""


class Moment(_MomentAlways, total=False):
    """A time of the week, in local time."""

    date: str
    """The date, YYYY-MM-DD; only in current opening hours."""
    truncated: bool
    """True if the period goes on beyond the seven days."""


class _PriceRangeAlways(TypedDict):
    currency: str
    """The ISO 4217 code."""


class PriceRange(_PriceRangeAlways, total=False):
    """A range of prices."""

    low: float
    """The lower end, in units of the currency."""
    high: float
    """The upper end; absent if the range is open."""


class _ReviewAlways(TypedDict):
    author: "Credit"
    """The author."""


class Review(_ReviewAlways, total=False):
    """A review by a visitor."""

    text: str
    """The text."""
    language: str
    """The language of the text."""
    rating: float
    """The visitor's rating, 0 to 5."""
    time: str
    """When it was published."""
    url: str
    """The address of the review on the service's own map."""


class _ChargerAlways(TypedDict):
    type: str
    """The service's name of the connector, such as ev_connector_type_ccs_combo_2."""
    count: int
    """How many there are."""


class Charger(_ChargerAlways, total=False):
    """The chargers of one type."""

    maxKilowatts: float
    """The highest charging rate."""
    available: int
    """How many are free."""
    outOfService: int
    """How many are out of service."""
    updated: str
    """When that was known."""


class _FuelAlways(TypedDict):
    type: str
    """The service's name of the fuel, such as diesel."""
    currency: str
    """The ISO 4217 code."""
    price: float
    """The price in units of the currency, as the station shows it."""


class Fuel(_FuelAlways, total=False):
    """The price of a fuel."""

    updated: str
    """When that was known."""


class _ProvenanceAlways(TypedDict):
    provider: str
    """The provider's id."""
    at: str
    """The time at which the provider returned it."""


class Provenance(_ProvenanceAlways, total=False):
    """The origin of a field."""



class _ResolutionAlways(TypedDict):
    certain: bool
    """True if the confidence is at least 0.8."""
    confidence: float
    """The probability that the best candidate is the meant place, 0 to 1, in hundredths; 0 if there is none."""
    providers: list["Report"]
    """The outcome of each provider."""
    attributions: list["Attribution"]
    """The credits that must be shown with the answer."""


class Resolution(_ResolutionAlways, total=False):
    """The place that a text means, or the candidates."""

    match: str
    """How the best candidate matches the text; absent if there is none."""
    name: str
    """The name of the best candidate, requested or not; absent if it is not known or would have cost more."""
    place: "Place"
    """The place; only if it is certain."""
    candidates: list["Place"]
    """At most 10 places that the text may mean, best first, each with its confidence; only if none is certain."""


class _DetailsAlways(TypedDict):
    place: "Place"
    """The place."""
    providers: list["Report"]
    """The outcome of each provider."""
    attributions: list["Attribution"]
    """The credits that must be shown with the answer."""


class Details(_DetailsAlways, total=False):
    """The result of a details request."""



class _PhotoFileAlways(TypedDict):
    contentType: str
    """The format of the file."""
    dataBase64: str
    """The file in base64 (RFC 4648, section 4), before encoding at most 2 MiB."""
    providers: list["Report"]
    """The outcome of each provider."""
    attributions: list["Attribution"]
    """The credits that must be shown with the answer."""


class PhotoFile(_PhotoFileAlways, total=False):
    """A photograph as a file."""



class _ChoicesAlways(TypedDict):
    choices: list["Choice"]
    """The choices, latest first."""


class Choices(_ChoicesAlways, total=False):
    """Learned choices."""



class _ChoiceAlways(TypedDict):
    id: str
    """The place's id."""
    text: str
    """The first letters of the text, folded."""
    weight: float
    """The sum over the choices: each counts 1 at first, and half as much after every thirty days."""
    at: str
    """When it was chosen last."""


class Choice(_ChoiceAlways, total=False):
    """A place that the user chose for a text."""



class _ForgottenChoicesAlways(TypedDict):
    choices: int
    """The number of choices that were removed."""


class ForgottenChoices(_ForgottenChoicesAlways, total=False):
    """The number of removed choices."""



class _ServiceAlways(TypedDict):
    name: str
    """Always placesd."""
    version: str
    """The version."""
    protocol: "Protocol"
    """The version of the protocol."""
    capabilities: list[str]
    """Names of capabilities that clients may test for; ignore unknown names."""
    limits: "Limits"
    """The limits of a connection."""
    defaults: "Defaults"
    """The values of parameters that a request omits."""
    suggestedDebounceMs: int
    """The recommended pause after a keystroke before a request is sent, in milliseconds."""
    minimumLetters: int
    """The recommended minimum length of a query."""


class Service(_ServiceAlways, total=False):
    """The daemon and its settings."""

    warnings: list[str]
    """What limits the daemon now, such as a full cache disk, as sentences."""


class _ProtocolAlways(TypedDict):
    major: int
    """Raised by incompatible changes."""
    minor: int
    """Raised by additions."""


class Protocol(_ProtocolAlways, total=False):
    """The version of this protocol."""



class _LimitsAlways(TypedDict):
    requestBytes: int
    """Largest request, in bytes."""
    replyBytes: int
    """Largest reply, in bytes."""
    depth: int
    """Deepest nesting of a request."""
    batch: int
    """Largest number of requests in a batch."""
    inFlight: int
    """Largest number of requests in flight."""
    unreadBytes: int
    """Largest number of unread reply bytes."""


class Limits(_LimitsAlways, total=False):
    """The limits of a connection."""



class _DefaultsAlways(TypedDict):
    limit: int
    """The number of rows of an autocomplete."""
    deadlineMs: int
    """The deadline, in milliseconds."""


class Defaults(_DefaultsAlways, total=False):
    """The values of parameters that a request omits."""

    language: str
    """The language, as a BCP 47 tag."""
    region: str
    """The region, as a CLDR code."""
    bias: Union[dict[str, Any]]
    """The area whose places are ranked higher."""


class _TypesAlways(TypedDict):
    types: list["Type"]
    """The types."""
    collections: list[str]
    """The names of sets of types; a request may name one of them, and no other type."""


class Types(_TypesAlways, total=False):
    """The type table."""



class _TypeAlways(TypedDict):
    type: str
    """The name of the type in requests and rows."""
    group: str
    """The group of the type."""
    providers: dict[str, list[str]]
    """Each provider's own names for the type."""


class Type(_TypeAlways, total=False):
    """A type of the type table."""



class _ProvidersAlways(TypedDict):
    providers: list["Provider"]
    """The status of each provider."""


class Providers(_ProvidersAlways, total=False):
    """Every configured provider."""



class _ProviderAlways(TypedDict):
    id: str
    """The provider's id in the configuration."""
    name: str
    """The display name."""
    plugin: str
    """The name of its plugin."""
    version: str
    """The plugin's version."""
    state: str
    """The state; only a ready provider is queried."""
    leavesMachine: bool
    """True if queries leave this machine."""
    calls: list[str]
    """The calls that it supports."""
    counters: "Counters"
    """Statistics of its calls."""


class Provider(_ProviderAlways, total=False):
    """The status of a configured provider."""

    reason: str
    """Why it is not ready, as a sentence."""
    cause: str
    """The same as a code."""
    until: str
    """When that state ends by itself."""
    isolation: str
    """How the plugin runs: process or in-process."""
    origins: list[str]
    """The origins that its requests may go to, as configured, such as https://photon.komoot.io."""
    isFree: bool
    """True if none of its calls costs money; absent if that is not known."""


class _CountersAlways(TypedDict):
    sent: int
    """Calls that were attempted and have ended, also if the connection failed: the sum of succeeded, failed, timedOut and abandoned."""
    succeeded: int
    """Calls that were answered, with or without rows."""
    failed: int
    """Calls that ended with an error of the provider or of its service."""
    timedOut: int
    """Calls that were not answered in time."""
    saved: int
    """Calls that were not needed, because the cache or another call had the answer."""


class Counters(_CountersAlways, total=False):
    """Calls since the daemon's start."""

    abandoned: int
    """Calls that ended without an answer, because no client waited for it or the budget allowed no further request."""
    dropped: int
    """Rows that were dropped because they had no id."""
    medianMs: float
    """Median latency of the latest calls; for a provider on this machine, rounded up to 10, 100, 1000 and so on unless an administrator asks."""
    p99Ms: float
    """99th percentile of the latency of the latest calls, rounded like medianMs."""


class _ProviderAndManifestAlways(TypedDict):
    provider: "Provider"
    """The status of the provider."""


class ProviderAndManifest(_ProviderAndManifestAlways, total=False):
    """One provider."""

    manifest: "Manifest"
    """The manifest; absent if the plugin is not loaded."""


class _ManifestAlways(TypedDict):
    plugin: str
    """The plugin's name."""
    name: str
    """The display name."""
    version: str
    """The version."""
    summary: str
    """A summary in one sentence."""
    hosts: list[str]
    """The hosts that its requests may go to; empty if it needs no network."""
    needsBaseURL: bool
    """True if the configuration must contain its address."""
    credential: Union[Any, dict[str, Any]]
    """Where the key is put in a request."""
    needsCredential: bool
    """True if it needs a key."""
    settings: list["Setting"]
    """The plugin's own keys of the configuration."""
    terms: "Terms"
    """What its contract allows to do with its answers."""
    attributions: list["Credit"]
    """The credits that must be shown with its rows."""
    rate: "Rate"
    """How often it may be called."""
    prices: "Prices"
    """The prices of its calls."""
    countries: list[str]
    """The two-letter codes of the countries that it covers; empty for all."""
    givesCoordinates: bool
    """True if its rows have coordinates."""
    givesLocalNames: bool
    """True if it returns local names for a request without a language."""
    typeWords: dict[str, list[str]]
    """Its own names for types."""


class Manifest(_ManifestAlways, total=False):
    """The declaration of a provider's capabilities, terms and prices."""

    autocomplete: "Capability"
    """How it suggests; absent if it does not suggest."""
    search: "Capability"
    """How it searches; absent if it does not search."""
    details: "Capability"
    """How it returns the details of a place; absent if it does not."""
    reverse: "Capability"
    """How it finds the places at a point; absent if it does not."""
    geocode: "Capability"
    """How it finds addresses by a call of its own; if absent, its search finds them."""
    sessions: "SessionRule"
    """How it bills sessions; absent if it has no sessions."""
    area: Union[dict[str, Any]]
    """The area that it covers; absent for the whole world."""
    coordinateDecimals: int
    """The number of decimals of coordinates in its requests; absent for all."""


class _CapabilityAlways(TypedDict):
    parameters: dict[str, str]
    """How each parameter is supported; parameters that are not listed are unsupported."""
    minimumLetters: int
    """The minimum length of a query, in letters."""
    maximumRows: int
    """The maximum number of rows of one call."""
    kinds: list[str]
    """The kinds of rows that it returns."""
    narrows: bool
    """True if an exhaustive answer contains the answers to all longer texts."""
    fields: list[str]
    """The fields that it returns."""
    pages: bool
    """True if its answers have pages."""


class Capability(_CapabilityAlways, total=False):
    """How a provider supports a call."""



class _SettingAlways(TypedDict):
    name: str
    """The key."""
    kind: str
    """The type of its value."""
    summary: str
    """A summary in one sentence."""
    required: bool
    """True if the configuration must contain it."""
    choices: list[str]
    """The allowed values; empty for any."""


class Setting(_SettingAlways, total=False):
    """A configuration key that belongs to the plugin."""

    defaultValue: Any
    """The default value."""


class _TermsAlways(TypedDict):
    idsSeconds: Any
    """How long ids may be stored; null for ever, 0 not at all."""
    coordinatesSeconds: Any
    """How long coordinates may be stored."""
    otherSeconds: Any
    """How long everything else may be stored."""
    negativeSeconds: float
    """How long an empty answer may be stored."""
    staleSeconds: float
    """How long after its expiry an answer may still be served."""
    isolation: str
    """Who may receive a stored answer: every user, the same user, or the same session."""
    mixing: Union[Literal["free", "never"], dict[str, Any]]
    """Which rows may be blended with its rows."""
    autocompleteAllowed: bool
    """True if it may be queried on every keystroke."""
    keepsOrder: bool
    """True if its rows must keep their order."""
    needsContact: bool
    """True if requests must name the operator."""
    source: str
    """The document that contains the rules."""


class Terms(_TermsAlways, total=False):
    """What the provider's contract allows."""



class _RateAlways(TypedDict):
    burst: int
    """The maximum number of calls in a burst."""
    concurrent: int
    """The maximum number of concurrent calls."""


class Rate(_RateAlways, total=False):
    """How often a service may be called, by all users together."""

    perSecond: float
    """Calls per second; absent for no limit."""


class _PricesAlways(TypedDict):
    currency: str
    """The currency, as an ISO 4217 code."""
    classes: list["PriceClass"]
    """The price list."""
    calls: dict[str, str]
    """The price class of each call; a call without a class is free."""
    fieldClasses: dict[str, dict[str, str]]
    """The price class of each field; the most expensive requested field determines the price."""


class Prices(_PricesAlways, total=False):
    """The prices of calls."""



class _PriceClassAlways(TypedDict):
    name: str
    """The name of the class."""
    micros: int
    """The price of a call, in millionths of the currency unit."""
    freePerMonth: int
    """The number of free calls per month."""


class PriceClass(_PriceClassAlways, total=False):
    """One class of the price list."""



class _SessionRuleAlways(TypedDict):
    endings: dict[str, Union[Literal["none", "all"], dict[str, Any]]]
    """Which earlier calls of the session are billed."""
    idleSeconds: float
    """The time after which an unused session ends."""


class SessionRule(_SessionRuleAlways, total=False):
    """How the calls of a session are billed."""



class _TestAlways(TypedDict):
    report: "Report"
    """The outcome of the request."""
    rows: list[str]
    """The texts of the first rows."""


class Test(_TestAlways, total=False):
    """The result of a real request."""

    costMicros: int
    """The cost, in millionths of the currency unit; absent if the price is not known."""
    currency: str
    """The currency, as an ISO 4217 code."""
    status: str
    """The status that the service reports, if it reports one free of charge."""
    serviceMessage: str
    """What the service itself says about an error, in one line of at most 300 characters, without the key."""


class _ChangeAlways(TypedDict):
    provider: "Provider"
    """The new status of the provider."""


class Change(_ChangeAlways, total=False):
    """A provider after a change."""



class _ProviderLogAlways(TypedDict):
    lines: list[str]
    """The lines, oldest first, each preceded by its time in UTC."""


class ProviderLog(_ProviderLogAlways, total=False):
    """The log of a provider."""



class _CacheSharesAlways(TypedDict):
    providers: list["CacheShare"]
    """The statistics of each provider."""


class CacheShares(_CacheSharesAlways, total=False):
    """Cache statistics."""



class _CacheShareAlways(TypedDict):
    provider: str
    """The provider's id."""
    answers: int
    """The number of cached answers."""
    places: int
    """The number of cached places."""
    choices: int
    """The number of learned choices: which place was chosen for a typed text."""
    bytes: int
    """The size of the answers and places, in bytes."""
    hits: int
    """The number of cache hits since the daemon's start, without hits of whole replies."""
    misses: int
    """The number of cache misses."""


class CacheShare(_CacheShareAlways, total=False):
    """Cache statistics of one provider."""

    configured: bool
    """False if the provider is no longer configured."""


class _RemovalAlways(TypedDict):
    answers: int
    """The number of removed answers."""
    places: int
    """The number of removed places."""
    choices: int
    """The number of removed choices."""


class Removal(_RemovalAlways, total=False):
    """The numbers of removed entries."""



class _CacheEntriesAlways(TypedDict):
    entries: list["CacheEntry"]
    """The answers, newest first."""


class CacheEntries(_CacheEntriesAlways, total=False):
    """Cached answers."""



class _CacheEntryAlways(TypedDict):
    provider: str
    """The id of the provider."""
    call: str
    """The call that it answers."""
    key: str
    """The request, in canonical form."""
    rows: int
    """The number of rows."""
    bytes: int
    """Its size, in bytes."""
    storedAt: str
    """When it was stored."""


class CacheEntry(_CacheEntryAlways, total=False):
    """A cached answer."""

    user: int
    """The id of the only user who may receive it; absent for all users."""
    expiresAt: str
    """When it expires; absent for never."""


class _AccountsAlways(TypedDict):
    providers: list["Account"]
    """The account of each provider."""


class Accounts(_AccountsAlways, total=False):
    """What was spent and saved."""



class _AccountAlways(TypedDict):
    provider: str
    """The provider's id."""
    currency: str
    """The currency, as an ISO 4217 code; XXX if it is not known because the provider is not running."""
    day: "Window"
    """Today."""
    month: "Window"
    """This calendar month."""
    savedByCache: "Amount"
    """What cached answers saved."""
    savedBySessions: "Amount"
    """What sessions saved."""
    savedByCoalescing: "Amount"
    """What calls shared by several requests saved."""


class Account(_AccountAlways, total=False):
    """What one provider cost."""

    userShare: float
    """The share of the configured limits that one user may use, and that the limits below are; absent if it is the whole limit."""
    uncounted: bool
    """True if calls are not counted because they are free and unlimited."""
    needsConfirmation: str
    """Why paid calls wait for budget.confirm."""
    unavailable: str
    """Why paid calls are disabled until the ledger can be read and written again."""


class _WindowAlways(TypedDict):
    spent: "Amount"
    """What was spent."""
    reserved: "Amount"
    """What is reserved for calls in progress; it counts as spent after a crash."""
    endsAt: str
    """The end of the window."""


class Window(_WindowAlways, total=False):
    """One day or month."""

    callLimit: int
    """The maximum number of calls."""
    microsLimit: int
    """The maximum amount, in millionths of the currency unit."""


class _AmountAlways(TypedDict):
    calls: int
    """The number of calls."""
    micros: int
    """The cost, in millionths of the currency unit."""


class Amount(_AmountAlways, total=False):
    """A number of calls and their cost."""



class _ConfirmedAccountAlways(TypedDict):
    provider: "Account"
    """The account."""


class ConfirmedAccount(_ConfirmedAccountAlways, total=False):
    """An account after it was confirmed."""



class _ReloadAlways(TypedDict):
    reloaded: bool
    """True if the new configuration is in force."""
    errors: list[str]
    """The errors, each with file, line and column."""
    atNextStart: list[str]
    """Changed keys and sections that take effect only at the next start of the daemon."""


class Reload(_ReloadAlways, total=False):
    """The result of a reload."""

    failed: list[str]
    """Why enabled providers could not be started, if the configuration is in force without them."""


class _LogAlways(TypedDict):
    level: str
    """The log level; less important lines are not logged."""
    lines: list[str]
    """The latest lines, oldest first, each preceded by its time in UTC."""


class Log(_LogAlways, total=False):
    """The daemon's log."""



class _PartialAlways(TypedDict):
    request: Any
    """The id of the request."""
    revision: int
    """The number of this answer to the request, from 1."""
    providers: list["Report"]
    """The outcome of each provider."""
    attributions: list["Attribution"]
    """The credits that must be shown with the answer."""


class Partial(_PartialAlways, total=False):
    """The parameters of places.partial: the rows of a streamed request so far."""

    suggestions: list["Suggestion"]
    """The rows of an autocomplete so far."""
    places: list["Place"]
    """The rows of a search so far."""
