"""Look into a wheel: the package, its themes and its marker are there, and nothing else."""

from __future__ import annotations

import sys
import zipfile

WANTED = {
    "platui/__init__.py",
    "platui/py.typed",
    "platui/themes/platui-dark.toml",
    "platui/themes/platui-light.toml",
    "platui/themes/ansi.toml",
}


def main(path: str) -> int:
    """Return 0 where the wheel is as it should be."""
    names = set(zipfile.ZipFile(path).namelist())
    missing = sorted(WANTED - names)
    strange = sorted(
        name for name in names if not name.startswith("platui/") and ".dist-info/" not in name
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
