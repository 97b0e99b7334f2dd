"""Print a repository file, or the file that defines a pipeline."""

from __future__ import annotations

import base64
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import click

from platui.cli.command_options import READING, command
from platui.cli.completions import first_project
from platui.cli.connection import Platform, open_platform
from platui.cli.exit_codes import Exit
from platui.cli.options import is_address
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import is_terminal, print_line, print_object
from platui.cli.project_lookup import in_project
from platui.cli.reading import read, resources
from platui.cli.target_lookup import resolve_target
from platui.cli.targets import Kind, Target, project_at, target_at
from platui.core.errors import CommandError, ConfigError, NotFoundError, NotSupportedError
from platui.core.lazy_module import LazyModule
from platui.core.named_tuple import NamedTuple
from platui.core.suggestions import listed
from platui.core.text import printable, shorten
from platui.present.counts import human_bytes
from platui.present.files.source import Check, check_of, is_binary, short_ref

if TYPE_CHECKING:
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline, RepositoryFile
    from platui.service import PlatformService
    from platui.ui import addresses
else:
    addresses = LazyModule("platui.ui.addresses")

_HINT: Final = "platui file --help"
_TWO: Final = 2
_EXAMPLES: Final = """
file acme/warehouse-core models/marts/fct_orders.sql
file etl nightly-ci.yml --ref v1.4 > nightly-ci.yml
file https://platform.example/acme/etl/-/pipelines/4711
file https://platform.example/acme/etl/-/blob/main/README.md
"""
_MORE: Final = """\b
A pipe gets the raw bytes. If they do not match the platform's sha256, nothing
is printed and the exit code is 3.
"""

HEAD: Final = "HEAD"
_MAX_NAMED: Final = 8
# Marks a pipeline file of another project (`path@project`) or host
_ELSEWHERE: Final = re.compile(r"@|://")


class _FileRead(NamedTuple):
    project: ProjectRef
    file: RepositoryFile
    content: bytes
    check: Check


@command("file", _EXAMPLES, *READING, more=_MORE, json=True)
@click.argument(
    "words",
    nargs=-1,
    metavar="(PROJECT PATH | PROJECT --pipeline ID | URL)",
    shell_complete=first_project,
)
@click.option("--ref", default="", metavar="REF",
              help="Branch, tag or commit; default: the default branch.")  # fmt: skip
@click.option("--pipeline", type=click.IntRange(1), metavar="ID",
              help="Print this pipeline's definition file, at its commit.")  # fmt: skip
def file_command(
    options: Options, *, words: tuple[str, ...], ref: str, pipeline: int | None, as_json: bool
) -> int:
    """Print a repository file, or the file that defines a pipeline.

    PROJECT is a path or its end, an id, or a URL. With a pipeline URL or --pipeline:
    its definition file at its commit. With a file URL: that file at the URL's ref.
    """
    with open_platform(options, words) as platform:
        read = platform.run(_read(platform, words, ref, pipeline))
        if read.check is Check.DIFFERS and not as_json:
            print_notice(f"{shorten(read.file.file_path, 200)} does not match its sha256: "
                    "it was damaged in transfer.")  # fmt: skip
            return Exit.TRY_AGAIN
        if as_json:
            print_object(_record(read))
        else:
            _print(read)
    return 0


async def _read(
    platform: Platform, words: Sequence[str], ref: str, pipeline: int | None
) -> _FileRead:
    service = platform.service
    await service.start()
    project, path, number, at_ref = _parse(words, platform.address, pipeline)
    if at_ref and ref:
        raise ConfigError("The URL of a file already has a ref: omit --ref.", hint=_HINT)
    if number is not None and ref:
        raise ConfigError("A pipeline's file is read at its commit: omit --ref.", hint=_HINT)

    async def ask(of: ProjectRef) -> _FileRead:
        at = path, ref or at_ref or HEAD
        if number is not None:
            at = await _pipeline_file(service, of, number)
        file = await _file(service, of, *at, is_split=bool(at_ref))
        content = file.decoded()
        return _FileRead(of, file, content, check_of(file, content))

    if number is None:
        return await in_project(service, project, ask)
    target = Target(Kind.PIPELINE, project, number)
    return await resolve_target(service, target, lambda one: ask(one.project))


