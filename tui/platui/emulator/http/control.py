"""The emulator's own desk, outside both APIs, for tests and the curious.

- `GET /-/emulator/requests?after=N` lists the requests that came to the platform.
- `GET /-/emulator/credentials` lists a credential of every kind, and whose it is.
- `POST /-/emulator/expire` with the form field `token` lets that credential expire.

Nothing here is counted, journaled or asked for a credential: what it hands out opens a
simulated company only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request

from platui.emulator.http.answers import failure_answer, json_answer
from platui.emulator.http.credentials import READ_ONLY_SERIAL, Kind
from platui.emulator.http.failures import ApiFailure, no_such_route, not_found
from platui.emulator.http.parameters import MAX_BODY, read_parameters
from platui.emulator.http.project_api import raw_path

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    from platui.emulator.http.platform import Platform

PREFIX: Final = "/-/emulator"


class Control:
    """The desk as an ASGI application."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        request = Request(scope, receive)
        body = await request.body()
        try:
            response = self._answer(request, body[:MAX_BODY])
        except ApiFailure as failure:
            response = failure_answer(failure)
        await response(scope, receive, send)

    def _answer(self, request: Request, body: bytes) -> Response:
        params = read_parameters(
            request.scope["query_string"], request.headers.get("content-type", ""), body
        )
        match request.method, raw_path(request).removeprefix(PREFIX):
            case "GET", "/requests":
                entries = self._platform.journal.as_json(params.number("after", 0))
                return json_answer({"requests": entries})
            case "GET", "/credentials":
                return json_answer(all_credentials(self._platform))
            case "POST", "/expire":
                [token] = params.required("token")
                if not self._platform.credentials.expire(token):
                    raise not_found("Token")
                return json_answer({"expired": True})
        raise no_such_route()


def all_credentials(platform: Platform) -> dict[str, Any]:
    """Return a credential of every kind."""
    issue, showcase = platform.credentials.issue, platform.showcase
    other = next(
        person
        for person in platform.world.people()
        if person.id != platform.user.id and person.state == "active" and not person.bot
    )
    return {
        "user": platform.user.username,
        "personal": platform.personal_token(),
        "personal_second": platform.personal_token(2),
        "personal_read_only": platform.personal_token(READ_ONLY_SERIAL),
        "other_user": other.username,
        "other_personal": issue(Kind.PERSONAL, other.id),
        "project": issue(Kind.PROJECT, showcase.id),
        "project_path": showcase.full_path,
        "group": issue(Kind.GROUP, showcase.group_id),
        "trigger": platform.trigger_token(),
        "admin_key": platform.credentials.admin_key(),
        "admin_key_without_scope": platform.credentials.admin_key(with_scope=False),
    }
