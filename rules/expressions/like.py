"""LIKE: a pattern that matches everything, and the case of letters.

LIKE ignores the case of ASCII letters where = does not, and matches the text of
numbers: ``x LIKE 'abc'`` is not ``x = 'abc'``, nor is ``x LIKE 'te%'`` a
comparison of SUBSTR(x, 1, 2).  BLOBs match nothing in some builds.
"""

from __future__ import annotations

from sqlglot import exp

from equiv.core.claims.predicates import is_text
from equiv.core.claims.value_types import Claim, conforms
from equiv.core.context import Context
from equiv.core.model import Domain
from equiv.rewrite.rule import rule
from rules.guards.expressions import Node, stands_in_condition


def matches_everything(node: Node) -> bool:
    """``LIKE '%'``."""
    return is_text(node.expression) and node.expression.name == "%"


def subject_is_text_or_number(node: Node, ctx: Context) -> Claim:
    """The left side is NULL, text or a number."""
    text = conforms(node.this, Domain.TEXT, ctx)
    return text if text is not None else conforms(node.this, Domain.NUMBER, ctx)


@rule(on=exp.Like, shape=(matches_everything, stands_in_condition), needs=(subject_is_text_or_number,))
def convert_like_anything(test: Node, ctx: Context) -> Node | None:
    """Read LIKE '%' as a test for a value.

    Before:  SELECT id FROM person WHERE nick LIKE '%'
    After:   SELECT id FROM person WHERE NOT nick IS NULL
    Refuse:  a column that may hold BLOBs; SELECT nick LIKE '%', which is NULL for NULL
    Sound:   every text matches, also that of a number, and NULL does not
    """
    return exp.Not(this=exp.Is(this=test.this, expression=exp.Null()))


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


RULES = (convert_like_anything, fold_pattern_case)
