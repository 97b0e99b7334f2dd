"""The command line."""

from __future__ import annotations


def main() -> int:
    """Run platui; returns the exit code."""
    from platui import __version__  # noqa: PLC0415

    print(f"platui {__version__}")
    return 0
