"""The query in ordinary replies: the same through every entry that takes queries out of texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from equiv.eval.reading.formats import FormatOptions, read_items
from equiv.replies.extract import query_in
from equiv.rewards.completion import query_of

Q = "SELECT name FROM hero\nWHERE id = 1"
LINE = "SELECT name FROM hero WHERE id = 1"

REPLIES: dict[str, tuple[str, str]] = {
    "plain": (Q, Q),
    "closed by a semicolon": (f"{LINE};", f"{LINE};"),
    "a comment first": (f"-- heroes\n{LINE}", f"-- heroes\n{LINE}"),
    "in parentheses": (f"({LINE})", f"({LINE})"),
    "fence": (f"Here it is:\n```sql\n{Q}\n```\nDone.", Q),
    "fence of SQLite": (f"```sqlite\n{Q}\n```", Q),
    "fence without a name": (f"The query:\n```\n{Q}\n```", Q),
    "fence that does not end": (f"```sql\n{Q}", Q),
    "fence after a query": (f"{LINE}\n```\nas asked", LINE),
    "fence in a line": (f"so ```sql {LINE}``` it is", LINE),
    "fences of two languages": (f"```sql\n{Q}\n```\n```python\nrun()\n```", Q),
    "last of two fences": (f"First\n```sql\nSELECT 1\n```\nbetter\n```sql\n{Q}\n```", Q),
    "tag": (f"<sql>{Q}</sql>", Q),
    "tag that does not end": (f"<solution>{Q}", Q),
    "tag with a fence": (f"<answer>\n```sql\n{Q}\n```\n</answer>", Q),
    "tag with prose": (f"<answer>The query is:\n{Q};\n</answer>", Q),
    "thought before": (f"<think>SELECT 2 or ```sql\nSELECT 3\n```</think>\n{Q}", Q),
    "thought begun in the prompt": (f"We need one hero.\nSELECT 2?\n</think>\n\n{Q}", Q),
    "label": (f"SQL: {LINE}", LINE),
    "label in bold": (f"**SQL query:** {LINE}", LINE),
    "answer": (f"The id is 1.\n\nAnswer: {LINE};", LINE),
    "back quotes": (f"The query is `{LINE}`.", LINE),
    "box": (f"Therefore $\\boxed{{{LINE}}}$.", LINE),
    "box of text": (f"\\boxed{{\\text{{{LINE}}}}}", LINE),
    "JSON": (json.dumps({"reasoning": "one hero", "sql": Q}), Q),
    "JSON in a fence": (f"```json\n{json.dumps({'query': Q})}\n```", Q),
    "JSON in prose": (f"My answer: {json.dumps({'final_sql': LINE})}", LINE),
    "prose before": (f"The query is:\n{Q}", Q),
    "prose around": (f"The query is:\n{Q};\nIt selects one hero.", Q),
    "prose and a blank line": (f"So:\n\n{Q}\n\nThat is all.", Q),
    "prose after a semicolon": (f"{Q};\n\nThis query selects one hero.", Q),
    "prose after a blank line": (f"{Q}\n\nThis query isn't slow.", Q),
    "prose that begins as queries do": (f"With that in mind:\n{Q}\n\nSelect it and run it.", Q),
    "WITH in a fence": (
        "With that:\n```sql\nWITH a AS (SELECT 1) SELECT * FROM a\n```",
        "WITH a AS (SELECT 1) SELECT * FROM a",
    ),
    "a blank line in the query": ("SELECT name\n\nFROM hero", "SELECT name\n\nFROM hero"),
    "a semicolon in a string": ("So:\nSELECT 'a;b' FROM t;", "SELECT 'a;b' FROM t"),
    "tags in a string": ("SELECT '<sql>' FROM t", "SELECT '<sql>' FROM t"),
    "two statements": ("SELECT 1; DROP TABLE hero", "SELECT 1; DROP TABLE hero"),
    "no query": ("I cannot tell.", "I cannot tell."),
}


@pytest.mark.parametrize("name", REPLIES)
def test_the_query_of_a_reply_is_the_same_through_every_entry(name: str, tmp_path: Path) -> None:
    reply, query = REPLIES[name]
    path = tmp_path / "p.json"
    entry = {"question_id": 1, "db_id": "zoo", "predicted_sql": reply, "gold_sql": "SELECT 1"}
    path.write_text(json.dumps([entry]))
    (item,) = read_items([path], reading=FormatOptions(extract=True))
    chat = [{"role": "user", "content": "SELECT 0"}, {"role": "assistant", "content": reply}]
    assert [query_in(reply), query_of(reply), query_of(chat), item.predicted_sql] == [query] * 4


def test_the_service_takes_the_same_query_out_of_a_response() -> None:
    pytest.importorskip("starlette")
    from equiv.options import Options
    from equiv.server import nemo
    from equiv.server.databases import Places

    for reply, query in REPLIES.values():
        response = {"output": [{"type": "message", "content": [{"type": "output_text", "text": reply}]}]}
        row = {"response": response, "sql": "SELECT 1", "sql_context": "CREATE TABLE t (a)"}
        assert nemo.asked(row, Places((), Options()))[0] == query


def test_a_chat_nested_deeper_than_calls_has_no_query() -> None:
    nested: object = Q
    for _ in range(100_000):
        nested = [{"content": nested}]
    assert query_of(nested) == Q
