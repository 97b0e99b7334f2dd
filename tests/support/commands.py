"""Commands as a script types them: in this process, with all that came of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from platui.cli.main import dispatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest


@dataclass
class Said:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def id(self) -> int:
        """Return the number that the first line of stdout begins with."""
        return int(self.lines[0].split("\t")[0])

    @property
    def lines(self) -> list[str]:
        """Return the lines of stdout."""
        return self.out.splitlines()

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Return what is JSON on stdout, an object a line."""
        import json  # noqa: PLC0415  (of some tests only)

        return [cast("dict[str, Any]", json.loads(line)) for line in self.lines]


class Shell:
    """Types commands; there is no terminal."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        capfd: pytest.CaptureFixture[str],
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._patch = monkeypatch
        self._capfd = capfd
        self.environ = dict(environ or {})

    def __call__(self, *words: str, **environ: str) -> Said:
        """Run a command, with its variables: reading them takes secrets away from later ones."""
        for name, value in (self.environ | environ).items():
            self._patch.setenv(name, value)
        self._capfd.readouterr()
        code = dispatch([*words])
        out, err = self._capfd.readouterr()
        return Said(code, out, err)
