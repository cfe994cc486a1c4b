"""The query in ordinary replies: the same through every entry that takes queries out of texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.replies import REPLIES, Q

from equiv.eval.reading.formats import FormatOptions, read_items
from equiv.replies.extract import Prediction, is_reply, query_in
from equiv.replies.limits import begins_other_statement, begins_query, is_comment
from equiv.rewards.rewarder import query_of
from equiv.rules.verification.golden import GOLDEN, read_cases


@pytest.mark.parametrize("name", REPLIES)
def test_the_query_of_a_reply_is_the_same_through_every_entry(name: str, tmp_path: Path) -> None:
    reply, query = REPLIES[name]
    path = tmp_path / "p.json"
    entry = {"question_id": 1, "db_id": "zoo", "predicted_sql": reply, "gold_sql": "SELECT 1"}
    path.write_text(json.dumps([entry]))
    (item,) = read_items([path], reading=FormatOptions(extract=True))
    chat = [{"role": "user", "content": "SELECT 0"}, {"role": "assistant", "content": reply}]
    assert [query_in(reply), query_of(reply), query_of(chat), item.predicted_sql] == [query] * 4


SQL_TEXTS = (
    "SELECT '```sql' FROM t",
    "SELECT '\n```\nx' FROM t",
    "SELECT 1 -- ```sql\n",
    "SELECT 1 /* ```sql\nSELECT 2\n``` */",
    "-- so:\n-- ```sql\nSELECT 1",
    "SELECT '<think>a</think>b', '</answer>' FROM t",
    "SELECT 1 -- </answer>",
    "/* <sql>SELECT 2</sql> */ SELECT 1",
    'SELECT [```sql], `a```, "<|x|>" FROM t',
    "SELECT a FROM t -- Answer: SELECT 2",
    "SELECT 'it''s; fine', 'x\n\nThis query selects' FROM t",
    "SELECT CAST(a AS unsigned\n\nbig int) FROM t",
    "SELECT a FROM t ORDER BY a\n\nFETCH FIRST 5 ROWS ONLY",
    "SELECT a FROM t WHERE a\n\nILIKE 'x' AND b",
    "SELECT DISTINCT ON (a)\nb c FROM t",
    "SELECT a FROM t x\n\nFOR UPDATE",
    "SELECT b\n::text y FROM t",
    "SELECT a FROM t LIMIT $1::int OFFSET $2::smallint -- </sql>",
    "SELECT '{\"sql\": \"SELECT 2\"}', '\\boxed{SELECT 3}'",
)
MARKS = """```sql
```
~~~
</sql>
<think>
</think>
<answer>SELECT 2</answer>
\\boxed{SELECT 2}
Answer: SELECT 2;
isn't `so`""".splitlines()


def test_a_text_that_is_sql_stays_as_it_is() -> None:
    assert {text: query_in(text) for text in SQL_TEXTS if query_in(text) != text} == {}


BROKEN = (
    "SELECT name FROM person\nWERE age > 18",
    "SELECT name FROM person\n\nwere_clause(1",
    "SELECT name\nage city FROM person",
    "SELECT name FROM person WHERE x = 'abc",
    "SELCT name FROM t WHERE age = (SELECT MAX(age) FROM t)",
    "SELCT name FROM t WHERE age IN (\n  SELECT age FROM t\n)",
    "SELCT a FROM t\nUNION\nSELECT b FROM u",
    "selct a from t\nunion all\nselect b from u",
    "FROM (SELECT a FROM t) x",
    "WITH x AS\n(SELECT 1) SELCT * FROM x",
    "CREATE VIEW v AS\nSELECT a FROM t",
    "INSERT INTO t\nSELECT * FROM u",
    "EXPLAIN\nSELECT a FROM t",
    "explain select 1",
    "UPDATE t SET a =\n(SELECT 1)",
    "DELETE FROM t; -- ```sql SELECT 1",
    "SELECT 1; SELEC 2",
    "select a from t; updat t set a = 1",
)


def test_broken_sql_and_other_statements_are_not_repaired() -> None:
    assert {text: query_in(text) for text in BROKEN if query_in(text) != text} == {}


@pytest.mark.parametrize("tail", ["this gives one", "Selects the rows", "updated as you asked"])
def test_what_is_left_out_behind_a_query_is_told(tail: str) -> None:
    found = Prediction.of(f"SELECT 1;\n{tail}", extract=True)
    told = f"extracted from the reply around it: SELECT 1; left out behind it: {tail}"
    assert (found.query, found.remark) == ("SELECT 1", told)


WORDS = ("SELECT a FROM t", "select", "With x as (", "This is it", "sql:", "UNION", "~~~sql", "> ", "```json")
PIECES = st.sampled_from([*MARKS, *WORDS, *"'\"`\n ;(){}=", "\n\n", '{"sql": "', "<code>", "::", "--", "/*"])


@given(st.lists(PIECES, max_size=12).map("".join))
def test_any_text_has_a_query_and_that_of_it_is_itself_or_shorter(text: str) -> None:
    query = query_in(text)
    assert len(query) <= len(text)
    assert not is_reply(text) or begins_query(query) or is_comment(query) or begins_other_statement(query)


def golden_queries() -> list[str]:
    """The texts of the golden pairs that begin as queries do; none has PostgreSQL's \\'."""
    parts = {
        part
        for path in sorted(GOLDEN.rglob("*.sql"))
        for case in read_cases(path)
        if case.command in ("decide", "norm")
        for part in case.parts
    }
    return sorted(part for part in parts if begins_query(part) and "\\'" not in part)


def test_golden_queries_stay_as_they_are_whatever_their_comments_and_strings_hold() -> None:
    queries = golden_queries()
    assert len(queries) > 2_000
    texts = list(queries)
    for place, query in enumerate(queries):
        mark = MARKS[place % len(MARKS)]
        string = mark.replace("'", "''")
        texts += [f"{query}\n-- {mark}", f"/* {mark} */ {query}"]
        texts.append(f"SELECT '\n{string}\n' FROM t, ({query}) a")
    assert [text for text in texts if query_in(text) != text] == []


def test_a_chat_nested_deeper_than_calls_has_no_query() -> None:
    nested: object = Q
    for _ in range(100_000):
        nested = [{"content": nested}]
    assert query_of(nested) == Q
