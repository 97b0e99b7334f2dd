"""Check a config.toml document against the schema and collect all problems."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import MISSING
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from platui.config.problems import SHOWN_KEY, Problem, Severity
from platui.config.profile import Profile
from platui.config.schema import ACTION, ERROR, PROFILE, SECTION_TYPES, SECTIONS, TOP, Table
from platui.config.settings import ErrorPattern, OwnAction, Settings
from platui.config.value_kinds import (
    ACTION_NAME,
    HARMLESS,
    PLACEHOLDER,
    PROTECTS,
    WrongValueError,
    check_profile_name,
)
from platui.core.suggestions import did_you_mean, nearest
from platui.core.text import shorten

if TYPE_CHECKING:
    from platui.config.value_kinds import ReadContext


def protecting(table: Table) -> list[str]:
    return [name for name, key in table.items() if key.on_mistake == PROTECTS]


_KNOWN_TOP = frozenset({*TOP, *SECTIONS, "profiles", "keys", "errors", "actions"})
_PROTECTING_TABLES = [name for name, table in SECTIONS.items() if protecting(table)]
_PROTECTING_TOP = [*protecting(TOP), *_PROTECTING_TABLES, "profiles"]
_HARMLESS_TABLES = frozenset({"keys", "actions", *SECTIONS}).difference(_PROTECTING_TABLES)
_MAX_LISTED = 6
_MISSPELLED = 0.75  # Similarity above which a name counts as a misspelled protecting key


def settings_of(checked: Checked, file: Path) -> Settings:
    """Return the valid values as settings, without profiles that lack an address."""
    profiles = {
        name: Profile(name=name, **values)
        for name, values in checked.profiles.items()
        if "url" in values
    }
    return Settings(
        profiles=MappingProxyType(profiles),
        keys=MappingProxyType(checked.keys),
        errors=tuple(ErrorPattern(**one) for one in checked.errors),
        actions=MappingProxyType(
            {name: OwnAction(**values) for name, values in checked.actions.items()}
        ),
        file=file,
        **checked.top,
        **{name: SECTION_TYPES[name](**values) for name, values in checked.sections.items()},
    )


class Checked:
    """The valid values of a document, converted to their types, and its problems."""

    def __init__(self, document: Mapping[str, Any], context: ReadContext) -> None:
        self._context = context
        self.problems: list[Problem] = []
        self.profiles: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, str] = {}
        self.errors: list[dict[str, Any]] = []
        self._unknown(document, _KNOWN_TOP, "", _PROTECTING_TOP)
        self.top = self._values(document, TOP, "")
        self.sections = {
            name: self._all_of(self._table(document, name), table, f"{name}.")
            for name, table in SECTIONS.items()
        }
        for name, profile in self._table(document, "profiles").items():
            self._profile(name, profile)
        self._keys(self._table(document, "keys"), "")
        self._errors(document.get("errors", []))
        self.actions = {
            name: values
            for name, action in self._table(document, "actions").items()
            if (values := self._action(name, action)) is not None
        }
        self._default_profile(document)

    def _all_of(self, section: Mapping[str, Any], table: Table, prefix: str) -> dict[str, Any]:
        self._unknown(section, table, prefix, protecting(table))
        return self._values(section, table, prefix)

    def _values(self, section: Mapping[str, Any], table: Table, prefix: str) -> dict[str, Any]:
        values = {}
        for name, key in table.items():
            ways = " or ".join(f"`{name} = {one}`" for one in key.examples)
            written = f"Write it as {ways}."
            if name in section:
                try:
                    values[name] = key.kind.read(section[name], self._context)
                except WrongValueError as error:
                    severity = Severity.IGNORED if key.on_mistake == HARMLESS else Severity.REFUSED
                    self._problem(prefix + name, str(error), error.remedy or written, severity)
            elif key.default is MISSING:
                self._problem(prefix + name, f"is missing: {key.kind.words}", written)
        return values

    def _profile(self, name: str, profile: Any) -> None:
        key = f"profiles.{name}"
        try:
            check_profile_name(name)
        except WrongValueError as error:
            self._problem(key, str(error), error.remedy)
        if not isinstance(profile, dict):
            shown = f"[{shorten(key, SHOWN_KEY)}]"
            self._problem(
                key, f"must be a table, such as {shown}", f"Write its keys below {shown}."
            )
            return
        self.profiles[name] = self._all_of(profile, PROFILE, f"{key}.")

    def _errors(self, errors: Any) -> None:
        remedy = "Write `[[errors]]`, and below it name and pattern."
        if not isinstance(errors, list):
            what = "must be a list of tables, each [[errors]]"
            self._problem("errors", what, remedy, Severity.IGNORED)
            return
        for number, table in enumerate(errors, 1):
            key = f"errors[{number}]"
            if not isinstance(table, dict):
                self._problem(key, "must be a table, such as [[errors]]", remedy, Severity.IGNORED)
                continue
            if (error := self._valid(table, ERROR, f"{key}.")) is not None:
                self.errors.append({ERROR[name].attribute: one for name, one in error.items()})

    def _valid(self, given: Mapping[str, Any], table: Table, at: str) -> dict[str, Any] | None:
        """Return the values of a table that is ignored as a whole if one of them is invalid."""
        before = len(self.problems)
        values = self._all_of(given, table, at)
        found = self.problems[before:]
        self.problems[before:] = [one._replace(severity=Severity.IGNORED) for one in found]
        return None if found else values

    def _action(self, name: str, action: Any) -> dict[str, Any] | None:
        key = f"actions.{name}"
        if not isinstance(action, dict) or not re.fullmatch(ACTION_NAME, name):
            what = "must be a table, such as [actions.ticket], named by letters, digits, - and _"
            self._problem(
                key, what, "Write `[actions.NAME]`, and its keys below.", Severity.IGNORED
            )
            return None
        values = self._valid(action, ACTION, f"{key}.")
        if values is not None and PLACEHOLDER.search(values["command"][0]):
            what = "has a placeholder in its first word, the program or script"
            remedy = 'Put it in a later word; a script gets it as "$1", "$2" and so on.'
            self._problem(f"{key}.command", what, remedy, Severity.IGNORED)
            return None
        return values

    def _keys(self, section: Mapping[str, Any], prefix: str) -> None:
        for name, keys in section.items():
            action = prefix + name
            if isinstance(keys, dict):
                # In TOML, `pipelines.refresh = "x"` without quotes is a table.
                self._keys(keys, f"{action}.")
            elif isinstance(keys, str) and keys.isprintable():
                self.keys[action] = keys.strip()
            else:
                remedy = f'Write it as `"{shorten(action, SHOWN_KEY)}" = "ctrl+r"`.'
                what = 'must be text, such as "r" or "ctrl+r,f5"'
                self._problem(f"keys.{action}", what, remedy, Severity.IGNORED)

    def _default_profile(self, document: Mapping[str, Any]) -> None:
        name = self.top.get("default_profile")
        profiles = document.get("profiles")
        known = list(profiles) if isinstance(profiles, dict) else []
        if name is not None and name not in known:
            what = f'names an unknown profile: "{shorten(name, SHOWN_KEY)}"'
            there = f"Profiles: {', '.join(shorten(one, SHOWN_KEY) for one in known[:5])}."
            remedy = did_you_mean(nearest(name, known)) or (
                there if known else "The file has no profiles."
            )
            self._problem("default_profile", what, remedy)

    def _table(self, document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
        value = document.get(name, {})
        if isinstance(value, dict):
            return value
        severity = Severity.IGNORED if name in _HARMLESS_TABLES else Severity.REFUSED
        remedy = f"Write its keys below a line `[{name}]`."
        self._problem(name, f"must be a table, such as [{name}]", remedy, severity)
        return {}

    def _unknown(
        self,
        section: Mapping[str, Any],
        known: frozenset[str] | Table,
        at: str,
        protected: Collection[str],
    ) -> None:
        """Add a problem for each unknown key; refuse one similar to a protecting key."""
        for name in section:
            if name in known:
                continue
            is_protected = bool(nearest(name, protected, _MISSPELLED))
            there = "run platui config schema for all keys"
            if len(known) <= _MAX_LISTED:
                there = f"known keys: {', '.join(known)}"
            remedy = did_you_mean(nearest(name, known)) or (
                f"Remove it, or update platui if a newer version needs it; {there}."
            )
            severity = Severity.REFUSED if is_protected else Severity.IGNORED
            self._problem(at + name, "is not a known key", remedy, severity)

    def _problem(
        self, key: str, what: str, remedy: str, severity: Severity = Severity.REFUSED
    ) -> None:
        self.problems.append(Problem(key, what, remedy, severity))
