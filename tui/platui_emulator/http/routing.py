"""Routes matched on the raw path, where ids carry encoded slashes (spec §4.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from urllib.parse import unquote

from platui_emulator.http.failures import method_not_allowed, no_such_route

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.call import Call

    Handler: TypeAlias = Callable[[Call], Response]
    Table: TypeAlias = Mapping[str, Mapping[str, Handler]]
    Admits: TypeAlias = Callable[[str, str], bool]
    from platui_emulator.http.parameters import Parameters
    from platui_emulator.http.platform import Platform


class Match(NamedTuple):
    """Where a path leads."""

    handler: Handler
    pattern: str
    """As in the table: `projects/{project}/jobs`."""
    values: dict[str, str]


class Routes:
    """A table from (method, raw path) to handler; earlier rows win."""

    def __init__(self, prefix: str, table: Table) -> None:
        self.table = table
        self._prefix = prefix
        self._by_length: dict[int, list[tuple[tuple[str, ...], Mapping[str, Handler]]]]
        self._by_length = defaultdict(list)
        self._open: list[tuple[tuple[str, ...], Mapping[str, Handler]]] = []
        for pattern, handlers in table.items():
            segments = tuple(pattern.split("/"))
            is_open = segments[-1].startswith("{*")
            rows = self._open if is_open else self._by_length[len(segments)]
            rows.append((segments, handlers))

    def find(self, method: str, raw_path: str, admits: Admits) -> Match:
        """Return where a path leads, if `admits` it. Raises ApiFailure: no such route or method."""
        if not raw_path.startswith(self._prefix):
            raise no_such_route()
        sent = raw_path.removeprefix(self._prefix).split("/")
        for pattern, handlers in (*self._by_length.get(len(sent), ()), *self._open):
            values = _match(pattern, sent)
            if values is None:
                continue
            name = "/".join(pattern)
            if not admits(method, name):
                raise no_such_route()
            # Few have an answer of their own to HEAD: the others leave the body of GET out.
            handler = handlers.get(method) or handlers.get("GET" if method == "HEAD" else "")
            if handler is None:
                raise method_not_allowed(", ".join(handlers))
            return Match(handler, name, values)
        raise no_such_route()


def _match(pattern: tuple[str, ...], sent: list[str]) -> dict[str, str] | None:
    values = {}
    if pattern[-1].startswith("{*"):
        if len(sent) < len(pattern):
            return None
        *pattern_head, last = pattern
        pattern, rest = tuple(pattern_head), sent[len(pattern_head) :]
        sent = sent[: len(pattern)]
        values[last[2:-1]] = unquote("/".join(rest), errors="replace")
    for expected, segment in zip(pattern, sent, strict=True):
        if expected.startswith("{"):
            if not segment:
                return None
            values[expected[1:-1]] = unquote(segment, errors="replace")
        elif expected != segment:
            return None
    return values


@dataclass(frozen=True, slots=True)
class EndpointDocs:
    """The documentation of an endpoint of the control API, and of its parameters."""

    does: str
    takes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """A control endpoint that returns a JSON object or a response."""

    docs: EndpointDocs
    answer: Callable[[Platform, Parameters], Any]


def offer(answer: Callable[[Platform, Parameters], Any], does: str, **takes: str) -> Offer:
    """Return an endpoint; parameters that are words of Python are written with a `_` behind."""
    return Offer(
        EndpointDocs(does, {name.rstrip("_"): said for name, said in takes.items()}), answer
    )
