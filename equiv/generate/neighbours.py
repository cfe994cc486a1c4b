"""Values around a literal: neighbours, case variants, LIKE instances, dates, numeric text."""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import combinations, pairwise, permutations, product, zip_longest
from json import dumps
from typing import Any

from equiv.cells import Cell
from equiv.core.functions.traits import LiteralStyle
from equiv.core.model import Column, Domain, Schema
from equiv.core.reading.hints import Hint

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_INTEGERS = 2**63
"""SQLite's integers are smaller than this in size."""

_EXACT = 2**52
"""Up to here halves are exact as REAL."""

_LONG = 300
_DECIMALS = 17
"""Numbers of so many decimals are distinguished."""
_DIGITS = re.compile(r"[0-9]{1,15}")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")

GENERIC_DATES = ("2010-01-15", "2015-06-15", "2020-12-31", "1990-02-28", "1950-07-01", "2015-06-16")
GENERIC: dict[Domain, tuple[Cell, ...]] = {
    Domain.INTEGER: (1, 2, 3, 0, 10, 11, 12, -1, 100),
    Domain.NUMBER: (1, 2, 0.5, 3, 0, 10, 11, 12.5, -2.25, 100),
    Domain.TEXT: ("a", "b", "c", "A", "10", "9", ""),
    Domain.BOOLEAN: (1, 0),
    Domain.ANY: (1, 2, "a", "b", 0.5, "1"),
}
NUMERIC_TEXTS = ("1", "2", "10", "9", "0.5", "-3", "0")


_NAMES_INDEX = re.compile(
    r"CREATE\s+(?:UNIQUE\s+)?INDEX\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?\"?(\w+)", re.IGNORECASE
)
_MOST_NAMES = 3


def names_of_objects(schema: Schema, column: str) -> list[str]:
    """Names that a column of an engine's own catalogue may hold, as far as its own name says which."""
    if "schema" in column or column == "nspname":
        return ["public", "pg_catalog"]
    if column in ("attname", "column_name", "columnname"):
        return [each.name for table in schema.tables[:1] for each in table.columns[:_MOST_NAMES]]
    if not column.endswith("name"):
        return []
    tables = [table.name.rpartition(".")[2] for table in schema.tables[:_MOST_NAMES]]
    indexes = [found[1] for found in map(_NAMES_INDEX.match, schema.native) if found][:_MOST_NAMES]
    keys = [f"{table}_pkey" for table in tables[:1]]
    return [*keys, *indexes, *tables] if "index" in column else [*tables[:1], *keys, *indexes, *tables]


def around(hint: Hint, domain: Domain) -> list[Cell]:
    """Values of a domain that meet, just miss, or stand beside a literal; the likeliest first."""
    neighbours: Iterator[Cell]
    match domain:
        case Domain.INTEGER:
            neighbours = (n for n in _numbers(hint) if isinstance(n, int))
        case Domain.NUMBER:
            neighbours = _numbers(hint)
        case Domain.BOOLEAN:
            neighbours = iter((1, 0))
        case Domain.TEXT:
            neighbours = _texts(hint)
        case Domain.ANY:
            neighbours = iter([*_numbers(hint), *_texts(hint)])
    return list(dict.fromkeys(neighbours))


def blobs_near(hint: Hint) -> list[bytes]:
    """The blob of a hint, given by its hexadecimal digits, and blobs beside it in their order."""
    blob = bytes.fromhex(str(hint.value))
    lasts = [last for last in (blob[-1] + 1, blob[-1] - 1) if 0 <= last <= 255] if blob else []
    return [blob, blob + b"\0", blob[:-1], *(blob[:-1] + bytes([last]) for last in lasts)]


