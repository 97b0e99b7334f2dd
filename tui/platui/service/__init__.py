"""The platform as the ui sees it: one door, feeds behind it."""

from __future__ import annotations

from platui.service.facade import PlatformService
from platui.service.protocols import CompareFeed, Latest, LatestFeed, LogFeed, PipelineSearchFeed

__all__ = [
    "CompareFeed",
    "Latest",
    "LatestFeed",
    "LogFeed",
    "PipelineSearchFeed",
    "PlatformService",
]
