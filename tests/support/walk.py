"""The walk that platui is for, by keys alone: something red, its pipeline, its job, its log."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from tests.texts.screens import STATUS_LOADED

if TYPE_CHECKING:
    from tests.support.session import Session

_GAUGE: Final = re.compile(r" ~?(\d+)/\d+ \S? *$")
_STATUS: Final = re.compile(
    r" (success|failed|running|pending|created|canceled|skipped|manual|scheduled) "
)
_FAILED_COUNT: Final = re.compile(r"\d failed")
_FAILED: Final = re.compile(r"[✖x] failed")
_OWN: Final = re.compile(r"  \w+[….]? +[✖x] failed")
"""A job that failed; what it is called stands alone in its column."""

_CHILD: Final = re.compile(r" [↗?] +[✖x] failed")
_TRIES: Final = 4

_NAME: Final = 25
"""Columns of a row that its project's name begins in; what follows changes."""

_LINES: Final = re.compile(r"of ([\d,]+)")


def spent(session: Session) -> int:
    """Return how many requests the gauge counts."""
    found = _GAUGE.search(session.screen.lines[0])
    assert found, session.screen.lines[0]
    return int(found[1])


def log_lines(session: Session) -> int:
    """Return how many lines the log has, as the line below it says."""
    found = _LINES.search(session.screen.lines[-2])
    assert found, session.text
    return int(found[1].replace(",", ""))


def shows_pipelines(text: str) -> bool:
    """Return whether a list of pipelines is there, with something red in it."""
    return "COMMIT" in text and bool(_FAILED.search(text))


def shows_jobs(text: str) -> bool:
    """Return whether the jobs of a pipeline are there, with something red among them."""
    return "STAGE" in text and bool(_FAILED.search(text))


def shows_log(text: str) -> bool:
    """Return whether a log is there to its end, and the end says why."""
    return "ERROR: Job failed" in text and "ended" in text


def red_project(session: Session) -> None:
    """Page through the projects, so that the state of each is asked for, and keep the red ones."""
    session.press("2")
    session.until("NAMESPACE")
    text = session.until(_shows_each_status)
    for _ in range(2):
        top = _rows(text)[0][:_NAME]
        session.press("pgdn")
        session.until(partial(_begins_otherwise, top=top))
        text = session.until(_shows_each_status)
    session.until(_knows_all)
    session.press("F")
    session.until(lambda text: "/failed hides" in text and len(_FAILED.findall(text)) >= 1)
    session.press("g")


def _rows(text: str) -> list[str]:
    return [line for line in text.splitlines()[3:-1] if line.strip(" █")]


def _begins_otherwise(text: str, *, top: str) -> bool:
    return not _rows(text)[0].startswith(top)


def _shows_each_status(text: str) -> bool:
    """Return whether each project in sight has a status: it is requested only while in sight."""
    rows = _rows(text)
    return bool(rows) and all(_STATUS.search(row) for row in rows)


def _knows_all(text: str) -> bool:
    """Return whether the state of all projects is known, which needs no mention."""
    return bool(_FAILED_COUNT.search(text)) and STATUS_LOADED not in text


def failed_pipeline(session: Session) -> None:
    """Open the project under the cursor, and keep the red pipelines."""
    session.press("enter")
    session.until(shows_pipelines)
    session.press("F")
    session.until(lambda text: "/failed hides" in text and "success  " not in text)


def failed_job(session: Session) -> None:
    """Open the pipeline under the cursor; the cursor goes to the job that failed.

    What there is is a matter of the time of day: in some projects nothing has failed but what
    their pipelines started, and that has no log. Then it is the next red project.
    """
    for _ in range(_TRIES):
        session.press("enter")
        text = session.until(lambda text: _OWN.search(text) or _CHILD.search(text))
        if _OWN.search(text):
            return
        session.press("esc")
        session.until(shows_pipelines)
        session.press("esc")
        session.until(lambda text: _FAILED_COUNT.search(text) and "PROJECT" in text)
        session.press("j")
        failed_pipeline(session)
    raise AssertionError(f"no job of their own failed in {_TRIES} projects\n{session.text}")


def its_log(session: Session) -> None:
    """Open the log of the job under the cursor."""
    session.press("enter")
    session.until(shows_log)


WALK: Final = (red_project, failed_pipeline, failed_job, its_log)
