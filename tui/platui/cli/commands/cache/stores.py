"""Print the local data stores with their sizes, limits and owners; clear them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from platui.cli import confirmation
from platui.cli.exit_codes import Exit
from platui.cli.output.lists import table_lines
from platui.cli.output.progress import print_notice, warn_ignored_keys
from platui.cli.output.stdout import is_terminal, print_line, print_lines, print_object
from platui.cli.prompts import print_paragraph
from platui.config.environment import harden
from platui.config.load import load_settings
from platui.config.profile_choice import choose_profile
from platui.core.clock import SystemClock
from platui.core.errors import ConfigError
from platui.core.named_tuple import NamedTuple
from platui.core.paths import tilde_path
from platui.core.suggestions import did_you_mean, nearest
from platui.core.text import clean, shorten
from platui.present.counts import human_bytes
from platui.present.tables.spec import ColumnSpec, Context, TableSpec
from platui.present.times import age
from platui.store import audit, inventory, saved_boards, saved_views, sent_writes, triage
from platui.store.json_shape import file_stem
from platui.store.storage_usage import LOGS, PAGES, QUOTA, STORES, clear, storage_usage

if TYPE_CHECKING:
    from platui.config.settings import Options, Settings
    from platui.store.storage_usage import Store, StoreUsage, UsageItem

_MB: Final = 1_000_000


class Cap(NamedTuple):
    words: str
    size: int | None = None  # bytes
    settings: tuple[str, ...] = ()  # Keys of config.toml that set it; empty if fixed


class Selection(NamedTuple):
    settings: Settings
    profile: str | None  # None: all profiles
    origin: str | None  # URL of the profile's platform; None if unknown
    usage: tuple[StoreUsage, ...]


def select_stores(options: Options, stores: Iterable[Store]) -> Selection:
    environ = harden()
    settings = load_settings(options.config, environ, options)
    warn_ignored_keys(settings)
    origins = {one.name: one.url for one in settings.profiles.values()}
    if options.url:
        found = choose_profile(settings, environ, options)
        origins |= {} if found is None else {found.name: found.url}
    name = options.profile
    origin = None if name is None else origins.get(name)
    all_ = storage_usage(origins.values())
    if name is not None and origin is None and not any(_items_of(one, name, None) for one in all_):
        meant = did_you_mean(clean(nearest(name, origins)))
        raise ConfigError(
            f'Unknown profile "{shorten(name, 60)}": not configured, and no local data.',
            hint=meant or "List all with: platui cache info",
        )
    usage = _usage_of(all_, stores, name, origin)
    return Selection(settings, name, origin, usage)


def _usage_of(
    usage: Iterable[StoreUsage], stores: Iterable[Store], profile: str | None, origin: str | None
) -> tuple[StoreUsage, ...]:
    some = (one for one in usage if one.store in stores)
    if profile is None:
        return tuple(some)
    parts = ((one, _items_of(one, profile, origin)) for one in some if not one.store.is_shared)
    return tuple(
        one._replace(items=items, size=sum(item.size for item in items)) for one, items in parts
    )


def _items_of(stock: StoreUsage, profile: str, origin: str | None) -> tuple[UsageItem, ...]:
    owner = origin if stock.store in {PAGES, LOGS} else file_stem(profile)
    return tuple(one for one in stock.items if one.of == owner and owner)


def parse_stores(words: Sequence[str]) -> list[Store]:
    known = {one.name: one for one in STORES}
    names = [name.strip().lower() for word in words for name in word.split(",") if name.strip()]
    for name in names:
        if name not in known:
            meant = did_you_mean(nearest(name, known, cutoff=0.7))
            hint = f"{meant} Stores: {', '.join(known)}.".lstrip()
            raise ConfigError(f'--what: unknown store "{shorten(name, 40)}".', hint=hint)
    return [one for one in STORES if one.name in names]


def cap_of(store: Store, settings: Settings) -> Cap:
    cache, reports = settings.cache, settings.reports
    if store in {PAGES, LOGS}:
        size = cache.max_mb * _MB
        return Cap(f"{human_bytes(size)} in total", size, ("cache.max_mb",))
    audited = audit.LARGEST * (audit.KEPT + 1)
    return {
        "quota": Cap("two minutes of requests"),
        "places": Cap(f"{saved_views.MAX_ROWS} rows, {saved_boards.MAX_ITEMS} incidents"),
        "choices": Cap("a few lines"),
        "triage": Cap(f"{triage.MAX_MARKS} marks, {triage.MAX_HISTORY} incidents"),
        "sent": Cap(f"{sent_writes.MOST} runs, {sent_writes.MOST} schedules"),
        "audit": Cap(human_bytes(audited), audited),
        "reports": Cap(
            f"{reports.keep} newest, {reports.keep_monthly} monthly",
            None,
            ("reports.keep", "reports.keep_monthly"),
        ),
        "copied": Cap(f"one text, {inventory.COPIED_DAYS} days"),
        "damaged": Cap(f"{inventory.DAMAGED_DAYS} days"),
    }.get(store.name, Cap("no limit"))


def print_stores(options: Options, words: Sequence[str], *, as_json: bool) -> None:
    stores = parse_stores(words) or list(STORES)
    selection = select_stores(options, stores)
    now = SystemClock().now()
    if as_json:
        lines = (_Line(one, cap_of(one.store, selection.settings), one) for one in selection.usage)
        print_object(
            {
                "schema": "platui.cache/1",
                "at": now.isoformat(),
                "profile": selection.profile,
                "bytes": sum(one.size for one in selection.usage),
                "stores": [_STOCKS.object(line) for line in lines],
            }
        )
        return
    print_lines(table_lines([*_lines(selection)], _STOCKS, Context(now)))
    again = sum(one.size for one in selection.usage if one.store.is_again)
    all_ = sum(one.size for one in selection.usage)
    print_notice(f"{human_bytes(all_)} in total; {human_bytes(again)} can be fetched again.")
    if is_terminal():
        for one in selection.usage:
            if one.items:
                print_paragraph(f"  {one.store.name}: {one.store.what}, in {tilde_path(one.path)}")


class _Line(NamedTuple):
    """A row of the table: a store, or the part of one owner below it."""

    stock: StoreUsage
    cap: Cap
    amount: StoreUsage | UsageItem  # The whole store, or the part of the only or listed owner
    owner: str = ""
    is_part: bool = False


def _lines(selection: Selection) -> Iterator[_Line]:
    for stock in selection.usage:
        owned = [item for item in stock.items if item.of]
        has_parts = len(owned) != 1 or owned[0].size != stock.size
        cap = cap_of(stock.store, selection.settings)
        if has_parts:
            yield _Line(stock, cap, stock)
        for one in owned:
            owner = one.of.removeprefix("https://").removeprefix("http://")
            yield _Line(stock, cap, one, owner, is_part=has_parts)


def _moment(second: float | None) -> datetime | None:
    try:
        return None if second is None else datetime.fromtimestamp(second, UTC)
    except (ValueError, OverflowError, OSError):  # from a damaged file
        return None


def _written(second: float | None) -> str | None:
    moment = _moment(second)
    return None if moment is None else moment.isoformat()


def _owners(line: _Line, _at: Context) -> list[dict[str, Any]]:
    return [
        {
            "name": one.of or None,
            "bytes": one.size,
            "count": one.files,
            "oldest": _written(one.oldest),
            "newest": _written(one.newest),
        }
        for one in line.stock.items
    ]


_STOCKS: Final[TableSpec[_Line]] = TableSpec(
    key=lambda line: line.stock.store.name,
    cli=("store", "of", "bytes", "oldest", "newest", "cap_words"),
    cli_blank="",
    columns=(
        ColumnSpec(
            "store", "STORE", value=lambda line, _: line.stock.store.name,
            cell=lambda line, _: "" if line.is_part else line.stock.store.name,
        ),
        ColumnSpec("what", value=lambda line, _: line.stock.store.what),
        ColumnSpec("is_fetched_again", value=lambda line, _: line.stock.store.is_again),
        ColumnSpec("path", value=lambda line, _: str(line.stock.path)),
        ColumnSpec(
            "bytes", "SIZE", value=lambda line, _: line.stock.size, right=True,
            cell=lambda line, _: human_bytes(line.amount.size),
        ),
        ColumnSpec("cap", value=lambda line, _: line.cap.size),
        ColumnSpec(
            "cap_words", "LIMIT", value=lambda line, _: line.cap.words, minimum=14,
            cell=lambda line, _: "" if line.is_part else line.cap.words,
        ),
        ColumnSpec("settings", value=lambda line, _: list(line.cap.settings)),
        ColumnSpec(
            "oldest", "OLDEST", value=lambda line, _: _written(line.stock.oldest), right=True,
            cell=lambda line, at: age(_moment(line.amount.oldest), at.now), priority=1,
        ),
        ColumnSpec(
            "newest", "NEWEST", value=lambda line, _: _written(line.stock.newest), right=True,
            cell=lambda line, at: age(_moment(line.amount.newest), at.now),
        ),
        ColumnSpec("of", "OF", value=_owners, cell=lambda line, _: line.owner, minimum=16),
    ),
)  # fmt: skip


def clear_stores(options: Options, words: Sequence[str], *, yes: bool, as_json: bool) -> int:
    named = parse_stores(words)
    # The quota store frees nothing, and without it the count is wrong for a minute.
    stores = named or [one for one in STORES if one.is_again and one != QUOTA]
    selection = select_stores(options, stores)
    _check(selection, named)
    wanted = [one for one in selection.usage if one.size or one.items]
    if wanted and not yes:
        confirmation.require_terminal("removed")
        wanted = _confirmed(wanted, selection)
        if not wanted:
            print_notice("Nothing removed.")
            return Exit.INTERRUPTED
    clock, profile, origin = SystemClock(), selection.profile, selection.origin
    for one in wanted:
        clear(one.store, clock, profile, origin)
    usage = _usage_of(storage_usage([origin or ""]), stores, profile, origin)
    left = {one.store: one.size for one in usage}
    freed = [(one.store, max(0, one.size - left[one.store])) for one in wanted]
    if as_json:
        removed = [{"store": store.name, "bytes": size} for store, size in freed]
        print_object({"removed": removed, "bytes": sum(size for _, size in freed)})
    else:
        for store, size in freed:
            print_line(f"{store.name}\t{human_bytes(size)}")
        print_notice(f"Freed {human_bytes(sum(size for _, size in freed))}.")
    return 0


def _check(selection: Selection, named: Sequence[Store]) -> None:
    if selection.profile is None:
        return
    for one in named:
        if one.is_shared:
            raise ConfigError(
                f"--what {one.name} is shared by all profiles: nothing removed.",
                hint="Omit --profile to clear it for all profiles.",
            )
        if one in {PAGES, LOGS} and selection.origin is None:
            raise ConfigError(
                f"{clean(selection.profile)} is not in config.toml, so its platform is unknown: "
                "nothing removed.",
                hint="Give its URL with --url, or omit --profile to clear all.",
            )


def _confirmed(wanted: Sequence[StoreUsage], selection: Selection) -> list[StoreUsage]:
    whose = f" of {clean(selection.profile)}" if selection.profile is not None else ""
    questions = []
    if again := [one for one in wanted if one.store.is_again]:
        names = ", ".join(one.store.name for one in again)
        size = human_bytes(sum(one.size for one in again))
        questions = [(f"{names}{whose} ({size})? It can be fetched again.", again)]
    for one in wanted:
        if not one.store.is_again:
            what = f"{one.store.what}; {human_bytes(one.size)}"
            text = f"{one.store.name}{whose} ({what})? This cannot be undone."
            questions.append((text, [one]))
    asked = (some for text, some in questions if confirmation.ask_to_confirm(f"Remove {text}"))
    return [one for some in asked for one in some]