def _parse(
    words: Sequence[str], base: str, pipeline: int | None
) -> tuple[ProjectRef, str, int | None, str]:
    place = addresses.route_of(words[0], base) if words and is_address(words[0]) else None
    if place is not None and place.pipeline is not None and len(words) == 1:
        target = target_at(words, base, Kind.PIPELINE, _HINT)
        return target.project, "", target.id, ""
    of_file = place is not None and bool(place.path) and pipeline is None and len(words) == 1
    if of_file and place is not None and place.project is not None:
        return place.project, place.path, None, place.ref or HEAD
    if pipeline is not None:
        if len(words) > 1:
            raise ConfigError("Give PATH or --pipeline, not both.", hint=_HINT)
        return project_at(words, base, _HINT), "", pipeline, ""
    if len(words) != _TWO or not words[1].strip("/"):
        raise ConfigError("Give a project and a PATH or --pipeline, or the URL of a file or "
                          "pipeline.", hint=_HINT)  # fmt: skip
    return project_at(words[:1], base, _HINT), words[1].lstrip("/"), None, ""


async def _file(
    service: PlatformService, project: ProjectRef, path: str, ref: str, *, is_split: bool
) -> RepositoryFile:
    """Fetch a file. A ref split from a URL (`is_split`) may lack its part after a slash."""
    try:
        return await read(service, "this file", resources.files.file(project, path, ref))
    except NotFoundError as error:
        if error.missing not in {"file", "commit"}:
            raise
        repository = await service.repository()
        if is_split and (found := await repository.longer_ref(project, ref, path)):
            return await _file(service, project, found[1], found[0], is_split=False)
        where = "" if ref == HEAD else f" at {short_ref(ref)}"
        raise CommandError(
            f"{shorten(path, 200)} not found{where}, or this token has no access.",
            hint="Use --ref for another branch, tag or commit.",
        ) from None


def _print(read: _FileRead) -> None:
    if not is_terminal():
        sys.stdout.flush()
        sys.stdout.buffer.write(read.content)
        sys.stdout.buffer.flush()
        return
    if is_binary(read.content):
        size = human_bytes(len(read.content))
        raise ConfigError(
            f"{shorten(read.file.file_path, 200)} is a binary file of {size}.",
            hint="Redirect it: platui file … > FILE",
        )
    text = printable(read.content.decode("utf-8-sig", errors="replace"))
    print_line(text.removesuffix("\n"))


def _record(read: _FileRead) -> dict[str, Any]:
    file, content = read.file, read.content
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = None
    return {
        "project": read.project,
        "file_path": file.file_path,
        "file_name": file.file_name or None,
        "ref": file.ref or None,
        "size": len(content),
        "content_sha256": file.content_sha256 or None,
        "check": read.check.value,
        "blob_id": file.blob_id or None,
        "commit_id": file.commit_id or None,
        "last_commit_id": file.last_commit_id or None,
        "execute_filemode": file.execute_filemode,
        "content": text,
        "content_base64": base64.b64encode(content).decode() if text is None else None,
    }


async def _pipeline_file(
    service: PlatformService, project: ProjectRef, pipeline: int
) -> tuple[str, str]:
    """Return path and commit: as sent or in variables, else as configured or listed now."""
    wanted = resources.pipelines.pipeline(project, pipeline)
    record = await read(service, "this pipeline", wanted)
    draft = await service.write_service.rerun(project, pipeline)
    if draft.new.pipeline_file:
        return draft.new.pipeline_file, record.sha
    path = ""
    with suppress(NotFoundError):  # not supported by every platform
        settings = await read(service, "the project", resources.projects.project(project))
        path = settings.ci_config_path
    if path and not _ELSEWHERE.search(path):
        print_notice(
            f"The pipeline does not name its file: using {shorten(path, 100)} from the "
            "project's current settings."
        )
        return path, record.sha
    return await _only_listed(service, project, record), record.sha


async def _only_listed(service: PlatformService, project: ProjectRef, pipeline: Pipeline) -> str:
    repository = await service.repository()
    files = await repository.pipeline_files(project, pipeline.sha, None)
    named = f"Pipeline #{pipeline.id} does not name its file"
    which = f"platui file {shorten(str(project), 100)} PATH --ref {pipeline.sha[:12]}"
    if files.listed is None:
        raise NotSupportedError(f"{named}, and the platform does not list files.", hint=which)
    if len(files.listed) == 1:
        print_notice(f"{named}: using {shorten(files.listed[0], 100)}, the only candidate.")
        return files.listed[0]
    raise CommandError(
        f"{named}.",
        hint=f"Candidates: {listed(files.listed, _MAX_NAMED)}: {which}" if files.listed else which,
    )
