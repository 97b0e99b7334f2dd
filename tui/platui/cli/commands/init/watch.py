"""`platui init` asks which projects to watch on the triage board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.prompts import ask, print_paragraph
from platui.core.errors import ConfigError
from platui.core.text import shorten
from platui.present.sign_in import describe_projects
from platui.present.times import age
from platui.present.triage.watch_choice import suggested

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.cli.commands.init.conversation import Talk
    from platui.models.values.sign_in import SignInInfo
    from platui.models.wire import Project

ALL: Final = "all"
ACTIVE: Final = "active"
NONE: Final = "none"
LATER: Final = "later"

_RANGE: Final = 2


def ask_watch(talk: Talk, said: SignInInfo | None) -> tuple[int, ...] | None:
    """Return the ids of projects to watch; None: that is left to the dashboard."""
    wish = talk.said.watch
    if wish == (NONE,):
        return ()
    if wish and wish != (LATER,):
        if said is None:
            raise ConfigError(
                "--watch: with --no-test nobody is asked which projects there are.",
                hint="--watch none or later needs no answer; the dashboard asks later.",
            )
        return _wished(talk, wish, said)
    if wish or not talk.asks or said is None or not said.projects:
        return None
    lately = _lately(talk, said)
    if not lately:
        return None
    try:
        return _chosen(talk, said, lately)
    except KeyboardInterrupt:  # everything else is agreed by now, and was tested
        print_paragraph("")
        print_paragraph("No projects are watched yet: the dashboard asks which.")
        return None


def _chosen(talk: Talk, said: SignInInfo, lately: list[Project]) -> tuple[int, ...] | None:
    print_paragraph("")
    print_paragraph(
        f"Watched by the triage board: of {describe_projects(said)}, lately active were"
    )
    for number, one in enumerate(lately, 1):
        path = shorten(one.path_with_namespace or one.name, 60)
        print_paragraph(
            f"  {number:>2}  {path:<60} {age(one.last_activity_at, talk.clock.now()):>4}"
        )
    while True:
        typed = ask("Which: 1 3-5, all of these, none (enter: choose in the dashboard)")
        if not typed:
            return None
        if typed.casefold() == ALL:
            return tuple(one.id for one in lately)
        if typed.casefold() == NONE:
            return ()
        try:
            return tuple(lately[at].id for at in chosen_numbers(typed, len(lately)))
        except ConfigError as error:
            talk.tell(error)


def _wished(talk: Talk, wish: tuple[str, ...], said: SignInInfo) -> tuple[int, ...]:
    if wish == (ALL,):
        return tuple(one.id for one in said.projects if not one.archived)
    if wish == (ACTIVE,):
        return tuple(one.id for one in _lately(talk, said))
    return named_projects(wish, said)


def _lately(talk: Talk, said: SignInInfo) -> list[Project]:
    keys = suggested(said.projects, talk.clock.now())
    found = [one for one in said.projects if str(one.id) in keys]
    found.sort(key=lambda one: one.last_activity_at or talk.clock.now(), reverse=True)
    return found


def chosen_numbers(text: str, count: int) -> list[int]:
    """Return which of a numbered list are meant by `1 3-5,7`, from 0 and in their order."""
    found: set[int] = set()
    for word in text.replace(",", " ").split():
        ends = word.split("-")
        fits = len(ends) <= _RANGE and all(one.isascii() and one.isdecimal() for one in ends)
        first, last = (int(ends[0]), int(ends[-1])) if fits else (0, 0)
        if not 1 <= first <= last <= count:
            raise ConfigError(f"These are numbers from 1 to {count}, as 1 3-5; or all, or none.")
        found.update(range(first - 1, last))
    return sorted(found)


def named_projects(words: Sequence[str], said: SignInInfo) -> tuple[int, ...]:
    known = {one.path_with_namespace.casefold(): one.id for one in said.projects}
    known |= {str(one.id): one.id for one in said.projects}
    missing = [word for word in words if word.strip("/").casefold() not in known]
    if missing:
        raise ConfigError(
            f"--watch: you are a member of no project {missing[0][:80]}.",
            hint="It is a full path as group/project, or all, active, none or later.",
        )
    return tuple(dict.fromkeys(known[word.strip("/").casefold()] for word in words))
