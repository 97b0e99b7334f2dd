"""Whom an error is about: the machine that does not answer, the table that is not there."""

from __future__ import annotations

import re
from ipaddress import AddressValueError, IPv4Address
from typing import Final

_NAME: Final = r"(?P<host>[\w.-]*\w)"

_ADDRESS: Final = re.compile(
    r"(?:->|\bdial tcp |\b[Cc]onnection to |\bconnect(?:ing)? to )(?P<ip>\d{1,3}(?:\.\d{1,3}){3})\b"
)
"""What a connection was made to, where it is told by its number."""

_HOSTS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bfor url:? '?https?://(?:[^/\s'\"@]*@)?{_NAME}",
        rf"\b(?:lookup|ENOTFOUND|EAI_AGAIN|UnknownHostException:) {_NAME}",
        rf"Failed to resolve '{_NAME}",
        rf"host ?name \"{_NAME}\"",
        rf"\bresolve host(?:name)?:? '?{_NAME}",
        rf"(?:^|: ){_NAME}:\d{{2,5}}: ",
        rf"\bhost=['\"]{_NAME}['\"]",
        rf"\bserver at \"{_NAME}\"",
        rf"\bDB: {_NAME}:\d",
        rf"\b[Cc]onnect(?:ion|ing)? to (?:host )?{_NAME}(?: port |:)\d",
        r"\b[Cc]onnect(?:ion|ing)? to (?:host )?(?P<host>[\w-]+(?:\.[\w-]+)+)",
        r"\b(?:image|for|from|access) [\"']?(?P<host>[\w-]+(?:\.[\w-]+)+)(?::\d+)?/[\w./@:-]+",
        rf"\b(?:https?|ssh|git|ftp|jdbc:\w+)://(?:[^/\s'\"@]*@)?{_NAME}",
        rf"\bat '?{_NAME}'?:\d{{2,5}}\b",
        r"\bdial tcp (?P<host>\d{1,3}(?:\.\d{1,3}){3})",
    )
)
"""Where a machine is named, the surest place first."""

_HELP: Final = re.compile(
    r"https?://(?:docs?\.|www\.docker\.com|developer\.mozilla\.org|sqlalche\.me|aka\.ms|go\.microsoft"
    r"|pip\.pypa\.io|errors\.pydantic\.dev|help\.|support\.)\S*"
)
"""Addresses under which one reads about errors."""

_HEX: Final = re.compile(r"(?=.*\d)[0-9a-f]{6,}|[0-9a-f]{10,}|(?:ip)?(?:-?\d{1,3}){4}|\d{3,}")


def host_of(text: str) -> str:
    """Return the machine that an error is about, in small letters; empty where none is named.

    An address of one's own network is one machine, and may be behind several names: it tells
    more than a name. One of the outside is but one of many behind a name.
    """
    found = _ADDRESS.search(text)
    if found is not None and _is_private(found["ip"]):
        return found["ip"]
    text = _HELP.sub("", text)
    for pattern in _HOSTS:
        match = pattern.search(text)
        if match is not None:
            return _steady(match["host"])
    return ""


def _is_private(text: str) -> bool:
    try:
        return IPv4Address(text).is_private
    except AddressValueError:
        return False


def _steady(host: str) -> str:
    """Return a host without the parts of its name that are made for one run."""
    if host.replace(".", "").isdigit():
        return host
    parts = host.casefold().strip(".").split(".")
    return ".".join("#" if _HEX.fullmatch(part) else part for part in parts)


_FROM: Final = re.compile(
    r"\b(?:from|join|into|update|table)\s+[\"`]?(?P<name>\w+(?:[\"`]?\.[\"`]?\w+)+)", re.IGNORECASE
)
_DATE: Final = re.compile(r"(?<=_)\d{4,}|\b\d{4,}\b")


def relation_named(name: str, statement: str = "") -> str:
    """Return a table by its name, as far as it is told: small letters, no quotes, no dates.

    Args:
        name: as the engine writes it.
        statement: lines that quote the statement, where the name may stand in full.
    """
    short = _plain_name(name)
    for found in _FROM.finditer(statement):
        full = _plain_name(found["name"])
        if full.endswith(f".{short}"):
            return full
    return short


def _plain_name(name: str) -> str:
    return _DATE.sub("#", re.sub(r"[\"'`]", "", name).replace(":", ".").casefold().strip("."))


_MODEL: Final = re.compile(r"\b(?:in|for) (?:model|test|snapshot|seed|sql_operation) (\w+)")


def model_of(text: str) -> str:
    """Return which model dbt says it was at; empty where none."""
    found = _MODEL.search(text)
    return found[1] if found is not None else ""
