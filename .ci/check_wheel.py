"""Look into a wheel: the package with its themes, help pages and data, and nothing else."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

TUI = Path(__file__).parents[1] / "tui"

WANTED = {
    "platui/__init__.py",
    "platui/py.typed",
    "platui/themes/platui-dark.toml",
    "platui/themes/platui-light.toml",
    "platui/themes/ansi.toml",
    *(page.relative_to(TUI).as_posix() for page in TUI.glob("platui/present/guide/*/*.md")),
    *(file.relative_to(TUI).as_posix() for file in TUI.glob("platui_emulator/data/*.*")),
}


def main(path: str) -> int:
    """Return 0 where the wheel is as it should be."""
    names = set(zipfile.ZipFile(path).namelist())
    missing = sorted(WANTED - names)
    strange = sorted(
        name
        for name in names
        if not name.startswith(("platui/", "platui_emulator/")) and ".dist-info/" not in name
    )
    sheets = sorted(name for name in names if name.endswith(".tcss"))
    print(f"{len(names)} files, {len(sheets)} style sheets")
    for name in missing:
        print(f"missing: {name}")
    for name in strange:
        print(f"does not belong there: {name}")
    return 1 if missing or strange else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
