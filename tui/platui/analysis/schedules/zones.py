"""Find time zones by IANA name, Rails name or abbreviation."""

from __future__ import annotations

from datetime import UTC, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from platui.core.suggestions import nearest
from platui.core.text import shorten

_LONGEST: Final = 80
_LETTERS_AT_MOST: Final = 5  # Longest abbreviation, e.g. `CEST`, `AKDT`
_CUTOFF: Final = 0.7  # Similarity from which a name with a region is suggested

# Names in the platform's form and order: `Region: cities`, or one zone of one or several names.
_RAILS: Final = """
International Date Line West, Midway Island = Pacific/Midway
American Samoa = Pacific/Pago_Pago
Hawaii = Pacific/Honolulu
Alaska = America/Juneau
Pacific Time (US & Canada) = America/Los_Angeles
America: Tijuana
Mountain Time (US & Canada) = America/Denver
Arizona = America/Phoenix
America: Chihuahua, Mazatlan
Central Time (US & Canada) = America/Chicago
Saskatchewan = America/Regina
Guadalajara, Mexico City = America/Mexico_City
America: Monterrey
Central America = America/Guatemala
Eastern Time (US & Canada) = America/New_York
Indiana (East) = America/Indiana/Indianapolis
America: Bogota
Lima, Quito = America/Lima
Atlantic Time (Canada) = America/Halifax
America: Caracas, La Paz, Santiago
Newfoundland = America/St_Johns
Brasilia = America/Sao_Paulo
Buenos Aires = America/Argentina/Buenos_Aires
America: Montevideo
Georgetown = America/Guyana
America: Puerto Rico
Greenland = America/Nuuk
Mid-Atlantic = Atlantic/South_Georgia
Atlantic: Azores
Cape Verde Is. = Atlantic/Cape_Verde
Europe: Dublin
Edinburgh, London = Europe/London
Europe: Lisbon
Africa: Casablanca, Monrovia
Europe: Belgrade, Bratislava, Budapest, Ljubljana, Prague, Sarajevo, Skopje, Warsaw, Zagreb
Europe: Brussels, Copenhagen, Madrid, Paris, Amsterdam, Berlin
Bern, Zurich = Europe/Zurich
Europe: Rome, Stockholm, Vienna
West Central Africa = Africa/Algiers
Europe: Bucharest
Africa: Cairo
Europe: Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius, Athens, Istanbul, Minsk
Asia: Jerusalem
Africa: Harare
Pretoria = Africa/Johannesburg
Europe: Kaliningrad
Moscow, St. Petersburg = Europe/Moscow
Europe: Volgograd, Samara
Asia: Kuwait, Riyadh
Africa: Nairobi
Asia: Baghdad, Tehran
Abu Dhabi, Muscat = Asia/Muscat
Asia: Baku, Tbilisi, Yerevan, Kabul
Ekaterinburg = Asia/Yekaterinburg
Islamabad, Karachi = Asia/Karachi
Asia: Tashkent
Chennai, Kolkata, Mumbai, New Delhi = Asia/Kolkata
Asia: Kathmandu
Astana, Almaty = Asia/Almaty
Asia: Dhaka
Sri Jayawardenepura = Asia/Colombo
Asia: Novosibirsk, Rangoon
Bangkok, Hanoi = Asia/Bangkok
Asia: Jakarta, Krasnoyarsk
Beijing = Asia/Shanghai
Asia: Chongqing, Hong Kong, Urumqi, Kuala Lumpur, Singapore, Taipei
Australia: Perth
Asia: Irkutsk, Ulaanbaatar, Seoul
Osaka, Sapporo, Tokyo = Asia/Tokyo
Asia: Yakutsk
Australia: Darwin, Adelaide
Canberra, Sydney = Australia/Sydney
Australia: Melbourne, Brisbane, Hobart
Asia: Vladivostok
Pacific: Guam, Port Moresby
Asia: Magadan, Srednekolymsk
Solomon Is. = Pacific/Guadalcanal
New Caledonia = Pacific/Noumea
Pacific: Fiji
Asia: Kamchatka
Marshall Is. = Pacific/Majuro
Auckland, Wellington = Pacific/Auckland
Nuku'alofa = Pacific/Tongatapu
Tokelau Is. = Pacific/Fakaofo
Chatham Is. = Pacific/Chatham
Samoa = Pacific/Apia
"""

