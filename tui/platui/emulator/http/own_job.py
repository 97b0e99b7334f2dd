"""What a running job may ask about itself with its own token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.emulator.http.answers import json_answer
from platui.emulator.http.credentials import Kind
from platui.emulator.http.failures import unauthorized
from platui.emulator.http.jobs import job_body

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table


def show_own_job(call: Call) -> Response:
    """Show the job whose token this is; other credentials are not told of any."""
    shown = call.credential
    project = call.world.project(shown.owner_id)
    job = call.world.job(shown.owner_id, shown.serial, call.now)
    if shown.kind is not Kind.JOB or project is None or job is None:
        raise unauthorized()
    return json_answer(job_body(call, project, job))


ROUTES: Table = {"job": {"GET": show_own_job}}
