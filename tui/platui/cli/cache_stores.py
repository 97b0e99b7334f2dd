"""Which stores a command is about, whose, and how large each may grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from platui.cli.left_out import tell_left_out
from platui.cli.naming import nearest
from platui.config.choose import choose_profile
from platui.config.hardening import harden
from platui.config.load import load_settings
from platui.core.errors import ConfigError
from platui.core.text import clean, shorten
from platui.present.sizes import human_bytes
from platui.store import audit, kept, kept_boards, sent, sweeping, triage
from platui.store.naming import file_stem
from platui.store.stock import LOGS, PAGES, STORES, stocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from platui.config.settings import Options, Settings
    from platui.store.stock import Item, Stock, Store

_MB: Final = 1_000_000


class Cap(NamedTuple):
    """How large a store may grow."""

    words: str
    size: int | None = None
    """Bytes, where it is a matter of them."""
    settings: tuple[str, ...] = ()
    """Keys of config.toml that say so; none: it is fixed."""


class Kept(NamedTuple):
    """What is kept, as far as a command is about it."""

    settings: Settings
    profile: str | None
    """The one that is meant; None: all."""
    origin: str | None
    """Address of its platform; None where that is not known."""
    stocks: tuple[Stock, ...]


def kept_for(options: Options, stores: Iterable[Store]) -> Kept:
    """Return what is kept in some stores, for the profile that is named, or for all.

    Raises:
        ConfigError: the configuration cannot be read; or nothing is called like that profile.
    """
    environ = harden()
    settings = load_settings(options.config, environ, options)
    tell_left_out(settings)
    origins = {one.name: one.url for one in settings.profiles.values()}
    if options.url:
        found = choose_profile(settings, environ, options)
        origins |= {} if found is None else {found.name: found.url}
    all_ = stocks(origins.values())
    name = options.profile
    if name is None:
        return Kept(settings, None, None, tuple(one for one in all_ if one.store in stores))
    origin = origins.get(name)
    if origin is None and not any(_items_of(one, name, None) for one in all_):
        near = nearest(name, list(origins))
        raise ConfigError(
            f"There is no profile {shorten(name, 60)}, and nothing is kept for one.",
            hint=f"Did you mean {clean(near)}?" if near else "platui cache info tells whose it is.",
        )
    mine = [
        one._replace(items=items, size=sum(item.size for item in items))
        for one in all_
        if one.store in stores and not one.store.is_shared
        for items in [_items_of(one, name, origin)]
    ]
    return Kept(settings, name, origin, tuple(mine))


def size_now(kept: Kept, store: Store) -> int:
    """Return how many bytes a store has now, of what a command is about."""
    (stock,) = (one for one in stocks([kept.origin or ""]) if one.store == store)
    if kept.profile is None:
        return stock.size
    return sum(one.size for one in _items_of(stock, kept.profile, kept.origin))


def _items_of(stock: Stock, profile: str, origin: str | None) -> tuple[Item, ...]:
    meant = origin if stock.store in {PAGES, LOGS} else file_stem(profile)
    return tuple(one for one in stock.items if one.of == meant and meant)


def stores_named(words: Sequence[str]) -> list[Store]:
    """Return the stores that words name, each once, in the order of all.

    Raises:
        ConfigError: a word names none.
    """
    known = {one.name: one for one in STORES}
    names = [name.strip().lower() for word in words for name in word.split(",") if name.strip()]
    for name in names:
        if name not in known:
            near = nearest(name, list(known))
            raise ConfigError(
                f"--what: nothing that is kept is called {shorten(name, 40)}.",
                hint=f"Did you mean {near}?" if near else f"It is one of {', '.join(known)}.",
            )
    return [one for one in STORES if one.name in names]


def cap_of(store: Store, settings: Settings) -> Cap:
    """Return how large a store may grow."""
    cache, reports = settings.cache, settings.reports
    if store in {PAGES, LOGS}:
        size = cache.max_mb * _MB
        return Cap(f"{human_bytes(size)} in all", size, ("cache.max_mb",))
    audited = audit.LARGEST * (audit.KEPT + 1)
    return {
        "quota": Cap("two minutes of requests"),
        "places": Cap(f"{kept.MOST_ROWS} rows, {kept_boards.MOST_ITEMS} incidents"),
        "choices": Cap("some lines"),
        "triage": Cap(f"{triage.MOST_MARKS} marks, {triage.MOST_PAST} incidents"),
        "sent": Cap(f"{sent.MOST} runs, {sent.MOST} schedules"),
        "audit": Cap(human_bytes(audited), audited),
        "reports": Cap(
            f"{reports.keep}, and {reports.keep_monthly} months",
            None,
            ("reports.keep", "reports.keep_monthly"),
        ),
        "copied": Cap(f"one, {sweeping.COPIED_DAYS} days"),
        "damaged": Cap(f"{sweeping.DAMAGED_DAYS} days"),
    }.get(store.name, Cap("no cap"))
