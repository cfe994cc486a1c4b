"""Readers of texts that strangers write, and hostile patterns.

Patterns are aimed at scanners that look again at what they have seen: openings without an end, runs that two
parts of an expression may share, brackets in brackets.  A reader whose time is linear takes much the same on
each, and four times that on four times the length.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from equiv.core.model import Schema
from equiv.core.texts import is_dump, without_rows
from equiv.dialects.postgres.parameters import parameters_in
from equiv.dialects.postgres.statements import statements as postgres_statements
from equiv.dialects.protocol import Session
from equiv.dialects.registry import reference
from equiv.dialects.sqlite.ddl import load_ddl
from equiv.dialects.typed.query_texts import code
from equiv.errors import InputError
from equiv.eval.html.page import inserts_and_others
from equiv.eval.reading.formats import FormatOptions, read_items
from equiv.judge.case import Role
from equiv.judge.replies import parse_reply
from equiv.rewards.rewarder import query_of
from equiv.schema.policy import parse_fact
from equiv.show.differences import changed_words
from equiv.show.evidence import lines_of
from equiv.show.page import Block, Code, Grid, Text
from equiv.show.terminal import markdown
from equiv.smt.recheck import ScriptError, commands

Pattern = Callable[[int], str]
"""A text of about so many characters."""


def repeated(unit: str, before: str = "", after: str = "") -> Pattern:
    """A unit many times between two texts."""
    return lambda size: before + unit * ((size - len(before) - len(after)) // len(unit)) + after


def halves(first: str, second: str, after: str = "") -> Pattern:
    """One unit many times, then another as many times."""
    return lambda size: (
        first * ((size - len(after)) // 2 // len(first))
        + second * ((size - len(after)) // 2 // len(second))
        + after
    )


PATTERNS: dict[str, Pattern] = {
    "backslashes": repeated("\\", "x"),
    "dollar quotes": repeated("$a$ ", "x"),
    "strings with escapes": repeated("E'\\' ", "x"),
    "copies": repeated("COPY t FROM stdin;\n", "x"),
    "comments, no query": repeated("/**/", after="x"),
    "comments that open": repeated("/*"),
    "line comments": repeated("--\n", after="x"),
    "blanks, parentheses": halves(" ", "(", "x"),
    "blanks": repeated(" ", "SELECT", "x"),
    "lines": repeated("\n", after="x"),
    "thoughts that open": repeated("<think>", after="x"),
    "thoughts that close": repeated("</think>", after="x"),
    "two kinds of thoughts": repeated("<think><reasoning></think>"),
    "answers that open": repeated("<answer>"),
    "answers crossed": repeated("<sql><answer></sql>"),
    "fences": repeated("```\n"),
    "fences called SQL": repeated("```sql "),
    "a fence and blanks": repeated(" ", "```", "x y"),
    "back quotes": repeated("`SELECT "),
    "quotes": repeated("'", "SELECT ", "x"),
    "quotes across lines": repeated("SELECT ' ;\n"),
    "doubled quotes": repeated("x''", "SELECT '"),
    "brackets that open": repeated("[", "SELECT "),
    "names in brackets": repeated("WITH ["),
    "semicolons": repeated("SELECT 1;\n"),
    "semicolons in a comment": repeated(";", "CREATE TABLE t (a) /*"),
    "semicolons in a trigger": repeated(";", "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1"),
    "parameters": repeated("$", "SELECT ", "("),
    "blank lines before clauses": repeated("SELECT 1\n\nFROM ;\n", "x\n"),
    "queries in quotes": repeated("='SELECT 1;", "x"),
    "fences in quotations": repeated("> ```sql\n> ~~~\n"),
    "values of JSON": repeated('[{"sql":\n', "x", "}"),
    "boxes": repeated("\\boxed{"),
    "braces": repeated('{"sql":', after="}"),
    "queries in queries": halves("(SELECT ", ")"),
    "tables in tables": lambda size: (
        "WITH a AS (" * (size // 21 - 1) + "SELECT 1" + ") SELECT 1" * (size // 21 - 1)
    ),
    "digits": repeated("1", "SELECT ", "x"),
    "one word": repeated("a", "SELECT "),
    "operators": repeated("1+", "SELECT ", "1"),
    "CASE in CASE": repeated("CASE WHEN ", "SELECT "),
    "calls": repeated("access to f(", "SELECT "),
    "bars": repeated("|", '(assert "', ""),
}
"""Texts that took exponential or quadratic time somewhere, and their kin."""

DDL = "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)"


@lru_cache(maxsize=1)
def _ground() -> tuple[Schema, Session]:
    schema = load_ddl(DDL)
    return schema, reference().engine.empty(schema)


def _as_query(text: str) -> None:
    """Read anew each time: an engine keeps what it has read."""
    reference().reader.read(text, *_ground())


def _as_ddl(text: str) -> None:
    with suppress(InputError):
        load_ddl(text)


def _as_ddl_after_table(text: str) -> None:
    with suppress(InputError):
        load_ddl(f"CREATE TABLE t (a CHECK (a > {text}))")


def _as_fact(text: str) -> None:
    with suppress(InputError):
        parse_fact(f"check(t: {text})", load_ddl(DDL))


def _as_record(text: str) -> None:
    record = {"question_id": 1, "db_id": "t", "predicted_sql": text, "gold_sql": "SELECT 1"}
    _read("p.json", json.dumps([record]))


def _as_file(text: str) -> None:
    for name in ("p.json", "p.jsonl", "p.csv", "p.sql"):
        _read(name, text)


def _read(name: str, text: str) -> None:
    with tempfile.TemporaryDirectory() as folder, suppress(InputError):
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        list(read_items([path], reading=FormatOptions(extract=True)))


def _as_page(text: str) -> None:
    blocks: list[Block] = [Text(text), Code("\n".join(lines_of(text)))]
    blocks.append(Grid("rows", (text[:1000],), ((text,),)))
    markdown(blocks)


def _as_script(text: str) -> None:
    inserts_and_others(text)
    with suppress(ScriptError):
        list(commands(text))


def _as_dump(text: str) -> object:
    found = [(each.words, each.bare) for each in postgres_statements(text)]
    return found, list(code(text)), list(parameters_in(text)), without_rows(text), is_dump(text)


READERS: dict[str, Callable[[str], object]] = {
    "completion": query_of,
    "SQL": _as_query,
    "DDL": _as_ddl,
    "CHECK": _as_ddl_after_table,
    "fact": _as_fact,
    "record": _as_record,
    "file": _as_file,
    "reply": lambda text: parse_reply(Role.PROVER, text),
    "page": _as_page,
    "diff": lambda text: changed_words(text, text[1:]),
    "script": _as_script,
    "dump": _as_dump,
}
"""What reads texts that strangers write."""
