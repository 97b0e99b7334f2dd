"""The caller, the caller's token and the version of the platform."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from platui_emulator.http.answers import json_answer, no_content
from platui_emulator.http.render.people import moment, own_user

if TYPE_CHECKING:
    from starlette.responses import Response

    from platui_emulator.http.call import Call
    from platui_emulator.http.routing import Table

VERSION: Final = "15.11.13-emulated"

_VERSIONS: Final = {"version": VERSION, "revision": "0000000"}


def show_user(call: Call) -> Response:
    return json_answer(own_user(call.credential.user, call.links))


def show_token(call: Call) -> Response:
    """Show a token to its owner, with any scope."""
    facts = call.platform.credentials.facts(call.credential, call.now)
    return json_answer(
        {
            "id": facts.id,
            "name": facts.shape.name,
            # One that is revoked or has expired does not get as far as here.
            "revoked": False,
            "created_at": moment(facts.created_at),
            "description": facts.shape.why,
            "scopes": list(facts.shape.scopes),
            "user_id": facts.user_id,
            "last_used_at": moment(facts.last_used_at),
            "active": True,
            "expires_at": facts.expires_on.isoformat() if facts.expires_on else None,
        }
    )


def revoke_token(call: Call) -> Response:
    """Withdraw the token that asks for it, as who suspects a leak does."""
    shown, credentials = call.credential, call.platform.credentials
    credentials.revoke(credentials.issue(shown.kind, shown.owner_id, shown.serial))
    return no_content()


def show_version(call: Call) -> Response:
    """Answer with the version, to callers that are known."""
    del call
    return json_answer(_VERSIONS)


def show_metadata(call: Call) -> Response:
    """Answer with the version and what else runs beside the platform: nothing."""
    nothing = {"enabled": False, "externalUrl": "", "version": ""}
    del call
    return json_answer({**_VERSIONS, "kas": nothing, "enterprise": False})


ROUTES: Table = {
    "user": {"GET": show_user},
    "personal_access_tokens/self": {"GET": show_token, "DELETE": revoke_token},
    "version": {"GET": show_version},
    "metadata": {"GET": show_metadata},
}
