"""PostgreSQL's types and values: what the core makes of them; tables in docs/postgres.md, across.md."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any

from equiv.cells import Cell, printed_number, shortest_single
from equiv.dialects.protocol import ValueSort, ValueType
from equiv.dialects.typed.dialect import CoreType, ToldTypes
from equiv.facts import FactKind
from equiv.names import fold

_ANY = "TEXT"


_TYPES = {
    **dict.fromkeys(("smallint", "integer", "bigint"), CoreType("INTEGER")),
    "numeric": CoreType("NUMERIC", exact=False),
    **dict.fromkeys(("real", "double precision"), CoreType("REAL", exact=False)),
    **dict.fromkeys(("text", "character varying", "character", "bpchar", "name"), CoreType("TEXT")),
    "boolean": CoreType("BOOLEAN"),
    "date": CoreType("DATE TEXT", FactKind.ISO_DATE),
    "timestamp without time zone": CoreType("TIMESTAMP TEXT", FactKind.ISO_TIMESTAMP),
    "timestamp with time zone": CoreType("TIMESTAMP TEXT", FactKind.ISO_TIMESTAMP),
    "bytea": CoreType("BLOB", samples=(b"a", b"\x00", b"", b"\xc3\xa9")),
}


def _samples() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Values of each type, as the server writes them, of those that come with it in extensions, too."""
    _, *lines = (Path(__file__).parent / "values.tsv").read_text(encoding="utf-8").splitlines()
    for types, *values in (line.split("\t") for line in lines):
        numbers = "345678" if "#" in values[0] else "#"
        found = tuple(value.replace("#", number) for value in values for number in numbers)
        yield from ((kind, found) for kind in types.split("; "))


_SAMPLES = dict(_samples())
_SIZE = re.compile(r"(?:character varying|character|bit|bit varying)\((\d+)\)\Z")
_NUMERIC = re.compile(r"numeric\((\d+)(?:,(-?\d+))?\)\Z")
_BELOW = {"smallint": 2**15, "integer": 2**31}
_MODIFIER = re.compile(r"\([\d, -]+\)")
_BARE = re.compile(r"(?!(?i:null)\b)[\w.:/-]+")
"""An element that an array shows without quotes."""


def core_type(name: str, types: Mapping[str, Mapping[str, Any]]) -> CoreType:
    """How the core holds a type.

    Args:
        name: the type as ``format_type`` writes it, with its schema where it is not the server's own.
        types: what the catalogue says of types, by their names.
    """
    bare = _MODIFIER.sub("", name)
    if found := types.get(bare):
        if found["labels"]:
            return CoreType("TEXT", samples=tuple(found["labels"]))
        if found["fields"]:
            return CoreType(
                _ANY, samples=tuple(_of_rows([core_type(each, types) for each in found["fields"]]))
            )
        if found["kind"] == "d":
            return core_type(found["base_name"], types)
        if found["system"]:
            bare = bare.rpartition(".")[2]
        elif found["kind"] in "rm":
            return CoreType(_ANY, samples=("empty", "(,)") if found["kind"] == "r" else ("{}", "{(,)}"))
    if bare in _TYPES:
        return _TYPES[bare]
    if bare.endswith("[]"):
        element = bare.removesuffix("[]")
        return CoreType(_ANY, samples=_of_arrays(core_type(element, types), ";" if element == "box" else ","))
    width = int(name.partition("(")[2].rstrip(")")) if bare in _SIZED and "(" in name else 1
    if form := _SIZED.get(bare):
        few = range(min(6, 2 ** min(width, 3)))
        return CoreType(_ANY, samples=tuple(form(f"{n:0{width}b}", width) for n in few))
    return CoreType(_ANY, samples=_SAMPLES.get("interval" if bare.startswith("interval ") else bare, ()))


_SIZED: dict[str, Callable[[str, int], str]] = {
    "bit": lambda bits, _: bits,
    **dict.fromkeys(("vector", "halfvec"), lambda bits, _: f"[{','.join(bits)}]"),
    "sparsevec": lambda bits, width: f"{{1:{int(bits, 2) + 1}}}/{width}",
}
"""Types whose values are all as long as their columns say, and how values are written, of bits."""


