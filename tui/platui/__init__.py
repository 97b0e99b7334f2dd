"""platui: a terminal dashboard for a data-operations platform."""

from __future__ import annotations

TYPE_CHECKING = False  # Of typing: the last frame is shown before it and pathlib are imported
if TYPE_CHECKING:
    from pathlib import Path

__version__ = "0.1.0"


def themes_dir() -> Path:
    """Return the folder of theme files: in the wheel, or at the top of a checkout.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    from pathlib import Path  # noqa: PLC0415  (`platui --version` does without)

    here = Path(__file__).resolve().parent
    packaged = here / "themes"
    if packaged.is_dir():
        return packaged
    top = here.parents[1]
    if (top / "pyproject.toml").is_file() and (top / "themes").is_dir():
        return top / "themes"
    raise FileNotFoundError(f"platui's theme files are missing beside {here}")
