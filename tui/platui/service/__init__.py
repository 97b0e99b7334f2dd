"""The platform as the ui sees it: one door, feeds behind it."""

from __future__ import annotations

from platui.service.facade import PlatformService

__all__ = ["PlatformService"]
