"""The project API (spec 4.3): from a request to a handler and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.requests import ClientDisconnect, Request

from platui_emulator.http import (
    acts,
    artifacts,
    jobs,
    pipelines,
    projects,
    repository,
    schedules,
    users,
)
from platui_emulator.http.admission import check_route, shown_credential
from platui_emulator.http.answers import failure_answer
from platui_emulator.http.call import Call
from platui_emulator.http.conditional import compressed, conditional
from platui_emulator.http.failures import ApiFailure, too_large
from platui_emulator.http.parameters import MAX_BODY, Parameters, read_parameters
from platui_emulator.http.render.people import Links
from platui_emulator.http.routing import Routes

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    from platui_emulator.http.platform import Platform

PREFIX: Final = "/api/v4/"

ROUTES: Final = Routes(
    PREFIX,
    {
        **users.ROUTES,
        **projects.ROUTES,
        **pipelines.ROUTES,
        **jobs.ROUTES,
        **acts.ROUTES,
        **artifacts.ROUTES,
        **repository.ROUTES,
        **schedules.ROUTES,
    },
)


class ProjectApi:
    """The API as an ASGI application."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            body = await read_body(request)
        except ClientDisconnect:
            return
        except ApiFailure as failure:
            response = failure_answer(failure)
        else:
            response = self._answer(request, body)
        await response(scope, receive, send)

    def _answer(self, request: Request, body: bytes) -> Response:
        call, variant = self._call(request), self._platform.variant
        try:
            answer = self._handle(call, request, body)
            response = conditional(call.headers, variant.answered(call.route, answer))
        except ApiFailure as failure:
            response = variant.answered(call.route, failure_answer(failure))
        if call.tally is not None:
            response.headers.update(call.tally.headers())
        if call.charged is not None:
            request.state.user = call.charged.username
        variant.sent(response)
        return compressed(request.headers, response)

    def _call(self, request: Request) -> Call:
        return Call(
            platform=self._platform,
            headers=self._platform.variant.asked(request.headers),
            raw_path=raw_path(request),
            query=request.scope["query_string"].decode("latin-1"),
            links=Links(root_of(request)),
            now=self._platform.time.now(),
            params=Parameters({}),
        )

    def _handle(self, call: Call, request: Request, body: bytes) -> Response:
        variant = self._platform.variant
        call.shown = shown_credential(self._platform, call.headers, call.now)
        if call.shown is not None:
            call.charge(call.shown.user)
        handler, pattern, call.path = ROUTES.find(request.method, call.raw_path, variant.admits)
        call.route = f"{request.method} {pattern}"
        check_route(call)
        call.params = read_parameters(
            request.scope["query_string"], call.headers.get("content-type", ""), body
        )
        variant.incoming(call)
        return handler(call)


def raw_path(request: Request) -> str:
    """Return the path as it was sent, still encoded."""
    return bytes(request.scope["raw_path"]).decode("latin-1")


def root_of(request: Request) -> str:
    """Return the address that the client used: a relay in front keeps its own links."""
    host = request.headers.get("host")
    if not host:
        name, port = request.scope["server"]
        host = f"{name}:{port}"
    return f"{request.scope['scheme']}://{host}"


async def read_body(request: Request) -> bytes:
    """Return a request's body. Raises ApiFailure: too long; ClientDisconnect: the client left."""
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_BODY:
            raise too_large()
        chunks.append(chunk)
    return b"".join(chunks)
