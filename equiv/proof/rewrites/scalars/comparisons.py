"""Comparisons: decided by constants and by the conditions in scope, or brought to one form.

Constants are folded only where SQLite's result is beyond doubt.

LIKE '%12', GLOB '*12' and SUBSTR(x, -2) = '12' ask for the ending of a text.  All three read a text up to its
first NUL character, and of a number its text.  LIKE takes ASCII letters of either case for one, GLOB and
``=`` do not.  A concatenation that equals a literal and can be cut in one way only says of each part that it
equals its piece.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import TypeGuard

from equiv.algebra import terms as t
from equiv.algebra.scalar_functions import STRICT
from equiv.core.functions.traits import ALL, NULL_ONLY, TEXTS
from equiv.core.single_values import key_of_text
from equiv.proof.rewrite import changed_by, rewrite
from equiv.proof.rewrites.scope import Scope, in_order

_PLAIN_INTEGER = re.compile(r"-?[1-9][0-9]{0,17}|0", re.ASCII)
_SAFE = range(-(2**53), 2**53)


def is_exact(constant: t.Expression) -> bool:
    """Whether two such constants are equal in SQLite just if they are here: integers and texts."""
    if isinstance(constant, t.Constant) and constant.kind == "integer":
        return int(constant.text) in _SAFE
    return isinstance(constant, t.Constant) and constant.kind in ("text", "blob")


def same_constant(left: t.Constant, right: t.Constant) -> bool:
    """Whether two exact constants are equal."""
    if left.kind == right.kind == "integer":
        return int(left.text) == int(right.text)
    if left.kind == right.kind == "blob":
        return left.text.lower() == right.text.lower()
    return left == right


def truth_of(expression: t.Expression) -> bool | None:
    """Whether a constant number is true; None for what is no such constant."""
    match expression:
        case t.Constant("integer", text):
            return int(text) != 0
        case t.Constant("real", text):
            return float(text) != 0
    return None


def fold_compare(node: t.Compare) -> t.Expression:
    """A comparison of constants decided."""
    left, right = node.left, node.right
    if not (isinstance(left, t.Constant) and isinstance(right, t.Constant)):
        return node
    if t.NULL in (left, right):
        return t.NULL if node.operator != "IS" else (t.TRUE if left == right else t.FALSE)
    if not (is_exact(left) and is_exact(right)):
        return node
    if node.operator in ("=", "IS"):
        return t.TRUE if same_constant(left, right) else t.FALSE
    if left.kind != right.kind:
        # SQLite orders numbers before texts before blobs.
        order = ("integer", "text", "blob")
        return t.TRUE if order.index(left.kind) < order.index(right.kind) else t.FALSE
    one, two = _sortable(left), _sortable(right)
    less = one < two if node.operator == "<" else one <= two  # type: ignore[operator]
    return t.TRUE if less else t.FALSE


def _sortable(constant: t.Constant) -> int | bytes:
    if constant.kind == "integer":
        return int(constant.text)
    if constant.kind == "blob":
        return bytes.fromhex(constant.text)
    return constant.text.encode("utf-8", "surrogatepass")


def fold_apply(node: t.Apply) -> t.Expression:
    """A call with a NULL argument, or arithmetic of small integers, computed."""
    if node.function in STRICT and t.NULL in node.arguments:
        return t.NULL
    values = [
        int(each.text) for each in node.arguments if isinstance(each, t.Constant) and each.kind == "integer"
    ]
    if len(values) < len(node.arguments) or not all(value in _SAFE for value in values):
        return node
    match node.function, values:
        case "+", [a, b]:
            number = a + b
        case "-", [a, b]:
            number = a - b
        case "*", [a, b]:
            number = a * b
        case "NEG", [a]:
            number = -a
        case _:
            return node
    return t.integer(number) if number in _SAFE else node


def fold_convert(node: t.Convert) -> t.Expression:
    """A constant after a conversion (``'5'`` to 5, 5 to ``'5'``), where SQLite's result is beyond doubt."""
    value = node.value
    if not isinstance(value, t.Constant):
        return node
    if value == t.NULL:
        return t.NULL
    if node.to in ("NOCASE", "RTRIM"):
        return t.Constant("text", key_of_text(node.to, value.text)) if value.kind == "text" else value
    if value.kind == "text" and node.to in ("INTEGER", "NUMERIC") and _PLAIN_INTEGER.fullmatch(value.text):
        return t.Constant("integer", value.text)
    if value.kind == "integer" and int(value.text) in _SAFE:
        if node.to in ("INTEGER", "NUMERIC"):
            return value
        if node.to == "TEXT":
            return t.Constant("text", str(int(value.text)))
    if value.kind == "text" and node.to == "TEXT":
        return value
    return node