def _of_rows(fields: Sequence[CoreType]) -> Iterator[str]:
    """Rows of which no two have a field in common, and one whose first field is NULL."""
    for row in range(3):
        yield "(" + ",".join(_of_field(kind, row + place) for place, kind in enumerate(fields)) + ")"
    yield "(" + ",".join(["", *(_of_field(kind, place) for place, kind in enumerate(fields[1:]))]) + ")"


def _of_field(kind: CoreType, number: int) -> str:
    """One of three values of a type, as a row shows it."""
    match kind.declared:
        case "TEXT" if kind.samples is None:
            return "abc"[number % 3]
        case "BOOLEAN":
            return "tf"[number % 2]
        case "DATE TEXT" | "TIMESTAMP TEXT":
            return f"2020-01-0{number % 3 + 1}"
        case "INTEGER" | "NUMERIC" | "REAL":
            return str(number % 3 + 1)
    texts = [each for each in kind.samples or () if isinstance(each, str)]
    return json.dumps(texts[number % len(texts)]) if texts else ""


def longest(name: str) -> int:
    """The most characters of a type's texts; 0: no limit."""
    found = _SIZE.match(name)
    return int(found[1]) if found else 0


def bounds(name: str) -> tuple[int, int | None]:
    """For a numeric type, the exclusive bound on absolute values (0: none) and the top scale (None: any)."""
    found = _NUMERIC.match(name)
    if found is None:
        return _BELOW.get(name, 0), None
    scale = int(found[2] or 0)
    return int(10 ** max(int(found[1]) - scale, 0)), scale


def _of_arrays(element: CoreType, between: str) -> tuple[str, ...]:
    match element.declared:
        case "INTEGER" | "NUMERIC" | "REAL":
            return ("{}", "{1,2}", "{3}", "{2,1}", "{1,1}", "{1,NULL}", "{1}", "{NULL}")
        case "TEXT" if element.samples is None:
            return ("{}", "{a,b}", "{c}", "{b,a}", "{a,a}", "{a,NULL}", "{a}", "{NULL}")
    texts = [each for each in element.samples or () if isinstance(each, str)]
    one, *rest = [each if _BARE.fullmatch(each) else json.dumps(each) for each in texts] or [""]
    if not one:
        return ("{}",)
    found = ["{" + one + "}", "{}", *("{" + each + "}" for each in rest[:2])]
    return (*found, *("{" + each + between + one + "}" for each in (*rest[:1], one, "NULL")))


TOLD = ToldTypes(
    {
        "smallint": ValueType(ValueSort.INTEGER, 16),
        "integer": ValueType(ValueSort.INTEGER, 32),
        "bigint": ValueType(ValueSort.INTEGER, 64),
        "numeric": ValueType(ValueSort.NUMBER),
        "double precision": ValueType(ValueSort.FLOAT),
        "text": ValueType(ValueSort.TEXT),
        "character varying": ValueType(ValueSort.TEXT),
        "boolean": ValueType(ValueSort.BOOLEAN),
        "date": ValueType(ValueSort.DATE),
        "timestamp without time zone": ValueType(ValueSort.TIMESTAMP),
        "bytea": ValueType(ValueSort.BYTES),
    },
    decimal="numeric({},{})",
    digits=1000,
    number="numeric",
    text="text",
    varying="character varying({})",
)
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*\Z")


def plain_name(name: str) -> str:
    """A name as PostgreSQL reads it without quotes: in lower case; one that needs quotes as it is."""
    return fold(name) if _PLAIN.match(name) else name


def cell_of(field: bytes | None, type_number: int) -> Cell:
    """The core's cell of a value as PostgreSQL writes it under this program's settings."""
    if field is None:
        return None
    return _CELLS.get(type_number, _text)(field)


def printed_cell(field: bytes | None, type_number: int) -> Cell:
    """A value as PostgreSQL prints it, but for ``true`` and ``false``."""
    if field is None:
        return None
    text = field.decode("utf-8", "surrogateescape")
    if _FAMILIES.get(type_number) == "boolean":
        return text == "t"
    return printed_number(text) if type_number in _NUMBERS else text


