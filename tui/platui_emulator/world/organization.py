"""People, groups and projects of the company, and who may do what in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from platui_emulator import data
from platui_emulator.records import Group, Membership, Person
from platui_emulator.world.clock import Numbering, SeededRandom

FIRST_ID: Final = 2001
"""Ids of people stand apart from those of groups: each person is a namespace as well."""

# name, login, what they do, where
_HUMANS: Final = data.rows("people.txt")

BLOCKED: Final = "v.almeida"
"""Left the company; some of what they set up still runs."""

# login, name
_BOTS: Final = (
    ("svc-orchestrator", "Orchestrator"),
    ("svc-scheduler", "Nightly Scheduler"),
    ("project_101_bot_8c2f1e", "deploy token"),
    ("group_12_bot_51ab90", "platform automation"),
)


def hire(
    chance: SeededRandom,
    origin: datetime,
    more: Callable[[Iterable[str]], Iterable[tuple[str, str, str, str]]] = lambda _: (),
) -> tuple[Person, ...]:
    """Return the people, then the bots; `more` makes people, given the logins that are taken."""
    humans = (*_HUMANS, *more(row[1] for row in _HUMANS))
    rows = [(name, login, title, place, False) for name, login, title, place in humans]
    rows += [(name, login, "", "", True) for login, name in _BOTS]
    return tuple(
        Person(
            id=FIRST_ID + number,
            username=login,
            name=name,
            email=_email(login, bot=bot),
            state="blocked" if login == BLOCKED else "active",
            bot=bot,
            created_at=origin - timedelta(minutes=chance.below(900 * 1440, "hired", number)),
            job_title=title,
            location=place,
        )
        for number, (name, login, title, place, bot) in enumerate(rows)
    )


def _email(login: str, *, bot: bool) -> str:
    if bot:
        return f"{login}@noreply.acme.example"
    return f"{login}@{'contractor.example' if login == BLOCKED else 'acme.example'}"


FIRST_GROUP: Final = 11

_RETENTION: Final = 120 * 1440
"""Minutes after which pipelines are cleared away, so that lists stay finite."""

# full path, name
_GROUPS: Final = (
    ("acme", "Acme"),
    ("acme/platform", "Data Platform"),
    ("acme/platform/shared", "Shared Building Blocks"),
    ("acme/ingestion", "Ingestion"),
    ("acme/finance", "Finance"),
    ("acme/finance/reporting", "Financial Reporting"),
    ("acme/marketing", "Marketing"),
    ("acme/product", "Product"),
    ("acme/product/ml", "Machine Learning"),
    ("acme/operations", "Operations"),
)


class Row(NamedTuple):
    """The declared facts of a project; the others are derived."""

    group: str
    path: str
    kind: str
    entities: str
    description: str
    period: int = 0
    """Minutes between its pipelines; 0 where that is drawn."""


@dataclass(frozen=True, slots=True)
class Organization:
    """An organization: its people, groups, projects and ids."""

    people: tuple[Person, ...]
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]
    numbering: Numbering = Numbering()  # noqa: RUF009  (frozen)
    retention: int = _RETENTION


PROJECTS: Final = tuple(
    Row(group, path, kind, entities, description)
    for group, path, kind, entities, description in data.rows("projects.txt")
)


def acme(chance: SeededRandom, origin: datetime) -> Organization:
    return Organization(hire(chance, origin), found_groups(_GROUPS), PROJECTS)


def found_groups(named: Sequence[tuple[str, str]]) -> tuple[Group, ...]:
    """Return the groups of these full paths and names: parents stand before children."""
    ids = {path: FIRST_GROUP + number for number, (path, _) in enumerate(named)}
    return tuple(
        Group(
            id=ids[full],
            name=name,
            path=full.rpartition("/")[2],
            full_path=full,
            parent_id=ids.get(full.rpartition("/")[0]),
        )
        for full, name in named
    )


class Memberships:
    """Who holds which level where: a function of the seed."""

    def __init__(self, chance: SeededRandom, everybody: Sequence[Person]) -> None:
        self._chance = chance
        self._humans = [person for person in everybody if not person.bot]
        self._bots = [person for person in everybody if person.bot]
        self._leaver = next(one for one in self._humans if one.username == BLOCKED)

    def of_group(self, group: Group) -> tuple[Membership, ...]:
        """Return the direct members of a group, in id order."""
        depth = group.full_path.count("/")
        levels = {self._humans[0].id: "OWNER"} if depth == 0 else {}
        for rank in range(4 + self._chance.below(5, "group size", group.id)):
            person = self._chance.pick(self._humans, "group member", group.id, rank)
            levels.setdefault(person.id, _level(rank, depth))
        if depth:
            bot = self._chance.pick(self._bots, "group bot", group.id)
            levels[bot.id] = "MAINTAINER"
        return _sorted(levels)

    def of_owner(self, person_id: int) -> tuple[Membership, ...]:
        """Return the members of a project in a user's own namespace."""
        return (Membership(person_id, "OWNER"),)

    def of_project(self, project_id: int) -> tuple[Membership, ...]:
        """Return the direct members of a project, in id order."""
        levels: dict[int, str] = {}
        for rank in range(2 + self._chance.below(6, "project size", project_id)):
            person = self._chance.pick(self._humans, "project member", project_id, rank)
            levels.setdefault(person.id, _level(rank, 1))
        if self._chance.unit("leaver", project_id) < 0.1:  # noqa: PLR2004  (a share)
            levels.setdefault(self._leaver.id, "DEVELOPER")
        return _sorted(levels)


def _level(rank: int, depth: int) -> str:
    ladder = ("MAINTAINER", "DEVELOPER", "DEVELOPER", "REPORTER", "GUEST")
    if rank == 0 and depth == 1:
        return "OWNER"
    return ladder[min(rank, len(ladder) - 1)]


def _sorted(levels: dict[int, str]) -> tuple[Membership, ...]:
    return tuple(Membership(person, level) for person, level in sorted(levels.items()))