def beside(hint: Hint, domain: Domain) -> list[Cell]:
    """Values near a literal that a column's declared type does not mean, and its affinity lets through."""
    texts, numbers = _texts(hint), list(_numbers(hint))
    values: list[Cell] = []
    match domain:
        case Domain.INTEGER | Domain.BOOLEAN | Domain.NUMBER:
            if domain is not Domain.NUMBER:
                values += [number for number in numbers if isinstance(number, float)][:2]
            # Text that is not a number, but begins with one, and so is cast to it.
            values += [f"{number}x" for number in numbers[:1] if isinstance(number, int | float)]
            values += [text for text in texts if not _NUMBER.fullmatch(text)][:2]
        case Domain.TEXT:
            # Under NUMERIC affinity, as DATE has it, numbers stay numbers.
            near = list(texts)[:2]
            values += [int(digits[0]) for text in near if (digits := _DIGITS.match(text))][:1]
            values += [text.encode() for text in near]
        case Domain.ANY:
            values += [text.encode() for text in texts][:1]
    return list(dict.fromkeys(values))


def between(hints: Iterable[Hint], near: Sequence[Cell], column: Column) -> list[Cell]:
    """Values strictly between literals that are neighbours, where none of the values near them lies.

    Numbers are held against numbers, also those that a text says, and texts against texts.
    """
    plain = [hint for hint in hints if hint.style == LiteralStyle.PLAIN]
    is_text, found = column.domain is Domain.TEXT, list[Cell]()
    numbers = [next(_numbers(hint), None) for hint in plain if not (is_text and isinstance(hint.value, str))]
    said = [float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value for value in near]
    for low, high in _gaps(numbers, said, (int, float)):
        values = (str(value) if is_text else value for value in _middles(low, high))
        found += list(filter(column.stores, values))[:1]
    if is_text or column.domain is Domain.ANY:
        for low, high in _gaps([hint.value for hint in plain], near, (str,)):
            within = (value for value in _texts_above(low, high) if low < value < high)
            found += list(filter(column.stores, within))[:1]
    return found


def _gaps(literals: Iterable[Cell], near: Iterable[Cell], kinds: tuple[type, ...]) -> Iterator[Any]:
    """The pairs of neighbours among the literals of some kinds between which no value of these lies."""
    known: list[Any] = [value for value in near if isinstance(value, kinds)]
    points: list[Any] = sorted({value for value in literals if isinstance(value, kinds)})
    return ((low, high) for low, high in pairwise(points) if not any(low < value < high for value in known))


def _middles(low: float, high: float) -> list[float]:
    """Numbers between two others: the middle, first if it is exact, and that of the fewest decimals."""
    middle = low + (high - low) / 2
    rounded = (round(middle, decimals) for decimals in range(_DECIMALS))
    shortest = next((value for value in rounded if low < value < high), middle)
    found = [middle, shortest] if (middle * 8).is_integer() else [shortest, middle]
    return [value for value in found if low < value < high]


def _texts_above(low: str, high: str) -> Iterator[str]:
    """The instant midway between two, and texts that begin as the lower of two texts does."""
    try:
        start, end = (datetime.fromisoformat(text.removesuffix("+00")) for text in (low, high))
        middle = (start + (end - start) / 2).isoformat(" ")
        yield middle.rstrip("0") if "." in middle else middle
    except (ValueError, TypeError):
        yield from (low + letter for letter in "aA0 ")


