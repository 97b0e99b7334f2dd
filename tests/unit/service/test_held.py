"""What is held for weeks does not grow with them."""

from __future__ import annotations

from platui.service.lru_cache import Held


def test_what_nobody_asked_for_longest_goes_first() -> None:
    """Asking whether it is there is asking for it."""
    held = Held[str, int | None](3)
    for at, name in enumerate("abc"):
        held.hold(name, at)
    assert held.get("a") == 0
    assert "b" in held
    held.hold("d", None)
    assert held.items() == [("a", 0), ("b", 1), ("d", None)]
    assert list(held) == ["a", "b", "d"]
    assert held.get("c") is None
    assert "c" not in held
    assert "d" in held


def test_what_is_held_once_more_is_held_once() -> None:
    """With its new value, as what was used last."""
    held = Held[str, int](2)
    for name, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        held.hold(name, value)
    assert held.items() == [("a", 3), ("c", 4)]
    held.drop("b")
    held.drop("a")
    assert len(held) == 1
    held.clear()
    assert not held.items()
