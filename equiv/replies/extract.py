"""The query in a reply: a model's text may wrap it in tags, in fences, in JSON, or in words.

All who take queries out of replies do it here: rewards, the service, ``check`` and ``eval``.  The time is
linear in the length of the text, whatever it holds.
"""

from __future__ import annotations

from equiv.replies.endings import (
    begins_other_statement,
    is_comment,
    is_sql_to_its_end,
    without_prose_after,
)
from equiv.replies.fields import texts_in_json
from equiv.replies.marks import chosen_blocks, first_fence, has_sql_fence, last_boxed
from equiv.replies.openings import begins_as_sentence, begins_query, last_in_prose
from equiv.replies.tags import last_answer, without_closing_marks, without_thoughts


def query_in(text: str) -> str:
    r"""The query that a reply gives; the reply itself where none can be told from the words around it.

    A text that is SQL from its beginning to its end, or comments alone, is given back as it is, whatever its
    strings and comments hold.  What stands between tags of thinking is no answer, nor what stands in a
    comment.  A text that begins with a query ends where a fence, a tag or prose begins.  Else the last in
    tags (``sql``, ``answer`` and the like) counts, and in it, or where there are none in the whole, the last
    fence that holds a query, of those called SQL if there are some, else what ``\boxed{…}`` holds, a field of
    JSON, or the last query of the prose.  Tags and fences that do not end reach to the end of the text.
    """
    if is_comment(text) or begins_other_statement(text) or (begins_query(text) and is_sql_to_its_end(text)):
        return text
    said = without_closing_marks(without_thoughts(text))
    if _is_whole(said):
        query = _whole(said)
        return text if query == text else query.strip()
    answer = last_answer(said)
    if answer is not None:
        return _marked(answer) or answer.strip()
    marked = _marked(said)
    if marked is not None:
        return marked
    return text if said == text else said.strip()


def is_reply(text: str) -> bool:
    """Whether words, tags or fences stand around the query of a text, or around what is marked as one."""
    found = query_in(text)
    is_statement = begins_query(found) or is_comment(found) or begins_other_statement(found)
    return is_statement and found.strip() != text.strip()


def _is_whole(said: str) -> bool:
    """Whether a text is a query, and what may follow one; not a sentence that begins as a query does."""
    if not begins_query(said):
        return False
    if is_sql_to_its_end(said):
        return True
    return not has_sql_fence(said) and not (begins_as_sentence(said) and _marked_elsewhere(said))


def _whole(said: str) -> str:
    """A text that begins with a query, up to where it ends."""
    return without_prose_after(said if is_sql_to_its_end(said) else said[: first_fence(said)])


def _marked(said: str) -> str | None:
    """The query that something in a text marks, or that stands in its prose; None if there is none."""
    if _is_whole(said):
        return without_closing_marks(_whole(said)).strip()
    return _marked_elsewhere(said)


def _marked_elsewhere(said: str) -> str | None:
    # A field may hold a fence, and a fence may hold fields.
    if said.lstrip().startswith(("{", "[", '"')) and (found := _in_fields(said)):
        return found
    if fenced := chosen_blocks(said):
        return _of_block(fenced[-1])
    boxed = last_boxed(said)
    if boxed and begins_query(boxed):
        return boxed
    return _in_fields(said) or last_in_prose(said)


def _of_block(block: str) -> str:
    """The query of a fence: in JSON, in a string of a program, or all of it."""
    if begins_query(block):
        return block
    return _in_fields(block) or last_in_prose(block) or block


def _in_fields(said: str) -> str | None:
    for each in texts_in_json(said):
        if begins_query(each):
            return each.strip()
        if (fenced := chosen_blocks(each)) and begins_query(fenced[-1]):
            return fenced[-1]
    return None
