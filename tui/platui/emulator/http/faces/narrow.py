"""The narrowest platform that keeps the spec: no route, field, filter or header beyond it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import Headers

from platui.emulator.http.answers import json_answer
from platui.emulator.http.faces.fields import OPERATIONS, REFUSAL_HEADERS, REQUEST_HEADERS

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui.emulator.http.call import Call
    from platui.emulator.http.faces.fields import Shape

_UNAUTHORIZED: Final = 401
_TOO_MANY: Final = 429
_REFUSALS: Final = 400
_SENT: Final = frozenset({"content-type", "content-length", "content-encoding", "vary"})


class Narrow:
    """The spec and nothing else."""

    def asked(self, headers: Headers) -> Headers:
        """Understand the credential, the kind of body and compression; no conditions or ranges."""
        kept = [(name, value) for name, value in headers.raw if name.decode() in REQUEST_HEADERS]
        return Headers(raw=kept)

    def admits(self, method: str, pattern: str) -> bool:
        """Have the operations of §4.3; HEAD is not among the verbs of §1."""
        return f"{method} {pattern}" in OPERATIONS

    def incoming(self, call: Call) -> None:
        """Ignore parameters that the operation does not have."""
        call.params = call.params.only(OPERATIONS[call.route].takes)

    def answered(self, route: str, response: Response) -> Response:
        """Cut records down to their fields; all that is wrong with a credential sounds the same."""
        if response.status_code == _UNAUTHORIZED:
            return json_answer({"message": "401 Unauthorized"}, _UNAUTHORIZED)  # §7
        operation = OPERATIONS.get(route)
        if operation is None or operation.shape is None or response.status_code >= _REFUSALS:
            return response
        body = json.loads(bytes(response.body))
        return json_answer(narrowed(body, operation.shape), response.status_code)

    def sent(self, response: Response) -> None:
        """Send what HTTP needs, and on a 429 how the quota stands."""
        kept = _SENT | REFUSAL_HEADERS if response.status_code == _TOO_MANY else _SENT
        for name in {*response.headers} - kept:
            del response.headers[name]


def narrowed(value: Any, shape: Shape | None) -> Any:
    """Return a record, or each of a list, with the fields of a shape and no others."""
    if shape is None:
        return value
    if isinstance(value, list):
        return [narrowed(item, shape) for item in value]
    if isinstance(value, dict):
        return {name: narrowed(value[name], shape[name]) for name in value if name in shape}
    return value
