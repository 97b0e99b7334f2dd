"""What one endpoint of the control desk is: how it is told of, and what answers it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.emulator.http.parameters import Parameters
    from platui.emulator.http.platform import Platform


@dataclass(frozen=True, slots=True)
class Told:
    """What the desk says of an endpoint: a sentence, and one for each thing that it takes."""

    does: str
    takes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """An endpoint that answers with a JSON object, or with a response of its own."""

    told: Told
    answer: Callable[[Platform, Parameters], Any]


def offer(answer: Callable[[Platform, Parameters], Any], does: str, **takes: str) -> Offer:
    """Return an endpoint; parameters that are words of Python are written with a `_` behind."""
    return Offer(Told(does, {name.rstrip("_"): said for name, said in takes.items()}), answer)
