"""Memory that the C library keeps after it is freed; only glibc has functions to return it."""

from __future__ import annotations

from typing import Final

_M_TRIM_THRESHOLD: Final = -1  # Of `malloc.h`
_M_MMAP_THRESHOLD: Final = -3
_M_ARENA_MAX: Final = -8
_LARGE: Final = 4 * 1024 * 1024


def return_large_blocks() -> None:
    """Return each block of 4 MB or more to the system as soon as it is freed.

    Otherwise the library keeps blocks up to the size of the largest one that was freed: after ten
    responses of 27 MB that was 340 MB.
    """
    import ctypes  # noqa: PLC0415  (after the start)

    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(_M_MMAP_THRESHOLD, _LARGE)
        # Once one is set, the other one stays at 128 kB: each read of a log would get new pages.
        library.mallopt(_M_TRIM_THRESHOLD, 2 * _LARGE)


def share_free_memory() -> None:
    """Let all threads allocate from one arena; call it before the first thread starts.

    Otherwise each thread keeps what it freed for itself: after hours that was 20 MB.
    """
    import ctypes  # noqa: PLC0415  (after the start)

    library = ctypes.CDLL(None)
    if hasattr(library, "mallopt"):
        library.mallopt(_M_ARENA_MAX, 1)


def return_free_memory() -> None:
    """Return to the system what is free."""
    import ctypes  # noqa: PLC0415  (after the start)

    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)
