"""`platui report docs`: where the administration API is documented, and which version it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from platui.cli.report_shelf import shelf_of
from platui.cli.told import say, say_object
from platui.core.errors import ConfigError
from platui.core.text import clean

if TYPE_CHECKING:
    from platui.config.settings import Options


def show_docs(options: Options, *, as_json: bool) -> int:
    """Print address and versions; returns the exit code.

    Raises:
        ConfigError: there is no administration API.
        PlatuiError: it does not answer; the address was printed all the same.
    """
    with shelf_of(options) as shelf:
        if shelf.has_no_platform:
            raise ConfigError(
                "No platform is configured whose documentation could be told.",
                hint="Set PLATUI_ADMIN_URL, or admin_url in a profile of config.toml. Ask the "
                "platform's support for the address.",
            )
        address = shelf.reports.docs_address()
        if not as_json:
            say(clean(address))
        docs = shelf.run(shelf.reports.docs())
    if as_json:
        say_object(
            {
                "address": docs.address,
                "title": docs.title or None,
                "version": docs.version or None,
                "openapi": docs.openapi or None,
            }
        )
        return 0
    if docs.title or docs.version:
        say(" ".join(text for text in (docs.title, docs.version) if text))
    say(f"OpenAPI {docs.openapi}" if docs.openapi else "a page to read: it tells no version")
    return 0
