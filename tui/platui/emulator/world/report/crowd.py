"""People by the thousand: a name, a login and an address for any number."""

from __future__ import annotations

import unicodedata
from typing import Final

from platui.emulator.access_report import ReportedPerson

_FIRST: Final = (
    "Adaeze", "Ahmed", "Aisha", "Ana", "Åsa", "Björn", "Camila", "Chloé", "Daniel", "Diego",
    "Eszter", "Fatima", "Giulia", "Hannah", "Hiroshi", "Ingrid", "İpek", "Jonas", "Kwame", "Leïla",
    "Łukasz", "Mateus", "Mei-Ling", "Nadia", "Noah", "Olga", "Øyvind", "Priya", "Rajesh", "Siobhán",
    "Sofia", "Tomáš", "Yuki", "Zeynep", "Žofie", "Юлия", "田中", "مريم", "Ελένη", "Linh",
)  # fmt: skip
_LAST: Final = (
    "Adeyemi", "Almeida", "Bengtsson", "Chen", "Dubois", "El Idrissi", "Fernández", "Getachew",
    "Haddad", "Iyer", "Jørgensen", "Khan", "Lefèvre", "Müller", "Nguyễn", "Novák", "O’Connor",
    "Ortega", "Papadopoulou", "Petrenko", "Romano", "Sato", "Sørensen", "Tanaka", "van den Berg",
    "Volkova", "Walsh", "Wiśniewski", "Yılmaz", "Zhang", "Škoda", "D'Angelo", "Ó Briain",
)  # fmt: skip
_MIXER: Final = 2_654_435_761
_NO_IDENTITY: Final = 11
"""One in so many people has no identity at the service."""
_UNKNOWN: Final = ("ldap_blocked", "banned", "blocked_pending_approval")


def person(id_: int, domain: str, state: str | None = None) -> ReportedPerson:
    """Return the person of a number, in a state of their own where none is named."""
    mixed = id_ * _MIXER & 0xFFFFFFFF
    first, last = _FIRST[mixed % len(_FIRST)], _LAST[(mixed >> 12) % len(_LAST)]
    login = (
        f"{_LOGINS[mixed % len(_FIRST)]}{_LOGINS[len(_FIRST) + (mixed >> 12) % len(_LAST)]}{id_}"
    )
    identity = None
    if mixed % _NO_IDENTITY:
        identity = f"{mixed:08x}-{id_ & 0xFFFF:04x}-4{id_ & 0xFFF:03x}-8000-{id_:012x}"
    return ReportedPerson(
        id_, f"{login}@{domain}", f"{first} {last}", identity, state or _state(mixed >> 8), login
    )


def _state(mixed: int) -> str:
    share = mixed % 1000
    for limit, state in ((880, "active"), (940, "blocked"), (990, "deactivated")):
        if share < limit:
            return state
    return _UNKNOWN[share % len(_UNKNOWN)]


def _plain(name: str) -> str:
    """Return what is left of a name in a login."""
    bare = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return "".join(letter for letter in bare if letter.isalpha())[:6]


_LOGINS: Final = tuple(map(_plain, (*_FIRST, *_LAST)))
