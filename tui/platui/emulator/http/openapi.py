"""What the administration API says of itself: OpenAPI 3, and a page to read it on (spec §9)."""

from __future__ import annotations

from html import escape
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
    "Report": {
        "type": "object",
        "required": ["platform", "users"],
        "properties": {
            "platform": {"type": "object", "properties": {"groups": _map_of("Group")}},
            "users": _map_of("User"),
        },
    },
}

_REPORT: Final[dict[str, Any]] = {
    "tags": ["reporting"],
    "operationId": "report",
    "summary": "User activity report",
    "description": "A roll-up of daily snapshots over a predefined period: the maximum access "
    "level of each user per group and project. Meant for usage utilization, not for "
    "security auditing.",
    "security": [{"organizationKey": ["reporting"]}],
    "responses": {
        "200": {
            "description": "The report.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Report"}}},
        },
        "401": {"description": "No key, or an unknown one."},
        "403": {"description": "The key has not the scope `reporting`."},
    },
}


def description(base: str) -> dict[str, Any]:
    """Return the OpenAPI description of the API below an address."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Administration API", "version": "v1", "description": "A preview."},
        "servers": [{"url": base}],
        "tags": [{"name": "reporting", "description": "Usage of the organization."}],
        "paths": {"/reporting/report": {"get": _REPORT}},
        "components": {
            "schemas": _SCHEMAS,
            "securitySchemes": {"organizationKey": {"type": "http", "scheme": "bearer"}},
        },
    }


def docs_page(base: str) -> str:
    """Return the page: plain HTML that needs nothing from elsewhere."""
    rows = "".join(
        f"<h3>{escape(name)}</h3><ul>{_fields(schema)}</ul>" for name, schema in _SCHEMAS.items()
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Administration API</title>"
        "<h1>Administration API v1</h1>"
        '<p>OpenAPI 3 description: <a href="openapi.json">openapi.json</a></p>'
        '<h2 id="/reporting">reporting</h2>'
        f"<h3>GET {escape(base)}/reporting/report</h3><p>{escape(_REPORT['description'])}</p>"
        "<p>Header <code>Authorization: Bearer KEY</code>, a key with scope "
        f"<code>reporting</code>.</p><h2>Records</h2>{rows}</html>"
    )


def _fields(schema: dict[str, Any]) -> str:
    return "".join(f"<li>{escape(name)}</li>" for name in schema["properties"])
