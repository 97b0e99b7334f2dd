"""Cancel, retry, play and other actions on the selected or marked rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from platui.analysis.action_states import disabled_reason, is_applicable
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean
from platui.models.values.writes import RecordAction, WriteAction
from platui.present.counts import counted
from platui.ui.controller import Controller, command
from platui.ui.messages import RequestWrites, ShowHint
from platui.ui.screens.parts.list_context import chosen_reason

if TYPE_CHECKING:
    from platui.models.values.queries import ProjectRef
    from platui.models.values.table import Row
    from platui.service.writes.task import WriteTask

_ON_ROWS: Final = ("write.cancel", "write.retry", "write.play")
_MOST_ROWS: Final = 100  # Rows at the top of a list that decide which actions the footer has


class ActionTarget(NamedTuple):
    """A pipeline, job or schedule that an action applies to."""

    id: int
    name: str
    status: str
    summary: str = ""  # Ref and age, for the confirmation
    last_pipeline: int | None = None  # Of a schedule


class RowActions(Controller[Any]):
    """Runs actions on rows, where their status allows."""

    ACTS: ClassVar[Mapping[str, WriteAction]] = {}
    VERBS: ClassVar[Mapping[str, str]] = {}  # Command -> verb, where it is not the end of the id

    _sensible: frozenset[str] = frozenset()  # Which of them change something now
    _placed: frozenset[str] = frozenset()  # Which of them have a place in the footer
    _rows: Sequence[Row] = ()  # The rows that were searched for these
    _judged: tuple[Sequence[str], Sequence[Row]] = ((), ())  # Chosen and shown rows of both

    @command("X", "write.cancel", "Cancel")
    def cancel(self) -> None:
        """Cancel this pipeline or job, or the marked ones, after confirmation."""
        self.act("write.cancel")

    @command("T", "write.retry", "Retry")
    def retry(self) -> None:
        """Retry this pipeline or job, or the marked ones, after confirmation."""
        self.act("write.retry")

    @command("P", "write.play", "Play")
    def play(self) -> None:
        """Start this manual job, or the marked ones, after confirmation."""
        self.act("write.play")

    @classmethod
    def offers(cls, command: str) -> bool:
        return command in cls.ACTS or command not in _ON_ROWS

    def record_target(self, key: str) -> ActionTarget | None:
        raise NotImplementedError

    def no_target_reason(self, key: str) -> str:
        """Return why a row allows no action, as the end of a sentence."""
        raise NotImplementedError

    def record_targets(self, _command: str, key: str) -> Sequence[tuple[ProjectRef, ActionTarget]]:
        """Return the targets of a command in a row, each with its project; may be several."""
        thing, project = self.record_target(key), self.body.route.project
        return [] if thing is None or project is None else [(project, thing)]

    def rows_of(self, done: Sequence[RecordAction]) -> Iterable[str]:
        return (str(one.id) for one in done)

    def acted(self, done: Sequence[RecordAction]) -> None:
        """Handle done actions."""

    def catch_up(self) -> None:
        keys, rows = self._judged
        if self.body.table.shown_rows is not rows or self.body.context.chosen() != keys:
            self.on_changed()

    def on_changed(self) -> None:
        keys = self.body.context.chosen()
        self._judged = keys, self.body.table.shown_rows
        sensible = frozenset(one for one in self.ACTS if any(self._acts(one, key) for key in keys))
        placed = self._placed | self._useful_in(keys)
        # Places stay, so that no key moves with the cursor.
        if (rows := self.body.table.shown_rows) is not self._rows:
            self._rows = rows
            placed |= self._useful_in([row.key for row in rows[:_MOST_ROWS]])
        if (sensible, placed) != (self._sensible, self._placed):
            self._sensible, self._placed = sensible, placed
            self.screen.footer_line.show_soon()

    def _useful_in(self, keys: Sequence[str]) -> frozenset[str]:
        """Return the actions for which a row gives a reason: a success gives none to retry."""
        return frozenset(
            command
            for command, act in self.ACTS.items()
            if any(
                is_applicable(act, thing.status)
                and not (command == "write.retry" and thing.status == "success")
                for key in keys
                for _, thing in self.record_targets(command, key)
            )
        )

    def act(self, command: str) -> None:
        self.on_changed()
        of_rows = [self._acts(command, key) for key in self.body.context.chosen()]
        acts = tuple(act for of_row in of_rows for act in of_row)
        left_out = sum(not of_row for of_row in of_rows)
        if not acts:  # the status has changed meanwhile
            self.screen.post_message(ShowHint(self.disabled_reason(command)))
            return
        notes: tuple[str, ...] = ()
        if left_out:
            are, verb = "is" if left_out == 1 else "are", self._verb(command)
            notes = (f"{counted(left_out, 'other marked row')} {are} skipped: nothing to {verb}.",)
        path = self.path_of(acts[0].project)
        self.screen.post_message(RequestWrites(acts, notes, self._over, path))

    def _acts(self, command: str, key: str) -> list[RecordAction]:
        act = self.ACTS.get(command)
        if act is None:
            return []
        return [
            RecordAction(
                act, project, thing.id, clean(thing.name), clean(thing.summary), thing.last_pipeline
            )
            for project, thing in self.record_targets(command, key)
            if is_applicable(act, thing.status)
        ]

    def path_of(self, project: ProjectRef, /) -> str:
        """Return the path of a project of a row; "": the view has only one project."""
        del project
        return ""

    def _over(self, task: WriteTask) -> None:
        """Unmark rows of done actions; failed ones stay marked for a retry."""
        from platui.models.values.write_states import Done  # noqa: PLC0415  (after a write)

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
        """Return the footer with the actions of these rows, after those that open the row."""
        senseless = self.ACTS.keys() - self._placed
        if not self._placed:
            senseless.discard("write.cancel")  # disabled, if all are
        names = [name for name in names if name not in senseless]
        opening = [name for name in names if name == "table.open" or name.endswith(".log")]
        acting = [name for name in names if name in _ON_ROWS and name in self._placed]
        return list(dict.fromkeys([*opening, *acting, *names]))

    def disabled_reason(self, command: str) -> str:
        act, verb = self.ACTS.get(command), self._verb(command)
        if act is None:
            if command not in _ON_ROWS:
                return ""
            things = "jobs" if verb == "play" else "pipelines and jobs"
            return f"Nothing to {verb} here: only for {things}."
        if command in self._sensible:
            return ""
        if reason := chosen_reason(self.body):
            return reason
        keys = self.body.context.chosen()
        if len(keys) > 1:
            return f"Nothing to {verb}: none of the {counted(len(keys), 'marked row')} allows it."
        if not keys:
            return f"Nothing to {verb}: no row selected."
        found = self.record_targets(command, keys[0])
        if not found:
            return f"Nothing to {verb}: {self.no_target_reason(keys[0])}."
        _, thing = found[0]
        # A marked row may be out of sight, so it is named.
        is_here = keys[0] == self.body.table.cursor_key
        name = f"this {act.kind}" if is_here else f"the marked {act.kind} #{thing.id}"
        return f"Nothing to {verb}: {disabled_reason(act, thing.status, name)}."

    def _verb(self, command: str) -> str:
        return self.VERBS.get(command, command.partition(".")[2])
