"""What `platui init` asks last: which projects the triage board is over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli.init_answers import (
    ACTIVE,
    ALL,
    LATER,
    NONE,
    chosen_numbers,
    named_projects,
)
from platui.cli.prompting import aside, ask
from platui.core.errors import ConfigError
from platui.core.text import shorten
from platui.present.sign_in import projects_told
from platui.present.times import age
from platui.present.watch_choice import suggested

if TYPE_CHECKING:
    from platui.cli.init_talk import Talk
    from platui.models import Project
    from platui.models.values.sign_in import Introduction


def ask_watch(talk: Talk, said: Introduction | None) -> tuple[int, ...] | None:
    """Return the ids of projects to watch; None: that is left to the dashboard.

    Raises:
        ConfigError: the command line names what is not there.
    """
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
        aside("")
        aside("No projects are watched yet: the dashboard asks which.")
        return None


def _chosen(talk: Talk, said: Introduction, lately: list[Project]) -> tuple[int, ...] | None:
    aside("")
    aside(f"Watched by the triage board: of {projects_told(said)}, lately active were")
    for number, one in enumerate(lately, 1):
        path = shorten(one.path_with_namespace or one.name, 60)
        aside(f"  {number:>2}  {path:<60} {age(one.last_activity_at, talk.clock.now()):>4}")
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


def _wished(talk: Talk, wish: tuple[str, ...], said: Introduction) -> tuple[int, ...]:
    if wish == (ALL,):
        return tuple(one.id for one in said.projects if not one.archived)
    if wish == (ACTIVE,):
        return tuple(one.id for one in _lately(talk, said))
    return named_projects(wish, said)


def _lately(talk: Talk, said: Introduction) -> list[Project]:
    """Return the projects that the dashboard would suggest, the last active one first."""
    keys = suggested(said.projects, talk.clock.now())
    found = [one for one in said.projects if str(one.id) in keys]
    found.sort(key=lambda one: one.last_activity_at or talk.clock.now(), reverse=True)
    return found
