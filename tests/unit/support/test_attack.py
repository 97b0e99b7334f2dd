"""An attack that tried nothing fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.attack import fuzz
from tests.attack.__main__ import main
from tests.attack.cases import Case
from tests.fuzz.bounds import ATTACK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.mark.parametrize(("name", "code"), [("one", 0), ("nosuch", 1)])
def test_a_part_without_cases_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str, code: int
) -> None:
    """A misspelt name of a case is not a success."""

    def cases(_: int, __: float) -> Iterator[list[Case]]:
        yield [Case("one", lambda: "")]

    monkeypatch.setattr(fuzz, "cases", cases)
    assert main(["fuzz", "--case", name]) == code
    assert ("no case of fuzz was tried" in capsys.readouterr().out) is (code == 1)


def test_fuzz_tests_that_cannot_be_collected_are_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Else, there would be no cases, or fewer."""
    folder = tmp_path / "tests" / "fuzz"
    folder.mkdir(parents=True)
    profile = f"from hypothesis import settings\nsettings.register_profile({ATTACK!r})\n"
    (folder / "conftest.py").write_text(profile)
    (folder / "test_broken.py").write_text("import no_such_module")
    (folder / "test_whole.py").write_text("def test_one(): pass")
    monkeypatch.setattr(fuzz, "_ROOT", tmp_path)
    with pytest.raises(RuntimeError, match="no_such_module"):
        next(fuzz.cases(1, 1.0))
