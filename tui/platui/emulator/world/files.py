"""The repository of a project at a commit: which files it has, and what they say."""

from __future__ import annotations

from functools import partial
from hashlib import sha1
from typing import TYPE_CHECKING, Final

from platui.emulator.records import File, TreeEntry
from platui.emulator.world import models
from platui.emulator.world.odd_files import odd_files
from platui.emulator.world.pipeline_yaml import yaml_of
from platui.emulator.world.scripts import IMAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from platui.emulator.world.blueprints import Blueprint
    from platui.emulator.world.sites import Site

_FILE: Final = "100644"
_FOLDER: Final = "040000"
_KEPT_MODELS: Final = 60
"""Models that stand in the repository as files."""

Texts = dict[str, "Callable[[], str | bytes]"]


class Files:
    """The repositories of all projects."""

    def tree(self, site: Site, ref: str, path: str, now: float) -> list[TreeEntry]:
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

    def file(self, site: Site, ref: str, path: str, now: float) -> File | None:
        """Return a file; None when the ref or the path leads nowhere."""
        texts = _texts_at(site, ref, now)
        if texts is None or path not in texts:
            return None
        content = _content(texts[path])
        return File(path, content, _blob_sha(content), self._last_commit(site, ref, path, now))

    @staticmethod
    def _last_commit(site: Site, ref: str, path: str, now: float) -> str:
        """Return the commit that last touched a file: one of the newest few before the ref's."""
        commit = site.history.find(ref, now)
        number = site.history.main_at(commit.authored_at.timestamp() if commit else now)
        for _ in range(int(sha1(path.encode(), usedforsecurity=False).hexdigest(), 16) % 5):
            number = site.history.main_before(number >> 2) or number
        return site.history.sha(number)


def _texts_at(site: Site, ref: str, now: float) -> Texts | None:
    commit = site.history.find(ref, now)
    if commit is None:
        return None
    return texts_of(site.blueprint, broken=site.history.broken(site.history.number(commit.sha)))


def texts_of(blueprint: Blueprint, *, broken: bool = False) -> Texts:
    """Return the files of a project, by path. `broken`: staging models are renamed."""
    texts: Texts = {
        "README.md": partial(_readme, blueprint),
        "dbt_project.yml": partial(_dbt_project, blueprint),
        "packages.yml": lambda: _PACKAGES,
        "requirements.txt": lambda: _REQUIREMENTS,
        "models/staging/_sources.yml": partial(_sources, blueprint),
        "models/marts/_models.yml": partial(_tests, blueprint),
        "macros/generate_schema_name.sql": lambda: _SCHEMA_MACRO,
    }
    for path, file in blueprint.files.items():
        texts[path] = partial(yaml_of, blueprint, file)
    for entity in blueprint.entities:
        name = models.renamed(blueprint, f"stg_{entity}") if broken else f"stg_{entity}"
        texts[models.path_of(name)] = partial(models.staging_sql, blueprint, entity)
        texts[f"scripts/load_{entity}.py"] = partial(_loader, blueprint, entity)
    for model in models.model_names(blueprint)[:_KEPT_MODELS]:
        if not model.startswith("stg_"):
            texts[models.path_of(model)] = partial(models.mart_sql, blueprint, model)
    return texts | odd_files(blueprint)


def _content(make: Callable[[], str | bytes]) -> bytes:
    made = make()
    return made if isinstance(made, bytes) else made.encode()


def _blob_sha(content: bytes) -> str:
    """Return the name that git gives to a content."""
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _folder_sha(path: str) -> str:
    return sha1(f"tree {path}".encode(), usedforsecurity=False).hexdigest()


def _readme(blueprint: Blueprint) -> str:
    rows = "\n".join(f"| `{path}` | {file.title} |" for path, file in blueprint.files.items())
    return f"""\
# {blueprint.record.name}

{blueprint.record.description}.

## Pipelines

| File | What it does |
|---|---|
{rows}

The variable `_PIPELINE_FILE_NAME` chooses the file; without it `full-ci.yml` runs.

## Tables

{chr(10).join(f"- `{blueprint.package}.{entity}`" for entity in blueprint.entities)}
"""


def _dbt_project(blueprint: Blueprint) -> str:
    return f"""\
name: {blueprint.package}
version: 1.4.0
config-version: 2
profile: acme

model-paths: [models]
macro-paths: [macros]
test-paths: [tests]

models:
  {blueprint.package}:
    staging:
      +materialized: view
    marts:
      +materialized: table
"""


def _sources(blueprint: Blueprint) -> str:
    tables = "\n".join(f"      - name: {entity}" for entity in blueprint.entities)
    return f"""\
version: 2

sources:
  - name: {blueprint.source}
    database: raw
    loaded_at_field: _loaded_at
    freshness:
      warn_after: {{count: 6, period: hour}}
      error_after: {{count: 24, period: hour}}
    tables:
{tables}
"""


def _tests(blueprint: Blueprint) -> str:
    blocks = "\n".join(
        f"  - name: fct_{entity}\n    columns:\n      - name: {entity}_id\n"
        "        tests: [unique, not_null]"
        for entity in blueprint.entities
    )
    return f"version: 2\n\nmodels:\n{blocks}\n"


def _loader(blueprint: Blueprint, entity: str) -> str:
    return f'''\
"""Load {entity} from the source into raw.{blueprint.source}."""

from acme_ingest import Client, Loader
from acme_ingest.{blueprint.source} import transform


def main() -> None:
    client = Client.from_environment("{blueprint.source}")
    with Loader("raw.{blueprint.source}.{entity}") as loader:
        for page in client.pages("{entity}", size=500):
            loader.write(transform(record) for record in page)


if __name__ == "__main__":
    main()
'''


_PACKAGES = """\
packages:
  - package: dbt-labs/dbt_utils
    version: 1.3.0
  - package: calogica/dbt_expectations
    version: 0.10.4
"""

_REQUIREMENTS = f"""\
# the runtime image is {IMAGE}
acme-ingest==2.14.3
dbt-snowflake==1.8.4
requests==2.32.3
tenacity==9.0.0
"""

_SCHEMA_MACRO = """\
{% macro generate_schema_name(custom_schema_name, node) -%}
    {{ target.schema }}{{ '_' ~ custom_schema_name if custom_schema_name }}
{%- endmacro %}
"""
