"""Content and problems of a run form; choose, type and paste its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from platui.core.dataclass import dataclass
from platui.core.errors import PlatuiError
from platui.core.secrets import Secret, is_pem
from platui.core.text import clean
from platui.models.values.drafts import (
    ADD,
    FILE,
    REF,
    TOKEN,
    WITH,
    RunForm,
    RunHistory,
    variable_field,
    variable_in,
)
from platui.models.values.writes import RunVariable
from platui.present.form_rows import START
from platui.present.writes.run_form import (
    OWN_FILE,
    REF_LOADING,
    Origins,
    PastedInto,
    pasted_into,
    pasted_words,
    read_pairs,
    token_source,
)
from platui.service import PlatformService, resources
from platui.ui.dialogs.menu import MenuItem
from platui.ui.dialogs.picker import USED, Picker, ref_picker
from platui.ui.widgets.field_input import HIDDEN_KEY, VALUE, FieldInput

if TYPE_CHECKING:
    from platui.models.values.drafts import RunDraft
    from platui.models.values.queries import ProjectRef
    from platui.present.chrome import Piece
    from platui.ui.screens.run.body import RunBody
    from platui.ui.widgets.form_view import FormView

KEY: Final = "key"  # The field part left of the value
_ON_ROW: Final = "row"  # Typed on the row for more variables, where the next one may be typed
_SEVERAL_LINES: Final = "This value has several lines: paste another value to replace it."


class RunFormEditor:
    def __init__(self, body: RunBody) -> None:
        self._body = body

    def change(self, form: RunForm, message: Piece = ("", "text")) -> None:
        if self._body.form_state is not None:
            self._body.form_state.change(form)
            self._body.form_state.message = message
            self._body.draw()

    async def choose(self, event: FormView.Chosen) -> None:
        form_state = self._body.form_state
        if form_state is None:
            return
        form, number = form_state.form, variable_in(event.field)
        if number is not None:
            await self._type_value(form, number, event.text)
        elif event.field == WITH:
            form = replace(form, triggered=not form.triggered)
            self.change(form)
            if form.triggered:  # a trigger token can be typed at once, lest it press keys
                await self._type_token(form, "")
        elif event.field == TOKEN:
            await self._type_token(form, event.text)
        elif event.field == REF:
            known, project = form_state.history.refs, form.project
            refs = ref_picker(
                self._body.service, project, form_state.default_ref, known, event.text
            )
            self._body.app.push_screen(refs, self._take_ref)
        elif event.field == FILE:
            self._body.app.push_screen(self._files(form_state, event.text), self._take_file)
        elif event.field == ADD:
            await self._body.view.type(FieldInput(ADD, _ON_ROW, event.text, hint="KEY=value"))
        elif event.field == START:
            self._body.start()

    async def _type_token(self, form: RunForm, text: str) -> None:
        source = token_source(self._body.request(form))
        hint = "type or paste the token; it is never shown"
        hint = f"from {source}; type another to replace it, never shown" if source else hint
        await self._body.view.type(FieldInput(TOKEN, VALUE, text, masked=True, hint=hint))

    def _files(self, form_state: RunFormState, typed: str) -> Picker:
        """Return the picker of a pipeline file; that of the project settings has an empty value."""
        ref = form_state.form.ref
        items = [MenuItem("", OWN_FILE, "from the project settings")]
        items += [MenuItem(path, path, USED) for path in form_state.history.pipeline_files]

        async def find(_word: str) -> tuple[Sequence[MenuItem], bool]:
            if not ref:
                return (), True
            repository = await self._body.service.repository()
            files = await repository.pipeline_files(form_state.form.project, ref, None)
            return [MenuItem(path, path, "in the repository") for path in files.listed or ()], True

        return Picker("Choose a pipeline file or type its path", items, find, typed)

    def _take_ref(self, ref: str | None) -> None:
        if ref is not None and self._body.form_state is not None:
            self.change(replace(self._body.form_state.form, ref=ref))

    def _take_file(self, path: str | None) -> None:
        if path is not None and self._body.form_state is not None:
            self.change(self._body.form_state.form.with_file(path.strip("/")))

    async def _type_value(self, form: RunForm, number: int, begun: str = "") -> None:
        """Edit the value of a variable; a secret starts empty and is never shown."""
        value = form.variables[number].value
        masked = isinstance(value, Secret)
        text = begun if begun or isinstance(value, Secret) else value
        if len(text.splitlines()) > 1:
            self._body.host.show_hint(_SEVERAL_LINES)
            text = ""
        await self._body.view.type(FieldInput(variable_field(number), VALUE, text, masked=masked))

    async def take_typed(self, event: FormView.Typed) -> None:
        if (form_state := self._body.form_state) is None:
            return
        if event.field == TOKEN:
            self._take_token(form_state.form.project, event.text)
            return
        form = with_typed(form_state.form, event)
        if form is not form_state.form:
            self.change(form)
            if event.field == ADD:
                await self._added(form, event)

    def _take_token(self, project: ProjectRef, text: str) -> None:
        words = text.split()
        if len(words) > 1 or "=" in text:
            self._body.host.show_hint("Not a trigger token: it contains spaces, line breaks or =.")
        elif words:
            self._body.view.go_to(REF)
            self._body.in_background("token", self._keep_token, project, Secret(words[0]))

    async def _keep_token(self, project: ProjectRef, token: Secret) -> None:
        try:
            await self._body.service.write_service.keep_trigger_token(project, token)
        except PlatuiError as error:
            self._body.host.show_error(error)
        if self._body.form_state is not None:
            self.change(self._body.form_state.form)

    def remove_token(self) -> None:
        if (form_state := self._body.form_state) is not None:
            self._body.in_background("token", self._remove_token, form_state.form.project)

    async def _remove_token(self, project: ProjectRef) -> None:
        try:
            await self._body.service.write_service.trigger_tokens.forget(project)
        except PlatuiError as error:
            self._body.host.show_error(error)
            return
        if self._body.form_state is not None:
            self.change(self._body.form_state.form, ("Trigger token removed.", "text"))

    async def _added(self, form: RunForm, event: FormView.Typed) -> None:
        """Go on after a new variable; ask for its value if only its key was typed."""
        number = len(form.variables) - 1
        self._body.view.go_to(ADD if event.part == _ON_ROW else variable_field(number))
        value = form.variables[number].value
        if "=" not in event.text or (isinstance(value, Secret) and not value):
            await self._type_value(form, number)

    def take_pasted(self, event: FormView.Pasted) -> None:
        """Take a paste to its field; parts of a secret go nowhere else."""
        form_state = self._body.form_state
        if form_state is None or not form_state.is_ready:
            return
        form, number = form_state.form, variable_in(event.field)
        match pasted_into(form, event.field, event.part, event.text):
            case PastedInto.TOKEN:
                self._take_token(form.project, event.text)
            case PastedInto.VALUE if number is not None:
                # Without the line break after a single line.
                is_line = len(event.text.splitlines()) <= 1
                text = event.text.rstrip("\r\n") if is_line else event.text
                self.change(_with_value(form, number, text))
            case PastedInto.REF:
                self._take_ref(event.text.strip())
            case PastedInto.FILE:
                self._take_file(event.text.strip())
            case _:
                pasted = read_pairs(event.text, secret=event.part == HIDDEN_KEY)
                before, form = form.variables, form.with_all(pasted.variables)
                if pasted.pipeline_file is not None:
                    form = form.with_file(pasted.pipeline_file)
                self.change(form, pasted_words(pasted, before))


def with_typed(form: RunForm, typed: FormView.Typed) -> RunForm:
    """Return the form with the text of a variable, or with a new variable."""
    number, text = variable_in(typed.field), typed.text
    if number is None:
        key, _, value = text.partition("=")
        secret = typed.part == HIDDEN_KEY or is_pem(value)
        new = RunVariable(key.strip(), Secret(value) if secret else value)
        return form.with_variable(len(form.variables), new) if text.strip() else form
    if number < len(form.variables) and typed.part == KEY:
        return form.with_variable(number, replace(form.variables[number], key=text.strip()))
    return _with_value(form, number, text)


def _with_value(form: RunForm, number: int, text: str) -> RunForm:
    old = form.variables[number] if number < len(form.variables) else None
    if old is None or (isinstance(old.value, Secret) and not text):
        return form
    value = Secret(text) if isinstance(old.value, Secret) else text
    return form.with_variable(number, replace(old, value=value))


@dataclass(slots=True)
class RunFormState:
    """State of a run form; it survives leaving the view."""

    form: RunForm
    is_asked: bool = False  # Whether loading has begun
    is_ready: bool = False  # Whether loading has ended
    draft: RunDraft | None = None
    history: RunHistory = field(default_factory=RunHistory)
    default_ref: str = ""
    is_ref_loading: bool = False
    origins: Origins = field(default_factory=Origins)
    has_tried: bool = False  # Whether to show all problems
    refused: dict[str, str] = field(default_factory=dict)  # Field -> error of the platform
    error: PlatuiError | None = None  # Why loading failed

    message: Piece = ("", "text")  # About the last paste or restored input
    is_changed: bool = False  # Whether the user has changed it

    def change(self, form: RunForm) -> None:
        """Replace the content, and drop errors about the previous one."""
        if form.ref != self.form.ref:
            self.origins = self.origins._replace(ref="")
        if form.pipeline_file != self.form.pipeline_file:
            self.origins = self.origins._replace(file="")
        self.is_changed = self.is_changed or form != self.form
        self.form = form
        self.refused = {}

    def take_asked(self, ref: str, *, triggered: bool) -> None:
        """Take what a command asked for; without a ref, that of the form stays."""
        if ref and ref != self.form.ref:
            self.form = replace(self.form, ref=ref)
            self.origins, self.refused = self.origins._replace(ref=""), {}
        if triggered:
            self.form = replace(self.form, triggered=True)

    async def fetch(self, service: PlatformService, pipeline: int | None) -> None:
        writes, project = service.write_service, self.form.project
        try:
            if pipeline is not None and self.draft is None:
                self.draft = await writes.rerun(project, pipeline)
                self.form = self.form.filled_from(self.draft)
            self.history = await writes.run_history(project)
        except PlatuiError as error:
            self.error = error
        self.is_ready = True

    async def fetch_ref(self, service: PlatformService) -> None:
        """Fill in the default branch, else the last used ref."""
        async for snapshot in service.watch(resources.projects.project(self.form.project)):
            if snapshot.value is not None:
                self.default_ref = snapshot.value.default_branch
                if not self.form.pipeline_file and snapshot.value.ci_config_path:
                    file = f"now {clean(snapshot.value.ci_config_path)}"
                    self.origins = self.origins._replace(file=file)
            if snapshot.value is not None or snapshot.error is not None:
                break
        used = next(iter(self.history.refs), "")
        for ref, origin in ((self.default_ref, "default branch"), (used, "used last")):
            if ref and not self.form.ref:
                self.form = replace(self.form, ref=ref)
                self.origins = self.origins._replace(ref=origin)

    @property
    def shown_origins(self) -> Origins:
        if self.is_ref_loading and not self.form.ref:
            return self.origins._replace(ref=REF_LOADING)
        return self.origins

    @property
    def problems(self) -> Mapping[str, str]:
        """Return field -> problem to show now."""
        wrong = self.form.problems()
        if not self.has_tried:
            wrong = {at: wrong[at] for at in wrong if self._is_typed(at)}
        return {**wrong, **self.refused}

    def _is_typed(self, at: str) -> bool:
        number = variable_in(at)
        if number is None:
            return False
        value = self.form.variables[number].value
        return bool(value) or not isinstance(value, Secret)
