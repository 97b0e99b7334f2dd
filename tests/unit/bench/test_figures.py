"""Figures of benchmarks: ratios, verdicts, and what two runs differ by."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.bench import figures
from tests.bench.__main__ import BENCHMARKS, main
from tests.bench.figures import Comparison, Figure, Options, Table
from tests.bench.runs import Run, changes, report


def compared(before: Figure, after: Figure) -> str:
    """Return what is said about a figure of two runs."""
    [change] = changes(run_of(before), run_of(after))
    return change.verdict


def run_of(*figures: Figure) -> Run:
    """Return a run of one table."""
    run = Run()
    run.add("bench", Table("Table", figures))
    return run


def test_the_ratio_is_the_median_of_each_turns_ratio() -> None:
    """A turn in which both are slow changes nothing."""
    found = Comparison("key", "ms", 0.5)
    for ours, reference in ((1, 2), (100, 200), (3, 4)):
        found.add(ours, reference)
    assert found.value == 0.5
    assert found.verdict == "aim 0.5: met"


def test_nothing_beside_nothing_is_even() -> None:
    """A program that writes no byte may be compared."""
    found = Comparison("idle", "bytes")
    found.add(0, 0)
    assert found.values == [1.0]


@pytest.mark.parametrize(
    ("at_least", "value", "verdict"),
    [(False, 3, "MISSED"), (False, 2, "met"), (True, 3, "met"), (True, 1, "MISSED")],
)
def test_an_aim_is_a_limit_on_one_side(at_least: bool, value: float, verdict: str) -> None:  # noqa: FBT001  (a case)
    """Less is better, unless the figure says otherwise."""
    figure = Figure("key", "ms", 2, [value], at_least=at_least)
    assert figure.verdict == f"aim 2: {verdict}"


@pytest.mark.parametrize(
    ("before", "after", "at_least", "verdict"),
    [
        ([100], [109], False, "as before"),
        ([100], [125], False, "WORSE"),
        ([100], [75], False, "better"),
        ([100], [75], True, "WORSE"),
        ([100], [125], True, "better"),
        ([60, 90, 100, 110, 140], [125, 125, 125, 125, 125], False, "WORSE"),
        ([20, 50, 100, 150, 180], [125, 125, 125, 125, 125], False, "as before"),
        ([0], [1], False, "WORSE"),
        ([0], [0], False, "as before"),
    ],
)
def test_worse_is_what_is_more_than_noise(
    before: list[float],
    after: list[float],
    at_least: bool,  # noqa: FBT001  (a case)
    verdict: str,
) -> None:
    """Noise is half of the middle half of either run, and a tenth at least."""
    one, other = (Figure("key", "ms", None, values, at_least) for values in (before, after))
    assert compared(one, other) == verdict


def test_chance_is_noise() -> None:
    """Of a small count a tenth is nothing."""
    one, other = (Figure("sent", "requests", None, [count], chance=2) for count in (1, 3))
    assert compared(one, other) == "as before"
    assert compared(one, Figure("sent", "requests", None, [4], chance=2)) == "WORSE"


def test_comparisons_differ_by_their_ratios() -> None:
    """A machine twice as slow has made nothing worse."""
    one, other = (Comparison("key", "ms", 1, [ours], reference=[ours * 2]) for ours in (10, 20))
    assert compared(one, other) == "as before"


def test_a_run_is_read_as_it_was_saved(tmp_path: Path) -> None:
    """Values, reference and direction are kept."""
    kept = run_of(
        Figure("speed", "MB/s", 3, [1, 2, 4], at_least=True),
        Comparison("key", "ms", 0.5, [1.5, 2], reference=[3, 4]),
        Comparison("key", "bytes", 400, [300], reference=[200], absolute=True),
        Figure("not measured", "ms"),
    )
    kept.save(tmp_path / "run.json")
    assert Run.load(tmp_path / "run.json").figures == kept.figures
    assert len(kept.figures) == 3


def test_what_only_one_run_has_is_counted() -> None:
    """Only what both have is compared."""
    before = run_of(Figure("key", "ms", None, [1]), Figure("gone", "ms", None, [1]))
    after = run_of(Figure("key", "ms", None, [2]), Figure("new", "ms", None, [1]))
    title, heads, line, end = report(before, after)
    assert title == "bench: Table"
    assert heads.split() == ["before", "after"]
    assert line.split() == ["key", "ms", "1.000", "2.000", "WORSE"]
    assert end == "1 figures compared, 1 worse, 1 not in the earlier run"


def test_two_figures_of_one_name_are_refused() -> None:
    """The second would be lost in the file."""
    with pytest.raises(ValueError, match="one name"):
        run_of(Figure("key", "ms", None, [1]), Figure("key", "ms", None, [2]))


def test_a_quick_run_takes_fewer_turns() -> None:
    """Turns that are given count, quick or not."""
    assert Options().turns(9, 3) == 9
    assert Options(quick=True).turns(9, 3) == 3
    assert Options(quick=True, given_turns=5).turns(9, 3) == 5
    assert Options(given_turns=5).size(100, 10) == 100


def test_a_benchmark_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """So are those that are."""
    with pytest.raises(SystemExit):
        main(["table", "tabel"])
    assert "no such benchmark: tabel" in capsys.readouterr().err


def test_each_module_with_figures_is_listed() -> None:
    """A benchmark that nobody runs is forgotten."""
    folder = Path(figures.__file__).parent
    found = [file.stem for file in folder.glob("*.py") if "\ndef tables(" in file.read_text()]
    assert sorted(found) == sorted(BENCHMARKS)
