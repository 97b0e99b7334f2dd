"""The control desk's window for faults: `/-/emulator/faults`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from platui_emulator.faults.fault import KINDS, FaultError, Faults, Setting
from platui_emulator.http.answers import json_answer
from platui_emulator.http.failures import ApiFailure, bad_request, method_not_allowed, not_found
from platui_emulator.http.routing import EndpointDocs

if TYPE_CHECKING:
    from starlette.responses import Response


PATH: Final = "/faults"

OFFERED: Final[Mapping[tuple[str, str], EndpointDocs]] = {
    ("GET", PATH): EndpointDocs("The faults that are set, and how often each has struck."),
    ("POST", PATH): EndpointDocs(
        "Set a fault, in JSON: it strikes what goes through the address faults_url.",
        {
            "kind": "one of the fault_kinds below, whose settings are taken besides",
            "path": "a regular expression, searched in path and query; default: both APIs",
            "method": "the verb to strike; default: every one",
            "times": "how many requests to strike; default: all",
            "after": "how many requests to spare first; default 0",
        },
    ),
    ("DELETE", PATH): EndpointDocs("Take every fault away."),
    ("DELETE", f"{PATH}/<id>"): EndpointDocs("Take one fault away."),
}
_DIGITS: Final = 12


def serves(path: str) -> bool:
    """Return whether a path below the control endpoint belongs to faults."""
    return path == PATH or path.startswith(f"{PATH}/")


def answer(faults: Faults, method: str, path: str, body: bytes) -> Response:
    """Answer one request. Raises ApiFailure: no such fault, or one that cannot be set."""
    one = path.removeprefix(PATH).removeprefix("/")
    match method, one:
        case "GET", "":
            return json_answer({"faults": faults.as_json()})
        case "POST", "":
            return json_answer({"id": _put(faults, body)}, 201)
        case "DELETE", "":
            return json_answer({"cleared": faults.clear()})
        case "DELETE", number if number.isascii() and number.isdigit() and len(number) <= _DIGITS:
            if faults.drop(int(number)):
                return json_answer({"cleared": 1})
            raise not_found("Fault")
        case _, "":
            raise method_not_allowed("GET, POST, DELETE")
    raise not_found("Fault")


def kinds() -> dict[str, Any]:
    """Return every kind of fault, and the values that its settings may have."""
    return {
        name: {
            "does": kind.about,
            "settings": {key: _said(one) for key, one in kind.settings.items()},
        }
        for name, kind in KINDS.items()
    }


def _said(setting: Setting) -> dict[str, Any]:
    if setting.among:
        return {"default": setting.default, "among": list(setting.among)}
    return {"default": setting.default, "least": setting.least, "most": setting.most}


def _put(faults: Faults, body: bytes) -> int:
    try:
        return faults.put(_object(body))
    except FaultError as error:
        raise _refused(str(error)) from error


def _object(body: bytes) -> dict[str, Any]:
    try:
        wish = json.loads(body)
    except (ValueError, RecursionError):
        wish = None
    if not isinstance(wish, dict):
        raise _refused("A fault is a JSON object with a kind.")
    return wish


def _refused(sentence: str) -> ApiFailure:
    return bad_request(f"400 Bad request - {sentence}")
