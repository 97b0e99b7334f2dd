"""The grid of layers and features: small folders, and imports that go one way."""

from __future__ import annotations

import ast
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import platui
import platui_emulator

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from types import ModuleType

MOST = 40
"""Files of Python in one folder."""


def test_no_folder_has_more_files_than_can_be_guessed() -> None:
    """What grows beyond that is divided by feature."""
    counts = Counter(
        str(module.parent)
        for package in (platui, platui_emulator)
        for module in Path(package.__path__[0]).rglob("*.py")
    )
    assert {folder: count for folder, count in counts.items() if count > MOST} == {}


@pytest.mark.parametrize("package", [platui, platui_emulator])
def test_no_module_imports_itself_by_way_of_others(package: ModuleType) -> None:
    """Imports inside functions count, too: what two modules share belongs into a third one."""
    root = Path(package.__path__[0])
    modules = {_name(file, root.parent): file for file in root.rglob("*.py")}
    imports = {
        name: {
            found
            for node in _nodes(ast.parse(file.read_bytes()))
            for found in _imported(node, modules.keys())
            if found != name
        }
        for name, file in modules.items()
    }
    assert sum(map(len, imports.values())) > len(modules)
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def _name(file: Path, root: Path) -> str:
    parts = file.relative_to(root).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a module, except those that only a type checker reads."""
    yield node
    children: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        children = node.orelse
    for child in children:
        yield from _nodes(child)


def _imported(node: ast.AST, modules: Collection[str]) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (one.name for one in names if one.name in modules)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            for one in names:
                submodule = f"{module}.{one.name}"
                found = submodule if submodule in modules else module
                if found in modules:
                    yield found
