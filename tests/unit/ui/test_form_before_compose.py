"""A form that is asked for input before it has widgets."""

from __future__ import annotations

from typing import Any

from platui.ui.dialogs.form import FormDialog


def test_a_form_without_widgets_has_only_its_earlier_input() -> None:
    """Quitting asks for it at any moment."""
    nothing: Any = None
    assert not FormDialog(nothing, nothing, {}).has_unsaved_input
    assert FormDialog(nothing, nothing, {"ref": "main"}).has_unsaved_input