_WILD = frozenset("*?[")
_IN_GLOB = {"%": "*", "_": "?", "*": "[*]", "?": "[?]", "[": "[[]"}
"""What GLOB has for a wildcard of LIKE, and for a character that is a wildcard of its own."""


def asks_for_more_than_a_beginning(node: t.Apply) -> bool:
    """Whether a LIKE without ESCAPE has no letter, and a wildcard before the end: ``x LIKE '%12'``."""
    match node:
        case t.Apply("LIKE", (_, t.Constant("text", pattern))):
            letters = any(each.isalpha() for each in pattern)
            return not letters and bool({"%", "_"} & {*pattern[:-1]} or pattern.endswith("_"))
    return False


@rewrite(on=t.Apply, keeps="value", shape=(asks_for_more_than_a_beginning,))
def convert_like_to_glob(node: t.Apply, scope: Scope) -> t.Expression | None:
    """Match by GLOB what a LIKE without letters asks for, but a mere beginning.

    Before:  t.x LIKE '%12'
    After:   t.x GLOB '*12'
    Refuse:  letters, of which LIKE takes both cases for one; ESCAPE; '12%', which is a slice
    Sound:   both are one function, which differs in the wildcards and in whether it folds ASCII letters
    """
    subject, pattern = node.arguments
    assert isinstance(pattern, t.Constant)
    spelt = "".join(_IN_GLOB.get(each, each) for each in pattern.text)
    return t.Apply("GLOB", (subject, t.Constant("text", spelt)))


def has_wildcards_to_merge(node: t.Apply) -> bool:
    """``x LIKE 'a%%'`` or ``x GLOB '*?'``, without ESCAPE, with wildcards side by side in another order."""
    return _merged(node) not in (None, node)


@rewrite(on=t.Apply, keeps="value", shape=(has_wildcards_to_merge,))
def merge_wildcards(node: t.Apply, scope: Scope) -> t.Expression | None:
    """Write wildcards that stand side by side in one way: those for one character, then one for any.

    Before:  t.x LIKE 'a%%_b'
    After:   t.x LIKE 'a_%b'
    Refuse:  ESCAPE; a bracket of GLOB, in which a star is a star, without its end
    Sound:   both ask for at least as many characters as there are wildcards for one, if any other
    """
    return _merged(node)


def _merged(node: t.Apply) -> t.Apply | None:
    """The pattern match with its wildcards merged; None if its pattern is not known."""
    match node:
        case t.Apply("LIKE", (subject, t.Constant("text", pattern))):
            parts: list[str] | None = [pattern]
        case t.Apply("GLOB", (subject, t.Constant("text", pattern))):
            parts = _by_brackets(pattern)
        case _:
            return None
    if parts is None:
        return None
    signs = "_%" if node.function == "LIKE" else "?*"
    spelt = (each if at % 2 else _in_one_way(each, *signs) for at, each in enumerate(parts))
    return t.Apply(node.function, (subject, t.Constant("text", "".join(spelt))))


