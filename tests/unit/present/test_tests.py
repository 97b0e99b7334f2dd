"""Failed tests as rows, in details, and as output."""

from __future__ import annotations

from platui.models.values.tests import FailedTest, FailedTests
from platui.models.wire.tests import CaseResult, PipelineTests
from platui.present.details.layout import details
from platui.present.tables import tests


def failed(name: str, output: object = "", *, is_new: bool | None = None) -> FailedTest:
    """Return a failed test."""
    case = CaseResult.model_validate(
        {"status": "failed", "name": name, "system_output": output, "execution_time": 0.031}
    )
    return FailedTest("unit_tests", case, is_new)


def test_counts_name_what_is_known() -> None:
    """Without a last success nothing is called new."""
    some = tuple(failed(name, is_new=name == "a") for name in "abc")
    assert tests.failed_text(FailedTests(9, some)) == "3 failed"
    compared = FailedTests(9, some, last_success=7)
    assert tests.failed_text(compared) == "3 failed, 1 new since the last success"
    old = FailedTests(9, some[1:], last_success=7)
    assert tests.failed_text(old) == "2 failed, none new since the last success"


def test_output_may_be_an_object() -> None:
    """As platforms send it for some test runners; the message is its first line."""
    one = failed("a", {"message": "\n  ValueError: x\nmore", "type": "ValueError"})
    assert tests.message_of(one) == "ValueError: x"
    assert "more" in tests.output_of(one)


def test_the_key_of_a_row_is_that_of_its_test() -> None:
    """It stays when the report changes: marks and cursor stay with their test."""
    some = (failed("a"), failed("b"), failed("b"))
    keys = [row.key for row in tests.failed_rows(FailedTests(9, some))]
    assert len(set(keys)) == 3
    assert [row.key for row in tests.failed_rows(FailedTests(9, some[1:]))] == keys[1:]


def test_hostile_text_is_cleaned() -> None:
    """In names and messages; details are cut after some tests."""
    some = tuple(failed("\x1b[2J[/x]", "\u202eevil\x1b]0;x\x07") for _ in range(9))
    rows = tests.failed_rows(FailedTests(9, some))
    pane = tests.with_tests(details("a", {"": [("b", "c")]}), FailedTests(9, some))
    texts = [cell.text for row in rows for cell in row.cells]
    texts += [line.left.text for row in rows for line in row.below]
    texts += [field.value.text for field in pane.fields]
    assert not any("\x1b" in text or "\u202e" in text for text in texts)
    assert "and 4 others" in texts


def test_a_report_of_nonsense_is_empty() -> None:
    """Fields of other types get their defaults."""
    report = PipelineTests.model_validate({"total_count": "x", "test_suites": [1, {"name": None}]})
    assert report.total_count is None
    assert [one.test_cases for one in report.test_suites] == [()]
