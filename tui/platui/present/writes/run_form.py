"""The rows of the run form: values, their origins, and problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from platui.core.errors import CredentialError, NotFoundError, PlatuiError, UnauthorizedError
from platui.core.named_tuple import NamedTuple
from platui.core.secrets import MASK, Secret, lines_beside_pem
from platui.core.text import clean, json_escaped, shorten
from platui.models.values.drafts import (
    ADD,
    FILE,
    REF,
    TOKEN,
    WITH,
    key_problem,
    variable_field,
    variable_in,
)
from platui.models.values.writes import PIPELINE_FILE_VARIABLE, RunVariable, WriteRequest
from platui.present.counts import counted, some_of
from platui.present.form_rows import START, FormRow, Takes

if TYPE_CHECKING:
    from platui.models.values.drafts import RunDraft, RunForm

OWN_FILE: Final = "project default"
REF_LOADING: Final = "loading the default; enter: choose"

# Words in messages of platforms (GitLab's: "Reference not found")
_BLAMED: Final = {
    REF: ("reference", "branch", "no such ref"),
    FILE: ("config", "yaml", ".yml", "stages"),
    ADD: ("variable",),
}

_MOST: Final = 1000  # Variables taken from a paste; a longer paste is a mistake
_SHOWN: Final = 3
_LONGEST_KEY: Final = 40

PEM_PROBLEM: Final = "begins a key or certificate: type its key first, as a secret"


class Origins(NamedTuple):
    """Where the values of fields come from, in words; empty where the user chose them."""

    ref: str = ""
    file: str = ""


def form_rows(
    form: RunForm, request: WriteRequest, origins: Origins, problems: Mapping[str, str]
) -> list[FormRow]:
    def row(
        field: str, label: str, value: str, role: str = "text", note: str = "",
        takes: Takes = Takes.KEYS, *, switches: bool = False,
    ) -> FormRow:  # fmt: skip
        problem = clean(problems.get(field, ""))
        starts_input = field in {REF, FILE, ADD}
        return FormRow(field, label, value, role, note, problem, takes, switches, starts_input)

    if not form.file_is_known:
        file = row(FILE, "pipeline file", "unknown", "warning", "enter: choose")
    elif form.pipeline_file:
        file = row(FILE, "pipeline file", clean(form.pipeline_file), note=origins.file)
    else:
        file = row(FILE, "pipeline file", OWN_FILE, "muted", origins.file)
    if form.triggered:
        source = token_source(request)
        shown = (f"from {source}", "text") if source else ("not set", "warning")
        credential = [
            row(WITH, "token", "trigger token", note="enter: use the access token",
                switches=True),
            row(TOKEN, "trigger token", *shown, "type or paste one", Takes.HIDDEN),
        ]  # fmt: skip
    else:
        note = "enter: use a trigger token"
        credential = [row(WITH, "token", "access token", note=note, switches=True)]
    rows = [
        *credential,
        row(REF, "ref", clean(form.ref), note=origins.ref)
        if form.ref
        else row(REF, "ref", "not chosen", "warning", origins.ref or "enter: choose"),
        file,
        FormRow(""),
        FormRow("", "VARIABLES", "", "muted", _how_many(form)),
    ]
    rows += [
        row(
            variable_field(at),
            clean(item.key) or "(no key)",
            *_shown(item),
            "env_var, secret" if isinstance(item.value, Secret) else "env_var",
            Takes.HIDDEN if _is_missing(item) else Takes.KEYS,
        )
        for at, item in enumerate(form.variables)
    ]
    rows += [
        row(ADD, "+", "type KEY=value, or paste lines", "muted"),
        FormRow(""),
        row(START, "", f"{request.effect} …", "strong"),
    ]
    return rows


def token_source(request: WriteRequest) -> str:
    return clean(request.trigger_source)


def _shown(item: RunVariable) -> tuple[str, str]:
    if isinstance(item.value, Secret):
        return (MASK, "text") if item.value else ("type it again", "warning")
    return (json_escaped(item.value), "text") if item.value else ("(empty)", "muted")


def _is_missing(item: RunVariable) -> bool:
    return isinstance(item.value, Secret) and not item.value


def _how_many(form: RunForm) -> str:
    if not form.secrets:
        return ""
    if form.triggered:
        # Spec §4.3: only the other operation supports secrets.
        return "secrets are sent as plain variables"
    return f"{counted(form.secrets, 'secret')}, masked everywhere"


def filled_words(draft: RunDraft, pipeline: int) -> str:
    return f"Filled in from {draft.source.value} #{pipeline}."


def unknown_words(form: RunForm, draft: RunDraft | None) -> str:
    waiting = [clean(item.key) for item in form.variables if _is_missing(item)]
    words = (
        ("the pipeline file", not form.file_is_known),
        (f"the value of {', '.join(waiting)}", bool(waiting) and draft is not None),
        ("whether there were other variables", draft is not None and not draft.knows_variables),
    )
    unknown = [word for word, holds in words if holds]
    files = [] if draft is None else [one.key for one in form.variables if one.key in draft.files]
    sentences = (
        f"Unknown: {'; '.join(unknown)}." if unknown else "",
        f"Sent as env_var, but had another type: {clean(', '.join(files))}." if files else "",
    )
    return " ".join(filter(None, sentences))


def blamed(error: PlatuiError, *, triggered: bool) -> str:
    if isinstance(error, UnauthorizedError | CredentialError):
        return TOKEN if triggered else WITH
    if triggered and isinstance(error, NotFoundError):
        return TOKEN
    said = error.sentence.lower()
    for field, words in _BLAMED.items():
        if any(word in said for word in words):
            return field
    return START


class PastedInto(Enum):
    PAIRS = auto()
    TOKEN = auto()
    VALUE = auto()
    REF = auto()
    FILE = auto()


def pasted_into(form: RunForm, field: str, part: str, text: str) -> PastedInto:
    """Return the target of pasted text; `part`: the part of a field in edit, if any."""
    lines = text.strip().splitlines()
    pasted = read_pairs(text)
    are_pairs = bool(pasted.variables or pasted.pipeline_file) and not pasted.problems
    number = variable_in(field)
    if field == TOKEN:
        return PastedInto.PAIRS if are_pairs else PastedInto.TOKEN
    if number is not None and not part:
        secret = isinstance(form.variables[number].value, Secret)
        several = are_pairs and len(lines) > 1
        return PastedInto.PAIRS if several and not secret else PastedInto.VALUE
    if len(lines) == 1 and not are_pairs and len(text.split()) == 1:
        return {REF: PastedInto.REF, FILE: PastedInto.FILE}.get(field, PastedInto.PAIRS)
    return PastedInto.PAIRS


class Pasted(NamedTuple):
    variables: tuple[RunVariable, ...]
    pipeline_file: str | None
    problems: tuple[str, ...]  # Lines that were left out, with the reason; without values
    twice: tuple[str, ...] = ()  # Keys of several lines


def read_pairs(text: str, *, secret: bool = False) -> Pasted:
    """Parse lines of `KEY=value` as in `.env` files, with comments, `export ` and quotes."""
    found: dict[str, RunVariable] = {}
    file: str | None = None
    twice: dict[str, None] = {}
    lines, pem = lines_beside_pem(text)
    problems = [f"line {pem} {PEM_PROBLEM}"] if pem else []
    for number, raw in lines:
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        key, equals, value = line.removeprefix("export ").partition("=")
        key, value = key.strip(), _unquoted(value.strip())
        if not equals:
            problems.append(f"line {number} has no =")
        elif key == PIPELINE_FILE_VARIABLE:
            twice |= {key: None} if file is not None else {}
            file = value
        elif key_problem(key):
            problems.append(f"line {number} has no usable key")
        elif len(found) == _MOST and key not in found:
            problems.append(f"everything from line {number} on: limit of {_MOST:,} variables")
            break
        else:
            twice |= {key: None} if key in found else {}
            found[key] = RunVariable(key, Secret(value) if secret else value)
    return Pasted(tuple(found.values()), file, tuple(problems), tuple(twice))


def pasted_words(pasted: Pasted, before: Sequence[RunVariable] = ()) -> tuple[str, str]:
    """Describe what was pasted, and which variables of `before` it replaced."""
    taken = counted(len(pasted.variables), "variable")
    file = " and the pipeline file" if pasted.pipeline_file is not None else ""
    new = {one.key for one in pasted.variables}
    parts = [
        (f"{len(pasted.twice):,} given twice, the last counts", pasted.twice),
        ("replaced", [one.key for one in before if one.key in new]),
    ]
    words = [
        f"{what}: {some_of([shorten(key, _LONGEST_KEY) for key in keys], _SHOWN)}"
        for what, keys in parts
        if keys
    ]
    if pasted.problems:
        words.append(f"skipped: {some_of(pasted.problems, _SHOWN)}")
    role = "warning" if pasted.twice or pasted.problems else "text"
    return f"Pasted {'; '.join([f'{taken}{file}', *words])}.", role


def set_words(variables: Sequence[RunVariable]) -> str:
    return ", ".join(
        f"{clean(item.key)} (secret)"
        if isinstance(item.value, Secret)
        else f"{clean(item.key)}={json_escaped(item.value)}"
        for item in variables
    )


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if quoted else value
