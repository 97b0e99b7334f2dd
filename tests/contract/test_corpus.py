"""Bodies that nobody of this project wrote: each is read, each refusal is one line.

Runs where the environment variable PLATUI_CORPUS names a folder with `fixtures/manifest.json`,
a list of objects with `file`, `kind` and, for refusals, `http_status`.
"""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from platui.api.decoding import PageDecoder, RecordDecoder
from platui.api.error_responses import ErrorResponse
from platui.core.errors import RateLimitedError
from platui.core.text import clean
from platui.models import wire

if TYPE_CHECKING:
    from platui.models.wire import Record


_FOLDER = Path(os.environ.get("PLATUI_CORPUS", "")) / "fixtures"
_MANIFEST = _FOLDER / "manifest.json"
_ENTRIES: list[dict[str, Any]] = (
    json.loads(_MANIFEST.read_text("utf-8"))
    if os.environ.get("PLATUI_CORPUS") and _MANIFEST.is_file()
    else []
)

pytestmark = pytest.mark.skipif(not _ENTRIES, reason="PLATUI_CORPUS names no corpus")

_MODELS: dict[str, type[Record]] = {
    "branch": wire.Branch,
    "bridge": wire.Bridge,
    "file": wire.RepositoryFile,
    "job": wire.Job,
    "namespace": wire.Namespace,
    "pipeline": wire.Pipeline,
    "project": wire.Project,
    "schedule": wire.Schedule,
    "tag": wire.Tag,
    "user": wire.User,
    "variable": wire.Variable,
}

_NOT_READ = {
    "access_token",
    "action_message",
    "file_commit",
    "metadata",
    "test_report",
    "test_report_summary",
    "trigger",
    "version",
}
"""Kinds that no operation of ours asks for."""

_KEPT = ("id", "iid", "name", "ref", "status", "key", "file_path", "username", "cron")


def _of(*, errors: bool) -> list[Any]:
    chosen = [entry for entry in _ENTRIES if (entry["kind"] == "error") is errors]
    return [pytest.param(entry, id=entry["file"]) for entry in chosen]


@pytest.mark.parametrize("entry", _of(errors=False))
def test_each_body_is_read_and_keeps_what_counts(entry: dict[str, Any]) -> None:
    """Nothing raises; ids, refs and statuses are those of the body; what is sparse is blank."""
    body = (_FOLDER / entry["file"]).read_bytes()
    kind = entry["kind"].removesuffix("_list")
    if kind in _NOT_READ:
        assert json.loads(body) is not None
        return
    model = _MODELS[kind]
    said = json.loads(body)
    if isinstance(said, list):
        records = PageDecoder(model, 1, 100)(body, {}).items
    else:
        records, said = (RecordDecoder(model)(body, {}),), [said]
    assert len(records) == len(said)
    for record, fields in zip(records, said, strict=True):
        for name in _KEPT:
            if fields.get(name) is not None and name in type(record).model_fields:
                assert str(getattr(record, name)) == str(fields[name])


@pytest.mark.parametrize("entry", _of(errors=True))
def test_each_refusal_is_one_readable_line(entry: dict[str, Any]) -> None:
    """Not empty, clean, and the innermost messages are in it."""
    body = (_FOLDER / entry["file"]).read_bytes()
    status = int(entry.get("http_status", 400))
    headers = {"content-type": "application/json"}
    error = ErrorResponse(status, headers, body, datetime(2026, 3, 14, tzinfo=UTC)).error()
    assert error.sentence.strip()
    assert clean(error.sentence) == error.sentence
    if isinstance(error, RateLimitedError) or "scope" in json.loads(body):
        return  # told in our own words
    for message in _innermost(json.loads(body).get("message") or json.loads(body)):
        assert message in error.sentence


def _innermost(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value
    return [message for item in inner for message in _innermost(item)]