def family_of(type_number: int) -> str:
    """The family of a type; ``type NUMBER`` for one whose values may be equal and show otherwise."""
    return _FAMILIES.get(type_number, f"type {type_number}")


def _text(field: bytes) -> Cell:
    return field.decode("utf-8", "surrogateescape")


def _float(field: bytes) -> Cell:
    # A NaN equals itself in PostgreSQL: the float would not.
    return "NaN" if field in (b"NaN", b"nan") else float(field)


def _numeric(field: bytes) -> Cell:
    if not field[-1:].isdigit():
        return _float(field)
    value = Decimal(field.decode())
    whole = int(value) if abs(value) < _LARGEST else None
    return whole if whole is not None and whole == value else float(value)


def _zoned(field: bytes) -> Cell:
    text = field.decode()
    if text.endswith("+00") or _OFFSET.search(text) is None:
        return text.removesuffix("+00")
    try:
        at = datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None).isoformat(" ")
    except (ValueError, OverflowError):
        return text
    return at.rstrip("0") if "." in at else at


_OFFSET = re.compile(r":\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)*\Z")


def _exact(field: bytes) -> Cell:
    """One spelling for equal numbers within an array or a range, without the zeros behind their decimals."""
    return _DECIMALS.sub(lambda found: found[0].rstrip("0").rstrip("."), field.decode())


_DECIMALS = re.compile(r"\.\d+")


def _network(field: bytes) -> Cell:
    """A network as an address is written that equals it: without the mask of a single one."""
    text = field.decode()
    return text.removesuffix("/128" if ":" in text else "/32")


def _interval(field: bytes) -> Cell:
    """One spelling for equal intervals: a month is 30 days, a day 24 hours."""
    text = field.decode()
    if text.endswith("infinity"):
        return text
    microseconds = 0
    *parts, last = ["", *text.split(" ")]
    for number, unit in zip(parts[1::2], [*parts[2::2], last], strict=False):
        microseconds += int(number) * _UNIT[unit.removesuffix("s")]
    if ":" in last:
        hours, minutes, seconds = last.lstrip("+-").split(":")
        span = int(hours) * 3_600_000_000 + int(minutes) * 60_000_000 + round(Decimal(seconds) * 1_000_000)
        microseconds += -span if last.startswith("-") else span
    return _spelt(microseconds)


def _spelt(microseconds: int) -> str:
    """An interval of days and hours."""
    days, rest = divmod(abs(microseconds), _UNIT["day"])
    seconds_, fraction = divmod(rest, 1_000_000)
    sign = "-" if microseconds < 0 else ""
    clock_text = f"{seconds_ // 3600:02}:{seconds_ // 60 % 60:02}:{seconds_ % 60:02}"
    return f"{sign}{days} days {clock_text}" + (f".{fraction:06}" if fraction else "")


def _document(field: bytes) -> Cell:
    """One spelling for equal documents: numbers without the zeros behind their decimals."""
    try:
        return _shown(json.loads(field, parse_float=Decimal, parse_int=Decimal))
    except RecursionError:
        return _text(field)


def _shown(value: object) -> str:
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)}: {_shown(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_shown, value)) + "]"
        case Decimal():
            text = f"{value:f}"
            text = text.rstrip("0").rstrip(".") if "." in text else text
            return "0" if text == "-0" else text
    return json.dumps(value)


_LARGEST = 2**63
_UNIT = {"year": 360 * 86_400_000_000, "mon": 30 * 86_400_000_000, "day": 86_400_000_000}

