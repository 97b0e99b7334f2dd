"""Cancel, retry, play and the like, of the row under the cursor or of the marked rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from platui.analysis.action_states import disabled_reason, is_applicable
from platui.core.text import clean
from platui.models.values.write_states import Done
from platui.models.values.writes import RecordAction
from platui.present.counts import counted
from platui.ui.controller import Controller, command
from platui.ui.messages import RequestWrites, ShowHint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import WriteAction
    from platui.service.writes.task import WriteTask

_ON_ROWS: Final = ("write.cancel", "write.retry", "write.play")


class ActionTarget(NamedTuple):
    """A thing of a row, as far as it matters to what can be done to it."""

    id: int
    name: str
    status: str
    told: str = ""  # What the question before a write adds: ref, age


class RowActions(Controller[Any]):
    """Acts on rows, each only where it makes sense."""

    ACTS: ClassVar[Mapping[str, WriteAction]] = {}
    VERBS: ClassVar[Mapping[str, str]] = {}  # Command -> verb, where it is not the end of the id

    _sensible: frozenset[str] = frozenset()  # Which of them change something now

    @command(
        "X",
        "write.cancel",
        "Cancel",
        "Stop what is running, here or in every marked row; asks first",
    )
    def cancel(self) -> None:
        self.act("write.cancel")

    @command(
        "T",
        "write.retry",
        "Retry",
        "Try again what failed, here or in every marked row; asks first",
    )
    def retry(self) -> None:
        self.act("write.retry")

    @command(
        "P",
        "write.play",
        "Play",
        "Start this manual job, or every marked one; asks first",
    )
    def play(self) -> None:
        self.act("write.play")

    @classmethod
    def offers(cls, command: str) -> bool:
        """Return whether a command has anything to act on."""
        return command in cls.ACTS or command not in _ON_ROWS

    def action_target(self, key: str) -> ActionTarget | None:
        raise NotImplementedError

    def no_target_reason(self, key: str) -> str:
        """Return why nothing can be done to a row, as the end of a sentence."""
        raise NotImplementedError

    def action_targets(self, _command: str, key: str) -> Sequence[tuple[ProjectRef, ActionTarget]]:
        """Return what a command acts on in a row, each with its project.

        A row may stand for several things, or for things of other projects.
        """
        thing, project = self.action_target(key), self.body.route.project
        return [] if thing is None or project is None else [(project, thing)]

    def rows_of(self, done: Sequence[RecordAction]) -> Iterable[str]:
        """Return the keys of the rows that were acted on."""
        return (str(one.id) for one in done)

    def acted(self, done: Sequence[RecordAction]) -> None:
        """Handle that rows were acted on."""

    def on_changed(self) -> None:
        """Update the keys if other ones make sense now."""
        keys = self.body.context.chosen()
        sensible = frozenset(one for one in self.ACTS if any(self._acts(one, key) for key in keys))
        if sensible != self._sensible:
            self._sensible = sensible
            self.screen.refresh_bindings()

    def act(self, command: str) -> None:
        self.on_changed()
        of_rows = [self._acts(command, key) for key in self.body.context.chosen()]
        acts = tuple(act for of_row in of_rows for act in of_row)
        left_out = sum(not of_row for of_row in of_rows)
        if not acts:  # what it was possible for has changed meanwhile
            self.screen.post_message(ShowHint(self.disabled_reason(command)))
            return
        notes: tuple[str, ...] = ()
        if left_out:
            are, verb = "is" if left_out == 1 else "are", self._verb(command)
            notes = (
                f"{counted(left_out, 'other marked row')} {are} left out: nothing to {verb} there.",
            )
        self.screen.post_message(RequestWrites(acts, notes, self._over))

    def _acts(self, command: str, key: str) -> list[RecordAction]:
        act = self.ACTS.get(command)
        if act is None:
            return []
        return [
            RecordAction(act, project, thing.id, clean(thing.name), clean(thing.told))
            for project, thing in self.action_targets(command, key)
            if is_applicable(act, thing.status)
        ]

    def _over(self, task: WriteTask) -> None:
        """Remove the marks of rows that were acted on; failed ones keep theirs for a retry."""
        states = task.progress.value.states
        done = [
            intent
            for intent, state in zip(task.request.intents, states, strict=True)
            if isinstance(state, Done) and isinstance(intent, RecordAction)
        ]
        if done and self.body.is_whole:
            self.body.table.unmark(self.rows_of(done))
            self.acted(done)

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        """Return the footer with those that act, only where they make sense now.

        They stand behind what opens the row: what it is about tells what one came for.
        """
        senseless = {one for one in self.ACTS if one not in self._sensible}
        if len(senseless) == len(self.ACTS):
            senseless.discard("write.cancel")  # greyed, where all of them would be
        names = [name for name in names if name not in senseless]
        opening = [name for name in names if name == "table.open" or name.endswith(".log")]
        acting = [name for name in names if name in _ON_ROWS and name in self._sensible]
        return list(dict.fromkeys([*opening, *acting, *names]))

    def disabled_reason(self, command: str) -> str:
        act, verb = self.ACTS.get(command), self._verb(command)
        if act is None:
            if command not in _ON_ROWS:
                return ""
            things = "jobs" if verb == "play" else "pipelines and jobs"
            return f"Nothing to {verb} here: that is for {things}."
        if command in self._sensible:
            return ""
        keys = self.body.context.chosen()
        if len(keys) > 1:
            return f"Nothing to {verb}: none of the {counted(len(keys), 'marked row')} allows it."
        if not keys:
            return f"Nothing to {verb}: no row is chosen."
        found = self.action_targets(command, keys[0])
        if not found:
            return f"Nothing to {verb}: {self.no_target_reason(keys[0])}."
        _, thing = found[0]
        # A mark may lie far from the cursor: "this" would be read of the row one looks at.
        is_here = keys[0] == self.body.table.cursor_key
        name = f"this {act.kind}" if is_here else f"the marked {act.kind} #{thing.id}"
        return f"Nothing to {verb}: {disabled_reason(act, thing.status, name)}."

    def _verb(self, command: str) -> str:
        return self.VERBS.get(command, command.partition(".")[2])
