"""`platui file`: print a file of a repository, or the file that defines a pipeline."""

from __future__ import annotations

import base64
import re
import sys
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from platui.cli.command_options import command
from platui.cli.completions import first_project
from platui.cli.connection import open_platform
from platui.cli.exit_codes import Exit
from platui.cli.list_options import READING
from platui.cli.options import is_address
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import is_terminal, print_line, print_object
from platui.cli.project_lookup import in_project
from platui.cli.reading import read, resources
from platui.cli.suggestions import listed
from platui.cli.target_lookup import resolve_target
from platui.cli.targets import Kind, Target, project_at, target_at
from platui.core.errors import CommandError, ConfigError, NotFoundError, NotSupportedError
from platui.core.text import shorten, without_controls
from platui.present.counts import human_bytes
from platui.present.files.source import Check, check_of, is_binary
from platui.present.files.status import short_ref
from platui.ui.addresses import route_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from platui.cli.connection import Platform
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef
    from platui.models.wire import Pipeline, RepositoryFile
    from platui.service import PlatformService

_HINT: Final = "platui file --help"
_TWO: Final = 2
_EXAMPLES: Final = """
file acme/warehouse-core models/marts/fct_orders.sql
file etl nightly-ci.yml --ref v1.4 > nightly-ci.yml
file https://platform.example/acme/etl/-/pipelines/4711
file https://platform.example/acme/etl/-/blob/main/README.md
"""
_MORE: Final = """\b
Into a pipe go the bytes of the file as they are. Where they are not what the
platform's own sha256 says, nothing is printed, and the exit code is 3.
"""

HEAD: Final = "HEAD"
"""The platform's name for the newest commit of the default branch."""
_NAMED: Final = 8
_OF_ANOTHER: Final = re.compile(r"@|://")
"""In what names a file of another project, or of another host."""


class _Read(NamedTuple):
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
              help="Branch, tag or commit; the default branch else.")  # fmt: skip
@click.option("--pipeline", type=click.IntRange(1), metavar="ID",
              help="The file that this pipeline was made from, at its commit.")  # fmt: skip
def file_command(
    options: Options, *, words: tuple[str, ...], ref: str, pipeline: int | None, as_json: bool
) -> int:
    """Print the file PATH of a repository, or the one that a pipeline was made from.

    PROJECT is a path or the end of one, an id, or an address. The URL of a pipeline,
    or --pipeline, means its pipeline file, at the commit it ran on; that of a file
    means the file, at the ref that it names.
    """
    with open_platform(options, words) as platform:
        read = platform.run(_read(platform, words, ref, pipeline))
        if read.check is Check.DIFFERS and not as_json:
            print_notice(f"{shorten(read.file.file_path, 200)} is not what its sha256 says: "
                    "it was damaged on its way.")  # fmt: skip
            return Exit.TRY_AGAIN
        if as_json:
            print_object(_shape(read))
        else:
            _print(read)
    return 0


async def _read(platform: Platform, words: Sequence[str], ref: str, pipeline: int | None) -> _Read:
    service = platform.service
    await service.start()
    project, path, number, at_ref = _meant(words, platform.address, pipeline)
    if at_ref and ref:
        raise ConfigError("The address of a file says its ref: --ref does not go with it.",
                          hint=_HINT)  # fmt: skip
    if number is not None and ref:
        raise ConfigError("The file of a pipeline is read at its commit: --ref does not go "
                          "with it.", hint=_HINT)  # fmt: skip

    async def ask(of: ProjectRef) -> _Read:
        at = FileAt(path, ref or at_ref or HEAD)
        if number is not None:
            at = await file_of(service, of, number)
        file = await _file(service, of, at, is_split=bool(at_ref))
        content = file.decoded()
        return _Read(of, file, content, check_of(file, content))

    if number is None:
        return await in_project(service, project, ask)
    target = Target(Kind.PIPELINE, project, number)
    return await resolve_target(service, target, lambda one: ask(one.project))