def _numbers(hint: Hint) -> Iterator[Cell]:
    value = hint.value
    if isinstance(value, str):
        if hint.style == "pattern":
            value = value.replace("%", "").replace("_", "1")
        if not _NUMBER.fullmatch(value):
            return
        value = float(value) if "." in value or len(value) > _LONG else int(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        value = int(value)
    if isinstance(value, int):
        whole = (value, value + 1, value - 1, 2 * value, value // 2)
        yield from (number for number in whole if abs(number) < _INTEGERS)
        yield from (value + 0.5, value - 0.5) if abs(value) < _EXACT else ()
    elif abs(value) < _EXACT:
        low = math.floor(value)
        yield from (value, low, low + 1, low + 2, low + 0.5, low - 1)
    elif math.isfinite(value):
        yield value


def _texts(hint: Hint) -> Iterator[str]:
    match hint.style:
        case "pattern":
            yield from _instances(str(hint.value), hint.detail)
        case "part":
            yield from _with_part(str(hint.value), hint.detail)
        case "time":
            yield from _at_time(str(hint.value), hint.detail)
        case "length":
            yield from _of_length(int(hint.value))
            return
    if isinstance(hint.value, str):
        yield from _text_neighbours(hint.value if hint.style != "pattern" else hint.value.strip("%*"))
    else:
        yield from _number_as_text(hint.value)


def _text_neighbours(text: str) -> Iterator[str]:
    yield text
    yield from dates_around(text)
    if _NUMBER.fullmatch(text) and "." not in text and len(text) <= _LONG:
        width = len(text)
        yield from (str(int(text) + 1).zfill(width), str(int(text) - 1).zfill(width))
    yield from (variant for variant in (text.lower(), text.upper(), text.swapcase()) if variant != text)
    yield from (text + "x", "x" + text)
    if len(text) > 1:
        yield text[:-1]
    yield f"x{text}x"


def _number_as_text(value: float) -> Iterator[str]:
    """Numeric text around a number: as a number, as text, and as a year or an age."""
    yield from (str(value), str(value + 1), str(value - 1), f"{value}.0", f"{value}5", "1" + str(value))
    yield from (f"{value}.5",) if isinstance(value, int) else ()
    if isinstance(value, int) and 1000 <= value <= 2999:
        yield from dates_around(str(value))
    elif isinstance(value, int) and 0 < value < 130:
        yield from (f"{2025 - value + step}-06-15" for step in (-2, 2))


def _instances(pattern: str, kind: str) -> Iterator[str]:
    """Texts that match a LIKE or GLOB pattern, plain and padded, with near misses."""
    many, one = ("*", "?") if kind == "glob" else ("%", "_")
    bare = pattern.replace(one, "a")
    core = bare.replace(many, "")
    yield core
    yield bare.replace(many, "x")
    yield bare.replace(many, " ")
    if pattern.endswith(many) and not pattern.startswith(many):
        yield from dates_around(core.rstrip("-"))
    yield from (core.swapcase(), f"x{core}", f"{core}x", f"x{core}x")
    if one in pattern:
        yield from (pattern.replace(one, "").replace(many, ""), pattern.replace(one, "1").replace(many, ""))


def _with_part(part: str, start: str) -> Iterator[str]:
    """Texts that hold ``part`` from a 1-based position on, dates among them."""
    if start.startswith("-"):
        behind = "x" * (int(start[1:]) - len(part)) if start[1:].isdigit() else ""
        yield from (f"x{part}{behind}", part + behind)
        return
    offset = int(start) if start.isdigit() else 1
    if part.isdigit():
        yield from {
            (1, 4): (f"{part}-06-15", f"{part}06", f"{part}-12-31"),
            (5, 2): (f"2012{part}", f"2013{part}"),
            (6, 2): (f"2012-{part}-15", f"2013-{part}-01"),
            (9, 2): (f"2012-06-{part}", f"2013-07-{part}"),
        }.get((offset, len(part)), ())
    yield from (" " * (offset - 1) + part, "x" * (offset - 1) + part + "x")
    # Between two numbers as text, not as numbers: '199' and '198x' lie between '1987' and '1992'.
    yield from ("x" * (offset - 1) + near for near in (part[:-1], part[:-1] + "x") if part.isdigit())


def _of_length(length: int) -> Iterator[str]:
    """Texts of a length and of its neighbours."""
    yield from ("x" * n for n in (length, length + 1, length - 1) if 0 <= n <= _LONG)


_MOST_COMPOSED = 16
_MOST_OF_ROWS = 24


UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_ELEMENTS = {
    **dict.fromkeys(("smallint", "integer", "bigint"), re.compile(r"-?[0-9]{1,9}")),
    **dict.fromkeys(("numeric", "decimal", "real", "double", "double precision"), _NUMBER),
    **dict.fromkeys(("text", "character varying", "varchar", "name", "citext"), re.compile(r"(?s).*")),
    "uuid": UUID,
    "date": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
}
"""How values of a type are spelt that are sure to be taken."""


def composed(hints: Iterable[Hint], native_type: str, samples: Sequence[Cell] = ()) -> list[str]:
    """Values of a type, as the dialect's engine writes them, that are or hold what is sought in a column.

    Args:
        hints: what is sought.
        native_type: the type: of documents, of arrays, or one whose values have a spelling of their own.
        samples: values of it that the engine is known to take.
    """
    values = list(dict.fromkeys(hint.value for hint in hints))[:5]
    kind = native_type.lower().rpartition(".")[2]
    start, end = "[]" if "[]" in samples else "{}"
    if kind in _ELEMENTS:
        return [text for text in map(str, values) if _ELEMENTS[kind].fullmatch(text)]
    if "json" in kind and not kind.endswith("[]"):
        pairs = [{str(key): value} for key, value in permutations(values, 2)]
        nested = [{str(a): {str(b): c}} for a, b, c in permutations(values[:4], 3)]
        documents: list[object] = [
            *pairs,
            *({str(key): None} for key in values),
            *nested,
            *([v] for v in values),
        ]
        return [dumps(each) for each in documents][:_MOST_COMPOSED]
    if kind.endswith("[]"):
        shape = _ELEMENTS.get(kind.removesuffix("[]").partition("(")[0])
        known = {part for text in samples if isinstance(text, str) for part in _parts(text)}

        def is_taken(text: str) -> bool:
            return text in known if shape is None else shape.fullmatch(text) is not None

        listed = [text for text in values if isinstance(text, str) and text.startswith(start)]
        whole = [text for text in listed if all(map(is_taken, _parts(text)))]
        sought = dict.fromkeys(part for text in listed for part in _parts(text))
        sought |= dict.fromkeys(str(value) for value in values if value not in listed)
        parts = [dumps(text) for text in sought if is_taken(text)]
        lists = [(part,) for part in parts] + list(product(parts, repeat=2))
        return [*whole, *(start + ",".join(each) + end for each in lists)][:_MOST_COMPOSED]
    if kind.startswith(("struct(", "map(")) and not _NARROW.search(kind):
        texts = [text for text in samples if isinstance(text, str)]
        return list(dict.fromkeys(new for text in texts for new in _refilled(text, values)))[:_MOST_COMPOSED]
    return []


_NARROW = re.compile(r"tinyint|smallint|decimal|enum")
"""Types of parts that not every whole number or text of a hint is a value of."""
_PART = re.compile(r"'(?![^']*[-:])(?:[^']|'')*'(?!:)|(?<![\w'.-])\d+(?![\w'.-])")
"""A part of a nested value as DuckDB writes it, but for dates, times, and names of fields."""


def _refilled(text: str, values: Sequence[Cell]) -> Iterator[str]:
    """A nested value with values of the same sort in the place of one part, and of two."""
    places = list(_PART.finditer(text))
    words = [
        "'" + each.replace("'", "''") + "'" if isinstance(each, str) else str(each)
        for each in values
        if isinstance(each, str) or (isinstance(each, int) and abs(each) < _WHOLE)
    ]
    fills = [(place, word) for place in places for word in words if (word[0] == "'") == (place[0][0] == "'")]
    yield from (text[: place.start()] + word + text[place.end() :] for place, word in fills)
    for (one, first), (two, second) in product(fills, fills):
        if one.end() <= two.start():
            yield text[: one.start()] + first + text[one.end() : two.start()] + second + text[two.end() :]


_WHOLE = 1 << 31


def documents(hints: Iterable[Hint]) -> list[str]:
    """Texts of JSON that hold at paths what is sought there, or something else, alone and together."""
    hints = list(hints)
    paths = list(dict.fromkeys(hint.detail for hint in hints if hint.style == "json"))[:4]
    values = list(dict.fromkeys(hint.value for hint in hints if hint.style == "json"))
    values = [each for each in values if each not in paths][:4]
    values += [each for each in (1, "a") if each not in values]
    alone: list[object] = [_at_path(path, value) for value in values for path in paths]
    objects = [each for each in alone if isinstance(each, dict)]
    both = [{**one, **other} for one, other in permutations(objects, 2) if one.keys() != other.keys()]
    missing: list[object] = [_at_path(path, None) for path in paths]
    of_rows = [path.removesuffix("[0]") for path in paths if path.endswith("[0]")]
    if of_rows:
        parts = (str(hint.value).strip("%*") for hint in hints if hint.style in ("pattern", "plain"))
        values = list(dict.fromkeys((*values[:3], *parts, 2)))[:5]
    several = [_at_path(path, held) for held in _of_several(values) for path in of_rows]
    levels = zip_longest(alone, both, *(several[at::3] for at in range(3)), missing)
    found = [dumps(each) for level in levels for each in level if each is not None]
    empty = ["{}"] * bool(paths)
    if of_rows:
        return [*found[:3], "[]", *empty, *found[3:_MOST_OF_ROWS]]
    return found[: _MOST_COMPOSED - 1] + empty


def _of_several(values: Sequence[Cell]) -> Iterator[object]:
    """Lists and objects of several values, some of them nested, of which a query may read one by one."""
    for first, second in sorted(product(range(len(values)), repeat=2), key=max):
        one, other = values[first], values[second]
        yield [one, other]
        yield {str(one): other}
        yield [[one], other] if first == second else {str(one): 2, "2": other}


_STEP = re.compile(r"""\[[^][]*\]|"[^"]*"|[^."$[]+""")
_MOST_BEFORE = 4


def _at_path(path: str, value: object) -> object:
    """What holds a value at a path of SQLite's; of a list, not far from its beginning."""
    found: object = value
    for step in reversed(_STEP.findall(path)):
        if step.startswith("["):
            before = min(int(digits[0]), _MOST_BEFORE) if (digits := _DIGITS.search(step)) else 0
            found = [*[None] * before, found]
        else:
            found = {step.strip('"'): found}
    return found


def _parts(text: str) -> list[str]:
    """The elements of an array that is written as PostgreSQL does, those with quotes or NULL left out."""
    return [part for part in text.strip("{}").split(",") if part and part != "NULL" and '"' not in part]


def combined(hints: Iterable[Hint]) -> list[Cell]:
    """Texts that meet several hints on their shape at once, or all but one.

    Such are parts in place, a length, and a pattern's ends.  Parts may overlap: '1970x10' has the year and
    the month of '1970-10' and is another text.
    """
    hints = list(hints)
    shapes = [hint for hint in hints if hint.style in ("part", "pattern", "length")]
    lengths = [int(hint.value) for hint in shapes if hint.style == "length"][:2]
    parts = [placed for hint in shapes if hint.style != "length" for placed in _places(hint)][:_MOST_PARTS]
    parts = list(dict.fromkeys(parts))
    values: dict[Cell, None] = dict.fromkeys(_of_classes(hints))
    if len(shapes) < 2 or not parts:
        return list(values)
    least = max(abs(at) + len(text) for at, text in parts)
    for length in lengths or [least]:
        for chosen in (parts, *combinations(parts, len(parts) - 1)):
            text = _put(chosen, length)
            if text is not None:
                values[text] = None
    return list(values)


_CLASS = re.compile(r"\[([^]^-])(?:-([^]]))?\]")
_MOST_PARTS = 6


def _of_classes(hints: Iterable[Hint]) -> Iterator[str]:
    """Texts that a GLOB with a class of characters at some places allows, and that begin as a literal does.

    The first and the last character of each class: '2020-00-00' and '2020-99-99' have the form of a date.
    """
    forms = [str(hint.value) for hint in hints if hint.style == "pattern" and hint.detail == "glob"]
    for form in [form for form in forms if _CLASS.search(form) and "*" not in form][:1]:
        ends = [_CLASS.sub(lambda found, at=at: found[at] or found[1], form) for at in (1, 2)]  # type: ignore[misc]
        yield from ends
        for hint in hints:
            if isinstance(hint.value, str) and hint.value != form:
                start = hint.value.strip("%*")
                plain = [at for at, (low, high) in enumerate(zip(*ends, strict=True)) if low == high]
                yield from (start[:at] + end[len(start[:at]) :] for at in plain[:2] for end in ends)


def _places(hint: Hint) -> Iterator[tuple[int, str]]:
    """Where a hint wants which text: 0-based, or negative from the end."""
    text = str(hint.value)
    if hint.style == "part" and hint.detail.lstrip("-").isdigit():
        start = int(hint.detail)
        yield start - 1 if start > 0 else start, text
    elif hint.style == "pattern":
        many = "*" if hint.detail == "glob" else "%"
        first, _, last = text.partition(many) if many in text else (text, "", "")
        if first:
            yield 0, first
        last = last.rpartition(many)[2]
        if last:
            yield -len(last), last


def _put(parts: Iterable[tuple[int, str]], length: int) -> str | None:
    """A text of a length with each part at its place, or None if one does not fit in."""
    if not 0 <= length <= _LONG:
        return None
    made = ["x"] * length
    for at, text in parts:
        start = at if at >= 0 else length + at
        if start < 0 or start + len(text) > length:
            return None
        made[start : start + len(text)] = text
    return "".join(made)


_TIMES = {
    "%Y": ("{}-06-15", "{}-01-01"),
    "%m": ("2012-{}-15", "2013-{}-01"),
    "%d": ("2012-06-{}", "2013-07-{}"),
    "%Y-%m": ("{}-15", "{}-01"),
    "%H": ("2012-06-15 {}:00:00",),
    "%M": ("2012-06-15 10:{}:00",),
}


def _at_time(text: str, form: str) -> Iterator[str]:
    """Dates whose strftime under the format is the text."""
    yield from (template.format(text.zfill(2)) for template in _TIMES.get(form, ()))


def in_other_periods(text: str) -> tuple[str, ...]:
    """The day of an ISO date in the month after its own, and in the year after, if the calendar has one."""
    day = date.fromisoformat(text)
    if day.year == date.max.year:
        return ()
    later = day.replace(day=min(day.day, 28))
    return later.replace(month=day.month % 12 + 1).isoformat(), later.replace(year=day.year + 1).isoformat()


def dates_around(text: str) -> Iterator[str]:
    """ISO dates in and beside the year, month or day that a text begins with; none if it is not a date.

    Years have four digits, from 0001 on: a neighbour beyond them is left out.
    """
    match = _DATE.match(text)
    if match is None or int(match[1]) < date.min.year or text[match.end() :][:1].isdigit():
        return
    year = int(match[1])
    if match[2] is None:
        if len(text) == 4:
            yield from (f"{year:04}-06-15", f"{year:04}-12-31")
            yield from _days_from(date(year, 12, 31), 1)
            yield from _days_from(date(year, 1, 1), -1)
        return
    try:
        day = date(year, int(match[2]), int(match[3] or "1"))
    except ValueError:
        return
    if match[3] is None:
        yield from (f"{match[0]}-15", f"{match[0]}-01")
        yield from _days_from(day, monthrange(year, day.month)[1], -1)
    else:
        yield from _days_from(day, 0, 1, -1)
        yield from (f"{day.isoformat()}{time}" for time in ("T12:00:00", " 00:00:00", " 10:30:00"))
        yield from _days_from(day, 400)


def _days_from(day: date, *steps: int) -> Iterator[str]:
    """The days so many days after a day that are within the years 1 to 9999."""
    for step in steps:
        if date.min.toordinal() <= day.toordinal() + step <= date.max.toordinal():
            yield (day + timedelta(days=step)).isoformat()
