"""Scripts of PostgreSQL's: split into statements as ``psql`` would send them, and databases written down."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from equiv.cells import Cell, Row
from equiv.core.lexer import Token, TokenKind, tokens
from equiv.core.model import Column, Domain, Schema, Table, View, quoted_name
from equiv.dialects.postgres.session_settings import OF_DATABASE, REFUSED, STRINGS, path_in
from equiv.dialects.typed.dialect import remembered
from equiv.dialects.typed.lowering.sources import DEFAULT
from equiv.graphs import depth_first_postorder
from equiv.names import fold

if TYPE_CHECKING:
    from equiv.dialects.protocol import Filled


_COPY = re.compile(r"COPY\b", re.IGNORECASE)
_FROM_STDIN = re.compile(r"\bFROM\s+STDIN\b", re.IGNORECASE)
_ATOMIC = re.compile(r"\bBEGIN\s+ATOMIC\b", re.IGNORECASE)
_TAG = re.compile(r"\$(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)?\$")
_STOP = re.compile(r"""['"$;\\]|--|/\*""")
_CONNECT = re.compile(
    r"""\\c(?:onnect)?[ \t]+(?:-reuse-previous=\w+[ \t]+)?(?:"([^"\n]+)"|([^\s"-][^\s"]*))"""
)
_NAME_CHARACTER = re.compile(r"[\w$]")


@dataclass(frozen=True, slots=True)
class SqlStatement:
    """One statement, without the semicolon that ends it."""

    text: str
    """As written, with its comments."""
    data: str | None = None
    """What follows a ``COPY … FROM stdin``, up to the line ``\\.``."""
    line: int = 0
    """The line of the script on which it begins, from 1; 0 where it stands in none."""
    database: str = ""
    """The database that ``psql`` was told to connect to before it; '' if it was told nothing."""

    @property
    def bare(self) -> str:
        """The text without comments and white space before it."""
        return self.text[_start(self.text) :]

    @property
    def words(self) -> tuple[str, ...]:
        """The first words, in upper case."""
        return tuple(_WORD.findall(_shortened(self.bare).upper()))[:6]

    @property
    def objects(self) -> tuple[str, ...]:
        """The bare names of what the statement makes, changes or drops; of an index, its table too."""
        found = tokens(self.bare)
        place = _past(found, 1, _KINDS_OF_KINDS)
        kind = found[place].word if place < len(found) else ""
        place = _past(found, place + 1, _BEFORE_NAMES)
        names = []
        if found[0].word in _DEFINING and kind:
            if kind != "INDEX" or found[place].word != "ON":
                listed, place = self._names(found, place)
                names += listed if found[0].word == "DROP" else listed[:1]
            if kind == "INDEX" and found[place].word == "ON":
                names += self._names(found, _past(found, place + 1, _BEFORE_NAMES))[0][:1]
        if kind in ("TABLE", "INDEX"):
            for at, (one, two) in enumerate(pairwise(each.word for each in found)):
                if (one, two) in _OF_A_FAMILY:
                    names += self._names(found, at + 2)[0][: None if one == "INHERITS" else 1]
                elif one == "INHERIT":
                    names += self._names(found, at + 1)[0][:1]
        return tuple(dict.fromkeys(names))

    @property
    def spelt(self) -> str:
        """The name of what the statement makes, changes or drops, as it is spelt; '' of none."""
        found = tokens(self.bare)
        place = _past(found, 1, _KINDS_OF_KINDS | _OTHER_KINDS)
        if found[place].word in ("CAST", "OPERATOR"):
            return ""
        return dotted_name(found, _past(found, place + 1, _BEFORE_NAMES), self.bare)[0]

    def _names(self, found: list[Token], place: int) -> tuple[list[str], int]:
        """The bare names in a list that begins at a token, and the place after it."""
        names: list[str] = []
        while (spelt := dotted_name(found, place, self.bare))[0]:
            names.append(bare_name(spelt[0]))
            place = spelt[1]
            if found[place].word != ",":
                break
            place += 1
        return names, place


_DEFINING = ("CREATE", "ALTER", "DROP")
_KINDS_OF_KINDS = frozenset(
    """OR REPLACE GLOBAL LOCAL TEMP TEMPORARY UNLOGGED RECURSIVE MATERIALIZED FOREIGN UNIQUE""".split()  # noqa: SIM905
)
_BEFORE_NAMES = frozenset(("CONCURRENTLY", "IF", "NOT", "EXISTS", "ONLY"))
_OF_A_FAMILY = frozenset(
    (
        ("PARTITION", "OF"),
        ("ATTACH", "PARTITION"),
        ("DETACH", "PARTITION"),
        ("RENAME", "TO"),
        ("INHERITS", "("),
    )
)


_OTHER_KINDS = frozenset(("CONSTRAINT", "EVENT", "TEXT", "SEARCH", "ACCESS", "TRUSTED"))


def dotted_name(found: Sequence[Token], place: int, text: str) -> tuple[str, int]:
    """The name that begins at a token, with those of schemas, and the place after it; '' if none does."""
    first, names = place, (TokenKind.NAME, TokenKind.QUOTED)
    if place >= len(found) or found[place].kind not in names:
        return "", place
    while found[place + 1].word == "." and found[place + 2].kind in names:
        place += 2
    return text[found[first].start : found[place].end], place + 1


def _past(found: list[Token], place: int, words: frozenset[str]) -> int:
    while place < len(found) - 1 and found[place].word in words:
        place += 1
    return min(place, len(found) - 1)


def bare_name(name: str) -> str:
    """A name as PostgreSQL keeps it, without those of schemas before it."""
    found = [each for each in tokens(name) if each.kind in (TokenKind.NAME, TokenKind.QUOTED)]
    if not found:
        return ""
    last = name[found[-1].start : found[-1].end]
    return last[1:-1].replace('""', '"') if last.startswith('"') else fold(last)


_WORD = re.compile(r"[A-Z_][A-Z_0-9]*|\S")


def _shortened(text: str) -> str:
    return text[:400]


def statements(text: str) -> Iterator[SqlStatement]:
    """The statements that hold anything but comments, and their lines; commands of ``psql`` are left out."""
    line, counted = 1, 0
    for first, statement in placed_statements(text):
        line, counted = line + text.count("\n", counted, first), first
        yield replace(statement, line=line)


def placed_statements(text: str) -> Iterator[tuple[int, SqlStatement]]:
    """The statements with the places at which they begin."""
    position, first, database = 0, _start(text), ""
    while (found := _STOP.search(text, position)) is not None:
        match found[0]:
            case ";" if first < found.start():
                statement, position = _ended(text, first, found)
                yield first, replace(statement, database=database)
                first = _start(text, position)
            case ";":
                position = found.end()
                first = _start(text, position)
            case "\\" if first == found.start():
                if (connected := _CONNECT.match(text, first)) is not None:
                    database = connected[1] or connected[2]
                position = _after_line(text, found.start())
                first = _start(text, position)
            case _:
                position = _after(text, found)
    if first < len(text):
        yield first, SqlStatement(text[first:].strip(), database=database)


def _ended(text: str, first: int, found: re.Match[str]) -> tuple[SqlStatement, int]:
    """The statement that a semicolon ends, and where what follows it begins."""
    statement = text[first : found.start()].rstrip()
    if _begins_atomic(statement):
        return SqlStatement(statement), _after_atomic(text, found.end())
    if _COPY.match(statement) and _FROM_STDIN.search(statement):
        data, position = _copied(text, found.end())
        return SqlStatement(statement, data), position
    return SqlStatement(statement), found.end()


def code(text: str) -> Iterator[tuple[int, int]]:
    """The stretches of a text that stand outside of strings, quoted names and comments."""
    position = start = 0
    while (found := _STOP.search(text, position)) is not None:
        position = _after(text, found)
        if found[0] not in (";", "\\", "$") or position > found.end():
            yield start, found.start()
            start = position
    yield start, len(text)


def _start(text: str, position: int = 0) -> int:
    """Where, from a place on, the first character is that is no white space and in no comment."""
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif text.startswith("--", position):
            position = _after_line(text, position)
        elif text.startswith("/*", position):
            position = _after_comment(text, position)
        else:
            break
    return position


def _after(text: str, found: re.Match[str]) -> int:
    """The end of the string, name, comment or sign that begins at a place."""
    place = found.start()
    match found[0]:
        case "'":
            escapes = place > 0 and text[place - 1] in "eE" and not _is_name(text, place - 2)
            return _after_string(text, place, escapes=escapes)
        case '"':
            closing = text.find('"', place + 1)
            return len(text) if closing < 0 else closing + 1
        case "$":
            tag = _TAG.match(text, place)
            if tag is None or _is_name(text, place - 1):
                return place + 1
            closing = text.find(tag[0], tag.end())
            return len(text) if closing < 0 else closing + len(tag[0])
        case "--":
            return _after_line(text, place)
        case "/*":
            return _after_comment(text, place)
    return found.end()


def _is_name(text: str, place: int) -> bool:
    return place >= 0 and _NAME_CHARACTER.match(text, place) is not None


def _after_string(text: str, place: int, *, escapes: bool) -> int:
    if not escapes:
        # A doubled quote ends one string and begins the next: the end is the same.
        closing = text.find("'", place + 1)
        return len(text) if closing < 0 else closing + 1
    position = place + 1
    while position < len(text):
        if text[position] == "\\":
            position += 2
        elif text[position] == "'":
            return position + 1
        else:
            position += 1
    return len(text)


def _after_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return len(text) if end < 0 else end + 1


_COMMENT = re.compile(r"/\*|\*/")


def _after_comment(text: str, place: int) -> int:
    """The end of a comment, in which others may be nested."""
    depth = 0
    for sign in _COMMENT.finditer(text, place):
        depth += 1 if sign[0] == "/*" else -1
        if not depth:
            return sign.end()
    return len(text)


def _copied(text: str, position: int) -> tuple[str, int]:
    """The lines of a COPY, and where the statement after them begins."""
    begin = _after_line(text, position)
    end = begin if text.startswith("\\.", begin) else text.find("\n\\.", begin) + 1
    if end <= 0:
        return text[begin:], len(text)
    return text[begin:end], _after_line(text, end)


def _begins_atomic(statement: str) -> bool:
    return "ATOMIC" in statement.upper() and _ATOMIC.search(statement) is not None


_END = re.compile(r"\bEND\s*;", re.IGNORECASE)


def _after_atomic(text: str, position: int) -> int:
    """The end of the body of a function that is written in SQL, which holds semicolons."""
    found = _END.search(text, position)
    return len(text) if found is None else found.end()


_FEW = 100
_BATCH = 200
_WORDS = re.compile(r"[\w$]+")
_OF_LATER_ROWS = re.compile(r"\bNOT\s+VALID\b|\bVALIDATE\s+CONSTRAINT\b", re.IGNORECASE)
"""What a statement says that the rows of its time need not keep."""
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\Z")
_Slice = tuple[list[str], list[str]]
_sliced: dict[tuple[tuple[str, ...], frozenset[str], frozenset[str] | None], _Slice] = {}
"""The statements that make tables and views, before and after their rows, by all statements and names, and by
all names that are needed with those of views.
"""


def native_name(relation: Table | View) -> str:
    """The name of a table or view with its schema."""
    namespace, _, name = relation.name.rpartition(".")
    return f"{quoted_name(namespace or DEFAULT)}.{quoted_name(name)}"


MadeBy = Callable[[Sequence[str], Sequence[str]], dict[str, tuple[str, ...]] | None]
"""How the catalogue defines what statements make, before and after rows; None if one is refused."""


def script(schema: Schema, tables: Iterable[str], filled: Filled, made_by: MadeBy) -> str:
    """The DDL of tables, their parents, views and functions, and an INSERT for each row.

    The DDL is the schema's own statements, those that the tables and views do not need left out.  Rows of an
    earlier time are there while materialised views are refreshed.
    """
    known = [schema.table(name) or schema.view(name) for name in {*tables, *filled}]
    known += [view for view in schema.native_views if view.name in {*tables}]
    names = {_bare(each) for each in known if each is not None}
    before, after = _making(schema, frozenset(names), made_by)
    first, last = _refreshing(schema, before, filled)
    rows = [*first, *_filling(schema, filled, ()), *last]
    statements = [*setting(schema), *before, *rows, *after]
    statements += filter(None, [path_of(schema)])
    return "".join(f"{statement};\n" for statement in statements)


def _bare(relation: Table | View) -> str:
    held = relation.earlier.table if isinstance(relation, Table) and relation.earlier else relation.name
    return held.rpartition(".")[2]


def _making(schema: Schema, names: frozenset[str], made_by: MadeBy) -> tuple[list[str], list[str]]:
    """The statements that make tables and views, and those that follow the rows."""
    views = names.intersection(map(_bare, schema.native_views))

    def make() -> _Slice:
        # Tables that are named or filled bring along those that they refer to, whichever are said.
        wanted = frozenset(_needed(schema.native, names)[0])
        key = schema.native, wanted, views
        return remembered(_sliced, key, lambda: _made_alike(schema, names, made_by))

    return remembered(_sliced, (schema.native, names, None), make)


def _made_alike(schema: Schema, names: frozenset[str], made_by: MadeBy) -> tuple[list[str], list[str]]:
    """The fewest statements that are found to make the tables and views as all of them do."""
    wanted, few = _needed(schema.native, names)
    meant = {qualified(table): table.native for table in schema.tables if _is_made(table, wanted)}
    queries = {qualified(view): (view.sql,) for view in schema.native_views if _bare(view) in names}
    for statements in (few, list(schema.native)):
        parted = _parted(statements)
        for parts in (parted, (statements, [])) if parted[1] else (parted,):
            made = made_by(*parts)
            if made is not None and all(made.get(key) == found for key, found in (meant | queries).items()):
                return parts
    return list(schema.native), []


def definitions(schema: Schema) -> dict[str, tuple[str, ...]]:
    """The statements that the catalogue gives for tables and views, by their names with schemas."""
    tables = {qualified(table): table.native for table in schema.tables if table.earlier is None}
    return tables | {qualified(view): (view.sql,) for view in schema.native_views}


def qualified(relation: Table | View) -> str:
    """The name of a table or view with its schema, without quotes."""
    namespace = relation.namespace if isinstance(relation, Table) else relation.name.rpartition(".")[0]
    return f"{namespace or DEFAULT}.{_bare(relation)}"


def _is_made(table: Table, wanted: set[str]) -> bool:
    return table.earlier is None and _bare(table) in wanted


def _parted(statements: list[str]) -> tuple[list[str], list[str]]:
    later = [each for each in statements if _is_of_later_rows(each)]
    return [each for each in statements if each not in later], later


def _is_of_later_rows(statement: str) -> bool:
    return SqlStatement(statement).words[:2] == ("ALTER", "TABLE") and bool(_OF_LATER_ROWS.search(statement))


def _needed(statements: tuple[str, ...], names: frozenset[str]) -> tuple[set[str], list[str]]:
    """What the statements define that is needed, by bare names, and the statements about any of it."""
    about, words, spelt = _named_in(statements)
    # A query may name a type that no table has, and call what none needs.
    free = (
        about[i] for i, each in enumerate(statements) if not _NAMED.isdisjoint(SqlStatement(each).words[1:4])
    )
    wanted, taken = set(names).union(*free), set[int]()
    while more := [i for i, found in enumerate(about) if i not in taken and not wanted.isdisjoint(found)]:
        taken.update(more)
        found = frozenset[str]().union(*(words[i] for i in more))
        wanted |= {name for name, parts in spelt.items() if parts <= found}
    kept = [s for i, s in enumerate(statements) if i in taken or _is_always_needed(s, about[i])]
    return wanted, kept


_MAKES = re.compile(r"\s*CREATE\b", re.IGNORECASE)


@lru_cache(maxsize=8)
def _named_in(
    statements: tuple[str, ...],
) -> tuple[list[frozenset[str]], list[frozenset[str]], dict[str, frozenset[str]]]:
    """For each statement what it is about, and its words; for each of the former the words of its name."""
    about = [frozenset(SqlStatement(each).objects) for each in statements]
    named = frozenset[str]().union(*(a for a, s in zip(about, statements, strict=True) if _MAKES.match(s)))
    for at, each in enumerate(statements):
        if SqlStatement(each).words[1:2] == ("INDEX",) and named.isdisjoint(about[at]):
            # PostgreSQL calls an index that has no name of its own after its table.
            about[at] |= {name for name in named for index in about[at] if index.startswith(f"{name}_")}
    words = [frozenset(_WORDS.findall(each)) | frozenset(_WORDS.findall(fold(each))) for each in statements]
    defined = frozenset[str]().union(*about)
    return about, words, {name: frozenset(_WORDS.findall(name)) for name in defined}


_NAMED = frozenset(("TYPE", "DOMAIN", "FUNCTION", "AGGREGATE", "ROUTINE", "SEQUENCE"))
"""Among the words behind the first: what a query names beside tables and views."""


def _is_always_needed(statement: str, about: frozenset[str]) -> bool:
    return not about or SqlStatement(statement).words[:2] == ("CREATE", "EXTENSION")


def _refreshing(schema: Schema, made: list[str], filled: Filled) -> tuple[list[str], list[str]]:
    """The statements that fill materialised views: from rows that are gone afterwards; from those of now."""
    earlier = [t.earlier for t in schema.tables if t.earlier]
    if not earlier:
        return [], []
    present = frozenset[str]().union(*_named_in(tuple(made))[0])
    copies = [each for each in earlier if each.views[0].rpartition(".")[2] in present]
    # A view that reads another one alone has no table of its own.
    paths = dict.fromkeys(each.views[:end] for each in copies for end in range(1, len(each.views) + 1))
    # A view that another one reads is refreshed for that one first, and last for itself.
    direct = [path for path in paths if len(path) == 1]
    order = depth_first_postorder(direct, lambda p: (q for q in direct if (*p, *q) in paths))
    then = [path for path in reversed(order) if path[0] not in schema.fresh]
    first = [each for path in then for each in _refreshed(schema, path, [*paths], filled)]
    return first, [_refresh(path[0]) for path in order if path[0] in schema.fresh]


def _refreshed(
    schema: Schema, path: tuple[str, ...], paths: list[tuple[str, ...]], filled: Filled
) -> Iterator[str]:
    for inner in paths:
        if inner[:-1] == path:
            yield from _refreshed(schema, inner, paths, filled)
    rows = list(_filling(schema, filled, path))
    yield from rows
    yield _refresh(path[-1])
    if rows:
        tables = (_base(schema, name) for name in filled if _views(schema, name) == path)
        yield f"TRUNCATE {', '.join(native_name(table) for table in tables if table)} CASCADE"


def _refresh(view: str) -> str:
    namespace, _, name = view.partition(".")
    return f"REFRESH MATERIALIZED VIEW {quoted_name(namespace)}.{quoted_name(name)}"


def _views(schema: Schema, name: str) -> tuple[str, ...]:
    table = schema.table(name)
    return table.earlier.views if table is not None and table.earlier else ()


def _base(schema: Schema, name: str) -> Table | None:
    table = schema.table(name)
    return schema.table(table.earlier.table) if table is not None and table.earlier else table


def _filling(schema: Schema, filled: Filled, path: tuple[str, ...]) -> Iterator[str]:
    """The statements that insert rows, those of parents before the rows that refer to them."""
    given = {
        table.name: (table, *rows)
        for name, rows in filled.items()
        if _views(schema, name) == path and (table := _base(schema, name))
    }

    def parents(name: str) -> Iterator[str]:
        return (key.parent for key in given[name][0].foreign_keys if key.parent in given)

    order = depth_first_postorder(given, parents)
    done: set[str] = set()
    for name in order:
        done.add(name)
        if not done.issuperset(parents(name)):
            # Foreign keys are looked at when a statement ends.
            together = [s for each in order for s in _inserts(*given[each], at_once=True)]
            head = ", ".join(f"r{i} AS ({s})" for i, s in enumerate(together[:-1]))
            yield f"WITH {head} {together[-1]}"
            return
    for name in order:
        yield from _inserts(*given[name], at_once=name in parents(name))


def setting(schema: Schema) -> Iterator[str]:
    """The statements by which texts mean what they do under the settings of the schema's source."""
    for name, value in schema.settings:
        if name not in (*OF_DATABASE, STRINGS, REFUSED):
            yield f"SET {name} = {literal(value)}"


def path_of(schema: Schema) -> str:
    """The statement by which names are found where the source finds them; '' if there is but one schema.

    A script's are found in the path that it states, then in any of its schemas.
    """
    if schema.path:
        return "SET search_path = " + ", ".join(map(quoted_name, schema.path))
    paths = (path_in(each) for each in reversed(schema.native) if each[:3].upper() == "SET")
    stated = next(filter(None, paths), [])
    names = dict.fromkeys([*stated, DEFAULT, *(table.namespace for table in schema.tables)])
    if len(names) == 1 and not any(statement[:3].upper() == "SET" for statement in schema.native):
        return ""
    return "SET search_path = " + ", ".join(quoted_name(name) for name in names)


def _inserts(table: Table, columns: tuple[str, ...], rows: Iterable[Row], *, at_once: bool) -> Iterator[str]:
    kept = [i for i, name in enumerate(columns) if not _is_derived(table, name)]
    known = [table.column(columns[i]) for i in kept]
    given = [(i, column) for i, column in zip(kept, known, strict=True) if column]
    names = [column.name for _, column in given]
    # The core leaves NULL where no value is given.
    names += [
        c.name for c in table.columns if c.has_native_default and not c.not_null and c.name not in names
    ]
    nulls = ["NULL"] * (len(names) - len(given))
    if not names:
        yield from (f"INSERT INTO {native_name(table)} DEFAULT VALUES" for _ in rows)
        return
    own = " OVERRIDING SYSTEM VALUE" if _IDENTITY in table.native[0] else ""
    head = f"INSERT INTO {native_name(table)} ({', '.join(map(quoted_name, names))}){own} VALUES "
    listed = list(rows)
    for few in [listed] if at_once and listed else _in_batches(listed):
        values = (", ".join([*(literal(row[i], column) for i, column in given), *nulls]) for row in few)
        yield f"{head}({'), ('.join(values)})"


_IDENTITY = "GENERATED ALWAYS AS IDENTITY"


def _in_batches(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows one by one, as a person reads them; those of a populated database many to an INSERT."""
    size = 1 if len(rows) <= _FEW else _BATCH
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _is_derived(table: Table, name: str) -> bool:
    column = table.column(name)
    return column is None or column.derived or column.generated


def literal(cell: Cell, column: Column | None = None) -> str:
    """A cell as a literal of the column's type."""
    match cell:
        case None:
            return "NULL"
        case bytes():
            return f"'\\x{cell.hex()}'::bytea"
        case int() if column is not None and column.domain is Domain.BOOLEAN and cell in (0, 1):
            return "TRUE" if cell else "FALSE"
        case int():
            return str(cell)
        case float():
            return repr(cell) if abs(cell) < float("inf") else f"'{cell}'".replace("inf", "Infinity")
    text = cell.replace("'", "''")
    if column is not None and column.native_type.endswith(" with time zone") and _INSTANT.match(text):
        # Whatever the zone of the session that inserts it.
        return f"'{text}+00'"
    return f"'{text}'" if "\\" not in text else "E'" + text.replace("\\", "\\\\") + "'"
