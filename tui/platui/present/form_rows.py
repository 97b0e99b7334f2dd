"""Forms as rows: values, notes and problems of fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final

from platui.core.dataclass import dataclass
from platui.core.secrets import MASK
from platui.core.text import clean

START: Final = "start"  # The last field of every form: sends it


class Takes(StrEnum):
    """How a row handles typed letters."""

    KEYS = "keys"
    TEXT = "text"
    HIDDEN = "hidden"  # Typed without echo
    SEARCH = "search"  # They search the list that opens


@dataclass(frozen=True, slots=True)
class FormRow:
    """One row of a form; clean text."""

    field: str  # Empty: read-only
    label: str = ""
    value: str = ""
    role: str = "text"
    note: str = ""  # Origin or meaning of the value, at the right
    problem: str = ""
    takes: Takes = Takes.KEYS
    switches: bool = False
    starts_input: bool = False  # Letters that are no keys start its input
    is_filled: bool = False  # Typing replaces the value


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form of plain texts."""

    name: str
    hint: str = ""
    words: tuple[str, ...] = ()  # The possible values; empty: free text
    is_listed: bool = False  # Chosen from a list that opens
    is_masked: bool = False  # Typed and shown without its text


def field_rows(
    fields: Sequence[Field],
    values: Mapping[str, str],
    problems: Mapping[str, str],
    notes: Mapping[str, str],
    end: str,
) -> list[FormRow]:
    """Return the rows; `notes` are origins of values, `end` labels the last row."""
    rows = [
        field_row(one, values.get(one.name, ""), problems, notes.get(one.name, ""))
        for one in fields
    ]
    wrong = clean(problems.get(START, ""))
    return [*rows, FormRow(""), FormRow(START, "", f"{end} …", "strong", problem=wrong)]


def field_row(field: Field, text: str, problems: Mapping[str, str], note: str = "") -> FormRow:
    value, problem = clean(text), clean(problems.get(field.name, ""))
    shown, role = (value, "text") if value else (field.hint, "muted")
    row = FormRow(field.name, field.name, shown, role, note, problem)
    if field.words:
        choice = " ".join(f"[{word}]" if word == value else f" {word} " for word in field.words)
        return replace(row, value=choice, role="text", note=note or "space: change", switches=True)
    if field.is_masked:
        return replace(row, value=MASK if value else shown, takes=Takes.HIDDEN)
    if field.is_listed:
        return replace(row, note=note or "enter: choose", takes=Takes.SEARCH)
    return replace(row, takes=Takes.TEXT, is_filled=bool(value))


def on_one_line(text: str) -> str:
    return " ".join(text.split()) if len(text.splitlines()) > 1 else text.rstrip("\r\n")
