"""An answer laid out: nothing changed but its blanks, nothing shown that is a secret."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.core.text import clean, json_escaped
from platui.present.raw import Hit, raw_document

MASK = "•••"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=20,
)


def lines_of(value: object) -> tuple[str, ...]:
    """Return the lines of a value, or of an answer as it came."""
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return raw_document(body).lines


def shown(value: object) -> Any:
    """Return what is shown of a value, read again."""
    return json.loads("\n".join(lines_of(value)))


@given(JSON, st.booleans())
def test_what_is_shown_is_what_was_said(value: Any, plain: bool) -> None:  # noqa: FBT001
    """Read again it is the same, whatever it was; nothing in it can command."""
    body = json.dumps(value, ensure_ascii=not plain).encode("utf-8", "surrogatepass")
    document = raw_document(body)
    if document.masked == 0 and document.is_json:
        text = body.decode("utf-8", "backslashreplace")
        assert json.loads(document.text) == json.loads(text)
    assert all(clean(line) == line for line in document.lines)


def test_keys_numbers_and_escapes_stay_as_they_were_written() -> None:
    """In their order, twice where they came twice; `1.50` is not `1.5`."""
    body = b'{"z":1.50,"a":[],"z":12345678901234567890123,"e":"\\u001b[2J\\/","n":{},"x":-1E+9}'
    assert lines_of(body) == (
        "{",
        '  "z": 1.50,',
        '  "a": [],',
        '  "z": 12345678901234567890123,',
        '  "e": "\\u001b[2J\\/",',
        '  "n": {},',
        '  "x": -1E+9',
        "}",
    )


def test_lists_and_objects_in_lists_have_a_line_each() -> None:
    """Two cells deeper than what holds them."""
    assert lines_of({"a": [1, {"b": [[]]}]}) == (
        "{", '  "a": [', "    1,", "    {", '      "b": [', "        []", "      ]", "    }", "  ]",
        "}",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("sign", "written"),
    [
        ("\x1b", "\\u001b"), ("\x9b", "\\u009b"), ("\u202e", "\\u202e"), ("\u200b", "\\u200b"),
        ("\n", "\\u000a"), ("\U000e0041", "\\udb40\\udc41"), ("é", "é"), ("\u2028", "\\u2028"),
    ],
)  # fmt: skip
def test_what_could_command_is_written_as_json_does(sign: str, written: str) -> None:
    """In values and in keys, though the platform sent it bare."""
    document = raw_document(f'{{"a{sign}": "b{sign}"}}'.encode())
    assert document.lines[1] == f'  "a{written}": "b{written}"'
    assert json.loads(document.lines[1].partition(": ")[2]) == f"b{sign}"
    assert json_escaped(sign) == written


def test_bytes_that_are_no_text_are_seen() -> None:
    """Not replaced by a sign that says nothing."""
    assert lines_of(b'"a\xff\xfeb"') == ('"a\\xff\\xfeb"',)


@pytest.mark.parametrize(
    "key",
    [
        "token", "runners_token", "CI_JOB_TOKEN", "secret_value", "password", "db_passwd",
        "private_key", "privateKey", "aws_secret_access_key", "credentials", "api-key",
        "Authorization", "passphrase", "access_key",
    ],
)  # fmt: skip
def test_secrets_are_masked_by_their_key(key: str) -> None:
    """Strings, numbers, and everything within an object or list."""
    planted: list[Any] = ["planted", 4711, ["planted", {"deep": "planted"}], {"name": "planted"}]
    for value in planted:
        document = raw_document(json.dumps({key: value, "name": "etl"}).encode())
        assert "planted" not in document.text
        assert "4711" not in document.text
        assert document.masked >= 1
        assert '"name": "etl"' in document.text


def test_a_key_in_disguise_is_a_key() -> None:
    r"""`\u0074oken` is `token` to whoever reads JSON."""
    assert shown(b'{"\\u0074oken": "planted"}') == {"token": MASK}


def test_what_tells_about_a_secret_is_none() -> None:
    """Flags, blanks, and what ends as ids, times and counts do."""
    value = {
        "token_expires_at": "2026-01-01", "token_id": 5, "ci_job_token_scope_enabled": True,
        "password": None, "secret": "", "tokens_count": 3,
    }  # fmt: skip
    assert shown(value) == value


def test_what_platui_takes_out_of_answers_is_said_to_be_masked() -> None:
    """And not shown as the nothing that is kept of it."""
    document = raw_document(b'{"runners_token": null}')
    assert (document.lines[1], document.masked) == (f'  "runners_token": "{MASK}"', 1)


@pytest.mark.parametrize(
    "variable",
    [
        {"key": "DB_PASSWORD", "value": "planted"},
        {"value": "planted", "key": "DB_PASSWORD"},
        {"value": "planted", "more": 1, "key": "AWS_ACCESS_KEY_ID", "protected": False},
        {"key": "HARMLESS", "masked": True, "value": "planted"},
        {"key": "X", "secret_value": "planted"},
        {"key": "MY_TOKEN", "value": {"inner": "planted"}},
    ],
)
def test_a_variable_is_masked_by_its_name(variable: dict[str, Any]) -> None:
    """Whichever comes first, name or value; the lines around stay valid."""
    document = raw_document(
        json.dumps({"variables": [variable, {"key": "A", "value": "b"}]}).encode()
    )
    assert "planted" not in document.text
    assert document.masked == 1
    read = json.loads(document.text)["variables"]
    assert read[1] == {"key": "A", "value": "b"}
    assert list(read[0]) == list(variable)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("https://oauth2:planted-pw@git.test/a.git", f"https://oauth2:{MASK}@git.test/a.git"),
        ("https://x.test/?private_token=planted&a=1", f"https://x.test/?private_token={MASK}&a=1"),
        ("glpat-planted-planted-1 is mine", f"glpat-{MASK} is mine"),
        ("Authorization: Bearer planted.planted.x", f"Authorization: Bearer {MASK}"),
    ],
)
def test_secrets_within_a_text_are_masked(text: str, left: str) -> None:
    """In a field of any name, and in an answer that is no JSON."""
    assert shown({"description": text}) == {"description": left}
    assert raw_document(f"<{text}>".encode()).masked == 1


@pytest.mark.parametrize("body", [b"", b"<html>\n\x1b[2J</html>", b'{"a":', b"[1}", b"{]", b"tru"])
def test_what_is_no_json_is_shown_as_it_came(body: bytes) -> None:
    """Line by line, without what could command."""
    document = raw_document(body)
    assert not document.is_json
    assert "\n".join(document.lines) == body.decode().replace("\x1b", "\\u001b")


def test_depth_fills_no_memory() -> None:
    """Lines are indented up to a level; no recursion ends it."""
    document = raw_document(b"[" * 100_000 + b"]" * 100_000)
    assert document.is_json
    assert max(map(len, document.lines)) < 100


def test_megabytes_are_laid_out_and_searched_in_a_moment() -> None:
    """Linear in the size, also for one line of megabytes; painting asks for parts of it."""
    record = {"id": 7, "name": "x" * 40, "tags": ["one", "two"], "user": {"id": 5, "bio": None}}
    many = json.dumps([record] * 8_000).encode()
    long = json.dumps({"text": "y" * 5_000_000}).encode()
    began = time.process_time()
    document, one = raw_document(many), raw_document(long)
    assert (len(document.lines), len(one.lines)) == (96_002, 3)
    assert len(document.find("two")) == 8_000
    parts = list(one.pieces(1, 4_000_000, 4_000_060))
    assert parts == [("y" * 60, "string")]
    assert time.process_time() - began < 5


def test_each_part_has_its_role() -> None:
    """Keys, strings, numbers, literals, and signs."""
    document = raw_document(b'{"a": "b", "c": -1.5, "d": null, "e": [true]}')
    roles = [list(document.pieces(y, 0, 99)) for y in range(1, len(document.lines) - 1)]
    assert roles[0] == [
        ("  ", "sign"),
        ('"a"', "key"),
        (": ", "sign"),
        ('"b"', "string"),
        (",", "sign"),
    ]
    assert [one[3] for one in roles[1:4]] == [
        ("-1.5", "number"),
        ("null", "literal"),
        ("[", "sign"),
    ]
    assert roles[4] == [("    ", "sign"), ("true", "literal")]


def test_any_part_of_a_line_is_what_stands_there() -> None:
    """Wherever the window begins and ends."""
    document = raw_document('{"schlüssel": "wert: \\"x\\"", "b": 1}'.encode())
    for y, line in enumerate(document.lines):
        for start in range(len(line)):
            for end in range(start, len(line) + 2):
                assert (
                    "".join(text for text, _ in document.pieces(y, start, end)) == line[start:end]
                )


def test_a_search_finds_every_place() -> None:
    """Small letters find any; a capital one means itself; signs of patterns are signs."""
    document = raw_document(b'{"Name": "name name", "x": "a.b"}')
    assert document.find("name") == (Hit(1, 3, 7), Hit(1, 11, 15), Hit(1, 16, 20))
    assert document.find("Name") == (Hit(1, 3, 7),)
    assert document.find("a.b") == (Hit(2, 8, 11),)
    assert document.find("a+b") == document.find("") == ()
