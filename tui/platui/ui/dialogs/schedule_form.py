"""The form of a schedule, new or to be changed: what it means is told while it is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import getters, on
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.suggester import SuggestFromList
from textual.widgets import Input

from platui.core.errors import PlatuiError
from platui.core.text import clean
from platui.models.values.write_states import Refused
from platui.present.schedule_forms import (
    FIELDS,
    ScheduleDraft,
    preview,
    problems,
    zone_names,
)
from platui.present.write_questions import badge
from platui.ui.messages import WriteWanted
from platui.ui.widgets.bar import Bar
from platui.ui.widgets.passage import Passage

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import NewSchedule, ScheduleChange
    from platui.service import PlatformService
    from platui.ui.course import WriteCourse

_HINTS: Final = {
    "description": "what it is for",
    "ref": "branch or tag",
    "cron": "minute hour day month weekday",
    "zone": "UTC, or such as Europe/Paris",
}


class YesNo(Bar, can_focus=True):
    """A choice of two, changed with space."""

    DEFAULT_CSS = "YesNo:focus { background: $panel; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,left,right", "change", "Change", id="scheduleform.change"),
        Binding("enter", "screen.send", "Send", id="scheduleform.send"),
        Binding("down", "app.focus_next", "Next", id="scheduleform.down"),
        Binding("up", "app.focus_previous", "Before", id="scheduleform.up"),
    ]

    def __init__(self, *, value: bool, id: str) -> None:  # noqa: A002  (Textual's name)
        super().__init__(id=id)
        self.value = value

    def on_mount(self) -> None:
        """Show what it is."""
        self._tell()

    def on_focus(self) -> None:
        """Show that it can be changed."""
        self._tell()

    def on_blur(self) -> None:
        """Show what it is."""
        self._tell()

    def action_change(self) -> None:
        """Change it to the other."""
        self.value = not self.value
        self._tell()
        if isinstance(self.screen, ScheduleForm):
            self.screen.typed()

    def _tell(self) -> None:
        hint = "   space changes it" if self.has_focus else ""
        role = "accent" if self.has_focus else "text"
        self.show(((f" [{'x' if self.value else ' '}] active", role), (hint, "muted")))


class ScheduleForm(ModalScreen[None]):
    """Stays, with all that was typed, until the platform has taken it or the user leaves."""

    CSS = """
    ScheduleForm { align: center middle; background: $background 60%; }
    ScheduleForm > #box {
        width: 78; max-width: 100%; height: auto; max-height: 100%; background: $background;
        border: round $accent; padding: 0 1;
    }
    ScheduleForm > #box.-production { border: heavy $status-failed; }
    ScheduleForm Horizontal { height: 1; }
    ScheduleForm .label { width: 13; }
    ScheduleForm Input, ScheduleForm Input:focus {
        border: none; height: 1; padding: 0 1; background: $panel; width: 1fr;
    }
    ScheduleForm #meaning { height: 8; margin-top: 1; }
    ScheduleForm #wrong { min-height: 1; max-height: 4; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="scheduleform.leave"),
        Binding("tab,down", "app.focus_next", "Next", id="scheduleform.next"),
        Binding("shift+tab,up", "app.focus_previous", "Before", id="scheduleform.before"),
    ]

    meaning = getters.query_one("#meaning", Passage)
    wrong = getters.query_one("#wrong", Passage)

    def __init__(
        self,
        service: PlatformService,
        project: ProjectRef,
        draft: ScheduleDraft,
        schedule: int | None = None,
        *,
        utc: bool,
    ) -> None:
        """Prepare it.

        Args:
            service: knows the refs, and the time.
            project: whose schedule it is.
            draft: what is typed already.
            schedule: the one to be changed; None: a new one.
            utc: whether times are shown in UTC.
        """
        super().__init__()
        self._service = service
        self._project = project
        self._before = draft
        self._schedule = schedule
        self._utc = utc
        self._refs: frozenset[str] | None = None

    def compose(self) -> ComposeResult:
        """Yield the fields, what they mean, and what is wrong."""
        production = self._service.profile.production
        with Vertical(id="box", classes="-production" if production else ""):
            yield Bar(id="title")
            for field in FIELDS:
                with Horizontal():
                    label = Bar(id=f"label-{field}")
                    label.add_class("label")
                    yield label
                    box = Input(
                        getattr(self._before, field), placeholder=_HINTS[field], id=field,
                        suggester=_zones() if field == "zone" else None, select_on_focus=False,
                    )  # fmt: skip
                    box.cursor_blink = False
                    yield box
            with Horizontal():
                label = Bar(id="label-active")
                label.add_class("label")
                yield label
                yield YesNo(value=self._before.active, id="active")
            yield Passage(id="meaning")
            yield Passage(id="wrong")
            yield Bar(id="foot")

    def on_mount(self) -> None:
        """Say what is asked, and look for the refs that there are."""
        profile = self._service.profile
        what = "New schedule" if self._schedule is None else f"Schedule #{self._schedule}"
        self.query_one("#title", Bar).show(
            ((f" {what}", "strong"), (" in ", "muted"), (clean(str(self._project)), "text")),
            badge(profile.name, production=profile.production),
        )
        for field in FIELDS:
            self.query_one(f"#label-{field}", Bar).show(((f" {field}", "muted"),))
        self.query_one("#foot", Bar).show((
            (" tab", "key"), (" next   ", "muted"), ("→", "key"), (" takes what is offered   ",
             "muted"), ("enter", "key"), (" go on   ", "muted"), ("esc", "key"),
            (" leave", "muted"),
        ))  # fmt: skip
        self.query_one("#description", Input).focus()
        self._tell_meaning()
        self.run_worker(self._find_refs(), group="refs", description="list branches and tags")

    async def _find_refs(self) -> None:
        """Offer the branches and tags that the platform lists; without them any is taken."""
        try:
            refs = await (await self._service.repository()).refs(self._project)
        except PlatuiError:
            return  # then only the platform can say which there are
        if refs:
            names = [clean(ref.name) for ref in refs]
            self._refs = frozenset(names)
            self.query_one("#ref", Input).suggester = SuggestFromList(names)

    @property
    def draft(self) -> ScheduleDraft:
        """Return what is typed now."""
        description, ref, cron, zone = (self.query_one(f"#{one}", Input).value for one in FIELDS)
        active = self.query_one("#active", YesNo).value
        return ScheduleDraft(description, ref, cron, zone, active)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.typed()

    def typed(self) -> None:
        """Tell what is typed means now."""
        self.wrong.tell(())
        self._tell_meaning()

    def _tell_meaning(self) -> None:
        now = self._service.clock.now()
        self.meaning.tell(preview(self.draft, now, utc=self._utc))

    def show_times(self, *, utc: bool) -> None:
        """Show the runs in another zone."""
        self._utc = utc
        self._tell_meaning()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_send()

    def action_send(self) -> None:
        """Say what is wrong, else ask whether it is to be sent."""
        draft = self.draft
        found = problems(draft, self._refs)
        if found:
            field, sentence = next(iter(found.items()))
            self.query_one(f"#{field}", Input).focus()
            self.wrong.tell(((sentence, "failed"),))
            return
        intent: NewSchedule | ScheduleChange | None
        if self._schedule is None:
            intent = draft.new(self._project)
        else:
            intent = draft.change(self._project, self._schedule, self._before)
        if intent is None:
            self.wrong.tell((("Nothing is changed yet.", "warning"),))
        else:
            self.post_message(WriteWanted((intent,), when_over=self._over))

    def _over(self, course: WriteCourse) -> None:
        """Keep the platform's own words in sight of what was typed."""
        state = course.state
        if isinstance(state, Refused) and self.is_mounted:
            self.wrong.tell(((clean(state.error.sentence), "failed"),))

    def action_leave(self) -> None:
        """Leave without sending."""
        self.dismiss(None)


def _zones() -> SuggestFromList:
    return SuggestFromList(zone_names(), case_sensitive=False)
