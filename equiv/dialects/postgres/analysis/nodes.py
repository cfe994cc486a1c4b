"""The node trees that PostgreSQL keeps of a view's query: read from their text, constants too, and compared.

``pg_rewrite.ev_action`` is written by ``outfuncs.c``: ``{NAME :field value …}``, lists in parentheses,
``<>`` for nothing, a backslash before a character that would mean something else.
https://github.com/postgres/postgres/blob/master/src/backend/nodes/outfuncs.c
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from math import isfinite

from equiv.cells import shortest_single
from equiv.core.query import UnsupportedError

_TOKEN = re.compile(r"[(){}]|(?:[^\s(){}\\]|\\.)+", re.DOTALL)
"""A string's blanks and brackets have a backslash before them, a quote within it has none."""
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_LIST_OF = frozenset("iob")
"""What stands first in a list of integers, of OIDs, and in a set of integers."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One node: its name and its fields by name.

    A value is a node, a list, None, or a text: of a constant, the words of its bytes.
    """

    name: str
    fields: dict[str, object]

    def node(self, field: str) -> TreeNode:
        """The node of a field."""
        found = self.fields[field]
        assert isinstance(found, TreeNode), (self.name, field, found)
        return found

    def maybe(self, field: str) -> TreeNode | None:
        """The node of a field, or None if it is empty."""
        return None if self.fields.get(field) is None else self.node(field)

    def nodes(self, field: str) -> list[TreeNode]:
        """The nodes of a list; none if it is empty."""
        return [each for each in self.list(field) if isinstance(each, TreeNode)]

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


def _node(tokens: _Tokens) -> TreeNode:
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
    return TreeNode(name, fields)


def _listed(tokens: _Tokens) -> Iterator[object]:
    if tokens.peek() in _LIST_OF:
        tokens.next()
    while tokens.peek() != ")":
        yield _value(tokens)
    tokens.next()


def _plain(word: str) -> str:
    return _ESCAPED.sub(r"\1", word[1:-1] if word[0] == '"' else word)


_EPOCH = date(2000, 1, 1)
_MIDNIGHT = datetime.combine(_EPOCH, time())
_VARLENA = 4
"""Bytes that the length of a value takes, of which one type may have many."""


def is_read(type_name: str) -> bool:
    """Whether the bytes of a type's constants are read here."""
    return type_name in _READINGS


def text_of(type_name: str, words: str) -> str:
    """The text of a constant.

    Args:
        type_name: of its type.
        words: its length and its bytes, as a node tree has them: ``4 [ 1 0 0 0 0 0 0 0 ]``.

    Raises:
        UnsupportedError: a type whose bytes are not read here, or a value that has no plain text.
    """
    reading = _READINGS.get(type_name)
    if reading is None:
        raise UnsupportedError("Const", f"a constant of type {type_name}")
    found = bytes(int(word) & 0xFF for word in words[words.index("[") + 1 : words.rindex("]")].split())
    return reading(found)


def _number(form: str) -> Callable[[bytes], str]:
    size = struct.calcsize(form)
    return lambda found: str(struct.unpack(form, found[:size])[0])


def _float(form: str) -> Callable[[bytes], str]:
    def read(found: bytes) -> str:
        (value,) = struct.unpack(form, found[: struct.calcsize(form)])
        if not isfinite(value):
            raise UnsupportedError("Const", "a number that is not finite")
        return repr(shortest_single(value) if form == "<f" else value)

    return read


def _text(found: bytes) -> str:
    return found[_VARLENA:].decode("utf-8")


def _numeric(found: bytes) -> str:
    """https://github.com/postgres/postgres/blob/master/src/backend/utils/adt/numeric.c: the packed forms."""
    (header,) = struct.unpack_from("<H", found, _VARLENA)
    sign = header & 0xC000
    if sign == 0xC000:
        raise UnsupportedError("Const", "a number that is not finite")
    start = _VARLENA + 2
    if sign == 0x8000:
        negative, scale = bool(header & 0x2000), (header & 0x1F80) >> 7
        weight = (header & 0x3F) | (~0x3F if header & 0x40 else 0)
    else:
        negative, scale = sign == 0x4000, header & 0x3FFF
        (weight,) = struct.unpack_from("<h", found, start)
        start += 2
    digits = [struct.unpack_from("<h", found, at)[0] for at in range(start, len(found) - 1, 2)]
    return ("-" if negative else "") + _decimal(digits, weight, scale)


