"""Which of these tests are about one face of the platform only."""

from __future__ import annotations

from typing import Final

import pytest

_OF_THE_DEFAULT_FACE: Final = {
    "test_emulator_": "the emulator's other faces have tests of their own (test_face_…)",
    "test_python_gitlab": "python-gitlab stands on the neighbours, and on honest headers",
}
"""Reasons by how a module's name begins."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them, before the marks are looked at."""
    for item in items:
        for name, reason in _OF_THE_DEFAULT_FACE.items():
            if item.path.name.startswith(name) and item.path.parent.name == "contract":
                item.add_marker(pytest.mark.faces("default", reason=reason))
