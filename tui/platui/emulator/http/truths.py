"""What the control desk tells of things that were planted to be found."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from platui.emulator.http.parameters import Parameters
    from platui.emulator.http.platform import Platform


def _logs(platform: Platform, params: Parameters) -> dict[str, Any]:
    del params
    return {"logs": [asdict(one) for one in platform.world.long_logs()]}


ANSWERS: Final[Mapping[tuple[str, str], Callable[[Platform, Parameters], Any]]] = {
    ("GET", "/logs"): _logs,
}
