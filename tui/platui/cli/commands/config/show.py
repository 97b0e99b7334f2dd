"""Print the effective values and their sources."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from platui.cli.output.lists import table_lines
from platui.cli.output.progress import print_notice, warn_ignored_keys
from platui.cli.output.stdout import print_lines, print_object
from platui.cli.redaction import Redactor
from platui.config.effective import MASKED, EffectiveConfig, EffectiveValue, as_document
from platui.config.environment import harden
from platui.config.load import config_file, load_settings, read_config
from platui.config.profile_choice import choose_profile
from platui.core.errors import ConfigError
from platui.core.text import clean
from platui.present.tables.spec import ColumnSpec, TableSpec

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.config.settings import Options


def show_settings(options: Options, *, as_toml: bool, as_json: bool) -> None:
    if as_toml and as_json:
        raise ConfigError("Give --toml or --json, not both.")
    environ = harden()
    settings = load_settings(options.config, environ, options)
    warn_ignored_keys(settings)
    profile = choose_profile(settings, environ, options)
    config = None if settings.file is None else read_config(settings.file, environ)
    # A configured command may contain a token as an argument.
    redact = Redactor(())
    found = [
        one._replace(value=redact.value(one.value))
        for one in EffectiveConfig(settings, profile, config, options, environ).all()
    ]
    if as_json:
        print_object(
            {
                "file": str(settings.file or config_file()),
                "exists": settings.file is not None,
                "profile": None if profile is None else profile.name,
                "settings": [_SETTINGS.object(one) for one in found],
            }
        )
    elif as_toml:
        print_lines(_toml(profile, found))
    else:
        if profile is None:
            print_notice("No profile yet. Create one with: platui init")
        print_lines(table_lines(found, _SETTINGS))


def _toml(profile: Profile | None, found: list[EffectiveValue]) -> list[str]:
    import tomli_w  # noqa: PLC0415  (for this format only)

    document = as_document(found)
    if profile is not None:
        # The printed file has only this profile.
        document["default_profile"] = profile.name
    lines = tomli_w.dumps(document).splitlines()
    secrets = [one.key for one in found if one.is_secret]
    if secrets:
        lines.insert(0, f"# Omitted: {', '.join(map(clean, secrets))}.")
    if profile is not None and profile.ephemeral:
        lines.insert(0, "# This profile is not in config.toml: it was created from a URL.")
    return [clean(line) for line in lines]


def _value(one: EffectiveValue) -> str:
    if one.is_secret:
        return MASKED
    if one.value is None or one.value in ("", []):
        return "-"
    # For the types used here, JSON and TOML look the same.
    return clean(json.dumps(one.value, ensure_ascii=False))


_SETTINGS: Final[TableSpec[EffectiveValue]] = TableSpec(
    key=lambda one: one.key,
    columns=(
        ColumnSpec("key", "KEY"),
        ColumnSpec(
            "value",
            "VALUE",
            value=lambda one, _: one.value,
            cli_text=lambda one, _: _value(one),
            minimum=20,
        ),
        ColumnSpec(
            "from",
            "FROM",
            value=lambda one, _: one.source,
            cli_text=lambda one, _: f"{one.source}, {one.detail}" if one.detail else one.source,
            ends=True,
        ),
        ColumnSpec("detail", value=lambda one, _: one.detail),
        ColumnSpec("is_secret"),
    ),
)
