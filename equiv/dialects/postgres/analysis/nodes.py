"""The node trees that PostgreSQL keeps of a view's query, read from their text.

``pg_rewrite.ev_action`` is written by ``outfuncs.c``: ``{NAME :field value …}``, lists in parentheses,
``<>`` for nothing, a backslash before a character that would mean something else.
https://github.com/postgres/postgres/blob/master/src/backend/nodes/outfuncs.c
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(r'[(){}]|"(?:[^"\\]|\\.)*"|(?:[^\s(){}\\]|\\.)+', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LIST_OF = frozenset("iob")
"""What stands first in a list of integers, of OIDs, and in a set of integers."""


@dataclass(frozen=True, slots=True)
class Node:
    """One node: its name and its fields by name.

    A value is a node, a list, None, or a text: of a constant, the words of its bytes.
    """

    name: str
    fields: dict[str, object]

    def node(self, field: str) -> Node:
        """The node of a field."""
        found = self.fields[field]
        assert isinstance(found, Node), (self.name, field, found)
        return found

    def maybe(self, field: str) -> Node | None:
        """The node of a field, or None if it is empty."""
        return None if self.fields.get(field) is None else self.node(field)

    def nodes(self, field: str) -> list[Node]:
        """The nodes of a list; none if it is empty."""
        return [each for each in self.list(field) if isinstance(each, Node)]

    def list(self, field: str) -> list[object]:
        """A list as it is; empty if there is none."""
        found = self.fields.get(field)
        if found is None:
            return []
        assert isinstance(found, list), (self.name, field, found)
        return found

    def text(self, field: str) -> str:
        """A plain value as text."""
        found = self.fields.get(field)
        return found if isinstance(found, str) else ""

    def number(self, field: str) -> int:
        """A plain value as an integer."""
        return int(self.text(field))

    def flag(self, field: str) -> bool:
        """A plain value as a truth value; false if there is no such field."""
        return self.text(field) == "true"


def read_nodes(text: str) -> list[object]:
    """The list of nodes that a text writes."""
    found = _value(_Tokens(text))
    assert isinstance(found, list)
    return found


class _Tokens:
    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.findall(text)
        self._place = 0

    def next(self) -> str:
        self._place += 1
        word: str = self._tokens[self._place - 1]
        return word

    def peek(self) -> str:
        word: str = self._tokens[self._place]
        return word


def _value(tokens: _Tokens) -> object:
    word = tokens.next()
    if word == "{":
        return _node(tokens)
    if word == "(":
        return list(_listed(tokens))
    return None if word == "<>" else _plain(word)


def _node(tokens: _Tokens) -> Node:
    name, fields = tokens.next(), {}
    while tokens.peek() != "}":
        field = tokens.next()
        value = _value(tokens)
        if isinstance(value, str):
            words = [value]
            while not tokens.peek().startswith(":") and tokens.peek() not in "{}()":
                words.append(_plain(tokens.next()))
            value = " ".join(words)
        fields[field[1:]] = value
    tokens.next()
    return Node(name, fields)


def _listed(tokens: _Tokens) -> Iterator[object]:
    if tokens.peek() in _LIST_OF:
        tokens.next()
    while tokens.peek() != ")":
        yield _value(tokens)
    tokens.next()


def _plain(word: str) -> str:
    return _ESCAPED.sub(r"\1", word[1:-1] if word[0] == '"' else word)
