"""What a word of a command may become, as the table beside this module has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Entry = dict[str, Any]

TABLE: Final = Path(__file__).with_name("words.json")
_MANY: Final = 2


class Place:
    """Where in a command a word stands: behind which words, and as what."""

    def __init__(self, name: str, given: Sequence[str]) -> None:
        """Read the words before it.

        Args:
            name: of the command.
            given: the words behind that; what nobody knows is passed over.
        """
        self.entry: Entry = json.loads(TABLE.read_text("utf-8"))[name]
        self.option: Entry | None = None
        """The option whose value it is; None: of none."""
        self._used: list[Entry] = []
        self._count = 0
        words, is_plain = list(given), False
        while words:
            word = words.pop(0)
            if is_plain or not word.startswith("-"):
                self._positional(word)
            elif word == "--":
                is_plain = True
            else:
                self._option(word, words)

    def _option(self, word: str, following: list[str]) -> None:
        name, equals, _ = word.partition("=")
        option = next((one for one in self.entry["options"] if name in one["names"]), None)
        if option is None:
            return
        self._used.append(option)
        if "takes" in option and not equals:
            if following:
                following.pop(0)
            else:
                self.option = option

    def _positional(self, word: str) -> None:
        inner = self.entry.get("commands", {}).get(word) if self._count == 0 else None
        if inner is None:
            self._count += 1
        else:
            self.entry, self._used = inner, []

    def options(self) -> Iterator[tuple[str, str]]:
        """Yield the options that may stand here, with their help."""
        for one in self.entry["options"]:
            if not one.get("hidden") and (one.get("many") or one not in self._used):
                yield from ((name, one.get("help", "")) for name in one["names"])

    def values(self) -> Iterator[tuple[str, str]]:
        """Yield the words that may stand here, with their help; an empty one is for any file."""
        if self.option is None and self._count == 0:
            for name, inner in self.entry.get("commands", {}).items():
                yield name, inner["help"]
        for value in (self._param or {}).get("values", ()):
            yield value, ""

    @property
    def wanted(self) -> str:
        """Return what is called for where no words are known: a metavar; empty: nothing."""
        if self.option is not None:
            return str(self.option["takes"])
        metavar = str((self.entry["arguments"] or [{"takes": ""}])[0]["takes"])
        if self._count == 0 or "…" in metavar:
            return metavar
        # What stands at a place of an argument that takes several words: `PROJECT PATH`.
        names = metavar.replace("(", "").replace(")", "").partition("|")[0].split()
        return names[self._count] if self._count < min(len(names), _MANY) else ""

    @property
    def _param(self) -> Entry | None:
        """Return the option or argument whose value it is."""
        if self.option is not None:
            return self.option
        arguments: list[Entry] = self.entry["arguments"]
        for at, one in enumerate(arguments):
            if at == self._count or one.get("many"):
                return one
        return None
