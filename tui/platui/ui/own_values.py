"""The values that own actions have in a view: of the row under the cursor, or of the view."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.models.values.queries import RecordKind
from platui.present.logs.text import error_lines, short_text
from platui.ui.own_actions import safe_values
from platui.ui.screens.logs.text_body import TextBody
from platui.ui.screens.parts.list_body import ListBody

if TYPE_CHECKING:
    from platui.ui.screens.parts.body import Body


def values_of(body: Body) -> dict[str, str]:
    """Return placeholder -> text, without control characters; empty: none here."""
    here, pipeline, route = body.context.resource(), body.context.pipeline(), body.route
    project = "" if here is None or here.project is None else str(here.project)
    found = {
        "project": here.project_name if here and "/" in here.project_name else project,
        "pipeline": "" if pipeline is None else str(pipeline.pipeline),
        "job": str(route.job or ""),
        "ref": route.ref,
    }
    if isinstance(body, ListBody):
        found |= _of_row(body)
    elif isinstance(body, TextBody):
        found |= _of_text(body)
    return safe_values(found)


def _of_row(body: ListBody) -> dict[str, str]:
    context, key = body.context, body.table.cursor_key
    if key is None:
        return {}
    copies, record = context.copies(key), context.record(key)
    is_job = record is not None and record.kind is RecordKind.JOB
    return {
        "url": copies.get("URL", ""),
        "error": copies.get("error", ""),
        "ref": copies.get("ref") or str(getattr(context.item(key), "ref", "")),
        "job": str(record.id) if record is not None and is_job else copies.get("job id", ""),
    }


def _of_text(body: TextBody) -> dict[str, str]:
    found, document = dict[str, str](), body.text.document
    if (job := getattr(body, "job", None)) is not None:
        found |= {"url": job.web_url, "ref": job.ref}
    if document is not None and (lines := error_lines(document, body.context.line)) is not None:
        found["error"] = short_text(document, lines)
    return found
