"""The header and footer lines."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from platui.models.values.connection import BudgetState, Connection, ConnectionState
from platui.present.chrome import (
    Age,
    Freshness,
    HeaderState,
    KeyHint,
    file_header,
    footer_pieces,
    gauge_pieces,
    header,
    header_left,
    header_right,
    pieces_width,
)

NOW = datetime(2026, 3, 14, 3, 12, tzinfo=UTC)
STATE = HeaderState(
    profile="prod",
    production=True,
    crumbs=("warehouse-core", "#47110", "dbt_run"),
    age=Age(Freshness.LIVE, NOW),
    line=Connection(ConnectionState.ONLINE, NOW),
    budget=BudgetState(118, 600),
    paused_for=None,
)


def text(pieces: tuple[tuple[str, str], ...]) -> str:
    """Return what stands there."""
    return "".join(piece for piece, _ in pieces)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (STATE, "● live"),
        (replace(STATE, age=Age()), "◌ loading"),
        (replace(STATE, slow_for=7.5), "◌ no response 5s"),
        (replace(STATE, slow_for=47.5, age=Age()), "◌ no response 40s"),
        (replace(STATE, slow_for=140.0), "◌ no response 2m"),
        (replace(STATE, slow_for=7.0, age=Age(Freshness.SETTLED, NOW)), "✔ final"),
        (replace(STATE, age=Age(Freshness.FAILED)), "✖ no data"),
        (replace(STATE, age=Age(Freshness.STALE, NOW - timedelta(minutes=2))), "◌ stale 2m"),
        (replace(STATE, age=Age(Freshness.SETTLED, NOW)), "✔ final"),
        (replace(STATE, age=Age(Freshness.HELD, NOW - timedelta(minutes=3))), "‖ paused, 3m old"),
        (replace(STATE, line=Connection(ConnectionState.OFFLINE, NOW)), "✖ offline since"),
        (
            replace(
                STATE, line=Connection(ConnectionState.OFFLINE, NOW, is_known=False), age=Age()
            ),
            "✖ offline since",
        ),
        (
            replace(
                STATE,
                line=Connection(ConnectionState.OFFLINE, NOW + timedelta(hours=1), is_known=False),
            ),
            f"✖ offline, fetched {NOW:%H:%M}",
        ),
        (replace(STATE, line=Connection(ConnectionState.UNAUTHORIZED, NOW)), "✖ not signed in"),
        (replace(STATE, paused_for=22.4), "◷ requests resume in 23s"),
        (STATE, "~118/600"),
        (replace(STATE, budget=BudgetState(118, 600, from_server=True)), "  118/600"),
    ],
)
def test_the_header_tells_how_far_it_can_be_trusted(state: HeaderState, words: str) -> None:
    """Live, stale, offline, signed out, paused: each has its words."""
    assert words in text(header_right(state, NOW))


@pytest.mark.parametrize(
    ("age", "wide", "narrow"),
    [
        (
            timedelta(minutes=20),
            "since 03:12 UTC · data of 02:52 ",
            "✖ offline, fetched 02:52 UTC ",
        ),
        (timedelta(minutes=1), "since 03:12 UTC · data of 03:11 ", "✖ offline since 03:12 UTC "),
        (timedelta(days=1), "03:12 UTC · data of 13 Mar 03:12 ", "fetched 13 Mar 03:12 UTC "),
        (timedelta(), "✖ offline since 03:12 UTC ", "✖ offline since 03:12 UTC "),
        (timedelta(minutes=-9), "✖ offline since 03:12 UTC ", "✖ offline since 03:12 UTC "),
    ],
)
def test_offline_the_header_has_the_time_of_older_data(
    age: timedelta, wide: str, narrow: str
) -> None:
    """Data from long before the outage looked as if it were from its beginning."""
    line = Connection(ConnectionState.OFFLINE, NOW)
    state = replace(STATE, line=line, utc=True, age=Age(Freshness.STALE, NOW - age))
    assert wide in text(header(state, NOW, 120)[1])
    assert narrow in text(header(state, NOW, 70)[1])
    whole = text(header_left(state, 999)) + text(header(state, NOW, 120)[1])
    assert wide in text(header(state, NOW, len(whole) + 1)[1])
    assert narrow in text(header(state, NOW, len(whole) - (wide != narrow))[1])
    final = replace(state, age=Age(Freshness.SETTLED, NOW - age))
    assert "offline since 03:12 UTC  " in text(header(final, NOW, 120)[1])


def test_nothing_is_said_to_load_while_the_user_is_asked() -> None:
    """No age, no failure: the gauge alone."""
    state = replace(STATE, age=Age(Freshness.UNASKED))
    assert text(header_right(state, NOW)).strip() == text(gauge_pieces(STATE))


def test_a_production_profile_is_a_badge() -> None:
    """Unmistakable, also by its words: not everybody sees colours, and some terminals have none."""
    assert (" prod ", "production") in header_left(STATE, 80)
    assert (" prod ", "muted") in header_left(replace(STATE, production=False), 80)
    of_its_own = replace(STATE, production=False, has_accent=True)
    assert (" prod ", "accent") in header_left(of_its_own, 80)
    assert (" eu · PROD ", "production") in header_left(replace(STATE, profile="eu"), 80)
    plain = replace(STATE, profile="prod-eu", has_colours=False)
    assert (" prod-eu · PRODUCTION ", "production") in header_left(plain, 80)
    assert (" prod-eu ", "production") in header_left(plain, 40)


@pytest.mark.parametrize("room", range(16, 60, 4))
def test_the_breadcrumb_loses_its_outer_parts_first(room: int) -> None:
    """Where one is matters more than where it lies."""
    shown = text(header_left(STATE, room))
    assert shown.endswith("dbt_run")
    if room >= 16 + 8:
        assert len(shown) <= max(room, len(" platui  prod  … › dbt_run"))


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("profile", ["prod", "東京データ基盤の検証環境"])
def test_a_header_with_wide_characters_fits_the_terminal(width: int, profile: str) -> None:
    """A Japanese character takes two cells."""
    crumbs = ("売上データ日次集計パイプライン基盤プロジェクト", "#47110", "dbt_run")
    state = replace(STATE, profile=profile, crumbs=crumbs)
    left, right = header(state, NOW, width)
    assert pieces_width((*left, *right)) < width
    assert text(left).endswith("#47110 › dbt_run")
    assert "売上" in text(left)


def test_the_path_of_a_file_is_cut_to_cells() -> None:
    """Its end stays."""
    title = "/srv/" + "売上データ" * 10 + "/job.log"
    left, right = file_header(title, Age(), 80)
    assert pieces_width((*left, *right)) < 80
    assert text(left).endswith("/job.log")


def test_the_profile_is_cut_before_any_crumb_is() -> None:
    """But no more of it than has to be, and never what says that it is a production."""
    state = replace(STATE, profile="127.0.0.1:41771", production=False)
    where = "warehouse-core › #47110 › dbt_run"
    assert text(header_left(state, 60)) == f" platui  127.0.0.1:41771  {where}"
    for room, name in ((55, "127.0.0.1:…"), (52, "127.0.0…")):
        assert text(header_left(state, room)) == f" platui  {name}  {where}"
    for name, shown in (
        ("platform-eu-west", "platfor… · PROD"),
        ("eu-production", "eu-production"),
    ):
        named = replace(STATE, profile=name)
        assert f" {shown} " in text(header_left(named, 40))


def test_a_long_project_name_is_cut_in_the_middle() -> None:
    """Names of projects often differ at their end only."""
    state = replace(STATE, crumbs=("analytics-warehouse-orders-eu", "Pipelines"))
    assert text(header_left(state, 45)) == " platui  prod  analytic…orders-eu › Pipelines"


@pytest.mark.parametrize(
    ("changes", "width", "shown"),
    [
        ({}, 100, " unlocked 14m  analytics-warehouse › #392552284 › load_events"),
        ({}, 92, " unlocked  analytics-warehouse › #392552284 › load_events"),
        ({}, 84, " unlocked  analy…house › #392552284 › load_events"),
        ({}, 74, " unlocked  anal…house › … › load_events"),
        ({"line": Connection(ConnectionState.OFFLINE, NOW)}, 80, "house › … › load_events"),
    ],
)
def test_the_project_is_named_as_long_as_there_is_room(
    changes: dict[str, Any], width: int, shown: str
) -> None:
    """What is between it and the last crumb, and the time of the lock, matter less."""
    crumbs = ("analytics-warehouse", "#392552284", "load_events")
    state = replace(STATE, crumbs=crumbs, writes_open_for=14 * 60, **changes)
    left, right = header(state, NOW, width)
    assert text(left).endswith(shown)
    assert len(text(left) + text(right)) < width


def test_the_time_of_an_outage_gives_way_to_the_project() -> None:
    """While writes are unlocked, and both have no room."""
    state = replace(
        STATE,
        crumbs=("analytics-warehouse", "Pipelines"),
        line=Connection(ConnectionState.OFFLINE, NOW),
        writes_open_for=14 * 60,
    )
    for width, named, said in (
        (96, "analytics-warehouse", "✖ offline since "),
        (84, "analy…house", "✖ offline since "),
        (80, "analytics-warehouse", "✖ offline   "),
        (72, "analy…house", "✖ offline   "),
    ):
        left, right = header(state, NOW, width)
        assert f"{named} › Pipelines" in text(left)
        assert text(right).startswith(said)
    locked = replace(state, writes_open_for=None)
    assert text(header(locked, NOW, 60)[1]).startswith("✖ offline since ")


def test_hostile_names_cannot_steer_the_header() -> None:
    """Everything from outside is cleaned."""
    state = replace(STATE, profile="a\x1b[2J", crumbs=("x\x9dy", "\u202eevil"))
    shown = text(header_left(state, 80))
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 or sign == "\u202e" for sign in shown)


def test_the_footer_keeps_help_whatever_the_width() -> None:
    """As many keys as fit, and always the way to all of them."""
    hints = [KeyHint("enter", "open"), KeyHint("/", "filter"), KeyHint("?", "help")]
    assert text(footer_pieces(hints, 80)) == " enter open  / filter  ? help "
    assert text(footer_pieces(hints, 22)) == " enter open  ? help "
    assert text(footer_pieces(hints, 5)) == " ? help "
