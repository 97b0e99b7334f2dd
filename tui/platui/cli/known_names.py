"""Names that this machine knows: of profiles, and of projects that were listed before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from platui.api.address import project_address
from platui.cli.profiles import chosen_profile
from platui.config.load import load_settings
from platui.core.errors import PlatuiError
from platui.core.paths import cache_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.config.settings import Options

_PLAIN: Final = re.compile(r"[\w.+@][\w.+@/-]*")
"""What a shell takes as it is: nothing that a platform has named is put into a line otherwise."""


def profile_names(environ: Mapping[str, str], options: Options) -> list[str]:
    """Return the names of all profiles; none where the configuration cannot be read."""
    try:
        settings = load_settings(options.config, environ, options)
    except PlatuiError:
        return []
    return [name for name in settings.profiles if _PLAIN.fullmatch(name)]


def project_paths(environ: Mapping[str, str], options: Options) -> list[str]:
    """Return the paths of projects that are kept of the profile's platform."""
    from platui.store.known import known_projects  # noqa: PLC0415  (it opens a database)

    try:
        settings = load_settings(options.config, environ, options)
        profile = chosen_profile(settings, environ, options, "")
        base = project_address(profile.url, insecure=True).base
    except PlatuiError:
        return []
    paths = known_projects(cache_dir() / "pages.sqlite3", base)
    return [path for path in paths if _PLAIN.fullmatch(path)]
