"""Screens, widgets and apps own their parts: few bases, few methods."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import platui
import platui_emulator

if TYPE_CHECKING:
    from types import ModuleType

DEEPEST = 3
"""Own classes of a chain; one more is left to the errors, which callers tell apart by class."""
MOST_METHODS = 60
MOST_SINGLE = 10
"""Base classes that have one subclass."""


class Class(NamedTuple):
    """A class of ours, by the names it has in the source."""

    bases: tuple[str, ...]
    methods: int


def classes_of(package: ModuleType) -> dict[str, Class]:
    """Return each class of a package by its full name, with those of its bases."""
    root = Path(package.__path__[0])
    found: dict[str, Class] = {}
    for file in root.rglob("*.py"):
        module = ".".join(file.relative_to(root.parent).with_suffix("").parts)
        tree = ast.parse(file.read_bytes())
        imported = {
            one.asname or one.name: f"{node.module}.{one.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module
            for one in node.names
        }
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                bases = [
                    base.value if isinstance(base, ast.Subscript) else base for base in node.bases
                ]
                names = [base.id for base in bases if isinstance(base, ast.Name)]
                methods = [
                    one
                    for one in node.body
                    if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
                ]
                found[f"{module}.{node.name}"] = Class(
                    tuple(imported.get(name, f"{module}.{name}") for name in names), len(methods)
                )
    return found


def chain(name: str, classes: dict[str, Class]) -> list[str]:
    """Return a class and all of its own bases, each once."""
    if name not in classes:
        return []
    above = [one for base in classes[name].bases for one in chain(base, classes)]
    return list(dict.fromkeys([name, *above]))


@pytest.mark.parametrize("package", [platui, platui_emulator])
def test_no_class_is_deep_or_large(package: ModuleType) -> None:
    """With all own bases; what is more belongs into parts, which a class owns."""
    classes = classes_of(package)
    assert len(classes) > MOST_METHODS
    chains = {name: chain(name, classes) for name in classes}
    deep = {name: bases for name, bases in chains.items() if len(bases) > DEEPEST}
    assert {name for name in deep if not name.startswith("platui.core.errors.")} == set()
    methods = {name: sum(classes[one].methods for one in bases) for name, bases in chains.items()}
    assert {name: count for name, count in methods.items() if count > MOST_METHODS} == {}


@pytest.mark.parametrize("package", [platui, platui_emulator])
def test_a_base_class_has_more_than_one_subclass(package: ModuleType) -> None:
    """Few have one only: a base is for what several classes share."""
    classes = classes_of(package)
    subclasses = Counter(base for one in classes.values() for base in one.bases if base in classes)
    single = sorted(base for base, count in subclasses.items() if count == 1)
    assert len(single) <= MOST_SINGLE, single


def test_a_dataclass_has_a_docstring() -> None:
    """Without one `dataclass` makes it of a signature: 60 µs each, at every start."""
    bare = [
        f"{file}: {node.name}"
        for file in Path(platui.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.ClassDef)
        and any("dataclass" in ast.unparse(one) for one in node.decorator_list)
        and ast.get_docstring(node) is None
    ]
    assert bare == []