# Abbreviations, which are no zone names, with the most common zones.
_LETTERS: Final = """
CEST = Europe/Berlin Europe/Paris Europe/Rome
EEST = Europe/Helsinki Europe/Athens Europe/Kyiv
WEST = Europe/Lisbon Atlantic/Canary
BST = Europe/London
IST = Asia/Kolkata Europe/Dublin Asia/Jerusalem
IDT = Asia/Jerusalem
MSK = Europe/Moscow
EDT = America/New_York America/Toronto
CST = America/Chicago America/Mexico_City Asia/Shanghai
CDT = America/Chicago
MDT = America/Denver
PST PDT = America/Los_Angeles
AKST AKDT = America/Anchorage
AST = America/Halifax America/Puerto_Rico
ADT = America/Halifax
NST NDT = America/St_Johns
BRT = America/Sao_Paulo
ART = America/Argentina/Buenos_Aires
CLT = America/Santiago
SAST = Africa/Johannesburg
CAT = Africa/Maputo
EAT = Africa/Nairobi
WAT = Africa/Lagos
GST = Asia/Dubai
PKT = Asia/Karachi
SGT = Asia/Singapore
HKT = Asia/Hong_Kong
WIB = Asia/Jakarta
JST = Asia/Tokyo
KST = Asia/Seoul
AWST = Australia/Perth
ACST ACDT = Australia/Adelaide
AEST = Australia/Sydney Australia/Brisbane
AEDT = Australia/Sydney
NZST NZDT = Pacific/Auckland
"""

_MOVED: Final = {"America/Nuuk": "America/Godthab", "Europe/Kyiv": "Europe/Kiev"}  # new: old names


@lru_cache(maxsize=1)
def rails_zone_names() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _RAILS.strip().splitlines():
        names, equals, zone = line.partition(" = ")
        if equals:
            found.update(dict.fromkeys(names.split(", "), zone))
        else:
            region, _, cities = line.partition(": ")
            found |= {one: f"{region}/{one.replace(' ', '_')}" for one in cities.split(", ")}
    return found


@lru_cache(maxsize=512)
def find_zone(name: str) -> tzinfo | None:
    """Return the zone; UTC if the name is blank, None if unknown."""
    name = name.strip()
    if name in {"", "UTC", "Etc/UTC", "GMT"}:
        return UTC  # also where the machine has no zone database
    if len(name) > _LONGEST:
        return None
    iana = rails_zone_names().get(name, name)
    return _load(iana) or _load(_MOVED.get(iana, ""))


def _load(name: str) -> tzinfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # unknown, a path outside, a folder
        return None


def zone_names() -> list[str]:
    return [*sorted(available_timezones()), *rails_zone_names()]


def zone_problem(name: str) -> str:
    """Return why a zone name is invalid, as a sentence; "" if valid."""
    if find_zone(name) is not None:
        return ""
    shown = shorten(name.strip(), 40)
    near = _near(name.strip()[:_LONGEST])
    *others, last = near or ("",)
    meant = f"{', '.join(others)} or {last}" if others else last
    hint = f"; did you mean {meant}?" if near else "; use a name such as Europe/Paris or UTC."
    return f"Unknown time zone {shown}{hint}"


@lru_cache(maxsize=64)
def _near(name: str) -> tuple[str, ...]:
    """Return zones that a name may mean: by abbreviation, else by spelling."""
    places = _places().get(name.upper())
    if places is not None:
        return places
    if "/" in name:  # no city alone, such as Hobart for Foo/Bar
        near = nearest(name, sorted(available_timezones()), _CUTOFF)
        return (near,) if near else ()
    near = nearest(name, zone_names())
    is_letters = name.isalpha() and len(name) <= _LETTERS_AT_MOST
    is_near = near and (near.lower() == name.lower() or not is_letters)
    return (rails_zone_names().get(near, near),) if is_near else ()


@lru_cache(maxsize=1)
def _places() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in _LETTERS.strip().splitlines():
        letters, zones = line.split(" = ")
        found.update(dict.fromkeys(letters.split(), tuple(zones.split())))
    return found
