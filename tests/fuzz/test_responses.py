"""Responses of any JSON become records or one error, and what is shown of records is clean."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bodies import (
    AT,
    LISTS,
    MODELS,
    Body,
    Decode,
    bodies,
    decoders,
    details_of,
    dumped,
    tables,
)
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_cell, check_error
from tests.fuzz.strategies import as_json, changed, damaged, json_values, numbers, texts

from platui.cli.output.lists import csv_lines
from platui.core.errors import InvalidResponseError
from platui.core.text import clean
from platui.models.values.feeds import Page
from platui.models.wire import Record, RepositoryFile

if TYPE_CHECKING:
    from collections.abc import Sequence


def decoded(decode: Decode, body: bytes, headers: dict[str, str] | None = None) -> Sequence[Record]:
    """Return the records of a body: none if it is refused, with the error that is documented."""
    try:
        with in_time():
            found = decode(body, headers or {})
    except InvalidResponseError as error:
        check_error(error)
        return ()
    if isinstance(found, Page):
        assert found.next is None or found.next > found.number
        return tuple(found.items)
    assert found is None or isinstance(found, Record)
    return () if found is None else (found,)


def check_shown(records: Sequence[Record]) -> None:
    """Check what tables, details, printed tables, JSON and CSV show of records."""
    with in_time():
        for record in records:
            hash(record)
            for spec, some in tables(record):
                rows = spec.rows(some, AT)
                for cell in (cell for row in rows for cell in row.cells):
                    check_cell(cell)
                for one in some:
                    assert all(text == clean(text) for text in spec.cli_texts(one, AT))
                objects = [spec.object(one, AT) for one in some]
                json.dumps(objects)
                if spec in LISTS:
                    assert all(line == clean(line) for line in csv_lines(objects, spec.csv_names))
            for details in details_of(record):
                assert details.title == clean(details.title)
                for field in details.fields:
                    check_cell(field.value)


fields = st.sampled_from(sorted({name for model in MODELS for name in model.model_fields}))


@tries(60)
@given(model=st.sampled_from(MODELS), value=json_values(fields | texts))
def test_any_json_is_a_record_or_refused(model: type[Record], value: Any) -> None:
    """By all that decodes this kind of record."""
    for decode in decoders(model):
        check_shown(decoded(decode, as_json(value)))


@tries(40)
@given(model=st.sampled_from(MODELS), body=st.binary(max_size=60))
@example(model=MODELS[0], body=b"[" * 100_000)
@example(model=MODELS[0], body=b'{"name":' * 100_000)
@example(model=MODELS[0], body=b"1" * 10_000)
def test_any_bytes_are_a_record_or_refused(model: type[Record], body: bytes) -> None:
    """Also what is no JSON, or nested without end."""
    for decode in decoders(model):
        decoded(decode, body)


@tries(150)
@given(st.data())
def test_a_valid_body_with_odd_values_is_shown(data: st.DataObject) -> None:
    """A field of an odd value does not hide the record: only its id and file path are required."""
    body: Body = data.draw(st.sampled_from(bodies()))
    value = data.draw(changed(body.value))
    check_shown(decoded(body.decode, as_json(value)))


@tries(60)
@given(st.data())
def test_a_valid_body_of_which_all_texts_or_numbers_are_odd_is_shown(data: st.DataObject) -> None:
    """Every record is still there."""
    body: Body = data.draw(st.sampled_from(bodies()))
    odd = data.draw(texts | numbers)
    spares = {"id", "file_path"} if not isinstance(odd, str) else {"id"}
    value = _replaced(body.value, odd, spares)
    records = decoded(body.decode, as_json(value))
    assert len(records) == (len(body.value) if body.is_list else 1)
    check_shown(records)


def _replaced(value: Any, odd: Any, spares: set[str]) -> Any:
    if isinstance(value, dict):
        return {
            key: one if key in spares else _replaced(one, odd, spares) for key, one in value.items()
        }
    if isinstance(value, list):
        return [_replaced(one, odd, spares) for one in value]
    return odd


@tries(80)
@given(st.data())
def test_a_body_damaged_on_its_way_is_shown_or_refused(data: st.DataObject) -> None:
    """Cut, overwritten or doubled."""
    body: Body = data.draw(st.sampled_from(bodies()))
    check_shown(decoded(body.decode, data.draw(damaged(dumped(body.value)))))


@tries(60)
@given(
    content=st.text(max_size=40) | st.binary(max_size=30).map(lambda data: data.hex()),
    encoding=st.sampled_from(["base64", "text", "", "base32"]),
)
def test_a_file_of_any_content_is_bytes_or_refused(content: str, encoding: str) -> None:
    """Whatever the platform calls base64."""
    file = RepositoryFile(file_path="a", content=content, encoding=encoding)
    try:
        assert isinstance(file.decoded(), bytes)
    except InvalidResponseError as error:
        check_error(error)


def test_what_is_changed_was_valid() -> None:
    """All records of an unchanged body are decoded and shown."""
    for one in bodies():
        records = decoded(one.decode, dumped(one.value))
        assert len(records) == (len(one.value) if one.is_list else 1), one.model
        check_shown(records)
