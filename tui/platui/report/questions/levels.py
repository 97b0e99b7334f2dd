"""Which levels a term means."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.core.errors import TermError
from platui.core.text import clean
from platui.models.values.access import LEVELS
from platui.report.questions.matching import fold, value_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.report.questions.query import Choice

_COMPARED: Final = re.compile(r"(>=|<=|>|<|=)(.*)", re.DOTALL)
_WILD: Final = re.compile(r"[*?]")
_BETWEEN: Final = re.compile(r"[\s_-]+")


def levels_meant(choices: Sequence[Choice], known: Sequence[str]) -> frozenset[int]:
    """Return the levels that one of some values means, as indexes of those known.

    Upper and lower case are the same, so are `no_access` and `no-access`; a beginning that only one
    level has is enough. What is compared with a level that no membership has is compared with its
    place in the order. `known` are the levels of the report, lowest first. Raises TermError: there
    is no such level, neither in this report nor anywhere.
    """
    meant: set[int] = set()
    for choice in choices:
        meant |= _meant(choice, known)
    return frozenset(meant)


def _meant(choice: Choice, known: Sequence[str]) -> set[int]:
    compared = None if choice.is_quoted else _COMPARED.fullmatch(choice.text)
    if compared is None:
        if not choice.is_quoted and _WILD.search(choice.text):
            test = value_test(choice)
            return {index for index, level in enumerate(known) if test.holds(fold(level))}
        key = _key(_named(choice, choice.text, known))
        return {index for index, name in enumerate(known) if _key(name) == key}
    sign, word = compared.groups()
    level = _named(choice, word, known)
    order = _order(known)
    bound = order[level]
    ranks = [order[name] for name in known]
    return {
        index
        for index, rank in enumerate(ranks)
        if ("=" in sign and rank == bound)
        or (">" in sign and rank > bound)
        or ("<" in sign and rank < bound)
    }


def _order(known: Sequence[str]) -> dict[str, int]:
    """Return the rank of every level there is: those whose order nobody knows come first."""
    strange = [level for level in known if level not in LEVELS]
    return {level: rank for rank, level in enumerate([*strange, *LEVELS])}


def _named(choice: Choice, word: str, known: Sequence[str]) -> str:
    names = {_key(level): level for level in (*LEVELS, *known)}
    key = _key(word)
    if key in names:
        return names[key]
    begun = [level for name, level in names.items() if key and name.startswith(key)]
    if len(begun) == 1:
        return begun[0]
    raise _unknown(choice, word, names)


def _key(level: str) -> str:
    return _BETWEEN.sub("_", fold(level).strip())


def _unknown(choice: Choice, word: str, names: dict[str, str]) -> TermError:
    from difflib import get_close_matches  # noqa: PLC0415  (only a mistake pays for it)

    near = get_close_matches(_key(word), names, n=1)
    known = ", ".join(clean(name) for name in names)
    hint = f"Did you mean {clean(near[0])}?" if near else f"Levels are {known}."
    return TermError(
        f"There is no level {clean(word)}." if word.strip() else "Which level?",
        start=choice.start,
        end=choice.end,
        hint=hint,
    )
