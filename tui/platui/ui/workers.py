"""Work for Textual workers."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from textual.worker import WorkType

T = TypeVar("T")


def work(
    function: Callable[..., Coroutine[Any, Any, T]], *arguments: Any, **options: Any
) -> WorkType[T]:
    """Return a callable for `run_worker`; a coroutine that never starts causes a warning."""
    return cast("WorkType[T]", partial(function, *arguments, **options))
