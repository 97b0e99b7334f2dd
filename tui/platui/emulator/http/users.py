"""The caller and the version of the platform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui.emulator.http.answers import json_answer
from platui.emulator.http.render.people import own_user

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.routing import Table

VERSION: Final = "15.11.13-emulated"


def show_user(call: Call) -> Response:
    """Answer with the owner of the token."""
    return json_answer(own_user(call.credential.user, call.links))


def show_version(call: Call) -> Response:
    """Answer with the version, to callers that are known."""
    del call
    return json_answer({"version": VERSION, "revision": "0000000"})


ROUTES: Table = {
    "user": {"GET": show_user},
    "version": {"GET": show_version},
}
