"""The administration API (spec 4.2): the access report, and its own documentation."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from platui_emulator.http.admin_docs import description, docs_page
from platui_emulator.http.admission import bearer
from platui_emulator.http.answers import failure_answer, json_answer
from platui_emulator.http.conditional import compressed
from platui_emulator.http.failures import (
    ApiFailure,
    forbidden,
    method_not_allowed,
    no_such_route,
    not_acceptable,
    unauthorized,
)
from platui_emulator.http.project_api import raw_path, root_of
from platui_emulator.http.render.report import ReportText
from platui_emulator.http.streaming import StreamedAnswer
from platui_emulator.http.tokens import REPORT_SCOPE

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from platui_emulator.http.platform import Platform


JSON: Final = "application/json"
HTML: Final = "text/html"


def preference(accept: str | None, kind: str) -> float:
    """Return how much a kind of answer is wanted, 0 to 1; the most specific range decides."""
    if not accept or not accept.strip():
        return 1.0
    ranges = [kind, f"{kind.partition('/')[0]}/*", "*/*"]
    wanted = dict(_weighed(part) for part in accept.split(","))
    return next((wanted[one] for one in ranges if one in wanted), 0.0)


def _weighed(part: str) -> tuple[str, float]:
    kind, *parameters = (piece.strip().lower() for piece in part.split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return kind, min(1.0, max(0.0, float(value)))
            except ValueError:
                break
    return kind, 1.0


PREFIX: Final = "/admin/api/v1"


class AdminApi:
    """The API as an ASGI application. The spec knows no rate limit here."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform
        self._written = "", b""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            response = self._answer(request)
        except ApiFailure as failure:
            response = failure_answer(failure)
            if failure.status == HTTPStatus.UNAUTHORIZED:
                response.headers["WWW-Authenticate"] = "Bearer"
        self._platform.variant.sent(response)
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
        return self._platform.variant.answered("GET reporting/report", self._report())

    def _report(self) -> Response:
        """Return the report; a long one is streamed without a length."""
        platform = self._platform
        report = platform.world.reports.report(platform.reporting.period(platform.time.now()))
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
