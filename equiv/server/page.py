"""The page at ``/``: one file that loads nothing, and asks ``/v1/check`` as any client does.

Its content security policy names the hashes of its own style and script (https://www.w3.org/TR/CSP3/): what
is not these does not run. All that it shows of queries, schemas and data it puts in as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from importlib import resources

from equiv.dialects.crossing.dialect import giver_of, sides_of
from equiv.dialects.registry import dialect_named
from equiv.server.settings import Settings
from equiv.show.verdicts import DIFFERENCES, REASONS, SIDES
from equiv.verdict import EXECUTION_ROWS

_PART = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)


def page(settings: Settings) -> str:
    """The page of one service."""
    flags = [
        name
        for name, is_so in (("data-databases", bool(settings.db_roots)), ("data-token", bool(settings.token)))
        if is_so
    ]
    body = " ".join(["<body", *flags])
    return (
        own_file("page.html")
        .replace("/* style */", own_file("page.css"))
        .replace("/* script */", own_file("page.js"))
        .replace("/* words */", _words())
        .replace("/* dialect */", escape(_dialects(settings)))
        .replace("<body", body, 1)
    )


def _dialects(settings: Settings) -> str:
    """What queries and schemas are written in, as the page says it."""
    dialect = dialect_named(settings.options.pair_dialect)
    pred, gold = (each.title for each in sides_of(dialect))
    if pred == gold:
        return f"Queries are read as {pred}."
    given = giver_of(dialect).title
    return f"Predictions are read as {pred}, gold queries as {gold}, and schemas as {given}."


def policy(text: str) -> str:
    """The content security policy of a page."""
    hashes = {name: _hash(part) for name, part in _PART.findall(text)}
    return (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; img-src data:;"
        f" connect-src 'self'; style-src '{hashes['style']}'; script-src '{hashes['script']}'"
    )


def _words() -> str:
    """What the page says of reasons and differences, as JSON that ends no element."""
    told = {
        "reasons": {reason.value: text for reason, text in REASONS.items()},
        "differences": {difference.value: text.capitalize() for difference, text in DIFFERENCES.items()},
        "sides": SIDES,
        "execution_rows": EXECUTION_ROWS,
    }
    return json.dumps(told).replace("<", "\\u003c")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def own_file(name: str) -> str:
    """A file of this folder."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
