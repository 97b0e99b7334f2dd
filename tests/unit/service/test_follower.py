"""What stands before each line of a stream of many logs."""

from __future__ import annotations

import pytest

from platui.service.logs.follower import label, name_width


@pytest.mark.parametrize(
    ("names", "width"),
    [([], 1), (["load"], 4), (["load", "dbt_run"], 7), (["x" * 50], 20), (["数据"], 4)],
)
def test_names_take_as_much_as_the_longest_needs(names: list[str], width: int) -> None:
    """Up to a bound; wide characters count twice."""
    assert name_width(names) == width


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("load", "load     │ "),
        ("dbt_run_all", "dbt_run… │ "),
        ("数据数据数据", "数据数…  │ "),
        ("a\x1b[2Jb", "a\N{REPLACEMENT CHARACTER}[2Jb   │ "),
    ],
)
def test_names_are_cut_and_filled_to_one_width(name: str, shown: str) -> None:
    """And cleaned: a name steers no terminal."""
    assert label(name, 0, 8).text == shown


def test_a_job_keeps_its_colour() -> None:
    """By its number; neither red nor green, which say how something stands."""
    colours = [label("x", number, 4).style.foreground for number in range(20)]
    assert colours[0] != colours[1]
    assert len(set(colours)) > 5
    assert not {"red", "green", "yellow"} & set(colours)
