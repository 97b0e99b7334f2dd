"""The run form: fill in, preview, send."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters, on

from platui.models.values.drafts import REF, TOKEN, RunForm, variable_in
from platui.models.values.write_states import Done, Found, NotFound, Refused
from platui.models.values.writes import NewPipeline, WriteRequest
from platui.present.chrome import Age, Freshness, KeyHint, Piece
from platui.present.form_rows import Takes
from platui.present.writes.requests import called
from platui.present.writes.run_form import (
    blamed,
    filled_words,
    form_rows,
    token_source,
    unknown_words,
)
from platui.ui.controllers.run_keys import Unlock
from platui.ui.controllers.view_keys import CopyView, GoBack, Refresh, SignInAgain
from platui.ui.dialogs.question import start_over_dialog
from platui.ui.error_display import hint_of_action, notice
from platui.ui.messages import RequestWrites
from platui.ui.screens.parts.body import Body, ViewContext
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.screens.run.form import RunFormEditor, RunFormState, with_typed
from platui.ui.screens.run.variable_keys import VariableKeys
from platui.ui.widgets.form import Form
from platui.ui.widgets.form_view import FormView

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from platui.models.values.queries import ProjectRef
    from platui.models.values.routes import Route
    from platui.service.writes.task import WriteTask

_TALL: Final = 34  # Lines from which the preview is shown
_KEPT: Final = "Started as it was sent. The form is kept, as you went on with it."
_REF_LOADING: Final = "The default branch is still loading: try again, or choose a ref."
_UNSAVED_KEPT: Final = "Unsaved input restored; {} clears it."


class RunContext(ViewContext["RunBody"]):
    def crumbs(self) -> tuple[str, ...]:
        if self.body.route.pipeline is None:
            return (self.project_name, "Run a pipeline")
        return (self.project_name, f"#{self.body.route.pipeline}", "Rerun")

    def aim(self, route: Route) -> None:
        if (form_state := self.body.form_state) is not None:
            form_state.take_asked(route.ref, triggered=route.triggered)
            self.body.draw()

    @property
    def has_unsaved_input(self) -> bool:
        is_typing = self.body.is_whole and self.body.view.is_typing
        return is_typing or any(one.is_changed for one in self.body.form_states.values())


class RunBody(Body):
    """A `Form`; input stays until it is sent or cleared."""

    CONTEXT = RunContext
    REQUIRED_WIDGETS: ClassVar[tuple[str, ...]] = ("#form", "#rows", "#preview")

    form = getters.query_one("#form", Form)
    view = getters.query_one("#rows", FormView)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.form_states: dict[tuple[ProjectRef | None, int | None], RunFormState] = {}
        self.editing = RunFormEditor(self)

    def compose(self) -> ComposeResult:
        yield Form(id="form", at=1, tall=_TALL)

    def ready(self) -> None:
        self.focus_body()

    def focus_body(self) -> None:
        self.host.set_focus(self.view)

    @property
    def form_state(self) -> RunFormState | None:
        return self.form_states.get((self.route.project, self.route.pipeline))

    def start_feeds(self) -> None:
        self.age = Age(Freshness.UNASKED)
        route = self.route
        if route.project is None:
            return
        form_state = self.form_state or self._open_form(route.project)
        if not form_state.is_asked:
            form_state.is_asked = True
            self._ask(form_state)
        self.draw()
        self.host.update_header()

    def _open_form(self, project: ProjectRef) -> RunFormState:
        again = self.route.pipeline is not None
        route = self.route
        form = RunForm(project, route.ref, triggered=route.triggered, file_is_known=not again)
        form_state = RunFormState(form, is_ready=not again)
        self.form_states[project, self.route.pipeline] = form_state
        if self.is_whole:
            self.view.go_to(REF)  # while it has the rows of the form before
        return form_state

    def visit(self, route: Route) -> None:
        before = self.form_state
        is_left = (route.project, route.pipeline) != (self.route.project, self.route.pipeline)
        if is_left and self.is_whole and (typed := self.view.leave()) and before is not None:
            before.change(with_typed(before.form, typed))
        form_state = self.form_states.get((route.project, route.pipeline))
        if form_state is not None:
            message = _UNSAVED_KEPT.format(self.host.key_of("form.reset", Form))
            form_state.message = (message, "text") if form_state.is_changed else ("", "text")
        super().visit(route)
        if self.form_state is None and route.project is not None:
            self._open_form(route.project)
            self.draw()  # the first frame, before feeds start, would show the form that was sent
        if form_state is not None and form_state.is_changed and self.is_whole:
            row = self.view.cursor.row
            if row is not None and row.takes is not Takes.KEYS:
                self.view.go_to(REF)  # the key that clears the form works there

    @property
    def can_fetch_again(self) -> bool:
        return self.form_state is not None and self.form_state.error is not None

    def fetch_again(self) -> None:
        form_state = self.form_state
        if form_state is not None and form_state.error is not None:
            form_state.error = None
            self._ask(form_state)
            self.draw()

    def _ask(self, form_state: RunFormState) -> None:
        # Not a feed: it continues while a dialog covers the form.
        route = self.route
        form_state.is_ref_loading = route.pipeline is None
        self.in_background(
            f"fill-{route.project}-{route.pipeline}", self._fill, form_state, route.pipeline
        )

    async def _fill(self, form_state: RunFormState, pipeline: int | None) -> None:
        await form_state.fetch(self.service, pipeline)
        self._draw_of(form_state)
        if form_state.error is None and pipeline is None:
            await form_state.fetch_ref(self.service)
        form_state.is_ref_loading = False
        self._draw_of(form_state)

    def _draw_of(self, form_state: RunFormState) -> None:
        if form_state is self.form_state:
            self.draw()

    def draw(self) -> None:
        form_state = self.form_state
        if not self.is_whole or form_state is None:
            return
        request = self.request(form_state.form)
        missing = self._missing_token(request) if form_state.has_tried else {}
        problems = {**missing, **form_state.problems}
        rows = form_rows(form_state.form, request, form_state.shown_origins, problems)
        self.form.show(*((rows, request) if form_state.is_ready else ((), None)))
        self._draw_summary(form_state)
        unknown = unknown_words(form_state.form, form_state.draft) if form_state.is_ready else ""
        warning = ((f" {unknown}", "warning"),) if unknown else ()
        self.host.notice.set(notice(form_state.error, self.host.key_of) or warning)

    def request(self, form: RunForm) -> WriteRequest:
        name = called(form.project, self.route.project_name)
        return self.service.write_service.request(form.intent, called=name)

    def _missing_token(self, request: WriteRequest) -> dict[str, str]:
        [intent] = request.intents
        if isinstance(intent, NewPipeline) and intent.triggered and not token_source(request):
            return {TOKEN: "Enter the trigger token of this project."}
        return {}

    def _draw_summary(self, form_state: RunFormState) -> None:
        number = self.route.pipeline
        if not form_state.is_ready:
            pieces: list[Piece] = [(f"Loading the variables of #{number} …", "muted")]
        elif form_state.message[0]:
            pieces = [form_state.message]
        elif form_state.draft is not None and number is not None:
            pieces = [(filled_words(form_state.draft, number), "text")]
        else:
            project = called(form_state.form.project, self.route.project_name)
            pieces = [(f"New pipeline in {project}", "text")]
        self.host.summarize(pieces)

    def start(self) -> None:
        form_state = self.form_state
        if form_state is None or not form_state.is_ready:
            return
        if form_state.is_ref_loading and not form_state.form.ref:
            self.host.show_hint(_REF_LOADING)
            return
        form_state.has_tried = True
        request = self.request(form_state.form)
        problems = {**self._missing_token(request), **form_state.form.problems()}
        if problems:
            self.draw()
            self.view.go_to(next(iter(problems)))
            return
        unknown = unknown_words(form_state.form, form_state.draft)
        over = partial(self._on_task_end, form_state, form_state.form)
        wanted = (replace(form_state.form.intent, rerun_of=self.route.pipeline),)
        self.host.post_message(RequestWrites(wanted, (unknown,) if unknown else (), over))

    def _on_task_end(self, form_state: RunFormState, sent: RunForm, task: WriteTask) -> None:
        progress = task.progress.value
        state = progress.states[0]
        if isinstance(state, Done):
            is_typing = form_state is self.form_state and self.view.is_typing
            if is_typing or form_state.form != sent:
                form_state.message = (_KEPT, "text")
                self._draw_of(form_state)
                return
            for key in [key for key, one in self.form_states.items() if one is form_state]:
                del self.form_states[key]
            if self.form_state is None and self.host.is_shown:
                self.start_feeds()
            return
        error = state.error if isinstance(state, Refused) else progress.stopped
        if error is not None and not isinstance(state, Found | NotFound):
            field = blamed(error, triggered=form_state.form.triggered)
            form_state.refused = {field: f"{error.sentence} {hint_of_action(error)}".strip()}
            if form_state is self.form_state:
                self.view.go_to(field)
        self._draw_of(form_state)

    @on(FormView.Moved)
    def _moved(self, event: FormView.Moved) -> None:
        event.stop()
        self.host.refresh_bindings()

    @on(FormView.Chosen)
    async def _choose(self, event: FormView.Chosen) -> None:
        event.stop()
        await self.editing.choose(event)

    @on(FormView.Typed)
    async def _typed(self, event: FormView.Typed) -> None:
        event.stop()
        await self.editing.take_typed(event)

    @on(FormView.Pasted)
    def _pasted(self, event: FormView.Pasted) -> None:
        event.stop()
        self.editing.take_pasted(event)

    @on(Form.SendWanted)
    def _send(self, event: Form.SendWanted) -> None:
        event.stop()
        self.start()

    @on(Form.ClearWanted)
    def _clear(self, event: Form.ClearWanted) -> None:
        event.stop()
        form_state, at = self.form_state, (self.route.project, self.route.pipeline)
        if form_state is None or not form_state.is_ready:
            return

        def clear(yes: bool | None) -> None:  # noqa: FBT001  (what the dialog returns)
            if yes and self.form_states.pop(at, None) is not None:
                self.start_feeds()

        if form_state.is_changed:
            self.host.app.push_screen(start_over_dialog(), clear)
        else:
            clear(True)

    def typing_hints(self) -> Sequence[KeyHint]:
        if not self.view.hints:
            return ()
        at, project = self.view.cursor.field, self.route.project
        tokens = self.service.write_service.trigger_tokens
        is_token = at == TOKEN and project is not None and tokens.can_forget(project)
        is_removable = (is_token or variable_in(at) is not None) and not self.view.is_typing
        return (*self.view.hints, *((KeyHint("delete", "remove"),) if is_removable else ()))


class RunScreen(ViewScreen):
    BODY = RunBody
    CONTROLLERS = (GoBack, Refresh, SignInAgain, CopyView, Unlock, VariableKeys)
    FOOTER = (
        "form.edit", "write.send", "run.add", "run.add_secret", "run.remove", "run.secret",
        "run.key", "form.request", "run.recent_variables", "form.copy", "form.reset", "view.back",
    )  # fmt: skip
