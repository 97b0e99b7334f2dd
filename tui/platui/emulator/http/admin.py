"""The administration API (spec 4.2): the access report, and its own documentation."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from platui.emulator.http.accept import HTML, JSON, preference
from platui.emulator.http.admission import bearer
from platui.emulator.http.answers import failure_answer, json_answer
from platui.emulator.http.conditional import compressed
from platui.emulator.http.docs_page import docs_page
from platui.emulator.http.failures import (
    ApiFailure,
    forbidden,
    method_not_allowed,
    no_such_route,
    not_acceptable,
    unauthorized,
)
from platui.emulator.http.openapi import description
from platui.emulator.http.project_api import raw_path, root_of
from platui.emulator.http.render.report import ReportText
from platui.emulator.http.streaming import StreamedAnswer
from platui.emulator.http.tokens import REPORT_SCOPE

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from platui.emulator.http.platform import Platform

PREFIX: Final = "/admin/api/v1"


class AdminApi:
    """The API as an ASGI application. The spec knows no rate limit here."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._written = "", b""
        """The last report that was not streamed: its identity and its text."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        request = Request(scope, receive)
        try:
            response = self._answer(request)
        except ApiFailure as failure:
            response = failure_answer(failure)
            if failure.status == HTTPStatus.UNAUTHORIZED:
                response.headers["WWW-Authenticate"] = "Bearer"
        self._platform.face.sent(response)
        await compressed(request.headers, response)(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        base = f"{root_of(request)}{PREFIX}"
        path = raw_path(request).removeprefix(PREFIX)
        if path not in {"/reporting/report", "/docs", "/openapi.json"}:
            raise no_such_route()
        if request.method not in {"GET", "HEAD"}:
            raise method_not_allowed("GET")
        accept = request.headers.get("accept")
        described = description(base)
        if path == "/docs" and preference(accept, HTML) >= preference(accept, JSON):
            return HTMLResponse(docs_page(described))
        if path != "/reporting/report":
            return json_answer(described)
        self._check_key(request)
        if not preference(accept, JSON):
            raise not_acceptable()
        return self._platform.face.answered("GET reporting/report", self._report())

    def _report(self) -> Response:
        """Return the report: streamed where it is long, and then nobody knows its length."""
        platform = self._platform
        report = platform.world.report(platform.reporting.period(platform.time.now()))
        text = ReportText(report)
        if report.is_long:
            return StreamedAnswer(text, media_type="application/json")
        if self._written[0] != text.identity:
            self._written = text.identity, b"".join(text.pieces())
        return Response(self._written[1], media_type="application/json")

    def _check_key(self, request: Request) -> None:
        platform = self._platform
        scopes = platform.credentials.admin_scopes(bearer(request.headers), platform.time.now())
        if scopes is None:
            raise unauthorized()
        if REPORT_SCOPE not in scopes:
            raise forbidden(f"The key does not have the scope {REPORT_SCOPE}")
        if not platform.reporting.enabled:
            raise forbidden("Reporting is not enabled for this organization")