def _decimal(digits: list[int], weight: int, scale: int) -> str:
    """The text of digits to base 10000, the first of which counts 10000 ** weight, with so many decimals."""

    def digit(place: int) -> int:
        return digits[weight - place] if 0 <= weight - place < len(digits) else 0

    whole = "".join(f"{digit(place):04}" for place in range(max(weight, 0), -1, -1)).lstrip("0") or "0"
    decimals = "".join(f"{digit(place):04}" for place in range(-1, -1 - (scale + 3) // 4, -1))[:scale]
    return f"{whole}.{decimals}" if scale else whole


def _date(found: bytes) -> str:
    (days,) = struct.unpack_from("<i", found)
    try:
        return (_EPOCH + timedelta(days=days)).isoformat()
    except OverflowError:
        raise UnsupportedError("Const", "a date outside the years 1 to 9999") from None


def _timestamp(found: bytes) -> str:
    (micros,) = struct.unpack_from("<q", found)
    try:
        at = _MIDNIGHT + timedelta(microseconds=micros)
    except OverflowError:
        raise UnsupportedError("Const", "a timestamp outside the years 1 to 9999") from None
    return at.isoformat(" ").rstrip("0") if at.microsecond else at.isoformat(" ")


def _time(found: bytes) -> str:
    (micros,) = struct.unpack_from("<q", found)
    seconds, fraction = divmod(micros, 1_000_000)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:06}".rstrip("0") if fraction else text


def _interval(found: bytes) -> str:
    """Months, days and microseconds, each in its own unit."""
    micros, days, months = struct.unpack_from("<qii", found)
    if months in (2**31 - 1, -(2**31)):
        raise UnsupportedError("Const", "an infinite interval")
    seconds, fraction = divmod(abs(micros), 1_000_000)
    sign = "-" if micros < 0 else ""
    return f"{months} months {days} days {sign}{seconds}.{fraction:06} seconds"


_READINGS: dict[str, Callable[[bytes], str]] = {
    "bool": lambda found: "true" if found[0] else "false",
    "int2": _number("<h"),
    "int4": _number("<i"),
    "int8": _number("<q"),
    "oid": _number("<I"),
    "float4": _float("<f"),
    "float8": _float("<d"),
    "numeric": _numeric,
    "text": _text,
    "varchar": _text,
    "bpchar": _text,
    "unknown": lambda found: found.split(b"\0", 1)[0].decode("utf-8"),
    "name": lambda found: found.split(b"\0", 1)[0].decode("utf-8"),
    "date": _date,
    "timestamp": _timestamp,
    "timestamptz": lambda found: _timestamp(found) + "+00",
    "time": _time,
    "interval": _interval,
}
"""How the bytes of a type are read, on a little-endian machine of 64 bits."""


_SPELLINGS = frozenset({
    "alias", "aliasname", "casecollid", "coerceformat", "ctename", "eref", "funcformat", "hasRecursive",
    "inFromCl", "isNatural", "join_using_alias", "lateral_only", "location", "list_end", "list_start", "name",
    "relabelformat", "resname",
    "rteperminfos", "row_format", "stmt_len", "stmt_location", "varattnosyn", "varnosyn", "ctecolnames",
    "aliascolnames", "colnames", "perminfoindex", "refname", "joinleftcols", "joinrightcols", "resorigtbl",
    "resorigcol", "operName", "consttypmod",
})  # fmt: skip
"""Fields that say how something is written, not what it means."""


def difference(one: object, other: object) -> str:
    """The path to the first place where two node trees differ in meaning; '' if they do not differ."""
    if isinstance(one, TreeNode) and isinstance(other, TreeNode):
        one, other = _levelled(one), _levelled(other)
        if one.name != other.name:
            return f"{one.name} is {other.name}"
        for field in one.fields.keys() | other.fields.keys():
            if field not in _SPELLINGS:
                found = difference(one.fields.get(field), other.fields.get(field))
                if found:
                    return f"{one.name}.{field} {found}"
        return ""
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return f"has {len(one)} parts or {len(other)}"
        return next((found for pair in zip(one, other, strict=True) if (found := difference(*pair))), "")
    return "" if one == other else f"{str(one)[:40]!r} is {str(other)[:40]!r}"


def _levelled(node: TreeNode) -> TreeNode:
    """The node as all that mean the same are written: connectives flat, equal columns sorted by the first."""
    match node.name:
        case "BOOLEXPR" if node.text("boolop") != "not":
            return _flat(node)
        case "QUERY":
            return _with(node, "targetList", _sorted_by_first(node.nodes("targetList")))
    return node


def _sorted_by_first(targets: Sequence[TreeNode]) -> list[object]:
    """The targets, where ``ORDER BY 2`` of a column that stands twice is ``ORDER BY 1``.

    No other expression is moved: two calls of a volatile function are written alike and differ.
    """
    found = list(targets)
    for at, target in enumerate(found):
        if target.number(_REFERENCE) and target.node("expr").name == "VAR":
            first = next((i for i, each in enumerate(found[:at]) if _is_free_for(each, target)), at)
            own, other = (each.fields.get(_REFERENCE) for each in (target, found[first]))
            found[at] = _with(target, _REFERENCE, other)
            found[first] = _with(found[first], _REFERENCE, own)
    return list(found)


_REFERENCE = "ressortgroupref"


def _with(node: TreeNode, field: str, value: object) -> TreeNode:
    return TreeNode(node.name, {**node.fields, field: value})


def _is_free_for(one: TreeNode, other: TreeNode) -> bool:
    return not one.number(_REFERENCE) and not difference(one.node("expr"), other.node("expr"))


def _flat(node: TreeNode) -> TreeNode:
    """AND within AND, and OR within OR, as one."""
    if node.name != "BOOLEXPR" or node.text("boolop") == "not":
        return node
    parts: list[object] = []
    for each in node.nodes("args"):
        inner = _flat(each)
        same = inner.name == "BOOLEXPR" and inner.text("boolop") == node.text("boolop")
        parts += inner.nodes("args") if same else [inner]
    return _with(node, "args", parts)