def _meant(
    words: Sequence[str], base: str, pipeline: int | None
) -> tuple[ProjectRef, str, int | None, str]:
    place = route_of(words[0], base) if words and is_address(words[0]) else None
    if place is not None and place.pipeline is not None and len(words) == 1:
        target = target_at(words, base, Kind.PIPELINE, _HINT)
        return target.project, "", target.id, ""
    of_file = place is not None and bool(place.path) and pipeline is None and len(words) == 1
    if of_file and place is not None and place.project is not None:
        return place.project, place.path, None, place.ref or HEAD
    if pipeline is not None:
        if len(words) > 1:
            raise ConfigError("PATH and --pipeline exclude each other: a pipeline says itself "
                              "which file it was made from.", hint=_HINT)  # fmt: skip
        return project_at(words, base, _HINT), "", pipeline, ""
    if len(words) != _TWO or not words[1].strip("/"):
        raise ConfigError("Give a project and a PATH or --pipeline, or the address of a file "
                          "or pipeline.", hint=_HINT)  # fmt: skip
    return project_at(words[:1], base, _HINT), words[1].lstrip("/"), None, ""


async def _file(
    service: PlatformService, project: ProjectRef, at: FileAt, *, is_split: bool
) -> RepositoryFile:
    """Return a file; of an address (`is_split`) a ref with slashes may be cut too early."""
    wanted = resources.files.file(project, at.path, at.ref)
    try:
        return await read(service, "this file", wanted)
    except NotFoundError as error:
        if "file" not in error.sentence.casefold() and "commit" not in error.sentence.casefold():
            raise  # it is the project that is not there
        repository = await service.repository()
        if is_split and (found := await repository.longer_ref(project, at.ref, at.path)):
            longer = FileAt(found[1], found[0])
            return await _file(service, project, longer, is_split=False)
        where = "" if at.ref == HEAD else f" at {short_ref(at.ref)}"
        raise CommandError(
            f"There is no {shorten(at.path, 200)}{where}, or this token may not see it.",
            hint="--ref names another branch, tag or commit.",
        ) from None


def _print(read: _Read) -> None:
    if not is_terminal():
        sys.stdout.flush()
        sys.stdout.buffer.write(read.content)
        sys.stdout.buffer.flush()
        return
    if is_binary(read.content):
        size = human_bytes(len(read.content))
        raise ConfigError(
            f"{shorten(read.file.file_path, 200)} is a binary file of {size}.",
            hint="Into a file or pipe it goes as it is: platui file … > FILE",
        )
    text = without_controls(read.content.decode("utf-8-sig", errors="replace"))
    print_line(text.removesuffix("\n"))


def _shape(read: _Read) -> dict[str, Any]:
    """Return the record; the content as text where it is one, else as base64."""
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


class FileAt(NamedTuple):
    """A path, and the branch, tag or commit at which it is read."""

    path: str
    ref: str


async def file_of(service: PlatformService, project: ProjectRef, pipeline: int) -> FileAt:
    """Return what platui sent, what the variables say, or else the file of today's settings."""
    wanted = resources.pipelines.pipeline(project, pipeline)
    record = await read(service, "this pipeline", wanted)
    draft = await service.write_service.rerun(project, pipeline)
    if draft.new.pipeline_file:
        return FileAt(draft.new.pipeline_file, record.sha)
    if path := await _of_settings(service, project):
        print_notice(
            f"The pipeline does not name its file; using {shorten(path, 100)} "
            "from the project's current settings."
        )
        return FileAt(path, record.sha)
    return FileAt(await _listed(service, project, record), record.sha)


async def _of_settings(service: PlatformService, project: ProjectRef) -> str:
    try:
        record = await read(service, "the project", resources.projects.project(project))
    except NotFoundError:
        return ""  # not every platform gives a record of its own to each
    path = record.ci_config_path
    return "" if _OF_ANOTHER.search(path) else path


async def _listed(service: PlatformService, project: ProjectRef, pipeline: Pipeline) -> str:
    repository = await service.repository()
    files = await repository.pipeline_files(project, pipeline.sha, None)
    named = f"Pipeline #{pipeline.id} does not say which file it was made from"
    which = f"platui file {shorten(str(project), 100)} PATH --ref {pipeline.sha[:12]}"
    if files.listed is None:
        raise NotSupportedError(f"{named}, and the platform lists no files.", hint=which)
    if len(files.listed) == 1:
        print_notice(f"{named}: {shorten(files.listed[0], 100)} is the only one there.")
        return files.listed[0]
    raise CommandError(
        f"{named}.",
        hint=f"It may be {listed(files.listed, _NAMED)}: {which}" if files.listed else which,
    )
