"""What a worker does, not begun yet: one that is stopped before leaves nothing behind."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from textual.worker import WorkType

T = TypeVar("T")


def work(
    function: Callable[..., Coroutine[Any, Any, T]], *arguments: Any, **options: Any
) -> WorkType[T]:
    """Return what `run_worker` takes.

    A coroutine that was made and never began would be told by the interpreter when it goes, and
    whatever it was to give back would stay taken.
    """
    return cast("WorkType[T]", partial(function, *arguments, **options))
