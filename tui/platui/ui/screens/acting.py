"""Keys that act on the rows of a list: cancel, retry, play."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from textual import on
from textual.binding import Binding

from platui.core.text import clean
from platui.models.values.write_states import Done
from platui.models.values.writes import ActOn
from platui.present.acts import makes_sense, why_not
from platui.present.counts import counted
from platui.ui.messages import Told, WriteWanted
from platui.ui.reaction import WRITE_KEYS
from platui.ui.screens.listing import ListScreen
from platui.ui.screens.unlocking import UnlocksWrites
from platui.ui.widgets.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from textual.binding import BindingType

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import Act
    from platui.ui.course import WriteCourse


_ON_ROWS: Final = frozenset({"write.cancel", "write.retry", "write.play"})
"""The keys that act on pipelines and jobs."""
_SAID: Final = {"own": "take over"}
"""Verbs that are called otherwise to the user."""


class Actable(NamedTuple):
    """A thing of a row, as far as it matters to what can be done to it."""

    id: int
    name: str
    status: str
    told: str = ""
    """What else is to be known before something is done to it: on which ref, since when."""


class ActsOnRows(ListScreen, UnlocksWrites):
    """Acts on the row under the cursor, or on the marked ones; each only where it makes sense."""

    ACTS: ClassVar[Mapping[str, Act]] = {}
    """What the keys do here."""
    _sensible: frozenset[str] = frozenset()
    """Which of them change something now."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "X",
            "act('cancel')",
            "Cancel",
            id="write.cancel",
            tooltip="Stop what is running, here or in every marked row; asks first",
        ),
        Binding(
            "T",
            "act('retry')",
            "Retry",
            id="write.retry",
            tooltip="Try again what failed, here or in every marked row; asks first",
        ),
        Binding(
            "P",
            "act('play')",
            "Play",
            id="write.play",
            tooltip="Start this manual job, or every marked one; asks first",
        ),
    ]

    def actable(self, key: str) -> Actable | None:
        """Return the thing of a row; None where nothing can be done to it."""
        raise NotImplementedError

    def why_unactable(self, key: str) -> str:
        """Return why nothing at all can be done to a row, as the end of a sentence."""
        raise NotImplementedError

    def acted_on(self, verb: str, key: str) -> Sequence[tuple[ProjectRef, Actable]]:
        """Return what a key acts on in a row, each with its project: the one thing of this place.

        A row may stand for several things, or for things of other projects.
        """
        del verb
        thing, project = self.actable(key), self.place.project
        return [] if thing is None or project is None else [(project, thing)]

    def rows_of(self, done: Sequence[ActOn]) -> Iterable[str]:
        """Return the keys of the rows to which something was done."""
        return (str(one.id) for one in done)

    def _acts(self, verb: str, key: str) -> list[ActOn]:
        """Return what a key would do now to a row."""
        act = self.ACTS.get(verb)
        if act is None:
            return []
        return [
            ActOn(act, project, thing.id, clean(thing.name), clean(thing.told))
            for project, thing in self.acted_on(verb, key)
            if makes_sense(act, thing.status)
        ]

    def draw(self) -> None:
        """Show the rows, and which keys act on them now."""
        super().draw()
        self._tell_sensible()

    @on(Table.CursorMoved, "#table")
    @on(Table.MarksChanged, "#table")
    def _chosen_changed(self) -> None:
        self._tell_sensible()

    def _tell_sensible(self) -> None:
        """Have the keys shown anew where other ones make sense now."""
        if not self.is_whole:
            return
        sensible = frozenset(verb for verb in self.ACTS if self._makes_sense(verb))
        if sensible != self._sensible:
            self._sensible = sensible
            self.refresh_bindings()

    def action_act(self, verb: str) -> None:
        """Ask, and act."""
        of_rows = [self._acts(verb, key) for key in self.chosen()]
        acts = tuple(act for of_row in of_rows for act in of_row)
        left_out = sum(not of_row for of_row in of_rows)
        if not acts:  # what it was possible for has changed meanwhile
            self.post_message(Told(self.why_not(f"{WRITE_KEYS}{verb}")))
            return
        notes: tuple[str, ...] = ()
        if left_out:
            are = "is" if left_out == 1 else "are"
            notes = (
                f"{counted(left_out, 'other marked row')} {are} left out: nothing to {verb} there.",
            )
        self.post_message(WriteWanted(acts, notes, self._over))

    def _over(self, course: WriteCourse) -> None:
        """Take the marks off what was done; what was not keeps its mark, to be tried again."""
        states = course.progress.value.states
        done = [
            intent
            for intent, state in zip(course.plan.intents, states, strict=True)
            if isinstance(state, Done) and isinstance(intent, ActOn)
        ]
        if done and self.is_whole:
            self.table.unmark(self.rows_of(done))
            self.acted(done)

    def acted(self, done: Sequence[ActOn]) -> None:
        """Take note of what was done to rows."""

    def footer_keys(self) -> Sequence[str]:
        """Return the keys of the footer: of those that act, only what makes sense now.

        They stand behind what opens the row: what it is about tells what one came for.
        """
        senseless = {f"write.{verb}" for verb in self.ACTS if verb not in self._sensible}
        if len(senseless) == len(self.ACTS):
            senseless.discard("write.cancel")  # greyed, where all of them would be
        sensible = _ON_ROWS & {f"write.{verb}" for verb in self._sensible}
        names = [name for name in super().footer_keys() if name not in senseless]
        opening = [name for name in names if name == "table.open" or name.endswith(".log")]
        acting = [name for name in names if name in sensible]
        return list(dict.fromkeys([*opening, *acting, *names]))

    def why_not(self, action: str) -> str:
        """Return why a key that acts does nothing now."""
        verb = action.removeprefix(WRITE_KEYS).partition("_")[0]
        act, keys = self.ACTS.get(verb), self.chosen()
        if action in _ON_ROWS and act is None:
            things = "jobs" if verb == "play" else "pipelines and jobs"
            return f"Nothing to {verb} here: that is for {things}."
        key_verb, verb = verb, _SAID.get(verb, verb)
        if act is None:
            return super().why_not(action)
        if len(keys) > 1:
            return f"Nothing to {verb}: none of the {counted(len(keys), 'marked row')} allows it."
        if not keys:
            return f"Nothing to {verb}: no row is chosen."
        found = self.acted_on(key_verb, keys[0])
        if not found:
            return f"Nothing to {verb}: {self.why_unactable(keys[0])}."
        _, thing = found[0]
        # A mark may lie far from the cursor: "this" would be read of the row one looks at.
        is_here = keys[0] == self.table.cursor_key
        name = f"this {act.kind}" if is_here else f"the marked {act.kind} #{thing.id}"
        reason = why_not(act, thing.status, name)
        return f"Nothing to {verb}: {reason}."

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what changes nothing in the states of now."""
        if action == "act":
            verb = str(parameters[0])
            if verb not in self.ACTS:
                return False
            return True if verb in self._sensible else None
        return super().check_action(action, parameters)

    def _makes_sense(self, verb: str) -> bool:
        """Return whether a key would do anything now; the first such row will do."""
        return any(self._acts(verb, key) for key in self.chosen())
