"""The dashboard's app: how it starts and ends, which places are typed to it, and the palette.

It knows no business verb; where it goes is the navigator's, what screens ask for the
errands' business.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import events, on
from textual.binding import Binding

from platui.core.errors import CommandError, PlatuiError
from platui.models.values.places import Place, View
from platui.ui.switcher import SwitcherApp
from platui.ui.works import work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType


_OF_NO_PROJECT: Final = frozenset(
    {View.TRIAGE, View.PROJECTS, View.REQUESTS, View.ACCESS, View.GROUPS, View.CHANGES}
)

_BELOW: Final = {View.PIPELINES: View.JOBS, View.JOBS: View.LOG}
"""The view of one row of a list whose rows have the ids of pipelines or jobs."""
_AHEAD: Final = 1.0
"""Seconds after the first frame in which the first rows have the processor to themselves."""


class PlatuiApp(SwitcherApp):
    """The dashboard of one platform."""

    TITLE = "platui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "ctrl+p",
            "palette",
            "Palette",
            id="app.palette",
            show=False,
            tooltip="Search actions, places and themes",
        ),
    ]

    # life

    def after_first_frame(self) -> None:
        """Open the service, then bring what the next steps need."""
        super().after_first_frame()
        self.run_worker(
            work(self._start_service), group="start", exclusive=True, exit_on_error=True,
            description="open the service",
        )  # fmt: skip
        self.attend()
        self.run_worker(
            work(self._look_ahead), group="ahead", exclusive=True, exit_on_error=True,
            description="import the other screens",
        )  # fmt: skip

    async def _look_ahead(self) -> None:
        await asyncio.sleep(_AHEAD)
        await self.import_screens()

    async def _start_service(self) -> None:
        try:
            await self.service.start()
        except PlatuiError as error:
            # The feeds show it on the page; a token that is missing can be given at once.
            self.log.warning(error.title)

    async def on_unmount(self) -> None:
        """End every request and close the stores."""
        await self.service.close()

    @on(events.AppFocus)
    def _focused(self) -> None:
        self.service.focus(True)

    @on(events.AppBlur)
    def _blurred(self) -> None:
        self.service.focus(False)

    # what is typed

    def commands(self) -> Sequence[tuple[str, str]]:
        """Return what may be typed, each with what it does."""
        from platui.ui.typed_commands import LISTED, is_writing  # noqa: PLC0415  (on first use)

        off = self.service.writes == "off"
        return [one for one in LISTED if not (off and is_writing(one[0]))]

    def command_words(self) -> Sequence[str]:
        """Return the words that complete what is typed."""
        from platui.ui.typed_commands import WORDS, is_writing  # noqa: PLC0415  (on first use)

        off = self.service.writes == "off"
        words = [word for word in WORDS if not (off and is_writing(word))]
        board = self.switchboard
        return [*words, *(f"profile {one.name}" for one in (board.profiles if board else ()))]

    def do(self, verb: str, argument: str) -> None:
        """Do what a typed verb says."""
        if verb == "token":
            self.ask_token()
        elif verb == "file":
            self._open_file(argument)
        elif verb == "compare":
            self._compare()
        elif verb == "grep":
            self._search_logs(argument)
        elif verb in {"utc", "local"}:
            self.show_times(utc=verb == "utc")
        else:
            super().do(verb, argument)

    def open_address(self, address: str) -> None:
        """Open the place that a pasted address of the platform names."""
        found = self.service.place_at(address)
        if found is None and self.go_over_to(address):
            return
        if found is None:
            self.tell(
                CommandError(
                    "This is no project, pipeline, job, file or group of "
                    f"{self.service.profile.url}.",
                    hint="Paste the address of its page.",
                ),
            )
        else:
            self.open_place(*found)

    def open_area(self, command: Any) -> None:
        """Open a list, perhaps of a project, perhaps filtered."""
        from platui.ui.typed_commands import number_in  # noqa: PLC0415  (on first use)

        if command.view in _OF_NO_PROJECT:
            self.go(Place(command.view))
        else:
            subject, number = self._subject, None
            project, name = subject.project, subject.project_name
            if command.project:
                number = number_in(command.project)
                project = command.project if number is None else number
                name = command.project.rpartition("/")[2]
            if number is None and command.project and "/" not in command.project:
                known = self.known_project(command.project)
                if known is None:
                    # A name alone is no path: show what it may mean.
                    self.open_area(replace(command, view=View.PROJECTS, filter=name, project=""))
                    return
                project, name = known.project, known.project_name
            if project is None:
                self.hint(f"Which project? Type :{command.view.value} group/name.")
                return
            pipeline = command.pipeline
            if pipeline is None and not command.project and command.view is View.JOBS:
                pipeline = subject.pipeline
            self.go(Place(command.view, project, name, pipeline))
        self.search_here(command.filter)

    def open_number(self, command: Any) -> None:
        """Open a pipeline or job by its id: of the project that is named, else of that in front."""
        from platui.ui.typed_commands import number_in  # noqa: PLC0415  (on first use)

        screen, view, number = self.place_screen(), command.view, command.number
        if view is None and screen is not None and screen.VIEW in _BELOW:
            view = _BELOW[screen.VIEW] if screen.go_to_number(number) else None
        subject = (screen.subject() if screen is not None else None) or self._subject
        project, name = subject.project, subject.project_name
        if command.project:
            named = number_in(command.project)
            project = command.project if named is None else named
            name = command.project
        if project is None:
            self.hint("Of which project? Put the cursor on it first.")
        elif view is View.LOG:
            self.go(Place(View.LOG, project, name, job=number))
        else:
            self.go(Place(View.JOBS, project, name, pipeline=number))

    def _open_file(self, words: str) -> None:
        from platui.ui.typed_commands import file_in  # noqa: PLC0415  (on first use)

        screen = self.place_screen()
        near = screen.file_here() if screen is not None else None
        if near is None:
            self.hint("Of which project? Put the cursor on it first.")
        else:
            path, ref = file_in(words)
            self.go(replace(near, path=path or near.path, ref=ref or near.ref))

    def _compare(self) -> None:
        screen = self.place_screen()
        place = screen.compared_here() if screen is not None else None
        if place is None:
            self.hint("Which log? Open a job's log first.")
        else:
            self.go(place)

    def _search_logs(self, words: str) -> None:
        from platui.ui.screens.whole_pipeline import search_in  # noqa: PLC0415  (on first use)

        screen = self.place_screen()
        here = screen.pipeline_here() if screen is not None else None
        text, is_regex = search_in(words)
        if not text:
            self.hint("What is to be looked for? Type :grep words.")
        elif here is None:
            self.hint("Of which pipeline? Put the cursor on it first.")
        else:
            self.go(
                Place(
                    View.SEARCH, here.project, here.project_name, here.pipeline,
                    search=text, is_regex=is_regex,
                )
            )  # fmt: skip

    # palette

    async def action_palette(self, search: str = "") -> None:
        """List actions, places and themes; what is chosen is done."""
        from platui.ui.dialogs.palette import palette_menu  # noqa: PLC0415  (on first use)

        menu, deeds = palette_menu(self, search)

        def run(chosen: str | None) -> None:
            if chosen is not None:
                self.call_later(deeds[chosen])

        await self.push_screen(menu, run)
