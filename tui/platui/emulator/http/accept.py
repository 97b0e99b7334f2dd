"""What kinds of answer a request takes: the header `Accept` (RFC 9110 §12.5.1)."""

from __future__ import annotations

from typing import Final

JSON: Final = "application/json"
HTML: Final = "text/html"


def preference(accept: str | None, kind: str) -> float:
    """Return how much a kind of answer is wanted, from 0 (not at all) to 1.

    The most specific range decides: `text/html;q=0, */*` takes everything but HTML. A request
    that says nothing takes all.
    """
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
