"""Sizes as people say them."""

from __future__ import annotations

import pytest

from platui.present.counts import human_bytes


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.00 kB"), (28_412, "28.4 kB"),
        (999_499, "999 kB"), (999_500, "1.00 MB"), (1_234_567_890, "1.23 GB"),
        (5 * 10**15, "5000 TB"),
    ],
)  # fmt: skip
def test_three_figures_and_a_unit(count: int, said: str) -> None:
    """Never `1000 kB`."""
    assert human_bytes(count) == said
