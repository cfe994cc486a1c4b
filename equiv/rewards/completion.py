"""The query in a completion, which is a text or the messages of a chat."""

from __future__ import annotations

from equiv.replies.extract import query_in


def query_of(completion: object) -> str:
    """The query that a completion gives; '' if there is none.

    Args:
        completion: a text, or the messages of a chat, of which the last counts: what trainers hand over.
    """
    return query_in(text_of(completion)).strip()


def text_of(completion: object) -> str:
    """The text of a completion; '' if it has none."""
    # A loop, since a trainer may hand over what is nested deeper than calls can be.
    while True:
        match completion:
            case str():
                return completion
            case [*_, {"content": content}] | {"content": content}:
                completion = content
            case [*_, {"text": str(text)}] | {"text": str(text)}:
                return text
            case _:
                return ""
