"""The query in a reply: a model's text may wrap it in tags, in fences, in JSON, or in words.

All who take queries out of replies do it here: rewards, the service and ``--extract``.  The time is linear in
the length of the text, whatever it holds.
"""

from __future__ import annotations

import re

from equiv.replies.marks import blocks_in, first_fence, has_sql_fence, in_json, last_boxed
from equiv.replies.openings import begins_query, last_in_prose, without_prose_after
from equiv.replies.tags import last_answer, without_thoughts

_END = re.compile(r"</(?:sql|solution|answer)>\s*+\Z", re.IGNORECASE)


def query_in(text: str) -> str:
    r"""The query that a reply gives; the reply itself where none can be told from the words around it.

    What stands between tags of thinking is no answer.  A text that begins with a query ends where a fence, a
    tag or prose does.  Else the last in tags (``sql``, ``solution``, ``answer``) counts, and in it, or where
    there are none in the whole, the last fence that is called SQL, else the last fence, else what
    ``\boxed{…}`` holds, a field of a JSON object, or the last query of the prose.  Tags and fences that do
    not end reach to the end of the text.
    """
    said = without_thoughts(text)
    if begins_query(said) and not has_sql_fence(said):
        return _whole(said, text)
    answer = last_answer(said)
    if answer is not None:
        return _marked(answer) or answer.strip()
    marked = _marked(said)
    if marked is not None:
        return marked
    return text if said == text else said.strip()


def _whole(said: str, text: str) -> str:
    """A text that begins with a query, up to where it ends; as it was given if nothing follows."""
    tag = _END.search(said)
    until = min(first_fence(said), tag.start() if tag else len(said))
    query = without_prose_after(said[:until])
    return text if query == text else query.strip()


def _marked(said: str) -> str | None:
    """The query that something in a text marks, or that stands in its prose; None if there is none."""
    if begins_query(said) and not has_sql_fence(said):
        return without_prose_after(said[: first_fence(said)]).strip()
    if fenced := blocks_in(said):
        return (in_json(fenced[-1]) if fenced[-1].startswith("{") else None) or fenced[-1]
    boxed = last_boxed(said)
    return boxed if boxed and begins_query(boxed) else in_json(said) or last_in_prose(said)
