"""The repository of a project at a commit: which files it has, and what they say."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache, partial
from hashlib import sha1
from typing import TYPE_CHECKING, Final

from platui_emulator import data
from platui_emulator.records import Commit, File, FileChange, TreeEntry
from platui_emulator.world import models
from platui_emulator.world.commit_changes import changes, of_this_month
from platui_emulator.world.pipeline_yaml import IMAGE, yaml_of

if TYPE_CHECKING:
    from platui_emulator.world.blueprints import Blueprint
    from platui_emulator.world.project_simulation import ProjectSimulation


_SIDE: Final = 48
_STORES: Final = 40
_DAYS: Final = 900


def odd_files(blueprint: Blueprint) -> dict[str, Callable[[], str | bytes]]:
    """Return them by path: a picture, an empty file, odd names; in one project a long table."""
    found: dict[str, Callable[[], str | bytes]] = {
        "docs/lineage.png": partial(_picture, blueprint.lane),
        "docs/Wie wir Zahlen prüfen – 数据.md": partial(_words, blueprint),
        "seeds/.gitkeep": lambda: "",
    }
    if blueprint.lane == 0:
        found["seeds/store_calendar.csv"] = _calendar
    return found


def _words(blueprint: Blueprint) -> str:
    tables = "".join(f"- `{entity}`: täglich, 100 % der Zeilen\n" for entity in blueprint.entities)
    return f"# Prüfungen von {blueprint.record.name}\n\n{tables}"


@cache
def _calendar() -> str:
    first = date(2023, 1, 1)
    lines = ["date,store,opens_at,closes_at,holiday\n"]
    for day in range(_DAYS):
        when = first + timedelta(days=day)
        closed = "true" if when.isoweekday() == 7 else "false"  # noqa: PLR2004  (Sunday)
        lines += [f"{when},S{store:04d},08:00,20:00,{closed}\n" for store in range(_STORES)]
    return "".join(lines)


def _picture(lane: int) -> bytes:
    """Return a PNG: bands in the colour of the project."""
    row = [
        bytes((lane * 4 % 256, (x * 5 + lane) % 256, 96 if x % 12 else 220)) for x in range(_SIDE)
    ]
    pixels = b"".join(b"\0" + b"".join(row) for _ in range(_SIDE))
    head = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


_FILE: Final = "100644"
_FOLDER: Final = "040000"
_KEPT_MODELS: Final = 60

Texts = dict[str, "Callable[[], str | bytes]"]


class Files:
    """The repositories of all projects."""

    def tree(self, site: ProjectSimulation, ref: str, path: str, now: float) -> list[TreeEntry]:
        """Return a folder, folders first, each by name; empty when there is none."""
        texts = _texts_at(site, ref, now) or {}
        prefix = f"{path.strip('/')}/" if path.strip("/") else ""
        found: dict[str, TreeEntry] = {}
        for full in texts:
            if not full.startswith(prefix):
                continue
            name, slash, _ = full.removeprefix(prefix).partition("/")
            if slash:
                folder = prefix + name
                found[name] = TreeEntry(_folder_sha(folder), name, folder, "tree", _FOLDER)
            else:
                found[name] = TreeEntry(_blob_sha(_content(texts[full])), name, full, "blob", _FILE)
        return sorted(found.values(), key=lambda entry: (entry.type == "blob", entry.name))

    def file(self, site: ProjectSimulation, ref: str, path: str, now: float) -> File | None:
        """Return a file; None when the ref or the path leads nowhere."""
        texts = _texts_at(site, ref, now)
        if texts is None or path not in texts:
            return None
        content = _content(texts[path])
        return File(path, content, _blob_sha(content), self._last_commit(site, ref, path, now))

    @staticmethod
    def changes(site: ProjectSimulation, before: Commit, after: Commit) -> list[FileChange]:
        """Return the files that differ between two commits."""
        texts = (_texts_of_commit(site, commit) for commit in (before, after))
        old, new = ({path: _content(make) for path, make in one.items()} for one in texts)
        return list(changes(old, new))

    @staticmethod
    def _last_commit(site: ProjectSimulation, ref: str, path: str, now: float) -> str:
        """Return the commit that last touched a file: one of the newest few before the ref's."""
        commit = site.history.find(ref, now)
        number = site.history.main_at(commit.authored_at.timestamp() if commit else now)
        for _ in range(int(sha1(path.encode(), usedforsecurity=False).hexdigest(), 16) % 5):
            number = site.history.main_before(number >> 2) or number
        return site.history.sha(number)


