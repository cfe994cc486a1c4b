"""The page: a template filled by Jinja, which escapes all text that it is given.

The page may load nothing and run nothing but its own style and script, whose hashes its content security
policy names (https://www.w3.org/TR/CSP3/): what is not this very script does not run even if it got in.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.eval.html.charts import mark_of, range_rows, shade_rows, stages_of
from equiv.eval.html.payload import payload_of
from equiv.eval.sections.all_sections import Report
from equiv.eval.sections.section import Section
from equiv.records.record import versions
from equiv.show.escape import escape
from equiv.show.markdown import is_numeric
from equiv.show.page import Grid

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDED = frozenset({"tables"})
"""The sections of which all tables but the first are folded."""

TABLE_TEXT = 1_000
"""How many characters of a text stand in tables and headings."""

LONG = 40
"""Characters from which a column of a table is one of long texts."""


def prepare(path: Path) -> None:
    """Import and load whatever a page needs, so that it fails before the long work, not after it.

    Raises:
        InputError: there is no such folder, or Jinja is not installed.
    """
    environment()
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def write_page(path: Path, report: Report) -> int:
    """Write the page of a report; its size in bytes.

    Raises:
        InputError: the file cannot be written, or Jinja is not installed.
    """
    return write_text(path, page_of(report))


def write_text(path: Path, text: str) -> int:
    """Write the text of a page; its size in bytes.

    Raises:
        InputError: the file cannot be written.
    """
    written = text.encode()
    try:
        path.write_bytes(written)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    return len(written)


def page_of(report: Report) -> str:
    """The page as text.

    Raises:
        InputError: Jinja is not installed.
    """
    from markupsafe import Markup

    payload = payload_of(report.records, report.measures, report.whole)
    style, script = own_file("page.css"), own_file("page.js")
    return (
        environment()
        .get_template("page.html")
        .render(
            title=report.title,
            policy=policy_of(style, script),
            style=Markup(style),  # noqa: S704 - files of this folder, into which nothing is filled
            script=Markup(script),  # noqa: S704
            data=Markup(payload.text),  # noqa: S704 - its <, > and & are escaped
            sections=report.sections,
            pairs=len(report.records),
            remarks=payload.remarks,
            places=payload.places,
            versions=versions(),
        )
    )


def policy_of(style: str, script: str) -> str:
    """The content security policy under which this style and this script alone count."""
    return (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none';"
        f" style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    )


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def own_file(name: str) -> str:
    """A file of this folder."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """The templates of this folder.

    Raises:
        InputError: Jinja is not installed.
    """
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ModuleNotFoundError:
        raise InputError("an HTML report needs Jinja: pip install -e '.[eval]'") from None
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(own_file),
        finalize=_shown,
    )
    made.globals |= {
        "kind_of": lambda part: type(part).__name__,
        "mark_of": mark_of,
        "range_rows": range_rows,
        "shade_rows": shade_rows,
        "stages_of": stages_of,
        "styles": _styles,
        "folded": _folded,
    }
    return made


def _shown(value: object) -> object:
    """Text with its hidden characters written out and not too long, before it is escaped."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        if len(value) > TABLE_TEXT:
            value = f"{value[:TABLE_TEXT]}… ({len(value) - TABLE_TEXT:,} more characters)"
        return value if value.isprintable() else escape(value, keep="\n\t")
    return value


def _styles(grid: Grid) -> list[str]:
    """The class of each column: of numbers, of long texts, or none."""
    columns = [[row[place] for row in grid.rows] for place in range(len(grid.columns))]
    return [
        "number" if is_numeric(cells) else "long" if max(map(len, cells)) > LONG else "" for cells in columns
    ]


def _folded(section: Section, number: int) -> bool:
    return section.name in FOLDED and number > 0
