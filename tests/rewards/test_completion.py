"""The query in a completion, as the templates of users have it."""

from __future__ import annotations

import pytest

from equiv.rewards.rewarder import query_of

QUERY = "SELECT name FROM hero\nWHERE id = 1"
COMPLETIONS = {
    "plain": QUERY,
    "fence": f"Here it is:\n```sql\n{QUERY}\n```\nDone.",
    "fence that does not end": f"```sql\n{QUERY}",
    "last of two fences": f"First\n```sql\nSELECT 1\n```\nbetter\n```sql\n{QUERY}\n```",
    "tag": f"<think>SELECT 2</think><sql>{QUERY}</sql>",
    "thought and solution": f"<thought>maybe ```sql\nSELECT 3\n```</thought>\n<solution>{QUERY}</solution>",
    "answer with a fence": f"<answer>```sql\n{QUERY}\n```</answer>",
    "prose before": f"The query is:\n{QUERY}",
    "prose around": f"The query is:\n{QUERY};\nIt selects one hero.",
    "prose and a blank line": f"So:\n\n{QUERY}\n\nThat is all.",
}


@pytest.mark.parametrize("name", COMPLETIONS)
def test_the_query_is_found(name: str) -> None:
    assert query_of(COMPLETIONS[name]) == QUERY


@pytest.mark.parametrize("query", ["(SELECT 1)", "WITH a AS (SELECT 1) SELECT * FROM a", "-- one\nSELECT 1"])
def test_a_query_by_itself_is_taken_whole(query: str) -> None:
    assert query_of(query) == query


def test_of_a_chat_the_last_message_counts() -> None:
    messages = [{"role": "user", "content": "SELECT 1"}, {"role": "assistant", "content": QUERY}]
    assert query_of(messages) == QUERY
    assert query_of([{"role": "assistant", "content": [{"type": "text", "text": QUERY}]}]) == QUERY


@pytest.mark.parametrize("nothing", [None, 0, b"SELECT 1", [], {}, [{"role": "assistant"}], "", "  \n"])
def test_what_has_no_text_has_no_query(nothing: object) -> None:
    assert query_of(nothing) == ""
