"""The seam: where a face may look at a request and at its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.responses import Response

    from platui.emulator.http.call import Call


class Face(Protocol):
    """Stands between clients and handlers. The control desk has none."""

    def asked(self, headers: Headers) -> Headers:
        """Return the headers of a request that this platform understands."""
        ...

    def admits(self, method: str, pattern: str) -> bool:
        """Tell whether a route of the project API exists, such as `projects/{project}`."""
        ...

    def incoming(self, call: Call) -> None:
        """Change what a request says: path values and parameters, before its handler reads them."""
        ...

    def answered(self, route: str, response: Response) -> Response:
        """Return the answer to send instead, before conditions are weighed on its body.

        Args:
            route: verb and pattern, such as `GET projects/{project}/pipelines`, or nothing where
                no route was found. The report is `GET reporting/report`.
            response: what the handler answered, a refusal too.
        """
        ...

    def sent(self, response: Response) -> None:
        """Change the headers of an answer that is otherwise complete."""
        ...


class Plain:
    """Everything there is, as it is."""

    def asked(self, headers: Headers) -> Headers:
        """Understand all headers."""
        return headers

    def admits(self, method: str, pattern: str) -> bool:
        """Have every route."""
        del method, pattern
        return True

    def incoming(self, call: Call) -> None:
        """Leave the request as it is."""

    def answered(self, route: str, response: Response) -> Response:
        """Leave the answer as it is."""
        del route
        return response

    def sent(self, response: Response) -> None:
        """Leave the headers as they are."""


class Layers:
    """One face over another: requests meet the outer one first, answers the inner one."""

    def __init__(self, inner: Face, outer: Face) -> None:
        self._inner = inner
        self._outer = outer

    def asked(self, headers: Headers) -> Headers:
        """Understand what both do."""
        return self._inner.asked(self._outer.asked(headers))

    def admits(self, method: str, pattern: str) -> bool:
        """Have the routes of both."""
        return self._outer.admits(method, pattern) and self._inner.admits(method, pattern)

    def incoming(self, call: Call) -> None:
        """Change the request from the outside in."""
        self._outer.incoming(call)
        self._inner.incoming(call)

    def answered(self, route: str, response: Response) -> Response:
        """Change the answer from the inside out."""
        return self._outer.answered(route, self._inner.answered(route, response))

    def sent(self, response: Response) -> None:
        """Change the headers from the inside out."""
        self._inner.sent(response)
        self._outer.sent(response)
