"""The C library finds bytes where Python does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from platui.logs.search import finder

letters = st.binary().map(lambda data: bytes(b"ab\0\n"[byte % 4] for byte in data))


@given(letters, letters.filter(bool), st.integers(0, 20))
def test_a_needle_is_where_python_finds_it(data: bytes, needle: bytes, start: int) -> None:
    """Also at the ends, across zeros, and behind the end."""
    assert finder()(data, needle, start) == data.find(needle, start)