def _by_brackets(pattern: str) -> list[str] | None:
    """What stands between and within the brackets of a pattern of GLOB in turn; None if one has no end.

    A bracket that stands first in another is a character of it, behind a circumflex too.
    """
    parts, last = [], 0
    while (start := pattern.find("[", last)) >= 0:
        first = start + 1 + (pattern[start + 1 : start + 2] == "^")
        end = pattern.find("]", first + 1)
        if end < 0:
            return None
        parts += [pattern[last:start], pattern[start : end + 1]]
        last = end + 1
    return [*parts, pattern[last:]]


def _in_one_way(text: str, one: str, many: str) -> str:
    runs = ((is_wild, "".join(run)) for is_wild, run in groupby(text, (one + many).__contains__))
    return "".join(one * run.count(one) + many if is_wild and many in run else run for is_wild, run in runs)


def compares_ending(node: t.Compare) -> bool:
    """Whether it is ``SUBSTR(x, -n) = 'text'`` with a plain text of n characters, none of them a wildcard."""
    found = _ending(node)
    return found is not None and _is_plain(found[1])


def subject_is_no_blob(node: t.Compare, scope: Scope) -> bool:
    """Whether the subject is no BLOB: the end of a BLOB is a BLOB, which equals no text."""
    found = _ending(node)
    return found is not None and scope.within_kinds(found[0], ALL - {"blob"})


