"""The service layer: the platform as the dashboard and the commands use it."""

from __future__ import annotations

from platui.service.facade import PlatformService

__all__ = ["PlatformService"]
