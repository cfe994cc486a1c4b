"""The page at ``/docs``: the OpenAPI document for people, with a form for each request; it loads nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from equiv.server.openapi import Document
from equiv.server.page import own_file

Json = dict[str, Any]


def reference(document: Document) -> str:
    """The page of one service's document."""
    schemas = document["components"]["schemas"]
    requests = "\n".join(
        _request(path, method, told, schemas)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    )
    return (
        own_file("reference.html")
        .replace("/* style */", own_file("page.css"))
        .replace("/* script */", own_file("reference.js"))
        .replace("<!-- requests -->", requests)
    )


def _request(path: str, method: str, told: Json, schemas: Json) -> str:
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    parts = [f"<h2><code>{method.upper()} {escape(path)}</code></h2>", f"<p>{escape(told['summary'])}.</p>"]
    if body is not None:
        model = _resolved(body, schemas)
        rows = [_field(name, one, model, schemas) for name, one in model.get("properties", {}).items()]
        parts.append(_folded("fields of the body", ("field", "type", "what"), rows))
    answers = [(status, escape(one["description"])) for status, one in told["responses"].items()]
    parts.append(_folded("answers", ("status", "what"), answers))
    parts.append(_form(path, method, None if body is None else _example(body, schemas)))
    return f"<section>{''.join(parts)}</section>"


def _form(path: str, method: str, example: object) -> str:
    text = ""
    if example is not None:
        shown = escape(json.dumps(example, indent=2, ensure_ascii=False))
        text = f'<textarea rows="8" spellcheck="false" aria-label="Body">{shown}</textarea>'
    # Relative, so that a service behind a proxy's path finds itself.
    place = f'data-method="{method.upper()}" data-path="{escape(path.lstrip("/") or "./")}"'
    send = '<div class="go"><button type="submit">Send</button></div><output></output>'
    return f"<form {place}>{text}{send}</form>"


def _field(name: str, one: Json, model: Json, schemas: Json) -> tuple[str, str, str]:
    needed = ", required" if name in model.get("required", ()) else ""
    default = f" Default: {json.dumps(one['default'])}." if "default" in one else ""
    kind = f"{_kind(one, schemas)}{needed}"
    return f"<code>{escape(name)}</code>", escape(kind), escape(f"{one.get('description', '')}{default}")


def _kind(one: Json, schemas: Json) -> str:
    match one:
        case {"$ref": _}:
            return _kind(_resolved(one, schemas), schemas)
        case {"enum": list(values)}:
            return " | ".join(map(json.dumps, values))
        case {"anyOf": list(kinds)}:
            return " or ".join(_kind(each, schemas) for each in kinds)
        case {"type": "array", "items": dict(items)}:
            return f"list of {_kind(items, schemas)}"
        case {"title": str(title), "type": "object"} if title in schemas:
            return title
    return str(one.get("type", "any"))


def _resolved(one: Json, schemas: Json) -> Json:
    found: Json = schemas[one["$ref"].rpartition("/")[2]] if "$ref" in one else one
    return found


def _example(one: Json, schemas: Json) -> Any:
    """A value of a model: what it requires, and of the rest what has an example that says something."""
    found = _resolved(one, schemas)
    if "examples" in found:
        return found["examples"][0]
    match found.get("type"):
        case "object":
            return {
                name: _example(each, schemas)
                for name, each in found.get("properties", {}).items()
                if name in found.get("required", ()) or any(each.get("examples", ()))
            }
        case "array":
            return [_example(found["items"], schemas)]
    return ""


def _folded(title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table whose cells are markup, behind its title."""
    lines = "".join(_row(row, "td") for row in rows)
    table = f"<table><thead>{_row(head, 'th')}</thead><tbody>{lines}</tbody></table>"
    return f'<details><summary>{title}</summary><div class="scroll">{table}</div></details>' if rows else ""


def _row(cells: tuple[str, ...], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"
