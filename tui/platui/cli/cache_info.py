"""`platui cache info`: each store, what of it is kept for whom, and how much it may be."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from platui.cli.cache_stores import cap_of, kept_for, stores_named
from platui.cli.patience import narrate
from platui.cli.prompting import aside
from platui.cli.stdout import is_terminal
from platui.cli.told import fitted_table, say_lines, say_object
from platui.core.clock import SystemClock
from platui.core.paths import at_home
from platui.core.text import clean
from platui.present.sizes import human_bytes
from platui.present.times import age
from platui.store.stock import STORES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from platui.cli.cache_stores import Kept
    from platui.config.settings import Options
    from platui.store.stock import Item, Stock

_HEADS: Final = ("STORE", "OF", "SIZE", "OLDEST", "NEWEST", "AT MOST")
_RIGHT: Final = frozenset({2, 3, 4})
_SPARE: Final = ((1, 16), (3, 0), (5, 14))
_SCHEMA: Final = "platui.cache/1"


def tell_what_is_kept(options: Options, words: Sequence[str], *, as_json: bool) -> int:
    """Print it; returns the exit code.

    Raises:
        ConfigError: a word names no store, or the profile is none.
    """
    stores = stores_named(words) or list(STORES)
    kept = kept_for(options, stores)
    now = SystemClock().now()
    if as_json:
        say_object(_object(kept, now))
        return 0
    say_lines(fitted_table([_HEADS, *_rows(kept, now)], _RIGHT, _SPARE))
    again = sum(one.size for one in kept.stocks if one.store.is_again)
    all_ = sum(one.size for one in kept.stocks)
    narrate(f"{human_bytes(all_)} in all; {human_bytes(again)} of it can be fetched again.")
    if is_terminal():
        for one in kept.stocks:
            if one.items:
                aside(f"  {one.store.name}: {one.store.what}, in {at_home(one.path)}")
    return 0


def _rows(kept: Kept, now: datetime) -> Iterator[tuple[str, ...]]:
    """Yield a row for each store and for whom it keeps anything; one that is empty has one, too."""
    for stock in kept.stocks:
        cap = cap_of(stock.store, kept.settings).words
        whose = [item for item in stock.items if item.of]
        if len(whose) != 1 or whose[0].size != stock.size:
            yield _row(stock.store.name, "", stock.size, stock, now, cap)
            yield from (_row("", _called(one), one.size, one, now, "") for one in whose)
        else:
            yield _row(stock.store.name, _called(whose[0]), stock.size, stock, now, cap)


def _row(
    name: str, of: str, size: int, whole: Stock | Item, now: datetime, cap: str
) -> tuple[str, ...]:
    return name, of, human_bytes(size), _age(whole.oldest, now), _age(whole.newest, now), cap


def _called(item: Item) -> str:
    """Return whose it is; what is kept without a profile of a name of its own has a sum for one."""
    return clean(item.of.removeprefix("https://").removeprefix("http://"))


def _age(second: float | None, now: datetime) -> str:
    return age(_moment(second), now)


def _moment(second: float | None) -> datetime | None:
    try:
        return None if second is None else datetime.fromtimestamp(second, UTC)
    except (ValueError, OverflowError, OSError):  # of a damaged file
        return None


def _object(kept: Kept, now: datetime) -> dict[str, Any]:
    return {
        "schema": _SCHEMA,
        "at": now.isoformat(),
        "profile": kept.profile,
        "bytes": sum(one.size for one in kept.stocks),
        "stores": [_store_object(one, kept) for one in kept.stocks],
    }


def _store_object(stock: Stock, kept: Kept) -> dict[str, Any]:
    cap = cap_of(stock.store, kept.settings)
    return {
        "store": stock.store.name,
        "what": stock.store.what,
        "is_fetched_again": stock.store.is_again,
        "path": str(stock.path),
        "bytes": stock.size,
        "cap": cap.size,
        "cap_words": cap.words,
        "settings": list(cap.settings),
        "oldest": _written(stock.oldest),
        "newest": _written(stock.newest),
        "of": [
            {
                "name": one.of or None,
                "bytes": one.size,
                "count": one.files,
                "oldest": _written(one.oldest),
                "newest": _written(one.newest),
            }
            for one in stock.items
        ],
    }


def _written(second: float | None) -> str | None:
    moment = _moment(second)
    return None if moment is None else moment.isoformat()
