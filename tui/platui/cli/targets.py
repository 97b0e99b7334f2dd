"""Parse the target of a command: a project, and a pipeline, job or schedule."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from platui.cli.options import is_address
from platui.config.address import is_same_platform
from platui.config.environment import JOB_PROJECT, JOB_SERVER, JOB_TOKEN, TOKEN
from platui.core.errors import ConfigError
from platui.core.lazy_module import LazyModule
from platui.core.named_tuple import NamedTuple
from platui.core.text import clean, shorten

if TYPE_CHECKING:
    from platui.config.profile import Profile
    from platui.models.values.queries import ProjectRef
    from platui.ui import addresses
else:
    addresses = LazyModule("platui.ui.addresses")

_DIGITS: Final = 18
_NUMBERED: Final = re.compile(rf"([^#\s]+)#(\d{{1,{_DIGITS}}})", re.ASCII)
_PATH: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)+", re.ASCII)


class Kind(StrEnum):
    PIPELINE = "pipeline"
    JOB = "job"
    SCHEDULE = "schedule"


class Target(NamedTuple):
    kind: Kind
    project: ProjectRef
    id: int

    @property
    def name(self) -> str:
        """Return its name, such as `pipeline #4711`."""
        return f"{self.kind} #{self.id}"


def number_of(word: str) -> int | None:
    fits = word.isascii() and word.isdecimal() and len(word) <= _DIGITS
    return int(word) if fits else None


def project_of(word: str) -> ProjectRef:
    number = number_of(word)
    return word if number is None else number


def split_number(words: Sequence[str]) -> Sequence[str]:
    """Split a first word such as `acme/etl#4711` into project and number."""
    found = _NUMBERED.fullmatch(words[0]) if words and not is_address(words[0]) else None
    return words if found is None else (*found.groups(), *words[1:])


def take_pipeline(
    words: tuple[str, ...], pipeline: int | None
) -> tuple[tuple[str, ...], int | None]:
    """Return the words without the pipeline of `PROJECT#PIPELINE`, and the pipeline."""
    split = split_number(words)
    if len(split) == len(words):
        return words, pipeline
    if pipeline is not None:
        raise ConfigError(f"Give --pipeline or {shorten(words[0], 100)}, not both.")
    project, number, *rest = split
    return (project, *rest), int(number)


def project_at(words: Sequence[str], base: str, hint: str) -> ProjectRef:
    """Return the project of a command's arguments; errors repeat no further ones, maybe secrets."""
    if not words or not words[0]:
        raise ConfigError("Missing project. Give its path, id or URL.", hint=hint)
    if len(words) > 1:
        raise ConfigError("Give one project and no further arguments.", hint=hint)
    if not is_address(words[0]):
        if len(split_number(words)) > 1:
            what = f"{shorten(words[0], 200)} is a pipeline, not a project."
            raise ConfigError(what, hint=f"Give the project without #. {hint}")
        return project_of(words[0])
    place = addresses.route_of(words[0], base)
    if place is None or place.project is None:
        raise ConfigError(f"{shorten(words[0], 200)} is not a project of {base}.", hint=hint)
    return place.project


def names_project_only(words: Sequence[str], base: str) -> bool:
    """Return whether the arguments are a project, without a pipeline or job."""
    if len(split_number(words)) != 1:
        return False
    place = addresses.route_of(words[0], base) if is_address(words[0]) else None
    return place is None or (place.pipeline is None and place.job is None)


def target_at(words: Sequence[str], base: str, kind: Kind, hint: str) -> Target:
    words = split_number(words) if kind is Kind.PIPELINE else words
    is_url = bool(words) and is_address(words[0])
    if len(words) != (1 if is_url else 2):
        raise ConfigError(f"Give a project and a {kind}, or the {kind}'s URL.", hint=hint)
    if is_url:
        place = addresses.route_of(words[0], base)
        if place is None or place.project is None:
            raise ConfigError(f"{shorten(words[0], 200)} is not a URL of {base}.", hint=hint)
        if place.job is not None:
            return Target(Kind.JOB, place.project, place.job)
        if place.pipeline is None:
            raise ConfigError(f"{shorten(words[0], 200)} is not a pipeline or job.", hint=hint)
        return Target(Kind.PIPELINE, place.project, place.pipeline)
    number = number_of(words[1].removeprefix("#"))
    if number is None:
        raise ConfigError(f"{shorten(words[1], 60)} is not a {kind} id.", hint=hint)
    return Target(kind, project_of(words[0]), number)


def resume_hint(target: Target, profile: Profile, *, follow: bool) -> str:
    words = ["wait", str(target.project)]
    words += ["--job"] if target.kind is Kind.JOB else []
    words += ["--follow"] if follow else []
    command = command_of(profile, *words, str(target.id))
    return f"Stopped waiting; {target.name} continues. To resume: {command}"


def command_of(profile: Profile, *words: str) -> str:
    """Return a command line with this profile, safe to print and paste."""
    return clean(shlex.join(["platui", *profile.options, *words]))


def is_in_job(environ: Mapping[str, str], root: str) -> bool:
    """Return whether this is a running job of the platform, without another token."""
    server = environ.get(JOB_SERVER, "").strip()
    is_its = not server or is_same_platform(server, root)
    return is_its and bool(environ.get(JOB_TOKEN)) and not environ.get(TOKEN)


def project_of_job(environ: Mapping[str, str], root: str) -> str:
    """Return the path of the running job's project; empty: none or unknown."""
    path = environ.get(JOB_PROJECT, "")
    return path if is_in_job(environ, root) and _PATH.fullmatch(path) else ""
