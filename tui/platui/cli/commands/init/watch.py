"""Prompt of `platui init` for the projects to watch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.cli.prompts import ask, print_paragraph
from platui.core.errors import ConfigError
from platui.core.text import shorten
from platui.present.sign_in import describe_projects
from platui.present.times import age
from platui.present.triage.watching import suggested

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.cli.commands.init.dialog import InitDialog
    from platui.models.values.sign_in import SignInInfo
    from platui.models.wire import Project

ALL: Final = "all"
ACTIVE: Final = "active"
NONE: Final = "none"
LATER: Final = "later"

_RANGE: Final = 2


def ask_watch(dialog: InitDialog, info: SignInInfo | None) -> tuple[int, ...] | None:
    choice = dialog.options.watch
    if choice == (NONE,):
        return ()
    if choice and choice != (LATER,):
        if info is None:
            raise ConfigError(
                "--watch needs the list of projects, which --no-test does not fetch.",
                hint="Use --watch none or later; the dashboard asks later.",
            )
        if choice == (ALL,):
            return tuple(one.id for one in info.projects if not one.archived)
        if choice == (ACTIVE,):
            return tuple(one.id for one in _recently_active(dialog, info))
        return named_projects(choice, info)
    if choice or not dialog.is_interactive or info is None or not info.projects:
        return None
    recent = _recently_active(dialog, info)
    if not recent:
        return None
    try:
        return _prompt(dialog, info, recent)
    except KeyboardInterrupt:  # all other answers are complete
        print_paragraph("")
        print_paragraph("No projects watched yet: the dashboard asks later.")
        return None


def _prompt(dialog: InitDialog, info: SignInInfo, recent: list[Project]) -> tuple[int, ...] | None:
    print_paragraph("")
    print_paragraph(
        f"Projects to watch on the triage board ({describe_projects(info)}); recently active:"
    )
    for number, one in enumerate(recent, 1):
        path = shorten(one.path_with_namespace or one.name, 60)
        print_paragraph(
            f"  {number:>2}  {path:<60} {age(one.last_activity_at, dialog.clock.now()):>4}"
        )
    while True:
        typed = ask("Watch which? Numbers (1 3-5), all or none (enter: choose in the dashboard)")
        if not typed:
            return None
        if typed.casefold() == ALL:
            return tuple(one.id for one in recent)
        if typed.casefold() == NONE:
            return ()
        try:
            return tuple(recent[at].id for at in chosen_numbers(typed, len(recent)))
        except ConfigError as error:
            dialog.show_error(error)


def _recently_active(dialog: InitDialog, info: SignInInfo) -> list[Project]:
    keys = suggested(info.projects, dialog.clock.now())
    found = [one for one in info.projects if str(one.id) in keys]
    found.sort(key=lambda one: one.last_activity_at or dialog.clock.now(), reverse=True)
    return found


def chosen_numbers(text: str, count: int) -> list[int]:
    """Parse numbers and ranges such as `1 3-5,7` of a list; returns sorted indexes from 0."""
    found: set[int] = set()
    for word in text.replace(",", " ").split():
        ends = word.split("-")
        fits = len(ends) <= _RANGE and all(one.isascii() and one.isdecimal() for one in ends)
        first, last = (int(ends[0]), int(ends[-1])) if fits else (0, 0)
        if not 1 <= first <= last <= count:
            raise ConfigError(f"Give numbers from 1 to {count}, e.g. 1 3-5; or all, or none.")
        found.update(range(first - 1, last))
    return sorted(found)


def named_projects(words: Sequence[str], info: SignInInfo) -> tuple[int, ...]:
    known = {one.path_with_namespace.casefold(): one.id for one in info.projects}
    known |= {str(one.id): one.id for one in info.projects}
    missing = [word for word in words if word.strip("/").casefold() not in known]
    if missing:
        raise ConfigError(
            f"--watch: you are not a member of a project {missing[0][:80]}.",
            hint="Give a full path such as group/project, or all, active, none or later.",
        )
    return tuple(dict.fromkeys(known[word.strip("/").casefold()] for word in words))
