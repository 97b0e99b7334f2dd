"""The run form: what it is filled in from, how it stands, and its way to the platform."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final

from textual import getters, on

from platui.core.errors import PlatuiError
from platui.core.secrets import Secret
from platui.core.text import clean, shorten
from platui.models.values.drafts import ADD, REF, TOKEN, RunForm, variable_in
from platui.models.values.write_states import Done, Found, NotFound, Refused
from platui.models.values.writes import NewPipeline
from platui.present.chrome import Age, Freshness, KeyHint
from platui.present.form_rows import Takes
from platui.present.writes.requests import called
from platui.present.writes.run_form import (
    blamed,
    filled_words,
    form_rows,
    set_words,
    token_source,
    unknown_words,
)
from platui.service import resources
from platui.ui.controller import Controller, command
from platui.ui.controllers.place_keys import CopyView, GoBack, Refresh, SignIn
from platui.ui.controllers.running import Unlock
from platui.ui.failures import notice
from platui.ui.messages import WriteWanted
from platui.ui.screens.parts.body import Body, Here
from platui.ui.screens.parts.view_screen import ViewScreen
from platui.ui.screens.run_editing import KEY, RunEditing
from platui.ui.screens.run_filling import Filling
from platui.ui.widgets.field_input import HIDDEN_KEY
from platui.ui.widgets.form import Form
from platui.ui.widgets.form_view import FormView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from platui.models.values.places import Place
    from platui.models.values.queries import ProjectRef
    from platui.models.values.writes import WriteRequest
    from platui.present.chrome import Piece
    from platui.service.writes.task import WriteTask

_TALL: Final = 34  # Lines from which the preview has room of its own
_AS_LEFT: Final = "As it was left; {} starts over."
_OF_A_VARIABLE: Final = frozenset({"run.remove", "run.key", "run.secret"})


class RunKeys(Controller["RunBody"]):
    """Adds, changes and removes variables."""

    @command("a", "run.add", "Add", "Add a variable: KEY=value, or its key")
    async def add(self) -> None:
        await self.body.view.type(ADD, KEY, hint="KEY=value")

    @command(
        "s",
        "run.add_secret",
        "Secret",
        "Add a secret variable: its value is masked as it is typed, and never kept",
    )
    async def add_secret(self) -> None:
        """Let the key of a secret be typed, and then its value."""
        hint = "key of the secret; its value is asked for next"
        await self.body.view.type(ADD, HIDDEN_KEY, hint=hint)

    @command("x,delete", "run.remove", "Remove", "Take this variable out")
    def remove(self) -> None:
        if (found := self._variable()) is not None:
            form, number = found
            self.body.editing.change(form.without_variable(number))

    @command("e", "run.key", "Key", "Change the key of this variable")
    async def change_key(self) -> None:
        if (found := self._variable()) is not None:
            form, number = found
            await self.body.view.type(self.body.view.field, KEY, form.variables[number].key)

    @command(
        "space",
        "run.secret",
        "Mask",
        "Make this variable a secret; a secret made plain loses its value",
    )
    def mask(self) -> None:
        if (found := self._variable()) is None:
            return
        form, number = found
        old = form.variables[number]
        value: str | Secret = "" if isinstance(old.value, Secret) else Secret(old.value)
        self.body.editing.change(form.with_variable(number, replace(old, value=value)))

    @command("u", "run.sets", "Used before", "Take variables that were sent before in this project")
    async def choose_used(self) -> None:
        filling = self.body.filling
        if filling is None:
            return
        sets = filling.history.variables
        choices = ((str(at), shorten(set_words(one), 200)) for at, one in enumerate(sets))
        await self.screen.choose(
            "Variables of which run before? Secrets are to be typed again",
            choices,
            lambda chosen: self.body.editing.change(filling.form.with_all(sets[int(chosen)])),
        )

    def why_not(self, command: str) -> str:
        filling = self.body.filling
        if filling is None or not filling.is_ready:
            return "The form is not filled in yet."
        if command == "run.sets" and not filling.history.variables:
            return "No variables were sent before in this project."
        if command in _OF_A_VARIABLE and variable_in(self.body.view.field) is None:
            return "Put the cursor on a variable first."
        return ""

    def arrange_footer(self, names: Sequence[str]) -> Sequence[str]:
        if variable_in(self.body.view.field) is not None:
            return names
        return [name for name in names if name not in _OF_A_VARIABLE]

    def _variable(self) -> tuple[RunForm, int] | None:
        """Return the form, and which of its variables the cursor is on."""
        filling, number = self.body.filling, variable_in(self.body.view.field)
        return None if filling is None or number is None else (filling.form, number)


class AskAgain(Refresh):
    """Asks again what the form could not be filled in from."""

    def hides(self, _command: str) -> bool:
        """Return whether all has come."""
        filling = self.screen.body.filling
        return filling is None or filling.error is None


class RunHere(Here["RunBody"]):
    """The form."""

    def crumbs(self) -> tuple[str, ...]:
        if self.body.place.pipeline is None:
            return (self.project_name, "Run a pipeline")
        return (self.project_name, f"#{self.body.place.pipeline}", "Run again")

    @property
    def has_unsent(self) -> bool:
        """Return whether any form is filled in by the user, and not sent."""
        return any(one.is_changed for one in self.body.fillings.values())


class RunBody(Body):
    """A `Form`; what is typed stays till it is sent, or begun anew."""

    HERE = RunHere
    PARTS: ClassVar[tuple[str, ...]] = ("#form", "#rows", "#preview")

    form = getters.query_one("#form", Form)
    view = getters.query_one("#rows", FormView)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.fillings: dict[tuple[ProjectRef | None, int | None], Filling] = {}
        self.editing = RunEditing(self)

    def compose(self) -> ComposeResult:
        yield Form(id="form", at=1, tall=_TALL)

    def ready(self) -> None:
        self.focus_body()

    def focus_body(self) -> None:
        self.host.set_focus(self.view)

    @property
    def filling(self) -> Filling | None:
        return self.fillings.get((self.place.project, self.place.pipeline))

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
            self.fillings[place.project, place.pipeline] = filling
            self.view.go_to(REF)
            self._ask(filling)
        if place.triggered and self.filling is not None:
            self.filling.change(replace(self.filling.form, triggered=True))
        self.draw()
        self.host.tell_header()

    def visit(self, place: Place) -> None:
        filling = self.fillings.get((place.project, place.pipeline))
        if filling is not None:
            said = _AS_LEFT.format(self.host.key_of("form.clear", Form))
            filling.said = (said, "text") if filling.is_changed else ("", "text")
        super().visit(place)
        if filling is not None and filling.is_changed and self.is_whole:
            row = self.view.row
            if row is not None and row.takes is not Takes.KEYS:
                self.view.go_to(REF)  # the key that starts over is a key there

    def fetch_again(self) -> None:
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
            self.host.notice.say(notice(filling.error, self.host.key_of))
        else:
            self.host.notice.say(((f" {unknown}", "warning"),) if unknown else ())

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
        self.host.summarize(pieces)

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

    def _over(
        self, filling: Filling, key: tuple[ProjectRef | None, int | None], task: WriteTask
    ) -> None:
        """Take in what became of it: a form that was sent is an empty one next time."""
        progress = task.progress.value
        state = progress.states[0]
        if isinstance(state, Done):
            if self.fillings.get(key) is filling:
                del self.fillings[key]
            return
        error = state.error if isinstance(state, Refused) else progress.stopped
        if error is not None and not isinstance(state, Found | NotFound):
            field = blamed(error, triggered=filling.form.triggered)
            filling.refused = {field: f"{error.sentence} {error.hint}".strip()}
            if filling is self.filling:
                self.view.go_to(field)
        self._draw_of(filling)

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
        if self.filling is not None and self.filling.is_ready:
            self.fillings.pop((self.place.project, self.place.pipeline))
            self.start_feeds()

    def typing_hints(self) -> Sequence[KeyHint]:
        if not self.view.hints:
            return ()
        is_variable = variable_in(self.view.field) is not None and not self.view.is_typing
        return (*self.view.hints, *((KeyHint("delete", "remove"),) if is_variable else ()))


class RunScreen(ViewScreen):
    """A form of its own; asks before it sends."""

    BODY = RunBody
    CONTROLLERS = (GoBack, AskAgain, SignIn, CopyView, Unlock, RunKeys)
    FOOTER = (
        "form.choose", "write.send", "run.add", "run.add_secret", "run.remove", "run.secret",
        "run.key", "form.request", "run.sets", "form.copy", "form.clear", "place.up",
    )  # fmt: skip
