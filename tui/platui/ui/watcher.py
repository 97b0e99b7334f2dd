"""The watch list as the user changes it: by a key, by a command, or chosen from all projects."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from textual import on

from platui.core.errors import CommandError, PlatuiError
from platui.core.text import clean
from platui.models.values.queries import ProjectsQuery
from platui.models.values.watching import Watchable, WatchChange
from platui.present import watching
from platui.ui.messages import WatchChoiceWanted, WatchWanted
from platui.ui.works import work
from platui.ui.writer import WriterApp

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from platui.models.values.triage_memory import Watched
    from platui.present.watching import Toggled
    from platui.service.triage_book import TriageBook


class WatcherApp(WriterApp):
    """An app that keeps what is watched. It is remembered here: the platform knows nothing of it.

    One change follows the other, each made to what is watched at that moment.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._one_at_a_time = asyncio.Lock()

    # what is typed

    def do(self, verb: str, argument: str) -> None:
        """Do what a typed verb says."""
        if verb == "watch" and not argument.strip():
            self.post_message(WatchChoiceWanted())
        elif verb in {"watch", "unwatch"}:
            self._watch_later(partial(self._watch_typed, verb, argument))
        else:
            super().do(verb, argument)

    async def _watch_typed(self, verb: str, argument: str) -> None:
        """Watch the project or group that was typed, or no longer do so."""
        from platui.ui.typed_commands import number_in  # noqa: PLC0415  (on first use)

        book, path = await self._book(), argument.strip().removesuffix("…").strip("/")
        watched = book.memory.value.watched
        if not path:
            self.hint(f"Which one? Type :unwatch group/name, or press {self._star} on it.")
            return
        number = number_in(path.lstrip("#"))
        if path in watched.groups or (number is None and await self._is_group(path)):
            toggled = watching.toggle_group(watched, path)
        else:
            named = path if number is None else number
            one = await self._resolved(Watchable(named, "", clean(path)), watched)
            toggled = watching.toggle_projects(watched, [one])
        change = toggled.change
        if (verb == "watch") == bool(change.watch or change.watch_groups) or not change:
            undo = "unwatch" if verb == "watch" else "watch"
            await self._make(book, toggled, f":{undo} {path}")
        else:
            self.hint(
                f"{clean(path)} is {'watched already' if verb == 'watch' else 'not watched'}."
            )

    async def _is_group(self, path: str) -> bool:
        """Return whether a path is a group's and no project's."""
        if await self.service.directory.project(path) is not None:
            return False
        return await self.service.directory.has_group(path)

    # what a key is pressed on

    @on(WatchWanted)
    def _watch_wanted(self, message: WatchWanted) -> None:
        message.stop()
        self._watch_later(partial(self._toggle, message.projects, message.group))

    def _watch_later(self, change: Callable[[], Awaitable[None]]) -> None:
        self.run_worker(
            work(self._in_turn, change), group="watch",
            exclusive=False, exit_on_error=True, description="change what is watched",
        )  # fmt: skip

    async def _in_turn(self, change: Callable[[], Awaitable[None]]) -> None:
        async with self._one_at_a_time:
            try:
                await change()
            except PlatuiError as error:
                self.tell(error)

    async def _toggle(self, chosen: Sequence[Watchable], group: str) -> None:
        """Watch projects or a group; where all of that is watched, no longer do so."""
        book = await self._book()
        watched = book.memory.value.watched
        if group:
            toggled = watching.toggle_group(watched, group)
        else:
            found = [await self._resolved(one, watched) for one in chosen]
            toggled = watching.toggle_projects(watched, found)
        # The key does the same backwards only where it did something to all of them.
        is_undone = bool(group) or len(toggled.names) == len(chosen)
        await self._make(book, toggled, "*" if is_undone else "")

    async def _make(self, book: TriageBook, toggled: Toggled, undo: str) -> None:
        await self._change(book, toggled.change)
        after = book.memory.value.watched
        self._say(watching.toggled_words(toggled, after, undo=undo), book)

    async def _resolved(self, one: Watchable, watched: Watched) -> Watchable:
        """Return a project with its number, and where groups are watched with its path.

        Raises:
            PlatuiError: its number could not be found.
        """
        if isinstance(one.project, int):
            if not watched.groups or one.path:
                return one
            # Whether it is in a watched group is good to know, and nothing that stops it.
            with suppress(PlatuiError):
                found = await self.service.directory.project(one.project)
                return one if found is None else one._replace(path=found.path_with_namespace)
            return one
        found = await self.service.directory.project(one.project)
        if found is None:
            raise CommandError(
                f"The platform does not tell the number of {clean(one.project)}.",
                hint=f"Look for it among the projects, and press {self._star} there.",
            )
        return one._replace(project=found.id, path=found.path_with_namespace)

    @property
    def _star(self) -> str:
        """Return the key that watches what is under the cursor."""
        from platui.ui.screens.watching import WatchesProjects  # noqa: PLC0415  (on first use)

        return self.keys_in_use.first("watch.toggle", WatchesProjects)

    # the choice

    @on(WatchChoiceWanted)
    def _choice_wanted(self, message: WatchChoiceWanted) -> None:
        message.stop()
        self._watch_later(partial(self._ask_what_is_watched, message.key))

    async def _ask_what_is_watched(self, key: str) -> None:
        """Show all projects to choose from, unless they are shown."""
        from platui.ui.dialogs.watch_chooser import WatchChooser  # noqa: PLC0415  (on first use)

        book = await self._book()
        if isinstance(self.screen, WatchChooser):
            return
        watched = book.memory.value.watched

        def choose(change: WatchChange | None) -> None:
            if change is not None:
                self._watch_later(partial(self._watch_chosen, change))
            elif not watched.is_chosen:
                self.hint(f"Not now. {key} asks again, and so does the next start.")

        feed = self.service.feeds.watch_projects(ProjectsQuery())
        every = self.settings.poll.idle
        self.push_screen(WatchChooser(feed, watched, self.service.clock, every), choose)

    async def _watch_chosen(self, change: WatchChange) -> None:
        book = await self._book()
        # Also where there is nothing to add: an empty list that was chosen is not asked for again.
        await book.watch(change.watch)
        await self._change(book, change)
        self._say(watching.chosen_words(book.memory.value.watched), book)

    # the list

    async def _book(self) -> TriageBook:
        """Return what is remembered, as it is now: another dashboard may have changed it."""
        await asyncio.to_thread(import_module, "platui.service.triage_book")
        book = self.service.triage_book
        await book.ready()
        await book.look()
        return book

    async def _change(self, book: TriageBook, change: WatchChange) -> None:
        if change.watch or change.watch_groups:
            await book.watch(change.watch, change.watch_groups)
        if change.unwatch or change.unwatch_groups:
            await book.unwatch(change.unwatch, change.unwatch_groups)

    def _say(self, sentence: str, book: TriageBook) -> None:
        self.hint(f"{sentence} {book.problem}".strip())
