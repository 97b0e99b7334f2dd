"""A repository file as it is read: decoded, checked against its digest, cleaned, highlighted."""

from __future__ import annotations

import base64
import hashlib
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from platui.core.errors import InvalidResponseError
from platui.core.text import clean
from platui.models.values.log import Span
from platui.models.wire import RepositoryFile
from platui.present.files.source import (
    MOST_HIGHLIGHTED,
    PATIENCE,
    Check,
    Source,
    highlighted,
    read_source,
)


def file_of(content: bytes, path: str = "full-ci.yml", sha256: str | None = None) -> RepositoryFile:
    """Return a file as the platform says it (spec §2.6)."""
    digest = hashlib.sha256(content).hexdigest() if sha256 is None else sha256
    return RepositoryFile(
        file_path=path,
        encoding="base64",
        content=base64.b64encode(content).decode(),
        content_sha256=digest,
    )


def texts(source: Source) -> list[str]:
    """Return the lines as they are painted, put together from their spans."""
    document = source.document
    return ["".join(span.text for span in document.spans(y)) for y in range(document.line_count)]


def test_lines_are_those_of_the_text() -> None:
    """Whatever ends them; the last line end is no line of its own."""
    source = read_source(file_of(b"stages:\r\n  - load\n\n# end\n"))
    assert texts(source) == ["stages:", "  - load", "", "# end"]
    assert [source.document.text(y) for y in range(4)] == texts(source)


def test_words_have_meanings() -> None:
    """A key is a name, a comment is muted, a value is plain."""
    source = read_source(file_of(b"stage: load # first\n"))
    roles = {span.text.strip(): span.style.role for span in source.document.spans(0)}
    assert roles["stage"] == "name"
    assert roles["# first"] == "muted"
    assert roles["load"] == ""


@pytest.mark.parametrize(
    "path", ["a.sql", "a.py", "a.json", "a.toml", "a.ini", "a.sh", "a.md", "Dockerfile", "a.tf"]
)
@given(text=st.text(max_size=200))
def test_highlighting_changes_no_character(path: str, text: str) -> None:
    """In any language, of any text: what is painted is the clean text."""
    content = text.encode("utf-8", "replace")
    source = read_source(file_of(content, path))
    if not source.binary:
        assert texts(source) == [source.document.text(y) for y in range(source.document.line_count)]
        assert all(line == clean(line) for line in texts(source))


def test_an_unknown_language_and_a_large_text_are_plain() -> None:
    """Shown all the same."""
    assert texts(read_source(file_of(b"x = 1\n", "notes.xyz"))) == ["x = 1"]
    large = read_source(file_of(b"key: value\n" * (MOST_HIGHLIGHTED // 10), "a.yml"))
    assert large.document.spans(0)[0].style.role == ""


def test_what_is_not_done_when_patience_ends_stays_plain() -> None:
    """A nasty text may keep a lexer busy for minutes; no line is lost by giving up."""
    lines = [f"key{number}: value" for number in range(100)]
    seconds = count(step=PATIENCE / 100)
    found = highlighted(lines, "a.yml", lambda: float(next(seconds)))
    assert found is not None
    assert ["".join(span.text for span in line) for line in found] == lines
    assert len(found[0]) > 1
    assert found[-1] == (Span(lines[-1]),)


@pytest.mark.parametrize(
    "text",
    ["a = <<EOF\nb\n", "a = 1\n" + "<<EOF\n" * 300, "a = <<EOF\nb\nEOF\nc = 2\n"],
    ids=["without end", "many", "whole"],
)
def test_a_lexer_that_makes_things_up_is_not_believed(text: str) -> None:
    """Terraform's repeats a heredoc that does not end: lines stay what they are."""
    lines = text.split("\n")
    found = highlighted(lines, "main.tf")
    assert found is not None
    assert ["".join(span.text for span in line) for line in found] == lines


def test_a_block_of_code_chooses_no_lexer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever wrote the file would decide what is loaded here, and how long it takes."""

    def look_up(name: str, **_: object) -> None:
        raise AssertionError(name)

    monkeypatch.setattr("pygments.lexers.get_lexer_by_name", look_up)
    lines = ["# a", "```python", "", "x = 1", "", "```", "end"]
    found = highlighted(lines, "README.md")
    assert found is not None
    assert ["".join(span.text for span in line) for line in found] == lines


@pytest.mark.parametrize(
    ("sha256", "check"), [(None, Check.MATCHES), ("0" * 64, Check.DIFFERS), ("", Check.UNSAID)]
)
def test_the_digest_is_looked_at(sha256: str | None, check: Check) -> None:
    """What the platform says of the content is true, false, or not said."""
    assert read_source(file_of(b"a: 1\n", sha256=sha256)).check is check


def test_control_characters_and_tabs_are_made_harmless() -> None:
    """A file is text from outside as any other."""
    source = read_source(file_of(b"a:\t\x1b]52;c;eA==\x07 \xe2\x80\xae\xff\n"))
    assert texts(source) == ["a:  \ufffd]52;c;eA==\ufffd \ufffd\ufffd"]


def test_what_is_copied_keeps_tabs_and_long_lines() -> None:
    """It may be saved as a file again; but it may as well be pasted into a shell."""
    source = read_source(file_of(b"all:\r\n\tmake\x1b[A x\n" + b"y" * 30_000))
    assert source.text() == "all:\r\n\tmake\ufffd[A x\n" + "y" * 30_000


def test_a_binary_file_has_no_lines() -> None:
    """As git sees it: there is a NUL near its beginning."""
    source = read_source(file_of(b"PK\x03\x04\0\0", "a.zip"))
    assert source.binary
    assert (source.size, source.document.line_count) == (6, 0)


def test_content_that_is_no_base64_is_told() -> None:
    """And not shown as if it were the file."""
    broken = RepositoryFile(file_path="a.yml", encoding="base64", content="not base64!")
    with pytest.raises(InvalidResponseError, match=r"a\.yml is not valid base64"):
        read_source(broken)
