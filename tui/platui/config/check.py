"""Check a document of config.toml against the schema: all faults in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from platui.config.kinds import WrongValueError, check_profile_name
from platui.config.problems import Problem, nearest
from platui.config.schema import ERROR, PROFILE, SECTIONS, TOP, Table
from platui.core.text import shorten

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.kinds import Surroundings

_KNOWN_TOP = frozenset({*TOP, *SECTIONS, "profiles", "keys", "errors"})
_SHOWN_KEY = 60


class Checked:
    """The values of a document, each of its type; those that were wrong are left out."""

    def __init__(self) -> None:
        self.top: dict[str, Any] = {}
        self.sections: dict[str, dict[str, Any]] = {}
        self.profiles: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, str] = {}
        self.errors: list[dict[str, Any]] = []
        self.problems: list[Problem] = []


def check(document: Mapping[str, Any], around: Surroundings) -> Checked:
    """Check a whole document; problems are collected, none raises."""
    return _Checker(around).run(document)


class _Checker:
    """Walks through one document."""

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._found = Checked()

    def run(self, document: Mapping[str, Any]) -> Checked:
        self._unknown(document, _KNOWN_TOP, "")
        self._found.top = self._values(document, TOP, "")
        for name, table in SECTIONS.items():
            section = self._table(document, name)
            self._found.sections[name] = self._all_of(section, table, f"{name}.")
        for name, profile in self._table(document, "profiles").items():
            self._profile(name, profile)
        self._keys(self._table(document, "keys"), "")
        self._errors(document.get("errors", []))
        self._default_profile(document)
        return self._found

    def _all_of(self, section: Mapping[str, Any], table: Table, prefix: str) -> dict[str, Any]:
        self._unknown(section, table, prefix)
        return self._values(section, table, prefix)

    def _values(self, section: Mapping[str, Any], table: Table, prefix: str) -> dict[str, Any]:
        values = {}
        for name, key in table.items():
            if name in section:
                try:
                    values[name] = key.kind.read(section[name], self._around)
                except WrongValueError as error:
                    self._problem(prefix + name, str(error))
            elif key.required:
                self._problem(prefix + name, f"is missing: {key.kind.words}")
        return values

    def _profile(self, name: str, profile: Any) -> None:
        key = f"profiles.{name}"
        try:
            check_profile_name(name)
        except WrongValueError as error:
            self._problem(key, str(error))
        if not isinstance(profile, dict):
            self._problem(key, f"must be a table, as [{shorten(key, _SHOWN_KEY)}]")
            return
        self._found.profiles[name] = self._all_of(profile, PROFILE, f"{key}.")

    def _errors(self, errors: Any) -> None:
        if not isinstance(errors, list):
            self._problem("errors", "must be a list of tables, each as [[errors]]")
            return
        for number, table in enumerate(errors, 1):
            key = f"errors[{number}]"
            if isinstance(table, dict):
                self._found.errors.append(self._all_of(table, ERROR, f"{key}."))
            else:
                self._problem(key, "must be a table, as [[errors]]")

    def _keys(self, section: Mapping[str, Any], prefix: str) -> None:
        for name, keys in section.items():
            action = prefix + name
            if isinstance(keys, dict):
                # `pipelines.refresh = "x"` without quotes is a table in TOML, and means the same.
                self._keys(keys, f"{action}.")
            elif isinstance(keys, str) and keys.isprintable():
                self._found.keys[action] = keys.strip()
            else:
                self._problem(f"keys.{action}", 'must be text, as "r" or "ctrl+r,f5"')

    def _default_profile(self, document: Mapping[str, Any]) -> None:
        name = self._found.top.get("default_profile")
        profiles = document.get("profiles")
        known = profiles if isinstance(profiles, dict) else {}
        if name is not None and name not in known:
            shown = shorten(name, _SHOWN_KEY)
            what = f'names a profile that this file does not have: "{shown}"{nearest(name, known)}'
            self._problem("default_profile", what)

    def _table(self, document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = document.get(name, {})
        if isinstance(value, dict):
            return value
        self._problem(name, f"must be a table, as [{name}]")
        return {}

    def _unknown(self, section: Mapping[str, Any], known: frozenset[str] | Table, at: str) -> None:
        for name in section:
            if name not in known:
                self._problem(at + name, f"is not a known key{nearest(name, known)}")

    def _problem(self, key: str, what: str) -> None:
        self._found.problems.append(Problem(shorten(key, _SHOWN_KEY), what))
