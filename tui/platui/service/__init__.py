"""The platform as the ui sees it: one door, feeds behind it."""

from __future__ import annotations

from platui.service.facade import PlatformService
from platui.service.protocols import Latest, LatestFeed, LogFeed

__all__ = ["Latest", "LatestFeed", "LogFeed", "PlatformService"]