def _texts_at(site: ProjectSimulation, ref: str, now: float) -> Texts | None:
    commit = site.history.find(ref, now)
    return None if commit is None else _texts_of_commit(site, commit)


def _texts_of_commit(site: ProjectSimulation, commit: Commit) -> Texts:
    """Return the files at a commit: each of its month left a note below a query."""
    history = site.history
    texts = texts_of(site.blueprint, broken=history.broken(history.number(commit.sha)))
    noted = [path for path in texts if path.endswith(".sql") and "/staging/" not in path]
    notes: dict[str, str] = {}
    for one in of_this_month(history, commit):
        path = noted[int(one.sha[:8], 16) % len(noted)]
        notes[path] = f"\n-- {one.title}\n{notes.get(path, '')}"
    for path, note in notes.items():
        texts[path] = partial(_with_note, texts[path], note)
    return texts


def _with_note(make: Callable[[], str | bytes], note: str) -> str:
    return f"{make()!s}{note}"


def texts_of(blueprint: Blueprint, *, broken: bool = False) -> Texts:
    """Return the files of a project, by path. `broken`: staging models are renamed."""
    texts: Texts = {
        "README.md": partial(_readme, blueprint),
        "dbt_project.yml": partial(_filled, "dbt_project", package=blueprint.package),
        "packages.yml": partial(_filled, "packages"),
        "requirements.txt": partial(_filled, "requirements", image=IMAGE),
        "models/staging/_sources.yml": partial(_sources, blueprint),
        "models/marts/_models.yml": partial(_tests, blueprint),
        "macros/generate_schema_name.sql": partial(_filled, "schema_macro"),
    }
    for path, file in blueprint.files.items():
        texts[path] = partial(yaml_of, blueprint, file)
    for entity in blueprint.entities:
        name = models.renamed(blueprint, f"stg_{entity}") if broken else f"stg_{entity}"
        texts[models.path_of(name)] = partial(models.staging_sql, blueprint, entity)
        loader = partial(_filled, "loader", source=blueprint.source, entity=entity)
        texts[f"scripts/load_{entity}.py"] = loader
    for model in models.model_names(blueprint)[:_KEPT_MODELS]:
        if not model.startswith("stg_"):
            texts[models.path_of(model)] = partial(models.mart_sql, blueprint, model)
    return texts | odd_files(blueprint)


def _filled(template: str, **values: str) -> str:
    return data.TEMPLATES[template].format(**values)


def _readme(blueprint: Blueprint) -> str:
    return _filled(
        "readme",
        name=blueprint.record.name,
        description=blueprint.record.description,
        files="\n".join(f"| `{path}` | {file.title} |" for path, file in blueprint.files.items()),
        tables="\n".join(f"- `{blueprint.package}.{entity}`" for entity in blueprint.entities),
    )


def _sources(blueprint: Blueprint) -> str:
    tables = "\n".join(f"      - name: {entity}" for entity in blueprint.entities)
    return _filled("sources", source=blueprint.source, tables=tables)


def _tests(blueprint: Blueprint) -> str:
    blocks = "\n".join(
        f"  - name: fct_{entity}\n    columns:\n      - name: {entity}_id\n"
        "        tests: [unique, not_null]"
        for entity in blueprint.entities
    )
    return f"version: 2\n\nmodels:\n{blocks}\n"


def _content(make: Callable[[], str | bytes]) -> bytes:
    made = make()
    return made if isinstance(made, bytes) else made.encode()


def _blob_sha(content: bytes) -> str:
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _folder_sha(path: str) -> str:
    return sha1(f"tree {path}".encode(), usedforsecurity=False).hexdigest()
