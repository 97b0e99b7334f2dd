"""What a status looks like on the platform's own pages (spec 2.2, `detailed_status`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from platui.emulator.records import Pipeline

_TEXTS = {
    "success": ("passed", "passed"),
    "waiting_for_resource": ("waiting", "waiting for resource"),
    "waiting_for_callback": ("waiting", "waiting for callback"),
    "manual": ("manual", "manual action"),
    "scheduled": ("delayed", "delayed"),
}


def detailed_status(pipeline: Pipeline, page: str) -> dict[str, Any]:
    """Return icon, words and address; a page is an address without its host."""
    if pipeline.status == "success" and pipeline.warnings:
        return _status("warning", "passed", "passed with warnings", "success-with-warnings", page)
    text, label = _TEXTS.get(pipeline.status, (pipeline.status, pipeline.status))
    return _status(pipeline.status, text, label, pipeline.status.replace("_", "-"), page)


def _status(icon: str, text: str, label: str, group: str, page: str) -> dict[str, Any]:
    favicon = "success" if icon == "warning" else icon
    return {
        "icon": f"status_{icon}",
        "text": text,
        "label": label,
        "group": group,
        "tooltip": label,
        "has_details": True,
        "details_path": page,
        "illustration": None,
        "favicon": f"/assets/ci_favicons/favicon_status_{favicon}.png",
    }
