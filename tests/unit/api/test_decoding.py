"""Bytes become values, or an error that says what is wrong without repeating it."""

from __future__ import annotations

import re

import pytest

from platui.api.decoding import PageDecoder, RecordDecoder, ResultDecoder, acknowledged
from platui.core.errors import InvalidResponseError
from platui.models.wire import Job, Pipeline

PIPELINE = RecordDecoder(Pipeline)
JOBS = PageDecoder(Job, 1, 2)


def test_a_page_knows_what_comes_next() -> None:
    """Items and headers together make a page."""
    page = JOBS(b'[{"id":1},{"id":2}]', {"x-next-page": "2", "x-total": "5"})
    assert [job.id for job in page.items] == [1, 2]
    assert (page.number, page.next, page.total) == (1, 2, 5)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"{",
        b"null",
        b"[]",
        b'"text"',
        b'{"status":"success","ref":"planted-secret"}',
        b'{"id":null}',
        b'{"id":"planted-secret"}',
        b"[" * 100_000,
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_record_is_refused_in_one_line(body: bytes) -> None:
    """Broken JSON, another type, no id: a typed error that repeats nothing of the body."""
    with pytest.raises(InvalidResponseError) as refused:
        PIPELINE(body, {})
    assert "planted-secret" not in refused.value.sentence
    assert "\n" not in refused.value.sentence
    assert refused.value.hint
    assert "platform's response is" in refused.value.sentence
    assert not re.search("Pipeline|Input|valid", refused.value.sentence)


@pytest.mark.parametrize("body", [b"{}", b'{"message":"ok"}', b"[1]", b"[null]", b'[{"x":1}]'])
def test_what_is_no_list_is_refused(body: bytes) -> None:
    """An object where a list is promised, or an item without id."""
    with pytest.raises(InvalidResponseError):
        JOBS(body, {})


def test_one_bad_item_does_not_hide_the_list() -> None:
    """It is left out; whether there is another page goes by how many items came."""
    page = PageDecoder(Job, 1, 5)(b'[null,{"id":1},"x",{"name":"y"},{"id":2,"ref":"\\ud800"}]', {})
    assert [job.id for job in page.items] == [1, 2]
    assert page.next == 2


@pytest.mark.parametrize(
    ("body", "ref"),
    [
        (b'{"id":1,"ref":"a\\ud800b"}', "a?b"),
        (b'{"id":1,"ref":"a\xffb"}', "a\N{REPLACEMENT CHARACTER}b"),
        (b'\xef\xbb\xbf{"id":1,"ref":"main"}', "main"),
        (b'{"id":1,"ref":"\\u001b]52;c;x"}', "\x1b]52;c;x"),
    ],
)
def test_one_bad_character_does_not_hide_the_answer(body: bytes, ref: str) -> None:
    """Lone surrogates, stray bytes and a byte order mark are mended; controls are kept."""
    assert PIPELINE(body, {}).ref == ref


def test_a_write_whose_answer_nobody_documents_may_say_anything() -> None:
    """It was accepted; a record is a bonus."""
    decode = ResultDecoder(Pipeline)
    assert decode(b"", {}) is None
    assert decode(b'{"message":"201 Created"}', {}) is None
    assert decode(b'{"id":3}', {}) == Pipeline(id=3)


@pytest.mark.parametrize("body", [b"<p>Signed out</p>", b"OK", b'{"id": 1', b'"a word"', b"[]"])
def test_what_is_no_json_object_is_no_answer_of_the_platforms(body: bytes) -> None:
    """Whoever said it, nobody may take it for a yes."""
    for decode in (ResultDecoder(Pipeline), acknowledged):
        with pytest.raises(InvalidResponseError):
            decode(body, {})
    assert acknowledged(b" ", {}) is None  # type: ignore[func-returns-value]
    assert acknowledged(b'{"message":"201 Created"}', {}) is None  # type: ignore[func-returns-value]


def test_a_filter_that_was_ignored_is_made_up_for() -> None:
    """The others are left out, the total with them; the next page goes by what came."""
    body = b'[{"id":1,"status":"failed"},{"id":2,"status":"success"}]'
    decode = PageDecoder(Pipeline, 1, 2, lambda pipeline: pipeline.status == "failed")
    page = decode(body, {"x-total": "2"})
    assert [pipeline.id for pipeline in page.items] == [1]
    assert (page.next, page.total) == (2, None)
