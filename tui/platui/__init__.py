"""platui: a terminal dashboard for a data-operations platform."""

from __future__ import annotations

from pathlib import Path

__version__ = "0.1.0"

_HERE = Path(__file__).resolve().parent


def themes_dir() -> Path:
    """Return the folder of theme files: in the wheel, or at the top of a checkout.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    packaged = _HERE / "themes"
    if packaged.is_dir():
        return packaged
    top = _HERE.parents[1]
    if (top / "pyproject.toml").is_file() and (top / "themes").is_dir():
        return top / "themes"
    raise FileNotFoundError(f"platui's theme files are missing beside {_HERE}")
