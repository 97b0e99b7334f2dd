"""The diff of a file, or of all files, between two commits."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from platui.core.errors import MISSING, NotSupportedError, is_unsupported
from platui.models.values.connection import Urgency
from platui.present.files.changes import NOT_SUPPORTED, diff_line, read_diff, refs_of
from platui.service import PlatformService, resources
from platui.ui.screens.files.document import (
    DOCUMENT_FOOTER,
    DOCUMENT_KEYS,
    Document,
    DocumentBody,
)
from platui.ui.screens.parts.view_screen import ViewScreen

if TYPE_CHECKING:
    from platui.models.values.routes import Route
    from platui.models.wire import Comparison


async def load_diff(
    service: PlatformService, route: Route, urgency: Urgency = Urgency.USER
) -> Document:
    compared = resources.files.comparison(route.project or 0, *refs_of(route))
    try:
        comparison = await service.read(compared, urgency=urgency)
    except MISSING as error:
        if is_unsupported(error):
            raise NotSupportedError(NOT_SUPPORTED) from None
        raise
    return await diff_in(comparison, route)


async def diff_in(comparison: Comparison, route: Route) -> Document:
    source = await asyncio.to_thread(read_diff, comparison, route.path)
    return Document(source, diff_line(comparison, route), comparison.web_url)


class DiffScreen(ViewScreen):
    BODY = partial(DocumentBody, load_diff)
    CONTROLLERS = DOCUMENT_KEYS
    FOOTER = DOCUMENT_FOOTER
