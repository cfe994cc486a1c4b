"""LIKE: the case of letters.

LIKE ignores the case of ASCII letters where = does not, and matches the text of
numbers: ``x LIKE 'abc'`` is not ``x = 'abc'``, nor is ``x LIKE 'te%'`` a
comparison of SUBSTR(x, 1, 2).
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.blocks import is_text
from equiv.core.model import Context
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node


def has_capitals(node: Node) -> bool:
    """A pattern with ASCII capitals, without ESCAPE, whose character may be one."""
    is_plain = is_text(node.expression) and not isinstance(node.parent, exp.Escape)
    return is_plain and _without_capitals(node.expression.name) != node.expression.name


def _without_capitals(text: str) -> str:
    return "".join(letter.lower() if letter.isascii() else letter for letter in text)


@rule(on=exp.Like, shape=(has_capitals,))
def fold_pattern_case(test: Node, ctx: Context) -> Node | None:
    """Spell a LIKE pattern without capitals.

    Before:  SELECT id FROM person WHERE nick LIKE '%North%'
    After:   SELECT id FROM person WHERE nick LIKE '%north%'
    Refuse:  GLOB '*North*', which heeds case; LIKE 'É%', whose case LIKE heeds too; LIKE 'aE%' ESCAPE 'E'
    Sound:   LIKE ignores the case of ASCII letters, unless PRAGMA case_sensitive_like is set
    """
    test.set("expression", exp.Literal.string(_without_capitals(test.expression.name)))
    return test


RULES = (fold_pattern_case,)
