"""Keys for all logs of the pipeline that one is at, from wherever one meets it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from platui.models.values.places import Place, View
from platui.ui.messages import GoTo, Told
from platui.ui.screens.awaiting import AwaitsEnds

if TYPE_CHECKING:
    from textual.binding import BindingType

EVERYWHERE: Final = "\\"
"""The sign of a search in all logs of a pipeline; that of one log is `/`."""

_SLASHES: Final = 2


def search_in(typed: str) -> tuple[str, bool]:
    """Return what is looked for, and whether it is a regular expression: `/one/` is."""
    typed = typed.strip()
    if len(typed) > _SLASHES and typed.startswith("/") and typed.endswith("/"):
        return typed[1:-1], True
    return typed, False


def search_words(text: str, *, is_regex: bool) -> str:
    """Return what is looked for, as it would be typed."""
    return f"/{text}/" if is_regex else text


class WholePipeline(AwaitsEnds):
    """A view from which one looks at every log of a pipeline.

    It stands last among the bases of a screen: Textual takes styles from the first one only.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "M",
            "many_logs",
            "Follow all",
            id="pipeline.follow",
            show=False,
            tooltip="Follow the logs of all jobs of this pipeline that run or failed, in one",
        ),
        Binding(
            "backslash",
            "search_logs",
            "Search all logs",
            id="pipeline.search",
            show=False,
            tooltip="Look for a text in every log of this pipeline; /it/ is a regular expression",
        ),
    ]

    def action_many_logs(self) -> None:
        """Follow all jobs of the pipeline that run or failed."""
        if (place := self._of_pipeline(View.MANY)) is not None:
            self.post_message(GoTo(place))

    async def action_search_logs(self) -> None:
        """Let the user type what to look for in all logs of the pipeline."""
        if self._of_pipeline(View.SEARCH) is not None:
            await self.ask_for_search(self.sought())

    def sought(self) -> str:
        """Return what is searched for here, as it would be typed: it can be sought everywhere."""
        return search_words(self.place.search, is_regex=self.place.is_regex)

    async def ask_for_search(self, typed: str) -> None:
        """Open the prompt for a search in all logs."""
        await self.prompt.ask(EVERYWHERE, typed)
        here = self.pipeline_here()
        number = f"#{here.pipeline}" if here is not None else "this pipeline"
        self.prompt.tell(((f"in all logs of {number}", "muted"),))

    def answered(self, sign: str, text: str) -> None:
        """Search for what was typed."""
        if sign == EVERYWHERE:
            self.search_logs(text)
        else:
            super().answered(sign, text)

    def search_logs(self, typed: str) -> None:
        """Look for a text in all logs of the pipeline."""
        text, is_regex = search_in(typed)
        place = self._of_pipeline(View.SEARCH)
        if place is not None and text:
            self.post_message(GoTo(replace(place, search=text, is_regex=is_regex)))

    def _of_pipeline(self, view: View) -> Place | None:
        """Return a view of the pipeline here; say so where there is none."""
        here = self.pipeline_here()
        if here is None:
            self.post_message(Told("Of which pipeline? Put the cursor on it first."))
            return None
        return Place(view, here.project, here.project_name, here.pipeline)
