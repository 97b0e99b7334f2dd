"""What is held for weeks does not grow with them."""

from __future__ import annotations

from platui.service.lru_cache import LruCache


def test_what_nobody_asked_for_longest_goes_first() -> None:
    """Asking whether it is there is asking for it."""
    cache = LruCache[str, int | None](3)
    for at, name in enumerate("abc"):
        cache.put(name, at)
    assert cache.get("a") == 0
    assert "b" in cache
    cache.put("d", None)
    assert cache.items() == [("a", 0), ("b", 1), ("d", None)]
    assert list(cache) == ["a", "b", "d"]
    assert cache.get("c") is None
    assert "c" not in cache
    assert "d" in cache


def test_what_is_held_once_more_is_held_once() -> None:
    """With its new value, as what was used last."""
    cache = LruCache[str, int](2)
    for name, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        cache.put(name, value)
    assert cache.items() == [("a", 3), ("c", 4)]
    cache.drop("b")
    cache.drop("a")
    assert len(cache) == 1
    cache.clear()
    assert not cache.items()


def test_values_of_several_sizes_share_the_room() -> None:
    """A value that is larger than all of it is alone there, until the next one comes."""
    cache = LruCache[str, str](10, len)
    for name in "abc":
        cache.put(name, name * 4)
    assert list(cache) == ["b", "c"]
    cache.put("b", "b")
    cache.put("d", "d" * 5)
    assert list(cache) == ["c", "b", "d"]
    cache.drop("d")
    cache.put("e", "e" * 5)
    assert list(cache) == ["c", "b", "e"]
    cache.put("f", "f" * 11)
    assert list(cache) == ["f"]
    cache.put("g", "g")
    assert list(cache) == ["g"]
    cache.clear()
    cache.put("h", "h" * 10)
    cache.put("i", "")
    assert list(cache) == ["h", "i"]
