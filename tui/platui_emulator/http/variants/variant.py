"""The seam: where a variant may look at a request and at its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.responses import Response

    from platui_emulator.http.call import Call


class Variant:
    """Changes requests and responses; this base changes nothing."""

    def asked(self, headers: Headers) -> Headers:
        """Return the headers of a request that this platform understands."""
        return headers

    def admits(self, method: str, pattern: str) -> bool:
        """Return whether a route of the project API exists, such as `projects/{project}`."""
        del method, pattern
        return True

    def incoming(self, call: Call) -> None:
        """Change path values and parameters of a request before its handler runs."""

    def answered(self, route: str, response: Response) -> Response:
        """Return the answer to send instead, before conditions are weighed on its body.

        Args:
            route: verb and pattern, such as `GET projects/{project}/pipelines`, or nothing where
                no route was found. The report is `GET reporting/report`.
            response: what the handler answered, a refusal too.
        """
        del route
        return response

    def sent(self, response: Response) -> None:
        """Change the headers of an answer that is otherwise complete."""


class Layers(Variant):
    """One variant over another: requests meet the outer one first, answers the inner one."""

    def __init__(self, inner: Variant, outer: Variant) -> None:
        self._inner = inner
        self._outer = outer

    def asked(self, headers: Headers) -> Headers:
        return self._inner.asked(self._outer.asked(headers))

    def admits(self, method: str, pattern: str) -> bool:
        return self._outer.admits(method, pattern) and self._inner.admits(method, pattern)

    def incoming(self, call: Call) -> None:
        self._outer.incoming(call)
        self._inner.incoming(call)

    def answered(self, route: str, response: Response) -> Response:
        return self._outer.answered(route, self._inner.answered(route, response))

    def sent(self, response: Response) -> None:
        self._inner.sent(response)
        self._outer.sent(response)
