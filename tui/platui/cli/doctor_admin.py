"""What `platui doctor` finds at the administration API, where a profile names one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from platui.api.address import admin_address
from platui.api.connect import Endpoint, open_admin_api
from platui.cli.doctor_finding import failure, good, skipped
from platui.config.credentials import find_admin_key
from platui.core.errors import PlatuiError
from platui.service.support_words import no_key, with_remedy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from platui.cli.doctor_finding import Finding
    from platui.config.profile import Profile
    from platui.core.clock import Clock


async def look_at_admin(
    profile: Profile, environ: Mapping[str, str], clock: Clock
) -> list[Finding]:
    """Say whether it is there, and whether it takes the organization's key.

    Of the report, which may be hundreds of megabytes, the head is taken and no more.
    """
    if profile.admin_url is None:
        return [skipped("admin", "the profile names no admin_url: there are no access reports")]
    try:
        key, source = await asyncio.to_thread(find_admin_key, profile, environ)
        if key is None:
            raise no_key(source)
        address = admin_address(profile.admin_url, insecure=profile.insecure)
        endpoint = Endpoint(address.base, profile.insecure, profile.ca_bundle, profile.timeout)
        api = await open_admin_api(endpoint, key, clock)
    except PlatuiError as error:
        return [failure("admin", error, admin_url=profile.admin_url)]
    try:
        async with api.report():
            pass
    except PlatuiError as error:
        return [failure("admin", with_remedy(error), admin_url=profile.admin_url)]
    finally:
        await api.aclose()
    told = f"{profile.admin_url} gives the report to the key from {source}"
    return [good("admin", told, admin_url=profile.admin_url, source=source)]