@rewrite(on=t.Compare, keeps="value", shape=(compares_ending,), needs=(subject_is_no_blob,))
def convert_ending_to_pattern(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Match a pattern instead of comparing the last characters.

    Before:  SUBSTR(t.x, -2) = '12'
    After:   t.x GLOB '*12'
    Refuse:  a text of another length; wildcards in it; a BLOB; a collation
    Sound:   characters of ASCII are characters of their own in any text, so that both ask for the last bytes
    """
    found = _ending(node)
    return None if found is None else t.Apply("GLOB", (found[0], t.Constant("text", "*" + found[1])))


def _ending(node: t.Compare) -> tuple[t.Expression, str] | None:
    """The subject and the text of a comparison of as many last characters as the text has."""
    for side, other in ((node.left, node.right), (node.right, node.left)):
        match side, other:
            case t.Apply("SUBSTR", (subject, t.Constant("integer", start), *length)), t.Constant(
                "text", text
            ):
                number = str(len(text))
                if start == f"-{number}" and length in ([], [t.Constant("integer", number)]):
                    return (subject, text) if node.operator == "=" else None
    return None


def _is_plain(text: str) -> bool:
    return text != "" and all(" " <= each <= "~" for each in text) and not _WILD & set(text)


def is_same(left: t.Expression, right: t.Expression) -> bool:
    """Whether two expressions always have one value; choices with one site choose alike."""
    return left == right or (t.alpha(left) == t.alpha(right) and t.sites(left) == t.sites(right))


@rewrite(on=t.Compare, keeps="value")
def fold_comparison(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Decide a comparison of constants.

    Before:  'a' < 2
    After:   FALSE
    Refuse:  REAL constants, and integers beyond 2**53, whose equality is not that of their texts
    Sound:   SQLite orders numbers before texts before blobs, texts and blobs by their bytes
    """
    changed = fold_compare(node)
    return None if changed is node else changed


@rewrite(on=t.Compare, keeps="value")
def fold_comparison_with_null(node: t.Compare, scope: Scope) -> t.Expression | None:
    """A comparison with NULL is NULL.

    Before:  t.x = NULL
    After:   NULL
    Refuse:  IS
    Sound:   =, < and <= are NULL if a side is
    """
    return t.NULL if node.operator != "IS" and t.NULL in (node.left, node.right) else None


def compares_with_itself(node: t.Compare) -> bool:
    """Whether both sides are one expression."""
    return is_same(node.left, node.right)


def is_null_safe(node: t.Compare) -> bool:
    """Whether the operator is IS."""
    return node.operator == "IS"


def is_null_if_a_side_is(node: t.Compare) -> bool:
    """Whether the operator is =, < or <=."""
    return node.operator != "IS"


@rewrite(on=t.Compare, keeps="value", shape=(is_null_safe, compares_with_itself))
def fold_is_of_itself(node: t.Compare, scope: Scope) -> t.Expression | None:
    """``x IS x`` is true.

    Before:  t.x is t.x
    After:   TRUE
    Refuse:  two choices that may choose differently
    Sound:   NULL IS NULL, and every other value equals itself
    """
    return t.TRUE


def left_is_never_null(node: t.Compare, scope: Scope) -> bool:
    """Whether the value is not NULL."""
    return scope.never_null(node.left)


@rewrite(
    on=t.Compare,
    keeps="value",
    shape=(is_null_if_a_side_is, compares_with_itself),
    needs=(left_is_never_null,),
)
def fold_comparison_with_itself(node: t.Compare, scope: Scope) -> t.Expression | None:
    """A value that is not NULL equals itself and is not less.

    Before:  t.id = t.id
    After:   TRUE
    Refuse:  the value may be NULL
    Sound:   = and <= are true of a value and itself, and < is false
    """
    return t.FALSE if node.operator == "<" else t.TRUE


def sides_are_never_null(node: t.Compare, scope: Scope) -> bool:
    """Whether neither side is NULL."""
    return scope.never_null(node.left) and scope.never_null(node.right)


@rewrite(on=t.Compare, keeps="value", shape=(is_null_safe,), needs=(sides_are_never_null,))
def convert_is_to_equals(node: t.Compare, scope: Scope) -> t.Expression | None:
    """IS between values that are not NULL is =.

    Before:  t.id is s.id
    After:   t.id = s.id
    Refuse:  a side may be NULL
    Sound:   they differ on NULL only
    """
    return t.Compare("=", node.left, node.right)


def is_equality(node: t.Compare) -> bool:
    """Whether the operator is =."""
    return node.operator == "="


def compares_key_of_lookup(node: t.Compare) -> bool:
    """Whether a side is the key column of a row that is looked up by the other side."""
    return next(_looked_up(node), None) is not None


def row_is_there(node: t.Compare, scope: Scope) -> bool:
    """Whether the row that is looked up is there."""
    return any(t.Found(row.table, row.key, row.values) in scope.known.true for row in _looked_up(node))


@rewrite(on=t.Compare, keeps="value", shape=(is_equality, compares_key_of_lookup), needs=(row_is_there,))
def fold_key_of_found_row(node: t.Compare, scope: Scope) -> t.Expression | None:
    """The key column of a row that was found by a value equals this value.

    Before:  a[id = s.a_id].id = s.a_id
    After:   TRUE
    Refuse:  the row may not be there
    Sound:   the row is found by just that equation
    """
    return t.TRUE


def _looked_up(node: t.Compare) -> Iterator[t.Lookup]:
    """The rows of which a side is the key column, found by the other side."""
    for each, other in ((node.left, node.right), (node.right, node.left)):
        match each:
            case t.Lookup(key=key, values=values, column=column) if column in key:
                if is_same(values[key.index(column)], other):
                    yield each


@rewrite(on=t.Compare, keeps="value")
def sort_comparison(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Write the sides of = and IS in an order that does not depend on names of variables, constants last.

    Before:  1 = t.x
    After:   t.x = 1
    Refuse:  < and <=
    Sound:   = and IS are symmetric
    """
    changed = in_order(node, scope.shapes)
    return None if changed is node else changed


COMPARISONS = (
    fold_comparison,
    fold_comparison_with_null,
    fold_is_of_itself,
    fold_comparison_with_itself,
    convert_is_to_equals,
    fold_key_of_found_row,
    convert_ending_to_pattern,
    sort_comparison,
)
"""Rewrites of a comparison of simplified sides, in firing order."""


def compared(node: t.Compare, scope: Scope) -> t.Expression:
    """A comparison of simplified sides decided, or in one of its equal forms."""
    return changed_by(COMPARISONS, node, scope)


def equals_text(node: t.Compare) -> bool:
    """Whether a concatenation is compared with a text by =, its parts held apart by literals."""
    match node:
        case t.Compare("=", t.Apply("||") as whole, t.Constant("text")):
            pass
        case t.Compare("=", t.Constant("text"), t.Apply("||") as whole):
            pass
        case _:
            return False
    parts = _parts(whole)
    literals = [part.text for part in parts if _is_literal(part)]
    apart = all(_is_literal(one) or _is_literal(other) for one, other in pairwise(parts))
    return apart and len(literals) < len(parts) and not t.sites(node)


def operands_are_texts(node: t.Compare, scope: Scope) -> bool:
    """Whether each operand is a text or NULL: of a number its text would count, of a BLOB its bytes."""
    whole = node.left if isinstance(node.left, t.Apply) else node.right
    return all(scope.within_kinds(part, TEXTS | NULL_ONLY) for part in _parts(whole))


@rewrite(on=t.Compare, keeps="truth", shape=(equals_text,), needs=(operands_are_texts,))
def split_concatenation(node: t.Compare, scope: Scope) -> t.Expression | None:
    """Compare each part of a concatenation with its piece of a text that can be cut in one way only.

    Before:  t.f || ' ' || t.l = 'Ann Lee'
    After:   t.f = 'Ann' and t.l = 'Lee'
    Refuse:  a separator that the text has twice, or parts with none between; numbers, BLOBs; a collation;
             a place where NULL and 0 differ
    Sound:   in an equal concatenation each separator stands where the text has it, so that the pieces between
             are the parts; of a text that cannot be cut there is none
    """
    whole, text = (node.left, node.right) if isinstance(node.right, t.Constant) else (node.right, node.left)
    assert isinstance(text, t.Constant)
    parts = _parts(whole)
    first, last = (part.text if _is_literal(part) else "" for part in (parts[0], parts[-1]))
    inner = text.text[len(first) : len(text.text) - len(last)]
    if first + inner + last != text.text:
        return t.FALSE
    separators = [part.text for part in parts[1:-1] if _is_literal(part)]
    ways = _cut_left(inner, separators), _cut_right(inner, separators)
    if ways[0] is None:
        return t.FALSE
    if ways[0] != ways[1]:
        return None
    values = (part for part in parts if not _is_literal(part))
    pieces = zip(values, ways[0], strict=True)
    return t.conjunction(t.Compare("=", value, t.Constant("text", piece)) for value, piece in pieces)


def _parts(whole: t.Expression) -> list[t.Expression]:
    """The operands of a concatenation, texts that stand beside each other as one and empty ones left out."""
    parts: list[t.Expression] = []
    for part in (each for each in t.operands(whole, "||") if each != t.Constant("text", "")):
        last = parts[-1] if parts else None
        if last is not None and _is_literal(part) and _is_literal(last):
            parts[-1] = t.Constant("text", last.text + part.text)
        else:
            parts.append(part)
    return parts


def _is_literal(part: t.Expression) -> TypeGuard[t.Constant]:
    return isinstance(part, t.Constant) and part.kind == "text"


def _cut_left(text: str, separators: Sequence[str]) -> list[str] | None:
    """The pieces of a text between separators in this order, each as far left as can be."""
    pieces, at = [], 0
    for separator in separators:
        found = text.find(separator, at)
        if found < 0:
            return None
        pieces.append(text[at:found])
        at = found + len(separator)
    return [*pieces, text[at:]]


def _cut_right(text: str, separators: Sequence[str]) -> list[str] | None:
    """The pieces of a text between separators in this order, each as far right as can be."""
    turned = _cut_left(text[::-1], [separator[::-1] for separator in reversed(separators)])
    return turned and [piece[::-1] for piece in reversed(turned)]
