"""Match texts, numbers and levels with values of terms."""

from __future__ import annotations

import fnmatch
import operator
import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from platui.core.errors import TermError
from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import nearest
from platui.core.text import clean
from platui.models.values.access import LEVELS

if TYPE_CHECKING:
    from platui.report.queries.query import Choice

_WILD: Final = re.compile(r"[*?]")


class TextTest(NamedTuple):
    """A test of a folded text (`fold`)."""

    part: str  # A part that matching texts contain, found quickly before the pattern
    pattern: re.Pattern[str] | None
    """Pattern of the whole text; None: containing `part` is sufficient."""

    def holds(self, text: str) -> bool:
        if self.pattern is None:
            return self.part in text
        return self.pattern.fullmatch(text) is not None


def fold(text: str) -> str:
    return clean(text).casefold()


def exact_test(text: str) -> TextTest:
    return TextTest(text, re.compile(re.escape(text)))


def text_test(choice: Choice) -> TextTest:
    """Return a test for a value: contained, equal after `=`, or a glob."""
    text = fold(choice.text)
    if not choice.is_quoted and text.startswith("=") and len(text) > 1:
        return exact_test(text[1:])
    return _glob_test(choice) or TextTest(text, None)


def word_test(choice: Choice) -> TextTest:
    """Return a test for a word: contained, with wildcards."""
    return _glob_test(choice, around="*") or TextTest(fold(choice.text), None)


def value_test(choice: Choice) -> TextTest:
    """Return a test for a known value: equal, or a glob."""
    return _glob_test(choice) or exact_test(fold(choice.text))


def _glob_test(choice: Choice, around: str = "") -> TextTest | None:
    text = fold(choice.text)
    if choice.is_quoted or not _WILD.search(text):
        return None
    return TextTest(max(_WILD.split(text), key=len), compiled_glob(f"{around}{text}{around}"))


def matching_indexes(choices: Sequence[Choice], known: Sequence[str]) -> set[int]:
    tests = [value_test(choice) for choice in choices]
    folded = map(fold, known)
    return {index for index, value in enumerate(folded) if any(test.holds(value) for test in tests)}


def is_word(choice: Choice, word: str) -> bool:
    """Return whether a value is an unquoted keyword."""
    return not choice.is_quoted and fold(choice.text) == word


def one_of(choice: Choice, words: Collection[str]) -> str:
    """Return the keyword of a value. Raises TermError: not one of `words`."""
    word = fold(choice.text)
    if word not in words:
        raise _invalid(
            choice, f'Unknown value "{clean(choice.text)}".', f"Use {' or '.join(words)}."
        )
    return word


def whole_number(choice: Choice) -> int:
    """Return the number of a value. Raises TermError: not a number."""
    if not _WHOLE.fullmatch(choice.text):
        raise _no_number(choice, "Example: 5.")
    return int(choice.text)


@lru_cache(maxsize=64)
def compiled_glob(glob: str) -> re.Pattern[str]:
    """Compile a glob: `*` any characters, `?` one; matches in linear time."""
    return re.compile(fnmatch.translate(glob.replace("[", "[[]")))


_WHOLE: Final = re.compile(r"-?\d{1,19}", re.ASCII)
_NUMBER: Final = re.compile(r"(>=|<=|>|<|=)?(\d{1,18})", re.ASCII)
_COMPARE: Final[dict[str, Callable[[int, int], bool]]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
}


def number_test(choice: Choice) -> Callable[[int], bool]:
    """Return a test for numbers. Raises TermError: not a number."""
    found = _NUMBER.fullmatch(choice.text)
    if found is None:
        raise _no_number(choice, "Examples: 5, >5, >=5, <5, <=5.")
    compare, bound = _COMPARE[found[1] or "="], int(found[2])
    return lambda number: compare(number, bound)


def _no_number(choice: Choice, hint: str) -> TermError:
    return _invalid(choice, f"{clean(choice.text)} is not a number.", hint)


def _invalid(choice: Choice, sentence: str, hint: str) -> TermError:
    return TermError(sentence, start=choice.start, end=choice.end, hint=hint)


_COMPARED: Final = re.compile(r"(>=|<=|>|<|=)(.*)", re.DOTALL)
_BETWEEN: Final = re.compile(r"[\s_-]+")


def match_levels(choices: Sequence[Choice], known: Sequence[str]) -> frozenset[int]:
    """Return indexes of matching levels in `known`, lowest first. Raises TermError: unknown."""
    return frozenset(index for choice in choices for index in _meant(choice, known))


def _meant(choice: Choice, known: Sequence[str]) -> set[int]:
    compared = None if choice.is_quoted else _COMPARED.fullmatch(choice.text)
    if compared is None:
        if not choice.is_quoted and _WILD.search(choice.text):
            test = value_test(choice)
            return {index for index, level in enumerate(known) if test.holds(fold(level))}
        key = _key(_named(choice, choice.text, known))
        return {index for index, name in enumerate(known) if _key(name) == key}
    sign, word = compared.groups()
    # Levels of unknown order come first.
    order = [*(name for name in known if name not in LEVELS), *LEVELS]
    bound = order.index(_named(choice, word, known))
    return {index for index, name in enumerate(known) if _COMPARE[sign](order.index(name), bound)}


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
    near = nearest(_key(word), names)
    known = ", ".join(clean(name) for name in names)
    hint = f"Did you mean {clean(near)}?" if near else f"Levels are {known}."
    sentence = f'Unknown level "{clean(word)}".' if word.strip() else "Which level?"
    return _invalid(choice, sentence, hint)
