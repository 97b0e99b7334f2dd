"""A group of companies with 5,000 projects and 200,000 pipelines in two weeks, from the seed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from platui_emulator import data
from platui_emulator.world.clock import Numbering, SeededRandom
from platui_emulator.world.organization import Organization, Row, found_groups, hire

if TYPE_CHECKING:
    from random import Random


_NAMES: Final = data.lists("names.txt")
_LETTERS: Final = str.maketrans({"ł": "l", "ø": "o", "ı": "i", "ß": "ss", "æ": "ae"})

AddedPerson = tuple[str, str, str, str]


def more_people(chance: SeededRandom, count: int, taken: Iterable[str]) -> Iterator[AddedPerson]:
    """Yield so many people whose logins are not taken and differ."""
    logins = set(taken)
    dice = chance.dice("workforce")
    for _ in range(count):
        first, last = dice.choice(_NAMES["first"]), dice.choice(_NAMES["last"])
        base = _ascii(f"{first[0]}.{last}")
        login, rank = base, 2
        while login in logins:
            login, rank = f"{base}{rank}", rank + 1
        logins.add(login)
        title, place = dice.choice(_NAMES["titles"]), dice.choice(_NAMES["places"])
        yield f"{first} {last.replace('-', ' ')}", login, title, place


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower().translate(_LETTERS))
    return plain.encode("ascii", "ignore").decode()


PROJECTS: Final = 5000
_PEOPLE: Final = 2400
_RETENTION: Final = 14 * 1440
_NUMBERING: Final = Numbering(
    lanes=16_384,
    first_added_lane=12_288,
    first_added_project=100_001,
    first_added_schedule=100_001,
)
_EVENTS: Final = Row(
    "acme-retail/product/ingestion",
    "ingest-event-stream",
    "ingest",
    "page_views sessions baskets",
    "Every event of every shop, two minutes after it happened",
    2,
)

_RHYTHMS: Final = ((0.916, 720), (0.982, 240), (0.995, 60), (1.0, 40))
"""Minutes between the pipelines of a project, each up to a share of the projects."""

_COMPANIES: Final = (
    ("acme-retail", "Acme Retail"),
    ("acme-bank", "Acme Bank"),
    ("acme-health", "Acme Health"),
    ("acme-logistics", "Acme Logistics"),
    ("acme-energy", "Acme Energy"),
)


class _Department(NamedTuple):
    """What the projects of a department are about."""

    path: str
    name: str
    subjects: tuple[str, ...]
    sources: tuple[str, ...]
    entities: tuple[str, ...]


_DEPARTMENTS: Final = tuple(
    _Department(path, name, *(tuple(one.split()) for one in words))
    for path, name, *words in data.rows("departments.txt")
)

_REGIONS: Final = ("", "", "", "emea", "amer", "apac", "dach", "nordics", "iberia", "latam", "uki")


class _Team(NamedTuple):
    """A group within a department, and how its projects are named."""

    path: str
    name: str
    kinds: tuple[str, ...]
    pattern: str
    words: tuple[str, ...]
    about: str


_TEAMS: Final = (
    _Team("ingestion", "Ingestion", ("ingest",), "ingest-{source}", ("",),
          "{Source} into the raw layer"),
    _Team("marts", "Marts", ("dbt", "dbt", "warehouse"), "{subject}-{word}",
          ("dbt", "marts", "core", "snapshots", "history"), "Models of {subject} for everybody"),
    _Team("reporting", "Reporting", ("dbt",), "{subject}-{word}",
          ("kpis", "scorecard", "weekly", "board-pack", "regulatory", "benchmarks"),
          "Dashboards on {subject}"),
    _Team("activation", "Activation", ("reverse_etl",), "reverse-etl-{source}-{subject}", ("",),
          "Sync {subject} back into {source}"),
    _Team("science", "Data Science", ("ml",), "ml-{subject}-{word}",
          ("forecast", "scoring", "anomalies", "segments", "features"),
          "Predictions about {subject}"),
    _Team("quality", "Data Quality", ("quality",), "{subject}-{word}",
          ("dq-checks", "contracts", "reconciliation", "freshness"),
          "Whether {subject} can be trusted"),
)  # fmt: skip


def holding(chance: SeededRandom, origin: datetime) -> Organization:
    """Return a group of companies with 5,000 projects."""
    groups = tuple(_groups())
    return Organization(
        people=hire(chance, origin, lambda taken: more_people(chance, _PEOPLE, taken)),
        groups=found_groups(groups),
        rows=tuple(_rows(chance)),
        numbering=_NUMBERING,
        retention=_RETENTION,
    )


def _groups() -> Iterator[tuple[str, str]]:
    for company, name in _COMPANIES:
        yield company, name
        for department in _DEPARTMENTS:
            yield f"{company}/{department.path}", department.name
            for team in _TEAMS:
                yield f"{company}/{department.path}/{team.path}", team.name


def _rows(chance: SeededRandom) -> Iterator[Row]:
    teams = [
        (company, department, team)
        for company, _ in _COMPANIES
        for department in _DEPARTMENTS
        for team in _TEAMS
    ]
    yield _EVENTS
    share, rest = divmod(PROJECTS - 1, len(teams))
    for rank, (company, department, team) in enumerate(teams):
        group = f"{company}/{department.path}/{team.path}"
        dice = chance.dice("team", group)
        yield from _team_rows(dice, group, department, team, share + (rank < rest))


def _team_rows(
    dice: Random, group: str, department: _Department, team: _Team, count: int
) -> Iterator[Row]:
    paths: set[str] = {_EVENTS.path}
    while len(paths) <= count:
        subject, source = dice.choice(department.subjects), dice.choice(department.sources)
        name = team.pattern.format(subject=subject, source=source, word=dice.choice(team.words))
        path = "-".join(part for part in (name, dice.choice(_REGIONS)) if part)
        if path in paths:
            continue
        paths.add(path)
        about = team.about.format(subject=subject, source=source, Source=source.title())
        entities = " ".join(dice.sample(department.entities, dice.randint(3, 5)))
        yield Row(group, path, dice.choice(team.kinds), entities, about, _period(dice.random()))


def _period(draw: float) -> int:
    return next(period for share, period in _RHYTHMS if draw < share)
