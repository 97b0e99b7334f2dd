"""The prompt after `:`: its hits, the search for more, and what `enter` opens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.core.errors import CommandError, PlatuiError
from platui.core.text import clean, shorten
from platui.models.values.connection import Urgency
from platui.present.counts import counted
from platui.ui import views
from platui.ui.command_app import CommandPrompt
from platui.ui.jump import (
    HERE,
    MEMBERS,
    exact,
    projects_named,
    read_argument,
    read_number,
    searched_words,
    suggest,
)
from platui.ui.known_index import KnownIndex
from platui.ui.typed_commands import command_helps, exact_route, read_command
from platui.ui.widgets.prompt import Prompt
from platui.ui.workers import work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.ui.app import PlatuiApp
    from platui.ui.jump import Hit, Number

_PROJECTS: Final = 10  # Projects in which an unknown number is looked up
_LONGEST: Final = 60  # Characters of typed text in a message


class JumpPrompt:
    def __init__(self, app: PlatuiApp) -> None:
        self._app = app
        self._commands = app.controller(CommandPrompt)
        self.known = KnownIndex(app)
        self._helps = command_helps(writes=app.service.writes != "off")

    @property
    def _prompt(self) -> Prompt | None:
        screen = self._app.view_screen()
        # A screen that is about to be shown has no prompt yet
        prompt = None if screen is None else screen.query_one_optional(Prompt)
        is_open = prompt is not None and prompt.is_open and prompt.sign == ":"
        return prompt if is_open else None

    async def opened(self) -> None:
        """Show the hits of an opened prompt, and look for new ones."""
        if (prompt := self._prompt) is None:
            return
        await prompt.prepare_hits()
        self._show()
        load = work(self.known.load, self._show_found)
        self._app.run_worker(load, group="jump-load", exclusive=True)

    def objects(self, words: str) -> list[Hit]:
        """Return what the words find, without commands."""
        hits = suggest(words, self.known.value, {}, self._view())
        return [hit for hit in hits if hit.route is not None] if words.strip() else []

    def _view(self) -> str:
        """Return the view that projects open from here."""
        here = views.get(self._app.navigation.history.current.view)
        tabs = {here.tab_group, views.get(here.parent).tab_group if here.parent else ""}
        return MEMBERS if "access" in tabs else "pipelines"

    def _hits(self, text: str) -> list[Hit]:
        number, screen = read_number(text), self._app.view_screen()
        is_here = False
        if number is not None and number.is_bare and screen is not None:
            is_here = screen.body.context.way_to(number.number) is not None
        return suggest(text, self.known.value, self._helps, self._view(), is_here=is_here)

    def _show(self, *, keeps_choice: bool = False) -> None:
        if (prompt := self._prompt) is not None and (hits := prompt.hits) is not None:
            found, is_empty = self._hits(prompt.text), not prompt.text.strip()
            here = self._app.navigation.history.current
            if is_empty:  # the used objects first
                found = [hit for hit in found if not _is_at(hit, here)]
            hits.show(found, keeps_choice=keeps_choice, chooses=not is_empty)

    def typed(self, text: str) -> None:
        """Show the hits of a changed text; after a pause, search the platform for more."""
        self._show()
        if (prompt := self._prompt) is not None and prompt.hits is not None:
            self.known.search_soon(text, prompt.hits.hits, prompt.show_status, self._show_found)

    def _show_found(self) -> None:
        self._show(keeps_choice=True)

    def stop(self) -> None:
        """Cancel the search and the look-up of an earlier text."""
        self.known.stop()
        self._app.workers.cancel_group(self._app, "jump")

    def enter(self, text: str) -> None:
        """Open the chosen hit; without one, search, and keep the text."""
        prompt = self._prompt
        hits = prompt.hits if prompt is not None else None
        self.stop()
        if prompt is None or hits is None:
            self._commands.close_and_run(text)
        elif (hit := hits.hit) is not None and hit.route is not None:
            self._open(hit.route, hit.filter)
        elif hit is None and exact_route(text) is not None:
            self._commands.close_and_run(text)
        elif hit is not None or not searched_words(text):
            is_here = hit is not None and hit.kind == HERE
            self._run(prompt, hit.command if hit is not None else text, is_here=is_here)
        else:
            self._app.run_worker(work(self._resolve, prompt, text), group="jump", exclusive=True)

    def open(self, hit: Hit) -> None:
        if hit.route is not None:
            self._app.navigation.go(hit.route, hit.filter)

    def _open(self, route: Route, words: str = "") -> None:
        self._commands.close()
        self._app.navigation.go(route, words)

    def _run(self, prompt: Prompt, text: str, *, is_here: bool) -> None:
        number = read_number(text)
        if number is None or self._app.view_screen() is None:
            self._commands.close_and_run(text)
            return
        route = exact(self.known.value, number)
        if (is_here or not number.is_long) and self._goes_to(number):
            self._commands.close()
        elif route is not None:
            self._open(route)
        else:
            find = work(self._look_up, prompt, number)
            self._app.run_worker(find, group="jump", exclusive=True)

    def _goes_to(self, number: Number) -> bool:
        """Go to a line or row of the view, if it has one with this number."""
        screen = self._app.view_screen()
        if screen is None or not number.is_bare:
            return False
        return screen.body.context.go_to_number(number.number)

    async def _look_up(self, prompt: Prompt, number: Number) -> None:
        """Open a pipeline or job of the project in view, else of used and watched projects."""
        projects = self._likely_projects(number)
        prompt.show_status(((f"looking up #{number.number} …", "muted"),))
        route, failure = None, ""
        try:
            route = await self.known.look_up(number.number, projects)
        except PlatuiError as error:
            failure = f"#{number.number} is not cached. {error.sentence}"
        if route is not None:
            self._open(route)
        elif self._goes_to(number):
            self._commands.close()
        else:
            self._refuse(prompt, failure or self._nothing_with(number, projects))

    def _nothing_with(self, number: Number, projects: Sequence[ProjectRef]) -> str:
        here = "line or row here, no " if number.is_bare else ""
        sentence = f"{number.number} not found: no {here}pipeline or job in"
        if not projects:
            return f"{sentence} any project that you use or watch: type PROJECT#{number.number}."
        named, subject = shorten(clean(number.path), _LONGEST), self._here()
        if not named and subject.project is None:
            return f"{sentence} {counted(len(projects), 'project')} that you use or watch."
        where = named or subject.project_name or "this project"
        if others := len(projects) - 1:
            where = f"{where} and {counted(others, 'other project')} that you use or watch"
        return f"{sentence} {where}."

    def _here(self) -> Route:
        navigation = self._app.navigation
        return navigation.resource_here() or navigation.subject

    def _likely_projects(self, number: Number) -> list[ProjectRef]:
        watched = self._app.service.triage_state.memory.value
        if number.path:
            named = projects_named(self.known.value, number.path)
            return [one.project or one.path for one in named][:_PROJECTS] or [number.path]
        here = self._here().project
        visited = (route.project for route in self.known.visited())
        every = dict.fromkeys((here, *visited, *watched.watched.projects))
        return [project for project in every if project is not None][:_PROJECTS]

    async def _resolve(self, prompt: Prompt, text: str) -> None:
        """Search for an unknown name: in the cache, then on the platform."""
        await self.known.load(self._show_found)
        why = ""
        if not self._hits(text):
            words = searched_words(text)
            why = await self.known.search(words, Urgency.USER, prompt.show_status)
            self._show_found()
        hits = self._hits(text)
        if len(hits) == 1 and hits[0].route is not None:
            self._open(hits[0].route, hits[0].filter)
        elif not hits:
            self._refuse(prompt, self._not_found(text, why))

    def _not_found(self, text: str, why: str) -> str:
        argument = read_argument(text)
        words = shorten(clean(text.strip(" :") if argument is None else argument.words), _LONGEST)
        if argument is not None:
            kinds = " or ".join(argument.kinds)
            sentence = f"No {kinds} matches “{words}”."
        else:
            sentence = f"Nothing found for “{words}”. Press ? for all commands."
            try:
                read_command(text)
            except CommandError as error:
                if error.hint.startswith("Did you mean"):
                    sentence = f"{error.sentence} {error.hint}"
        return f"{sentence} {why}".strip()

    def _refuse(self, prompt: Prompt, sentence: str) -> None:
        prompt.show_status(())
        if prompt.hits is not None:
            prompt.hits.show_note(clean(sentence))


def _is_at(hit: Hit, here: Route) -> bool:
    if (route := hit.route) is None:
        return False
    fields = ("view", "project_name", "pipeline", "job")
    return all(getattr(route, name) == getattr(here, name) for name in fields)