_NUMBERS: dict[int, Callable[[bytes], Cell]] = {
    **dict.fromkeys((20, 21, 23, 26), int),
    **dict.fromkeys((700, 701), _float),
    1700: _numeric,
}
_OTHERS: dict[int, tuple[str, Callable[[bytes], Cell]]] = {
    16: ("boolean", lambda field: int(field == b"t")),
    **dict.fromkeys((18, 19, 25, 705, 1043), ("text", _text)),
    17: ("bytes", lambda field: bytes.fromhex(field[2:].decode())),
    1042: ("text", lambda field: field.decode("utf-8", "surrogateescape").rstrip(" ")),
    1082: ("date", _text),
    1083: ("time", _text),
    1114: ("timestamp", _text),
    1184: ("timestamptz", _zoned),
    1186: ("interval", _interval),
    2950: ("uuid", _text),
    3802: ("jsonb", _document),
    650: ("inet", _network),
    869: ("inet", _text),
    829: ("macaddr", _text),
    **dict.fromkeys((1560, 1562), ("bits", _text)),
    **dict.fromkeys((3904, 3906, 3926), ("range", _exact)),
    3908: ("tsrange", _text),
    3910: ("tstzrange", _text),
    3912: ("daterange", _text),
    **dict.fromkeys((4451, 4532, 4536), ("multirange", _exact)),
    4535: ("datemultirange", _text),
    3614: ("tsvector", _text),
    **dict.fromkeys((1005, 1007, 1016, 1028, 1231), ("integer[]", _exact)),
    **dict.fromkeys((1002, 1003, 1009, 1015), ("text[]", _text)),
    1115: ("timestamp[]", _text),
    1182: ("date[]", _text),
    1000: ("boolean[]", _text),
    2951: ("uuid[]", _text),
}
_CELLS = _NUMBERS | {number: cell for number, (_, cell) in _OTHERS.items()}
_FAMILIES = dict.fromkeys(_NUMBERS, "number") | {n: family for n, (family, _) in _OTHERS.items()}


def _date_sent(sent: bytes) -> Cell:
    (days,) = struct.unpack("!i", sent)
    return _end(days, 32) or _from_2000(timedelta(days)).removesuffix(" 00:00:00")


def _instant_sent(sent: bytes) -> Cell:
    (microseconds,) = struct.unpack("!q", sent)
    found = _end(microseconds, 64) or _from_2000(timedelta(microseconds=microseconds))
    return found.rstrip("0") if "." in found else found


def _end(number: int, bits: int) -> str:
    """What the least and the greatest number of some bits stand for."""
    return {2 ** (bits - 1) - 1: "infinity", -(2 ** (bits - 1)): "-infinity"}.get(number, "")


def _from_2000(span: timedelta) -> str:
    try:
        return (datetime(2000, 1, 1) + span).isoformat(" ")  # noqa: DTZ001 - in UTC, or in no zone
    except OverflowError:
        return f"{span} from 2000 on"


def _interval_sent(sent: bytes) -> Cell:
    microseconds, days, months = struct.unpack("!qii", sent)
    if (end := _end(microseconds, 64)) and end == _end(days, 32) == _end(months, 32):
        return end
    return _spelt(microseconds + days * _UNIT["day"] + months * _UNIT["mon"])


def _real_sent(sent: bytes) -> Cell:
    (value,) = struct.unpack("!f", sent)
    return shortest_single(value) if isfinite(value) else _float(str(value).encode())


def _double_sent(sent: bytes) -> Cell:
    (value,) = struct.unpack("!d", sent)
    return _float(repr(value).encode())


_SENT: dict[int, tuple[str, Callable[[bytes], Cell]]] = {
    17: ("byteasend", bytes),
    700: ("float4send", _real_sent),
    701: ("float8send", _double_sent),
    1082: ("date_send", _date_sent),
    1114: ("timestamp_send", _instant_sent),
    1184: ("timestamptz_send", _instant_sent),
    1186: ("interval_send", _interval_sent),
}
"""The types whose values a session writes as its settings say: what gives their bytes, and cells of these."""


def sending(query: str, types: Sequence[int]) -> str:
    """The query with the bytes, in hexadecimal, of values that a session writes as its settings say."""
    if not _SENT.keys() & {*types}:
        return query
    columns = [f"c{place}" for place in range(len(types))]
    shown = (
        f"pg_catalog.encode(pg_catalog.{_SENT[kind][0]}({name}), 'hex')" if kind in _SENT else name
        for name, kind in zip(columns, types, strict=True)
    )
    return f"SELECT {', '.join(shown)} FROM ({query}\n) q({', '.join(columns)})"


def sent_cell(field: bytes | None, type_number: int) -> Cell:
    """The core's cell of a value that :func:`sending` gives."""
    if field is None or type_number not in _SENT:
        return cell_of(field, type_number)
    return _SENT[type_number][1](bytes.fromhex(field.decode()))
