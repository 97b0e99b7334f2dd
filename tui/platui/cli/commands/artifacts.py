"""List the files in the artifacts archive of a job, and print or save one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from platui.cli.command_options import READING, command, find_job_options
from platui.cli.completions import first_project
from platui.cli.connection import Platform, open_platform
from platui.cli.job_lookup import find_job
from platui.cli.options import is_address
from platui.cli.output.progress import print_notice
from platui.cli.output.stdout import is_terminal, print_line, print_lines, print_object
from platui.cli.reading import read, resources
from platui.cli.target_lookup import resolve_target
from platui.core.errors import ConfigError
from platui.core.paths import user_path
from platui.core.text import printable, shorten
from platui.present.counts import counted, human_bytes

if TYPE_CHECKING:
    from platui.cli.targets import Target
    from platui.config.settings import Options
    from platui.models.values.queries import ProjectRef
    from platui.service.files.archives import JobArchive

_HINT: Final = "platui artifacts --help"
_EXAMPLES: Final = """
artifacts acme/warehouse-core dbt_run
artifacts acme/warehouse-core 81234 target/run_results.json | jq .
artifacts https://platform.example/acme/etl/-/jobs/81234 --save a.zip
"""
_MORE: Final = """\b
--save never overwrites a file.
"""


@command("artifacts", _EXAMPLES, *READING, more=_MORE, json=True)
@click.argument("words", nargs=-1, metavar="(PROJECT JOB | URL) [FILE]",
                shell_complete=first_project)  # fmt: skip
@find_job_options
@click.option("--save", metavar="PATH", help="Save FILE, or the archive without FILE.")
def artifacts_command(
    options: Options,
    *,
    words: tuple[str, ...],
    pipeline: int | None,
    ref: str,
    save: str | None,
    as_json: bool,
) -> None:
    """List the files in the artifacts archive of a job, or print FILE.

    PROJECT is a path or its end, or an id. JOB is an id, or a name: the newest attempt
    in the project's newest pipeline, or in the one that --pipeline or --ref selects.
    The archive is downloaded to list it.
    """
    count = 1 if words and is_address(words[0]) else 2
    where, names = words[:count], words[count:]
    if len(names) > 1:
        raise ConfigError("Give at most one FILE.", hint=_HINT)
    if as_json and (names or save is not None):
        raise ConfigError("--json lists files: omit FILE and --save.", hint=_HINT)
    target_path = None if save is None else user_path(save)
    with open_platform(options, where) as platform:
        target = platform.read(_find(platform, where, pipeline, ref))
        if target_path is not None and not names:
            size = platform.run(_save_archive(platform, target, target_path))
            print_notice(f"Saved {shorten(str(target_path), 200)} ({human_bytes(size)}).")
            return
        project, archive = platform.run(_open(platform, target))
        if target_path is not None:
            size = archive.save(names[0], target_path)
            print_notice(f"Saved {shorten(str(target_path), 200)} ({human_bytes(size)}).")
        elif names:
            _print(archive.read(names[0]), names[0])
        else:
            _list(platform, project, target, archive, as_json=as_json)


def _list(
    platform: Platform, project: ProjectRef, target: Target, archive: JobArchive, *, as_json: bool
) -> None:
    from platui.cli.output.lists import style_of, table_lines  # noqa: PLC0415  (not for help or completion)
    from platui.present.tables.artifacts import ARCHIVE_FILES  # noqa: PLC0415  (not for help or completion)

    if as_json:
        files = [ARCHIVE_FILES.object(one) for one in archive.entries]
        print_object({"project": project, "job": target.id, "total": archive.total, "files": files})
        return
    print_lines(table_lines(archive.entries, ARCHIVE_FILES, style=style_of(platform)))
    if archive.total > len(archive.entries):
        more = counted(archive.total, "file")
        print_notice(f"{len(archive.entries):,} of {more} listed; --save saves the archive.")


def _print(content: bytes, name: str) -> None:
    from platui.present.files.source import is_binary  # noqa: PLC0415  (not for help or completion)

    if not is_terminal():
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    elif is_binary(content):
        raise ConfigError(
            f"{shorten(name, 200)} is a binary file of {human_bytes(len(content))}.",
            hint="Use --save, or redirect the output.",
        )
    else:
        text = printable(content.decode("utf-8-sig", errors="replace"))
        print_line(text.removesuffix("\n"))


async def _find(
    platform: Platform, words: tuple[str, ...], pipeline: int | None, ref: str
) -> Target:
    await platform.service.start()
    found = await find_job(platform, words, pipeline, ref, _HINT)
    if found.note:
        print_notice(found.note)
    return found.target


async def _open(platform: Platform, target: Target) -> tuple[ProjectRef, JobArchive]:
    archives = await platform.service.archives()

    async def ask(found: Target) -> tuple[ProjectRef, JobArchive]:
        await read(platform.service, "this job", resources.jobs.job(found.project, found.id))
        return found.project, await archives.open(found.project, found.id, lambda _: None)

    return await resolve_target(platform.service, target, ask)


async def _save_archive(platform: Platform, target: Target, path: Path) -> int:
    downloads = await platform.service.downloads()

    async def ask(found: Target) -> int:
        await read(platform.service, "this job", resources.jobs.job(found.project, found.id))
        return await downloads.save_artifacts(found.project, found.id, path, lambda _: None)

    return await resolve_target(platform.service, target, ask)
