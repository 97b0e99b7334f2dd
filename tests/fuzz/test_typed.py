"""Typed and pasted text: a command, a route, a filter or a message; what is formatted is read."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st
from tests.fuzz.bounds import in_time, tries
from tests.fuzz.checks import check_error
from tests.fuzz.strategies import NASTY
from tests.unit.ui.test_jump_hits import CORE, index

from platui.core.errors import CommandError
from platui.core.origins import same_origin
from platui.models.values.routes import NAME_FIELDS, Route
from platui.present.jump import MOST
from platui.ui import views
from platui.ui.addresses import route_and_filter, route_of
from platui.ui.jump import (
    exact,
    projects_named,
    read_argument,
    read_number,
    searched_words,
    suggest,
)
from platui.ui.route_lines import read_route, route_line
from platui.ui.typed_commands import (
    OpenAddress,
    OpenRoute,
    OpenView,
    RunVerb,
    command_helps,
    completions,
    read_command,
    split_file_ref,
)
from platui.ui.verbs import BY_WORD
from platui.ui.widgets.table.filter import Filter

BASE: Final = "https://platform.example.org/git"
HELPS: Final = command_helps()
INDEX: Final = index()

printable = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=12)
words = (
    st.sampled_from([*HELPS, *BY_WORD])
    | st.sampled_from(
        [
            CORE, "acme/etl", "core", "load", "#4711", "4711", "412", "#", "/failed", "/ !x", "/",
        f"{CORE}#4711", "job=412", "line=120", "line=0", "path=a%20b", "search=%2F%20x",
        "ref=main",
            "regex=yes", "schedule=7", "entry=person:5", "sort=-name", "group=acme", "=", "@main",
            "9" * 18, "9" * 19, "٣", "²", "a/../b", "//", "%", "%zz", "x=y", "report=2026",
        ]
    )
    | printable
)  # fmt: skip
typed = st.builds(
    "{}{}".format,
    st.sampled_from(["", ":", " : ", "#", "::"]),
    st.lists(words, max_size=5).map(" ".join),
)
long_texts = (
    "a" * 100_000,
    "a " * 30_000,
    "#" * 50_000,
    "/" * 50_000,
    "watch " * 9_000,
    "=x" * 30_000,
)


def check_route(route: Route, words: str = "") -> None:
    """Check that the command of a route opens it again, with its filter."""
    line = route_line(route, words)
    assert line.isprintable()
    again = read_route(line)
    if again is None:
        # What a view needs is not in every route.
        needed = views.get(route.view).required_fields
        assert any(getattr(route, name) in {None, ""} for name in needed)
        return
    same = replace(again[0], **{name: getattr(route, name) for name in NAME_FIELDS})
    assert same == route
    assert again[1] == words


@tries(150)
@given(typed)
@example(long_texts[0])
@example(long_texts[1])
@example(long_texts[4])
@example(f"log {CORE} job=412 {long_texts[5]}")
def test_any_command_is_read_or_said_to_be_wrong(text: str) -> None:
    """A route that it opens is written as a command that opens the same."""
    try:
        with in_time():
            command = read_command(text)
    except CommandError as error:
        check_error(error)
        return
    match command:
        case OpenRoute(route, words):
            check_route(route, words)
        case OpenView(view):
            assert views.find(view) is not None
        case RunVerb(verb):
            assert verb in BY_WORD.values()
        case OpenAddress(address):
            assert address.startswith(("http://", "https://"))
        case None:
            assert not text.strip(": ")


@tries(150)
@given(text=typed | st.sampled_from(NASTY), is_here=st.booleans())
@example(text=long_texts[0], is_here=False)
@example(text=long_texts[1], is_here=True)
@example(text=long_texts[2], is_here=False)
@example(text=long_texts[3], is_here=False)
@example(text=long_texts[4], is_here=False)
def test_any_text_has_hits_that_open_something(
    text: str,
    is_here: bool,  # noqa: FBT001  (drawn)
) -> None:
    """A route or a command; and what `tab` makes of the text has hits, too, or is complete."""
    with in_time(4):
        found = suggest(text, INDEX, HELPS, "pipelines", is_here=is_here)
        searched_words(text)
        read_argument(text)
        if (number := read_number(text)) is not None:
            exact(INDEX, number)
            projects_named(INDEX, number.path)
    assert len(found) <= MOST
    for hit in found:
        assert hit.name
        assert hit.route is not None or hit.command
        if hit.route is not None and (hit.route.project is None or hit.kind != "path"):
            check_route(hit.route)
        if hit.completion:
            suggest(hit.completion, INDEX, HELPS, "pipelines")


@tries(20)
@given(words)
def test_words_of_completion_are_commands(word: str) -> None:
    """Whatever follows them."""
    for begun in completions():
        try:
            assert read_command(f"{begun.strip()} {word}") is not None
        except CommandError as error:
            check_error(error)


segments = st.sampled_from(
    [
        "-", "acme", "etl", "pipelines", "jobs", "4711", "9" * 19, "blob", "tree", "main", "HEAD",
        "..",
        ".", "%2e%2e", "a%2Fb", "%00", "%ff", "%zz", "api", "v4", "projects", "1", "acme%2Fetl",
        "commit",
        "raw", "commits", "abcdef0123456789", "groups", "pipeline_schedules", "artifacts", "trace",
        "repository", "files", "\u202e", "é", "admin", "new", "", "-x", "a b",
    ]
)  # fmt: skip
bases = st.sampled_from(
    [BASE, "https://platform.example.org", "https://evil.example/git", BASE.upper(), "//x", "",
     "https://platform.example.org:443/git", "https://u:p@platform.example.org/git", "https://[::1"]
)  # fmt: skip
ends = st.sampled_from(
    ["", "#L5", "#L0", "#L9-12", "?ref=main", "?ref=%00", "?status=failed&x", "?&=#"]
)
addresses = st.builds(
    lambda base, parts, end: f"{base}/{'/'.join(parts)}{end}",
    bases,
    st.lists(segments | printable, max_size=8),
    ends,
)


@tries(200)
@given(addresses)
@example(f"{BASE}/acme/etl/-/jobs/{'9' * 18}#L{'9' * 12}")
def test_any_address_is_a_route_of_this_platform_or_nothing(address: str) -> None:
    """It opens again by its command, and names no file outside of the repository."""
    with in_time():
        route, both = route_of(address, BASE), route_and_filter(address, BASE)
    if both is None:
        assert route is None
        return
    assert same_origin(address, BASE)
    found, filter_ = both
    assert route in {None, found}
    assert found.path.isprintable()
    assert not {"", ".", ".."} & {*found.path.split("/")} or not found.path
    assert filter_ == filter_.strip()
    check_route(found, filter_)


@tries(60)
@given(st.text(st.characters(exclude_categories=["C"]), max_size=30))
def test_a_file_and_its_ref_are_told_apart(text: str) -> None:
    """Written together they are read the same."""
    path, ref = split_file_ref(text)
    if ref:
        assert split_file_ref(f"{path} @{ref}") == (path, ref)


rows = st.lists(st.text("aAbB İß!", max_size=6), max_size=8)


@tries(100)
@given(
    text=st.lists(st.text("aAbB İß!", max_size=3) | printable, max_size=4).map(" ".join), rows=rows
)
def test_a_filter_only_leaves_out(text: str, rows: list[str]) -> None:
    """In the order of the rows; more words leave no more rows; written out it is the same."""
    with in_time():
        chosen = Filter.parse(text)
    pairs = [(row.lower(), row) for row in rows]
    kept = chosen.select(pairs)
    assert [pair for pair in pairs if pair in kept] == kept
    narrower = Filter.parse(f"{text} a !b").select(pairs)
    assert all(pair in kept for pair in narrower)
    written = " ".join([*chosen.wanted, *(f"!{word}" for word in chosen.unwanted)])
    assert Filter.parse(written) == chosen
    assert bool(chosen) or kept == pairs
