"""What a request says, whichever way it is spelled."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui_emulator.http.failures import ApiFailure
from platui_emulator.http.parameters import Parameters, read_parameters

FORM = "application/x-www-form-urlencoded"


def _values(params: Parameters, *names: str) -> dict[str, Any]:
    return {name: params.raw(name) for name in names}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a=1&b=", {"a": "1", "b": ""}),
        ("scope[]=x&scope[]=y", {"scope": ["x", "y"]}),
        ("variables[A]=1&variables[B]=2", {"variables": {"A": "1", "B": "2"}}),
        (
            "v[][key]=A&v[][value]=1&v[][key]=B&v[][value]=2",
            {"v": [{"key": "A", "value": "1"}, {"key": "B", "value": "2"}]},
        ),
        ("a[b][c]=1", {"a": {"b": {"c": "1"}}}),
        ("a=1&a[b]=2", {"a": {"b": "2"}}),
        ("a[b]=2&a=1", {"a": "1"}),
        ("a%5Bb%5D=caf%C3%A9+x", {"a": {"b": "café x"}}),
        ("a=%FF", {"a": "�"}),
        ("a[=1&[b]=2&a]=3&a[[]=4", {"a[": "1", "[b]": "2", "a]": "3", "a[[]": "4", "a": None}),
    ],
)
def test_brackets_nest(query: str, expected: dict[str, Any]) -> None:
    """Lists and mappings are spelled with brackets, in the query as in a form."""
    for params in (
        read_parameters(query.encode(), "", b""),
        read_parameters(b"", FORM, query.encode()),
    ):
        assert _values(params, *expected) == expected


def test_the_body_wins_over_the_query() -> None:
    """Both are merged."""
    params = read_parameters(b"ref=main&page=2", "application/json", b'{"ref":"dev"}')
    assert _values(params, "ref", "page") == {"ref": "dev", "page": "2"}


@pytest.mark.parametrize("spelling", ["true", "True", "1", "t", "on", True, 1])
def test_yes_has_many_spellings(spelling: object) -> None:
    """Clients write flags as their language does."""
    assert Parameters({"active": spelling}).flag("active", default=False) is True


def test_deep_nesting_is_refused() -> None:
    """Nobody needs it, and it must not cost anything."""
    with pytest.raises(ApiFailure):
        read_parameters(b"a" + b"[b]" * 2_000 + b"=1", "", b"")


@given(st.dictionaries(st.text("abcXYZ_-é 1", min_size=1), st.text(max_size=20), max_size=5))
def test_flat_forms_survive_the_journey(fields: dict[str, str]) -> None:
    """Names without brackets and any text come out as they went in."""
    params = read_parameters(b"", FORM, urlencode(fields).encode())
    assert _values(params, *fields) == fields


def _multipart(pairs: list[tuple[str, str]]) -> bytes:
    head = 'content-disposition: form-data; name="{}"; filename="a;b"\r\nX-Odd: 1'
    parts = [f"--b\r\n{head.format(name)}\r\n\r\n{value}\r\n" for name, value in pairs]
    return ("preamble\r\n" + "".join(parts) + "--b--\r\nepilogue").encode()


def test_a_multipart_form_is_read_as_another() -> None:
    """What stands around its parts is left out, and a value may have lines of its own."""
    sent = [("v[A]", "1\r\n--c\r\n\r\n2"), ("l[]", "x"), ("l[]", "ÿ"), ("empty", "")]
    params = read_parameters(b"", 'multipart/form-data; boundary="b"', _multipart(sent))
    assert params.all() == {"v": {"A": sent[0][1]}, "l": ["x", "ÿ"], "empty": ""}


@pytest.mark.parametrize("content_type", ["", FORM, "multipart/form-data; boundary=b"])
def test_there_is_an_end_to_parameters(content_type: str) -> None:
    """Thousands of fields are read, tens of thousands refused: all others would wait for them."""

    def read(number: int) -> Parameters:
        pairs = [(f"a{index}", "x") for index in range(number)]
        query = urlencode(pairs).encode()
        if not content_type:
            return read_parameters(query, "", b"")
        body = query if content_type == FORM else _multipart(pairs)
        return read_parameters(b"", content_type, body)

    assert len(read(4000).all()) == 4000
    with pytest.raises(ApiFailure, match="more than 4096 parameters"):
        read(4097)


@given(st.binary(max_size=200), st.sampled_from(["", FORM, "multipart/form-data; boundary=b"]))
def test_any_bytes_are_read_or_refused(body: bytes, content_type: str) -> None:
    """Whatever comes, the only way out besides a value is a refusal."""
    status = 200
    try:
        read_parameters(body, content_type, body)
    except ApiFailure as refusal:
        status = refusal.status
    assert status in {200, 400, 415}
