"""The control desk tells of itself, and what it tells is so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.clock import FakeClock
from tests.support.platform import ask

if TYPE_CHECKING:
    from tests.support.platform import PlatformFactory

    from platui_emulator.server import RunningEmulator

OVERVIEW = "/-/emulator/"


def test_the_desk_lists_what_it_offers(platform_with: PlatformFactory) -> None:
    """Every endpoint of the list is there and takes what it says, with the verb it says."""
    platform = platform_with(clock=FakeClock())
    told = ask("GET", platform.base_url + OVERVIEW).json()
    assert ask("GET", f"{platform.base_url}/-/emulator").json() == told
    verbs: dict[str, set[str]] = {}
    for one in told["endpoints"]:
        assert one["does"].endswith(".")
        verbs.setdefault(one["path"], set()).add(one["method"])
        answer = ask(one["method"], platform.base_url + one["path"].replace("<id>", "1"))
        if answer.status_code == 400:
            # What is missing is named in the list.
            missing = str(answer.json()).removeprefix("{'error': '").split()[0]
            assert missing in one["takes"] or "kind" in one["takes"]
        else:
            assert answer.status_code == (404 if one["path"].endswith("<id>") else 200)
    assert len(verbs) >= 14
    for path, known in verbs.items():
        if path.endswith("<id>"):
            continue
        other = ask("PUT", platform.base_url + path)
        assert (other.status_code, other.headers["Allow"].split(", ")) == (405, sorted_verbs(known))
    assert ask("GET", f"{platform.base_url}/-/emulator/nothing").status_code == 404


def sorted_verbs(known: set[str]) -> list[str]:
    """Return verbs in the order in which the platform tells them."""
    return [verb for verb in ("GET", "POST", "DELETE") if verb in known]


def test_every_kind_of_fault_is_told_with_values_that_it_takes(
    platform_with: PlatformFactory,
) -> None:
    """A fault can be set from the list alone: its kind, and each setting at its default."""
    platform = platform_with(clock=FakeClock())
    kinds = ask("GET", platform.base_url + OVERVIEW).json()["fault_kinds"]
    for name, kind in kinds.items():
        wish = {key: one["default"] for key, one in kind["settings"].items()}
        made = ask("POST", f"{platform.base_url}/-/emulator/faults", json={"kind": name, **wish})
        assert made.status_code == 201, (name, made.text)
    listed = ask("GET", f"{platform.base_url}/-/emulator/faults").json()["faults"]
    assert [one["kind"] for one in listed] == list(kinds)


def test_the_desk_takes_no_more_than_the_platform(still_platform: RunningEmulator) -> None:
    """A body without end is refused before it is held, not cut and believed."""
    answer = ask("POST", f"{still_platform.base_url}/-/emulator/expire", content=b" " * (1 << 21))
    assert answer.status_code == 413
