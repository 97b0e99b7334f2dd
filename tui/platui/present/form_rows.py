"""Forms as rows: what each field holds, where that comes from, what is wrong there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from platui.core.text import clean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

START: Final = "start"  # The last field of every form: sends it


class Takes(StrEnum):
    """What letters do while the cursor is on a row."""

    KEYS = "keys"
    TEXT = "text"
    HIDDEN = "hidden"  # Typed without echo


@dataclass(frozen=True, slots=True)
class FormRow:
    """One row of a form, clean."""

    field: str  # Empty: read-only
    label: str = ""
    value: str = ""
    role: str = "text"
    note: str = ""  # Origin or meaning of the value, at the right
    problem: str = ""
    takes: Takes = Takes.KEYS
    switches: bool = False
    is_filled: bool = False  # Typing replaces the value


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form whose values are all words."""

    name: str
    hint: str = ""
    words: tuple[str, ...] = ()  # The possible values; empty: free text
    is_listed: bool = False  # Chosen from a list that opens


def field_rows(
    fields: Sequence[Field],
    values: Mapping[str, str],
    problems: Mapping[str, str],
    notes: Mapping[str, str],
    end: str,
) -> list[FormRow]:
    """`notes` say where values come from, `end` what the last row does."""
    rows = [
        _row(one, clean(values.get(one.name, "")), problems, notes.get(one.name, ""))
        for one in fields
    ]
    wrong = clean(problems.get(START, ""))
    return [*rows, FormRow(""), FormRow(START, "", f"{end} …", "strong", problem=wrong)]


def _row(field: Field, value: str, problems: Mapping[str, str], note: str) -> FormRow:
    problem = clean(problems.get(field.name, ""))
    if field.words:
        shown = " ".join(f"[{word}]" if word == value else f" {word} " for word in field.words)
        return FormRow(
            field.name, field.name, shown, "text", note or "space changes it", problem,
            switches=True,
        )  # fmt: skip
    role = "text" if value else "muted"
    if field.is_listed:
        note = note or "enter chooses it"
        return FormRow(field.name, field.name, value or field.hint, role, note, problem)
    return FormRow(
        field.name, field.name, value or field.hint, role, note, problem, Takes.TEXT,
        is_filled=bool(value),
    )  # fmt: skip
