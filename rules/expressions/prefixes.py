"""Prefixes of text: LIKE 'abc%' against SUBSTR(x, 1, 3) = 'abc'.

LIKE ignores the case of ASCII letters and = does not, so only a prefix without
letters is the same for both.
"""

from __future__ import annotations

import re

from sqlglot import exp

from equiv.core.claims.blocks import is_text
from equiv.core.claims.value_types import Claim, conforms, is_binary
from equiv.core.model import Context, Domain
from equiv.rewrite.rule import rule
from equiv.rules.guards.expressions import Node, number

CASELESS_PREFIX = re.compile(r"([ !-$&-@\[-^`{-~]+)%")
"""Printable ASCII but letters, underscore and percent, and then anything."""


def matches_caseless_prefix(node: Node) -> bool:
    """``x LIKE '2013%'``, without ESCAPE: a prefix that holds no letter."""
    is_plain = is_text(node.expression) and not isinstance(node.parent, exp.Escape)
    return is_plain and CASELESS_PREFIX.fullmatch(node.expression.name) is not None


def subject_is_binary_text(node: Node, ctx: Context) -> Claim:
    """The left side is NULL or text, and compares by BINARY."""
    return conforms(node.this, Domain.TEXT, ctx) if is_binary(node.this, ctx) else None


@rule(on=exp.Like, shape=(matches_caseless_prefix,), needs=(subject_is_binary_text,))
def convert_prefix_pattern_to_slice(test: Node, ctx: Context) -> Node | None:
    """Compare the first characters instead of matching a prefix without letters.

    Before:  SELECT id FROM person WHERE nick LIKE '2013%'
    After:   SELECT id FROM person WHERE SUBSTR(nick, 1, 4) = '2013'
    Refuse:  LIKE 'te%', which 'Test' matches; '20_3%'; a BLOB, which SUBSTR keeps a BLOB
    Sound:   without letters, LIKE compares a text character by character, as = does
    """
    found = CASELESS_PREFIX.fullmatch(test.expression.name)
    if found is None:
        return None
    start, length = number(1), number(len(found[1]))
    first = exp.Substring(this=test.this, start=start, length=length)
    return exp.EQ(this=first, expression=exp.Literal.string(found[1]))


RULES = (convert_prefix_pattern_to_slice,)
