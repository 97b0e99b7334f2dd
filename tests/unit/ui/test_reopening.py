"""The command that opens an address again, as it is pasted into a shell."""

from __future__ import annotations

import shlex

import pytest

from platui.ui.screens.listing import reopening


@pytest.mark.parametrize(
    "address",
    [
        "https://platform.example.org/data/shop/-/pipelines/7",
        "https://platform.example.org/a;touch${IFS}owned",
        "https://platform.example.org/$(id)/`id`",
        "https://platform.example.org/it's & more",
    ],
)
def test_a_shell_takes_the_address_as_one_word(address: str) -> None:
    """The address is the platform's text: no part of it may run."""
    assert shlex.split(reopening(address)) == ["platui", address]


def test_without_an_address_there_is_no_command() -> None:
    """A platform need not tell where its pages are."""
    assert reopening("") == ""
