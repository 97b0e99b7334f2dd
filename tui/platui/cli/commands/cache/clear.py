"""Delete cached data; local state only by name and after confirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli import confirmation
from platui.cli.commands.cache.stores import parse_stores, select_stores, size_now
from platui.cli.exit_codes import Exit
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import print_line, print_object
from platui.core.clock import SystemClock
from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.present.counts import human_bytes
from platui.store.clearing import clear
from platui.store.storage_usage import LOGS, PAGES, QUOTA, STORES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.cli.commands.cache.stores import Selection
    from platui.config.settings import Options
    from platui.store.storage_usage import Store, StoreUsage


def clear_stores(options: Options, words: Sequence[str], *, yes: bool, as_json: bool) -> int:
    named = parse_stores(words)
    # The quota store frees nothing, and without it the count is wrong for a minute.
    stores = named or [one for one in STORES if one.is_again and one != QUOTA]
    selection = select_stores(options, stores)
    _check(selection, named)
    wanted = [one for one in selection.usage if one.size or one.items]
    if not yes:
        if wanted:
            confirmation.require_terminal("removed")
        agreed = _confirmed(wanted, selection)
        if wanted and not agreed:
            print_notice("Nothing removed.")
            return Exit.INTERRUPTED
        wanted = agreed
    clock, freed = SystemClock(), []
    for one in wanted:
        clear(one.store, clock, selection.profile, selection.origin)
        freed.append((one.store, max(0, one.size - size_now(selection, one.store))))
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
    again = [one for one in wanted if one.store.is_again]
    agreed: list[StoreUsage] = []
    whose = f" of {clean(selection.profile)}" if selection.profile is not None else ""
    if again:
        names = ", ".join(one.store.name for one in again)
        size = human_bytes(sum(one.size for one in again))
        if confirmation.ask_to_confirm(f"Remove {names}{whose} ({size})? It can be fetched again."):
            agreed += again
    for one in wanted:
        if not one.store.is_again:
            text = f"{one.store.name}{whose} ({one.store.what}; {human_bytes(one.size)})"
            if confirmation.ask_to_confirm(f"Remove {text}? This cannot be undone."):
                agreed.append(one)
    return agreed
