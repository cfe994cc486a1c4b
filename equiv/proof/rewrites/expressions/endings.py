"""Patterns without letters, and endings of a text: LIKE '%12', GLOB '*12' and SUBSTR(x, -2) = '12'.

All three read a text up to its first NUL character, and of a number its text.  LIKE takes ASCII letters of
either case for one, GLOB and ``=`` do not.
"""

from __future__ import annotations

from equiv.algebra.terms import Apply, Compare, Constant, Expression
from equiv.core.functions.traits import ALL
from equiv.proof.rewrite import rewrite
from equiv.proof.rewrites.scope import Scope

_WILD = frozenset("*?[")
_IN_GLOB = {"%": "*", "_": "?", "*": "[*]", "?": "[?]", "[": "[[]"}
"""What GLOB has for a wildcard of LIKE, and for a character that is a wildcard of its own."""


def asks_for_more_than_a_beginning(node: Apply) -> bool:
    """``x LIKE '%12'`` or ``x LIKE '_:__%'``, without ESCAPE: no letter, and a wildcard before the end."""
    match node:
        case Apply("LIKE", (_, Constant("text", pattern))):
            letters = any(each.isalpha() for each in pattern)
            return not letters and bool({"%", "_"} & {*pattern[:-1]} or pattern.endswith("_"))
    return False


@rewrite(on=Apply, keeps="value", shape=(asks_for_more_than_a_beginning,))
def convert_like_to_glob(node: Apply, scope: Scope) -> Expression | None:
    """Match by GLOB what a LIKE without letters asks for, but a mere beginning.

    Before:  t.x LIKE '%12'
    After:   t.x GLOB '*12'
    Refuse:  letters, of which LIKE takes both cases for one; ESCAPE; '12%', which is a slice
    Sound:   both are one function, which differs in the wildcards and in whether it folds ASCII letters
    """
    subject, pattern = node.arguments
    assert isinstance(pattern, Constant)
    spelt = "".join(_IN_GLOB.get(each, each) for each in pattern.text)
    return Apply("GLOB", (subject, Constant("text", spelt)))


def compares_ending(node: Compare) -> bool:
    """``SUBSTR(x, -n) = 'text'`` with a plain text of n characters, none of them a wildcard."""
    found = _ending(node)
    return found is not None and _is_plain(found[1])


def subject_is_no_blob(node: Compare, scope: Scope) -> bool:
    """The subject is a text, a number or NULL: the end of a BLOB is a BLOB, which equals no text."""
    found = _ending(node)
    return found is not None and scope.within_kinds(found[0], ALL - {"blob"})


@rewrite(on=Compare, keeps="value", shape=(compares_ending,), needs=(subject_is_no_blob,))
def convert_ending_to_pattern(node: Compare, scope: Scope) -> Expression | None:
    """Match a pattern instead of comparing the last characters.

    Before:  SUBSTR(t.x, -2) = '12'
    After:   t.x GLOB '*12'
    Refuse:  a text of another length; wildcards in it; a BLOB; a collation
    Sound:   characters of ASCII are characters of their own in any text, so that both ask for the last bytes
    """
    found = _ending(node)
    return None if found is None else Apply("GLOB", (found[0], Constant("text", "*" + found[1])))


def _ending(node: Compare) -> tuple[Expression, str] | None:
    """The subject and the text of a comparison of as many last characters as the text has."""
    for side, other in ((node.left, node.right), (node.right, node.left)):
        match side, other:
            case Apply("SUBSTR", (subject, Constant("integer", start), *length)), Constant("text", text):
                number = str(len(text))
                if start == f"-{number}" and length in ([], [Constant("integer", number)]):
                    return (subject, text) if node.operator == "=" else None
    return None


def _is_plain(text: str) -> bool:
    return text != "" and all(" " <= each <= "~" for each in text) and not _WILD & set(text)
