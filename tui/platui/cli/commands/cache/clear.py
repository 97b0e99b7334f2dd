"""`platui cache clear`: delete cached data; local state only by name and after confirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli import confirmation
from platui.cli.commands.cache.stores import kept_for, size_now, stores_named
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

    from platui.cli.commands.cache.stores import Kept
    from platui.config.settings import Options
    from platui.store.storage_usage import Stock, Store


def clear_what_is_kept(options: Options, words: Sequence[str], *, yes: bool, as_json: bool) -> int:
    named = stores_named(words)
    # Of the shared count nobody gets anything back, and for a minute it would be wrong.
    stores = named or [one for one in STORES if one.is_again and one != QUOTA]
    kept = kept_for(options, stores)
    _check(kept, named)
    wanted = [one for one in kept.stocks if one.size or one.items]
    if not yes:
        if wanted:
            confirmation.require_terminal("removed")
        agreed = _agreed(wanted, kept)
        if wanted and not agreed:
            print_notice("Nothing was removed.")
            return Exit.INTERRUPTED
        wanted = agreed
    freed = _remove(wanted, kept)
    if as_json:
        removed = [{"store": one.name, "bytes": size} for one, size in freed]
        print_object({"removed": removed, "bytes": sum(size for _, size in freed)})
    else:
        for one, size in freed:
            print_line(f"{one.name}\t{human_bytes(size)}")
        print_notice(f"Freed {human_bytes(sum(size for _, size in freed))}.")
    return 0


def _check(kept: Kept, named: Sequence[Store]) -> None:
    """Refuse what was named, and is not a matter of the profile that was named, too."""
    if kept.profile is None:
        return
    for one in named:
        if one.is_shared:
            raise ConfigError(
                f"--what {one.name} is of all profiles together: nothing was removed.",
                hint="Without --profile it is meant as a whole.",
            )
        if one in {PAGES, LOGS} and kept.origin is None:
            raise ConfigError(
                f"{clean(kept.profile)} is not in config.toml, so that its platform is not known: "
                "nothing was removed.",
                hint="--url says which it is; without --profile all are meant.",
            )


def _agreed(wanted: Sequence[Stock], kept: Kept) -> list[Stock]:
    again = [one for one in wanted if one.store.is_again]
    agreed: list[Stock] = []
    whose = f" of {clean(kept.profile)}" if kept.profile is not None else ""
    if again:
        names = ", ".join(one.store.name for one in again)
        size = human_bytes(sum(one.size for one in again))
        if confirmation.ask_to_confirm(f"Remove {names}{whose} ({size})? It can be fetched again."):
            agreed += again
    for one in wanted:
        if not one.store.is_again:
            told = f"{one.store.name}{whose} ({one.store.what}; {human_bytes(one.size)})"
            if confirmation.ask_to_confirm(f"Remove {told}? It does not come back."):
                agreed.append(one)
    return agreed


def _remove(wanted: Sequence[Stock], kept: Kept) -> list[tuple[Store, int]]:
    clock, freed = SystemClock(), []
    for one in wanted:
        clear(one.store, clock, kept.profile, kept.origin)
        freed.append((one.store, max(0, one.size - size_now(kept, one.store))))
    return freed
