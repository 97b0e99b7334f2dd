"""What is wrong with a schedule that somebody wants, before anything is sent."""

from __future__ import annotations

import re
from typing import Final

from platui.analysis.schedules.cron import cron_problem
from platui.analysis.schedules.zones import zone_problem
from platui.core.text import shorten

LONGEST_DESCRIPTION: Final = 255

_NO_REF: Final = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|^[-/]|[/.]$|\.lock$")
"""What no branch or tag is called, whatever the platform."""

__all__ = ["cron_problem", "description_problem", "ref_problem", "zone_problem"]


def ref_problem(ref: str) -> str:
    """Return why this is no branch or tag, as a sentence; empty where it may be one."""
    name = ref.strip()
    if not name:
        return "Which branch or tag is to run?"
    found = _NO_REF.search(name)
    if found is None:
        return ""
    sign = "a blank" if found[0].isspace() else f"“{shorten(found[0], 8)}”"
    return f"No branch or tag has {sign} there."


def description_problem(description: str) -> str:
    """Return why a description cannot be used, as a sentence; empty where it can."""
    if not description.strip():
        return "What is the schedule for? Its description is how others know it."
    if len(description) > LONGEST_DESCRIPTION:
        return f"A description is at most {LONGEST_DESCRIPTION} characters long."
    return ""
