"""What the facade shows from the first moment, and the live half fills."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from platui.core.observers import Observable
from platui.core.remarks import Remarks
from platui.models.values.connection import Line, LineState
from platui.service.journal import RequestJournal
from platui.service.scribe import Scribe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.profile import Profile
    from platui.config.settings import Settings
    from platui.core.clock import Clock
    from platui.models.values.connection import BudgetState


def _no_line() -> Observable[Line]:
    return Observable(Line(LineState.UNKNOWN))


@dataclass(frozen=True, slots=True)
class Surface:
    """The parts of one service that both halves hold."""

    profile: Profile
    settings: Settings
    clock: Clock
    environ: Mapping[str, str]
    """Where secrets may be; held apart, because the process's own has lost them."""
    budget: Observable[BudgetState]
    line: Observable[Line] = field(default_factory=_no_line)
    journal: RequestJournal = field(default_factory=RequestJournal)
    scribe: Scribe = field(default_factory=Scribe)
    remarks: Remarks = field(default_factory=Remarks)
    """What the stores have to say about themselves."""
