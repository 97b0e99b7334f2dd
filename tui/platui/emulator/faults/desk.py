"""The faults that are set, and how often each has struck; owned by the server's loop."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from platui.emulator.faults.fault import Fault, read_fault
from platui.emulator.faults.kinds import REFUSE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(slots=True)
class _Set:
    """A fault that is set."""

    fault: Fault
    met: int = 0
    """How many requests were its own."""
    struck: int = 0

    def strikes(self, method: str, target: str) -> bool:
        """Count a request, and tell whether it is struck."""
        fault = self.fault
        if not fault.meets(method, target):
            return False
        self.met += 1
        if self.met <= fault.after or (fault.times is not None and self.struck >= fault.times):
            return False
        self.struck += 1
        return True


class Faults:
    """Every fault that is set, by number; those set first stand nearest to the client."""

    def __init__(self) -> None:
        self._set: dict[int, _Set] = {}
        self._numbers = count(1)
        self._heed: Callable[[], None] = lambda: None

    def tell(self, heed: Callable[[], None]) -> None:
        """Call this at every change from now on."""
        self._heed = heed

    def put(self, wish: Mapping[str, Any]) -> int:
        """Set a fault and return its number.

        Raises:
            FaultError: there is no such fault.
        """
        fault = read_fault(wish)
        number = next(self._numbers)
        self._set[number] = _Set(fault, struck=int(fault.kind == REFUSE))
        self._heed()
        return number

    def clear(self) -> int:
        """Take all faults away and return how many there were."""
        gone = len(self._set)
        self._set.clear()
        self._heed()
        return gone

    def drop(self, number: int) -> bool:
        """Take one fault away; return whether it was there."""
        gone = self._set.pop(number, None) is not None
        self._heed()
        return gone

    def striking(self, method: str, target: str) -> list[Fault]:
        """Count a request, and return the faults that strike it."""
        return [one.fault for one in self._set.values() if one.strikes(method, target)]

    def refusal(self) -> tuple[int, float] | None:
        """Return number and seconds of the fault that keeps the door shut, if one does."""
        for number, one in self._set.items():
            if one.fault.kind == REFUSE:
                return number, one.fault.number("seconds")
        return None

    def as_json(self) -> list[dict[str, Any]]:
        """Return every fault with its number and how often it has struck."""
        return [
            {"id": number, **one.fault.as_json(), "struck": one.struck}
            for number, one in self._set.items()
        ]
