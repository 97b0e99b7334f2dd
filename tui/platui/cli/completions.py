"""Callbacks `shell_complete` for files, profiles and projects, from local data only."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from platui.cli.options import is_address
from platui.cli.project_paths import groups_of
from platui.config.settings import Options, Settings
from platui.core.errors import PlatuiError
from platui.core.lazy_module import LazyModule

if TYPE_CHECKING:
    import click
    from click import shell_completion
    from click.shell_completion import CompletionItem

    Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
else:
    shell_completion = LazyModule("click.shell_completion")

_PLAIN: Final = re.compile(r"[\w.+@][\w.+@/-]*")  # Needs no quoting


def words_of(words: Sequence[str] | Callable[[], Sequence[str]]) -> Complete:
    def complete(_: object, __: object, begin: str) -> list[CompletionItem]:
        return _fitting(begin, words() if callable(words) else words)

    return complete


def files(_: click.Context, __: click.Parameter, begin: str) -> list[CompletionItem]:
    return [shell_completion.CompletionItem(begin, type="file")]


def profiles(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    settings = _settings(context)
    names = settings.profiles if settings is not None else ()
    return _fitting(begin, [name for name in names if _PLAIN.fullmatch(name)])


def projects(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    """Complete the path of a project, or its last part if unique."""
    return _projects(begin, _known_projects(context))


def first_project(
    context: click.Context, param: click.Parameter, begin: str
) -> list[CompletionItem]:
    return [] if context.params.get(str(param.name)) else projects(context, param, begin)


def groups(context: click.Context, _: click.Parameter, begin: str) -> list[CompletionItem]:
    return _fitting(begin, groups_of(_known_projects(context)))


def projects_and_groups(
    context: click.Context, _: click.Parameter, begin: str
) -> list[CompletionItem]:
    paths = _known_projects(context)
    parents = _fitting(begin, [f"{one}/" for one in groups_of(paths)])
    return [*_projects(begin, paths), *parents]


def _fitting(begin: str, words: Iterable[str]) -> list[CompletionItem]:
    return [shell_completion.CompletionItem(word) for word in words if word.startswith(begin)]


def _projects(begin: str, paths: Sequence[str]) -> list[CompletionItem]:
    if is_address(begin):
        return []
    found = _fitting(begin, paths)
    if begin and "/" not in begin:
        ends: dict[str, list[str]] = {}
        for path in paths:
            ends.setdefault(path.rpartition("/")[2], []).append(path)
        found += [
            shell_completion.CompletionItem(end, help=of[0])
            for end, of in ends.items()
            if len(of) == 1 and end.startswith(begin)
        ]
    return found


def _options(context: click.Context) -> Options:
    return context.obj if isinstance(context.obj, Options) else Options()


def _settings(context: click.Context) -> Settings | None:
    from platui.config.load import load_settings  # noqa: PLC0415  (only to complete names)

    options = _options(context)
    try:
        return load_settings(options.config, os.environ, options)
    except PlatuiError:
        return None


def _known_projects(context: click.Context) -> list[str]:
    from platui.api.address import project_address  # noqa: PLC0415  (only to complete names)
    from platui.cli.profiles import chosen_profile  # noqa: PLC0415  (the same)
    from platui.core.paths import cache_dir  # noqa: PLC0415  (the same)
    from platui.store.cache import known_projects  # noqa: PLC0415  (it opens a database)

    settings = _settings(context)
    if settings is None:
        return []
    try:
        profile = chosen_profile(settings, os.environ, _options(context), "")
        base = project_address(profile.url, insecure=True).base
    except PlatuiError:
        return []
    paths = known_projects(cache_dir() / "pages.sqlite3", base)
    return [path for path in paths if _PLAIN.fullmatch(path)]
