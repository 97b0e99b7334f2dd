"""The documentation of the administration API: OpenAPI 3 (spec §9) and a web page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from platui_emulator import data


def description(base: str) -> dict[str, Any]:
    """Return the OpenAPI description of the API below an address."""
    described: dict[str, Any] = data.read_json("admin_api.json")
    described["servers"][0]["url"] = base
    return described


_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;"
    "border-bottom:1px solid #8884}code,pre{font-family:ui-monospace,monospace}"
    "pre{overflow:auto}:root{color-scheme:light dark}"
)
_REFERENCE: Final = "#/components/schemas/"


def docs_page(described: Mapping[str, Any]) -> str:
    """Return the page of an OpenAPI description; `#/reporting` leads to that tag's operations."""
    info = described["info"]
    title = escape(f"{info['title']} {info['version']}")
    base = described["servers"][0]["url"]
    tags = "".join(_tag(described, tag, base) for tag in described["tags"])
    records = "".join(
        f'<h3 id="record-{escape(name)}">{escape(name)}</h3>{_fields(schema)}'
        for name, schema in described["components"]["schemas"].items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f"<title>{title}</title><style>{_STYLE}</style><h1>{title}</h1>"
        f"<p>{escape(info['description'])}</p>"
        f'<p>OpenAPI {escape(described["openapi"])}: <a href="openapi.json">openapi.json</a></p>'
        f"{tags}<h2>Records</h2>{records}</html>"
    )


def _tag(described: Mapping[str, Any], tag: Mapping[str, str], base: str) -> str:
    name = tag["name"]
    operations = "".join(
        _operation(f"{method.upper()} {base}{path}", operation, described)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if name in operation["tags"]
    )
    heading = f'<h2 id="/{escape(name)}"><a href="#/{escape(name)}">{escape(name)}</a></h2>'
    return f"{heading}<p>{escape(tag['description'])}</p>{operations}"


def _operation(what: str, operation: Mapping[str, Any], described: Mapping[str, Any]) -> str:
    responses = _table(
        ("Status", "Body", "When"),
        (
            (escape(status), " or ".join(_bodies(response)), escape(response["description"]))
            for status, response in operation["responses"].items()
        ),
    )
    return (
        f"<h3>{escape(operation['summary'])}</h3><pre>{escape(what)}</pre>"
        f"<p>{escape(operation['description'])}</p>{_keys(operation, described)}{responses}"
    )


def _keys(operation: Mapping[str, Any], described: Mapping[str, Any]) -> str:
    schemes = described["components"]["securitySchemes"]
    return "".join(
        f"<p>Header <code>Authorization: Bearer KEY</code>. {escape(schemes[name]['description'])} "
        f"Scope: <code>{escape(', '.join(scopes))}</code>.</p>"
        for one in operation["security"]
        for name, scopes in one.items()
    )


def _bodies(response: Mapping[str, Any]) -> list[str]:
    schema = response["content"]["application/json"]["schema"]
    return [_kind(one) for one in schema.get("oneOf", [schema])]


def _fields(schema: Mapping[str, Any]) -> str:
    needed = schema["required"]
    rows = (
        (
            f"<code>{escape(name)}</code>",
            _kind(one),
            "always" if name in needed else "may be absent",
        )
        for name, one in schema["properties"].items()
    )
    return _table(("Field", "Type", ""), rows)


def _kind(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].removeprefix(_REFERENCE))
        return f'<a href="#record-{name}">{name}</a>'
    if "additionalProperties" in schema:
        return f"map of id to {_kind(schema['additionalProperties'])}"
    kinds = schema["type"]
    return escape(kinds if isinstance(kinds, str) else " or ".join(kinds))


def _table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{cell}</th>" for cell in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"
