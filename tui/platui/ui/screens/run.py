"""The run form: what it is filled in from, how it stands, and its way to the platform."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from textual import on

from platui.core.errors import PlatuiError
from platui.core.secrets import Secret
from platui.core.text import clean
from platui.models.values.drafts import REF, TOKEN, RunForm, RunHistory, variable_in
from platui.models.values.write_states import Done, Found, NotFound, Refused
from platui.models.values.writes import NewPipeline
from platui.present.chrome import Age, Freshness
from platui.present.form_rows import Takes
from platui.present.writes.requests import called
from platui.present.writes.run_form import (
    Origins,
    blamed,
    filled_words,
    form_rows,
    token_source,
    unknown_words,
)
from platui.service import resources
from platui.ui.failures import notice
from platui.ui.messages import WriteWanted
from platui.ui.screens.run_editing import EditsRun
from platui.ui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult

    from platui.models.values.drafts import RunDraft
    from platui.models.values.places import Place
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import WriteRequest
    from platui.present.chrome import Piece
    from platui.service.writes.task import WriteTask

_TALL: Final = 34  # Lines from which the preview has room of its own
_AS_LEFT: Final = "As it was left; {} starts over."


@dataclass(slots=True)
class Filling:
    """Kept while the dashboard runs, wherever one goes meanwhile: nothing typed is lost."""

    form: RunForm
    is_ready: bool = False  # Whether what it is filled in from has come, or failed to
    draft: RunDraft | None = None
    history: RunHistory = field(default_factory=RunHistory)
    default_ref: str = ""
    origins: Origins = field(default_factory=Origins)
    tried: bool = False  # Whether it was to be sent: from then on everything that is wrong is told.
    refused: dict[str, str] = field(default_factory=dict)  # Field -> the platform's objection
    error: PlatuiError | None = None  # Why it could not be filled in

    said: Piece = ("", "text")  # What became of the last paste, or that it is as it was left
    is_changed: bool = False  # Whether the user has filled anything in

    def change(self, form: RunForm) -> None:
        """Take another content; what was said to the one before is of no use any more."""
        if form.ref != self.form.ref:
            self.origins = self.origins._replace(ref="")
        if form.pipeline_file != self.form.pipeline_file:
            self.origins = self.origins._replace(file="")
        self.is_changed = self.is_changed or form != self.form
        self.form = form
        self.refused = {}

    def suggest_ref(self, ref: str, origin: str) -> None:
        """Fill in the ref where nobody has chosen one."""
        if ref and not self.form.ref:
            self.form = replace(self.form, ref=ref)
            self.origins = self.origins._replace(ref=origin)

    @property
    def told(self) -> Mapping[str, str]:
        """Return what is to be said at the fields now."""
        return {**self._wrong(), **self.refused}

    def _wrong(self) -> Mapping[str, str]:
        """Return what is wrong; before it was to be sent, only of what was typed."""
        found = self.form.problems()
        return found if self.tried else {at: found[at] for at in found if self._is_typed(at)}

    def _is_typed(self, at: str) -> bool:
        number = variable_in(at)
        if number is None:
            return False
        value = self.form.variables[number].value
        return bool(value) or not isinstance(value, Secret)


class RunScreen(EditsRun):
    """A `Form` in a view of its own; what is typed stays till it is sent, or begun anew."""

    WITHOUT = frozenset({"hold"})
    PARTS = (*EditsRun.PARTS, "#form", "#rows", "#preview")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._fillings: dict[tuple[ProjectRef | None, int | None], Filling] = {}

    def crumbs(self) -> tuple[str, ...]:
        """Return project, the pipeline that is run again, and what this is."""
        if self.place.pipeline is None:
            return (self.project_name, "Run a pipeline")
        return (self.project_name, f"#{self.place.pipeline}", "Run again")

    def compose_body(self) -> ComposeResult:
        """Yield the form."""
        yield Form(id="form", at=1, tall=_TALL)

    def on_mount(self) -> None:
        """Give the keys to the form."""
        self.focus_body()

    def focus_body(self) -> None:
        """Give the keys to the form."""
        self.set_focus(self.view)

    @property
    def has_unsent(self) -> bool:
        """Return whether any form is filled in by the user, and not sent."""
        return any(one.is_changed for one in self._fillings.values())

    @property
    def filling(self) -> Filling | None:
        """Return what is filled in here."""
        return self._fillings.get((self.place.project, self.place.pipeline))

    def start_feeds(self) -> None:
        """Find out once what the form can be filled in from."""
        self.age = Age(Freshness.UNASKED)
        place = self.place
        if place.project is None:
            return
        if self.filling is None:
            again = place.pipeline is not None
            form = RunForm(place.project, place.ref, file_is_known=not again)
            filling = Filling(form, is_ready=not again)
            self._fillings[place.project, place.pipeline] = filling
            self.view.go_to(REF)
            self._ask(filling)
        if place.triggered and self.filling is not None:
            self.filling.change(replace(self.filling.form, triggered=True))
        self.draw()
        self.tell_header()

    def visit(self, place: Place) -> None:
        """Open a form: what was said while it was open before is over; what was typed is there."""
        filling = self._fillings.get((place.project, place.pipeline))
        if filling is not None:
            said = _AS_LEFT.format(self.key_of("form.clear", Form))
            filling.said = (said, "text") if filling.is_changed else ("", "text")
        super().visit(place)
        if filling is not None and filling.is_changed and self.is_whole:
            row = self.view.row
            if row is not None and row.takes is not Takes.KEYS:
                self.view.go_to(REF)  # the key that starts over is a key there

    def action_refresh(self) -> None:
        """Ask again what could not be found out."""
        filling = self.filling
        if filling is not None and filling.error is not None:
            filling.error = None
            self._ask(filling)
            self.draw()

    def _ask(self, filling: Filling) -> None:
        # Not a feed: it goes on while a question lies over the form.
        place = self.place
        self.in_background(f"fill-{place.project}-{place.pipeline}", self._fill, filling, place)

    async def _fill(self, filling: Filling, place: Place) -> None:
        """Fill in a form from what is known; what was typed meanwhile stays."""
        project = filling.form.project
        try:
            if place.pipeline is not None and filling.draft is None:
                filling.draft = await self.service.write_desk.rerun(project, place.pipeline)
                filling.form = RunForm.of_draft(filling.draft)
            filling.history = await self.service.write_desk.run_history(project)
        except PlatuiError as error:
            filling.error = error
        filling.is_ready = True
        self._draw_of(filling)
        if filling.error is None and place.pipeline is None:
            await self._suggest(filling, project)

    async def _suggest(self, filling: Filling, project: ProjectRef) -> None:
        async for snapshot in self.service.watch(resources.projects.project(project)):
            if snapshot.value is not None:
                filling.default_ref = snapshot.value.default_branch
                if not filling.form.pipeline_file and snapshot.value.ci_config_path:
                    file = f"now {clean(snapshot.value.ci_config_path)}"
                    filling.origins = filling.origins._replace(file=file)
            if snapshot.value is not None or snapshot.error is not None:
                break
        filling.suggest_ref(filling.default_ref, "default branch")
        filling.suggest_ref(next(iter(filling.history.refs), ""), "used before")
        self._draw_of(filling)

    def _draw_of(self, filling: Filling) -> None:
        if filling is self.filling:
            self.draw()

    def draw(self) -> None:
        """Show the form and all that follows from it."""
        filling = self.filling
        if not self.is_whole or filling is None:
            return
        request = self.request(filling.form)
        told = {**(self._lacking(request) if filling.tried else {}), **filling.told}
        rows = form_rows(filling.form, request, filling.origins, told)
        self.form.show(*((rows, request) if filling.is_ready else ((), None)))
        self._draw_summary(filling)
        unknown = unknown_words(filling.form, filling.draft) if filling.is_ready else ""
        if filling.error is not None:
            self.notice.say(notice(filling.error, self.key_of))
        else:
            self.notice.say(((f" {unknown}", "warning"),) if unknown else ())

    def request(self, form: RunForm) -> WriteRequest:
        """Return what is asked and sent of a form, with the project called as it is here."""
        name = called(form.project, self.place.project_name)
        return self.service.write_desk.request(form.intent, called=name)

    def _lacking(self, request: WriteRequest) -> dict[str, str]:
        """Return what a request lacks that is not in the form."""
        [intent] = request.intents
        if isinstance(intent, NewPipeline) and intent.triggered and not token_source(request):
            return {TOKEN: "This project's trigger token is not known: type it."}
        return {}

    def _draw_summary(self, filling: Filling) -> None:
        number = self.place.pipeline
        if not filling.is_ready:
            pieces: list[Piece] = [(f"Asking what #{number} ran with …", "muted")]
        elif filling.said[0]:
            pieces = [filling.said]
        elif filling.draft is not None and number is not None:
            pieces = [(filled_words(filling.draft, number), "text")]
        else:
            project = called(filling.form.project, self.place.project_name)
            pieces = [(f"A new pipeline in {project}", "text")]
        self.summarize(pieces)

    @on(Form.SendWanted)
    def _send(self, event: Form.SendWanted) -> None:
        event.stop()
        self.start()

    def start(self) -> None:
        """Ask, and send it; where something is wrong, go there and say so."""
        filling = self.filling
        if filling is None or not filling.is_ready:
            return
        filling.tried = True
        request = self.request(filling.form)
        problems = {**self._lacking(request), **filling.form.problems()}
        if problems:
            self.draw()
            self.view.go_to(next(iter(problems)))
            return
        unknown = unknown_words(filling.form, filling.draft)
        over = partial(self._over, filling, (self.place.project, self.place.pipeline))
        wanted = (filling.form.intent,)
        self.post_message(WriteWanted(wanted, (unknown,) if unknown else (), over))

    @on(Form.ClearWanted)
    def _clear(self, event: Form.ClearWanted) -> None:
        event.stop()
        if self.filling is not None and self.filling.is_ready:
            self._fillings.pop((self.place.project, self.place.pipeline))
            self.start_feeds()

    def _over(
        self, filling: Filling, key: tuple[ProjectRef | None, int | None], task: WriteTask
    ) -> None:
        """Take in what became of it: a form that was sent is an empty one next time."""
        progress = task.progress.value
        state = progress.states[0]
        if isinstance(state, Done):
            if self._fillings.get(key) is filling:
                del self._fillings[key]
            return
        error = state.error if isinstance(state, Refused) else progress.stopped
        if error is not None and not isinstance(state, Found | NotFound):
            field = blamed(error, triggered=filling.form.triggered)
            filling.refused = {field: f"{error.sentence} {error.hint}".strip()}
            if filling is self.filling:
                self.view.go_to(field)
        self._draw_of(filling)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Grey out what there is nothing to do with."""
        if action == "refresh":
            return self.filling is not None and self.filling.error is not None
        return super().check_action(action, parameters)
