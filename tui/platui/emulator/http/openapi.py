"""What the administration API says of itself in OpenAPI 3 (spec §9)."""

from __future__ import annotations

from typing import Any, Final

_LEVELS: Final = ["OWNER", "MAINTAINER", "DEVELOPER", "REPORTER", "GUEST"]


def _map_of(name: str) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": {"$ref": f"#/components/schemas/{name}"}}


_TEXT: Final = {"type": "string"}

_SCHEMAS: Final[dict[str, Any]] = {
    "Member": {
        "type": "object",
        "required": ["max_access_level"],
        "properties": {"max_access_level": {"type": "string", "examples": _LEVELS}},
    },
    "Project": {
        "type": "object",
        "required": ["name", "path", "members"],
        "properties": {"name": _TEXT, "path": _TEXT, "members": _map_of("Member")},
    },
    "Group": {
        "type": "object",
        "required": ["name", "path", "members"],
        "properties": {
            "name": _TEXT,
            "path": _TEXT,
            "members": _map_of("Member"),
            "projects": _map_of("Project"),
            "subgroups": _map_of("Group"),
        },
    },
    "User": {
        "type": "object",
        "required": ["email", "name", "service_identity_uuid", "state", "username"],
        "properties": {
            "email": _TEXT,
            "name": _TEXT,
            "service_identity_uuid": {"type": ["string", "null"], "format": "uuid"},
            "state": _TEXT,
            "username": _TEXT,
        },
    },
    "Platform": {
        "type": "object",
        "required": ["groups"],
        "properties": {"groups": _map_of("Group")},
    },
    "Report": {
        "type": "object",
        "required": ["platform", "users"],
        "properties": {
            "platform": {"$ref": "#/components/schemas/Platform"},
            "users": _map_of("User"),
        },
    },
    "Message": {"type": "object", "required": ["message"], "properties": {"message": _TEXT}},
    "Error": {
        "type": "object",
        "required": ["error", "error_description"],
        "properties": {"error": _TEXT, "error_description": _TEXT},
    },
}

_EXAMPLE: Final[dict[str, Any]] = {
    "platform": {
        "groups": {
            "11": {
                "name": "Acme",
                "path": "acme",
                "members": {"2001": {"max_access_level": "OWNER"}},
                "projects": {
                    "101": {
                        "name": "warehouse-core",
                        "path": "acme/warehouse-core",
                        "members": {"2001": {"max_access_level": "MAINTAINER"}},
                    }
                },
            }
        }
    },
    "users": {
        "2001": {
            "email": "a.okonkwo@acme.example",
            "name": "Adaeze Okonkwo",
            "service_identity_uuid": None,
            "state": "active",
            "username": "a.okonkwo",
        }
    },
}


def _refusal(said: str, *schemas: str) -> dict[str, Any]:
    found = [{"$ref": f"#/components/schemas/{name}"} for name in schemas]
    schema = found[0] if len(found) == 1 else {"oneOf": found}
    return {"description": said, "content": {"application/json": {"schema": schema}}}


_REPORT: Final[dict[str, Any]] = {
    "tags": ["reporting"],
    "operationId": "report",
    "summary": "User activity report",
    "description": "A roll-up of daily snapshots over a predefined period: the maximum access "
    "level of each user per group and project. Meant for usage utilization, not for "
    "security auditing. Data exists only from the moment the organization opted in.",
    "security": [{"organizationKey": ["reporting"]}],
    "responses": {
        "200": {
            "description": "The report. For a large organization it is big: stream it.",
            "content": {
                "application/json": {
                    "schema": {"$ref": "#/components/schemas/Report"},
                    "example": _EXAMPLE,
                }
            },
        },
        "401": _refusal(
            "No key, an unknown one, or one that is no longer good.", "Message", "Error"
        ),
        "403": _refusal(
            "The key lacks the scope `reporting`, or reporting is not enabled for the "
            "organization.",
            "Message",
        ),
        "406": _refusal("The header `Accept` leaves no room for JSON.", "Message"),
    },
}

_ABOUT: Final = (
    "Lets an organization administer its environment. A preview under active development. "
    "Requests are not limited in number."
)


def description(base: str) -> dict[str, Any]:
    """Return the OpenAPI description of the API below an address."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Administration API", "version": "v1", "description": _ABOUT},
        "servers": [{"url": base}],
        "tags": [{"name": "reporting", "description": "Usage of the organization."}],
        "paths": {"/reporting/report": {"get": _REPORT}},
        "components": {
            "schemas": _SCHEMAS,
            "securitySchemes": {
                "organizationKey": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An organization API key, issued by support on request.",
                }
            },
        },
    }
