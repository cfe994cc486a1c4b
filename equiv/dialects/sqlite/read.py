"""This module reads SQL text: as a query that can be compared, or with a message that says what is wrong.

In :func:`read_query` an empty SQLite database with the schema decides whether a text is a query; resolution
then gives the tree that rules and provers work on.  SQLite must compile text and tree to one program, or
there is no tree.  Where SQLite does not know a name, the message names the table, column or function that was
probably meant.  :func:`read_unprepared` reads texts of other dialects' readers that SQLite cannot run, and
:func:`program` gives the bytecode that is compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

from sqlglot import exp

from equiv.core.claims.blocks import calls_of_aggregates, escapes, select_operands
from equiv.core.claims.choices import skips_distinct_rows
from equiv.core.claims.comparisons import (
    compares_by_plan,
    compares_early,
    hands_on_collation,
    joins_under_rtrim,
    looks_up_by_plan,
)
from equiv.core.claims.fingerprint import operands
from equiv.core.claims.nullness import may_raise
from equiv.core.connection import Connection, RunnerError
from equiv.core.functions.catalogue import hides_subtype, is_unrepeatable
from equiv.core.functions.table import SYNONYMS, TABLE, unrepeatable_call
from equiv.core.functions.traits import PREFIX, FunctionSort
from equiv.core.lexer import GrammarError, Token, TokenKind, name_of, tokens
from equiv.core.model import REFERENCE, Schema, Table
from equiv.core.printing import to_sql
from equiv.core.query import Broken, Cause, Query, Unsupported, UnsupportedError, withheld
from equiv.core.recursion import begun, describe, with_symbols
from equiv.core.symbolic import with_first_rows, with_symbols_of_rows, without_idle_orders
from equiv.core.texts import (
    MAX_BYTES,
    MAX_EXPANSIONS,
    OTHER_STATEMENTS,
    clash,
    expands_much,
    is_query,
    main_word,
    orders,
    placeholders,
    told_apart,
    values_for,
)
from equiv.dialects.sqlite.attached import table_elsewhere, unqualified
from equiv.dialects.sqlite.grammar.queries import read
from equiv.dialects.sqlite.pragmas import LACKING
from equiv.dialects.sqlite.remarks import sign_in_query, without_index_names
from equiv.dialects.sqlite.render import empty_database
from equiv.dialects.sqlite.resolve.sources import in_parentheses
from equiv.dialects.sqlite.resolve.trees import resolve
from equiv.errors import InputError, did_you_mean
from equiv.names import fold, folded

_NAMES = (TokenKind.NAME, TokenKind.QUOTED)
MAX_DEPTH = 200
"""The deepest tree that rules and provers are given."""


def read_query(sql: str, schema: Schema, probe: Connection) -> Query | Broken:
    """Read one query; :func:`equiv.dialects.sqlite.remarks.sign_in_query` looks at one that SQLite refuses.

    Names of tables may stand behind a name that stands before them in the DDL (``public.t``), and before
    INDEXED BY, which is left out: no index changes the answer.

    Args:
        sql: any text, also a hostile one.
        schema: the tables and views.
        probe: an empty database of that schema; its authorizer, if any, decides what may be named.
    """
    query = _read(sql, schema, probe)
    if schema.qualifiers and len(sql) <= MAX_BYTES and (elsewhere := table_elsewhere(sql, schema)):
        query = elsewhere
    if not isinstance(query, Broken) or len(sql) > MAX_BYTES:
        return query
    if query.cause not in ("SYNTAX", "NO_TABLE_OR_COLUMN", "NO_FUNCTION") and not _NO_INDEX.match(
        query.message
    ):
        return query
    bare = unqualified(sql, schema)
    if bare is None:
        return Broken("WITHHELD", "the name before a table stands where the query has a name of its own")
    plain = without_index_names(bare)
    if plain != sql:
        again = _read(plain, schema, probe)
        if isinstance(again, Query):
            return replace(again, asked=sql)
    query = withheld(query, (*schema.withheld, *_of_views(query, sql)), schema.passed)
    if query.cause == "WITHHELD":
        return query
    sign = sign_in_query(sql, calls=query.cause != "NO_TABLE_OR_COLUMN")
    meant = _nearest_name(query.message, schema, tokens(sql)) if sign is None else ""
    return replace(query, sign=sign, message=query.message + meant)


def _of_views(broken: Broken, sql: str) -> Iterator[str]:
    """The function or collation of an application that a view names, and the text does not."""
    lacking = LACKING.match(broken.message)
    if lacking and fold(lacking[2]) not in {fold(name_of(sql, token)) for token in tokens(sql)}:
        yield fold(lacking[2])


def _read(sql: str, schema: Schema, probe: Connection) -> Query | Broken:
    try:
        size = len(sql.encode())
    except UnicodeEncodeError:
        return Broken("SYNTAX", "the text is not Unicode")
    if size > MAX_BYTES:
        return Broken("SYNTAX", f"query longer than {MAX_BYTES} bytes")
    parts = tokens(sql)
    while len(parts) > 1 and parts[-2].word == ";":
        del parts[-2]
    broken = _not_one_query(parts)
    if broken is not None:
        return broken
    if schema.dialect == REFERENCE and (name := _call_of_ours(sql, parts)):
        return Broken("NO_FUNCTION", f"no such function: {name}")
    text = sql[parts[0].start : parts[-2].end]
    places = placeholders(sql, parts)
    if expands_much(sql, parts):
        return Broken("EXHAUSTED", f"common table expressions expand to more than {MAX_EXPANSIONS} times")
    try:
        original = program(probe, told_apart(text))
    except (RunnerError, ValueError, OverflowError) as error:
        message = str(error)
        if _REFUSED.match(message) and _prepares_unguarded(text, probe):
            return Broken("WITHHELD", f"SQLite's own tables cannot be read: {message}")
        return Broken(_cause(message), message)
    misread: list[str] = []
    tree, unsupported = _resolved(text, schema, probe, original, misread)
    columns = next(int(str(row[2])) for row in original if row[0] == "ResultRow")
    varying = _unrepeatable(original)
    unknown = unknown_aggregate(original)
    if varying:
        tree, unsupported = None, Unsupported("Func", unrepeatable_call(varying))
    elif unknown:
        tree, unsupported = None, Unsupported("AggFunc", f"nothing is known of {unknown}")
    names = tuple(dict.fromkeys(place.name for place in places))
    found = Query(
        text,
        columns,
        tree,
        unsupported,
        orders(parts),
        is_repeatable=not varying,
        parameters=names,
        quoted_strings=tuple(misread),
        may_fail=tree is not None and may_raise(tree),
    )
    return found if tree is None or unsupported is not None else _with_symbols(found, tree, schema)


def _with_symbols(query: Query, tree: exp.Expression, schema: Schema) -> Query:
    """A query with the trees in which its recursions are symbols, and have their first rows alone.

    So are functions in FROM in both, and aggregates that the algebra lacks.
    """
    try:
        of_rows = with_symbols_of_rows(tree, schema)
        plain, facts = (tree, ()) if of_rows is None else of_rows
        recursive = describe(plain, schema)
    except UnsupportedError as error:
        return replace(query, unsupported=Unsupported(error.node, error.why))
    if recursive is None and of_rows is None:
        return query
    facts = (*facts, *(recursive or ()))
    labelled = frozenset((".".join((fact.table, *fact.columns)), fact.kind.value) for fact in facts)
    query = replace(query, labelled=labelled, may_fail=True)

    def read(changed: exp.Expression) -> Query:
        found = read_unprepared(to_sql(changed), schema.with_numbers)
        return replace(query, tree=found.tree, unsupported=found.unsupported, core_text=found.sql)

    @cache
    def begin() -> Query | None:
        first = with_first_rows(tree, schema)
        describe(first, schema)
        found = read(begun(first))
        return found if found.tree is not None else None

    symbols = read(with_symbols(plain))
    why = Unsupported("With", "WITH RECURSIVE") if recursive else Unsupported("From", "a function of rows")
    return replace(
        query,
        unsupported=symbols.unsupported or why,
        with_symbols=symbols if symbols.unsupported is None else None,
        begin=begin,
    )


def _call_of_ours(sql: str, parts: Sequence[Token]) -> str:
    """The name of a function of the core's own that a text calls, which SQLite lacks; '' if it calls none."""
    called = (part for part, after in pairwise(parts) if after.word == "(" and part.kind in _NAMES)
    names = (name_of(sql, part) for part in called)
    return next((name for name in names if name.upper().startswith(PREFIX)), "")


def _resolved(
    text: str,
    schema: Schema,
    probe: Connection,
    original: list[_Instruction],
    misread: list[str],
) -> tuple[exp.Expression | None, Unsupported | None]:
    try:
        tree = resolve(_named(read(text), text), schema)
        misread += dict.fromkeys(x.name for x in tree.find_all(exp.Literal) if x.meta.get("misread"))
        if (refused := _refused(tree, schema)) is not None:
            return None, refused
        if not _is_faithful(tree, text, schema, probe, original):
            return None, Unsupported("resolution", "SQLite compiles its printed text differently")
        without_idle_orders(tree)
        # An aggregate in GROUP BY or a window in WHERE passes where SQLite's parser folds or overlooks it.
        _explained(probe, to_sql(tree))
    except (GrammarError, UnsupportedError) as error:
        return None, Unsupported(error.node, error.why)
    except RecursionError:
        return None, Unsupported("Query", "nested too deeply")
    except (RunnerError, InputError) as error:
        return None, Unsupported("resolution", f"SQLite rejects its printed text: {error}")
    if hiding := hides_subtype(tree, schema):
        return tree, Unsupported("Func", f"{hiding} of a value that may already be JSON")
    return tree, None


def read_unprepared(text: str, schema: Schema) -> Query:
    """Read a text of the core's that SQLite does not run: it has LATERAL.

    The text is one that a dialect wrote, every name qualified.
    """
    try:
        tree = resolve(_named(read(text), text), schema)
        refused = _refused(tree, schema)
    except (GrammarError, UnsupportedError) as error:
        tree, refused = None, Unsupported(error.node, error.why)
    except RecursionError:
        tree, refused = None, Unsupported("Query", "nested too deeply")
    if tree is None or refused is not None:
        return Query(text, 0, None, refused, orders=False)
    return Query(text, len(next(select_operands(tree)).expressions), tree, None, orders(tokens(text)))


def _refused(tree: exp.Expression, schema: Schema) -> Unsupported | None:
    """What of a tree no rule and no prover is given; None if there is nothing.

    It is too deep, an aggregate is elsewhere than it seems, or the answer depends on SQLite's plan, or on
    what no text shows.
    """
    if _depth(tree) > MAX_DEPTH:
        return Unsupported("Query", f"nested deeper than {MAX_DEPTH}")
    if misplaced := _misplaced_aggregate(tree):
        return Unsupported("AggFunc", misplaced)
    if compares_by_plan(tree, schema):
        return Unsupported("Column", "a column of a set operation of mixed types, compared")
    if compares_early(tree, schema):
        return Unsupported("Column", "a comparison of a column that is passed up from a derived table")
    if looks_up_by_plan(tree, schema):
        return Unsupported("Collate", "IN with list members that have a COLLATE clause")
    if hands_on_collation(tree):
        return Unsupported("Collate", "a collation that SQLite takes from inside an expression")
    if joins_under_rtrim(tree, schema):
        return Unsupported("Collate", "a comparison under RTRIM in a query over several tables")
    if skips_distinct_rows(tree):
        return Unsupported("Offset", "rows of SELECT DISTINCT skipped in a subquery")
    if _chooses_for_each_reader(tree):
        return Unsupported("With", "NOT MATERIALIZED: each of its readers has a choice of its own")
    return None


_CHOOSING = (exp.Limit, exp.Window, exp.Group, exp.Distinct, exp.SetOperation, exp.Subquery, exp.AggFunc)
"""What may leave a choice of rows or of values that are equal."""


def _chooses_for_each_reader(tree: exp.Expression) -> bool:
    """Whether what leaves a choice is evaluated anew wherever it is read by name."""
    ctes = list(tree.find_all(exp.CTE))
    read = Counter(fold(table.name) for table in tree.find_all(exp.Table))
    anew = any(each.meta.get("hint") == "NOT MATERIALIZED " and read[fold(each.alias)] > 1 for each in ctes)
    return anew and any(each.this.find(*_CHOOSING) for each in ctes)


def _named(raw: exp.Expression, text: str) -> exp.Expression:
    """The tree as read with every parameter by the name and the number that it has in the whole text.

    Raises:
        UnsupportedError: some parameters are named, others not.
    """
    parameters = list(raw.find_all(exp.Parameter))
    if not parameters:
        return raw
    places = {place.start: place for place in placeholders(text, tokens(text))}
    if why := clash(place.name for place in places.values()):
        raise UnsupportedError("Parameter", why)
    for node in parameters:
        place = places[node.meta.pop("start")]
        node.set("this", place.name)
        node.meta["number"] = place.number
    return raw


def _is_faithful(
    tree: exp.Expression, text: str, schema: Schema, probe: Connection, original: list[_Instruction]
) -> bool:
    """Whether SQLite compiles the resolved tree to the program of the original.

    A view is like a common table expression, or like a derived table: below IN a condition on it is pushed
    into a view that groups, and into no common table expression.  Where a LEFT JOIN merges columns, SQLite
    looks into an index after a test for NULL, even of a column that is NOT NULL, and of such a column in ON
    it does not: tables without keys and NOT NULL show what is alike.
    """
    shown = in_parentheses(tree)
    printed = to_sql(shown, verbatim=True)
    if program(probe, printed) == original:
        return True
    if any(node.meta.get("view") for node in shown.find_all(exp.Subquery)):
        shown = shown.copy()
        for node in shown.find_all(exp.Subquery):
            node.meta.pop("view", None)
        if program(probe, to_sql(shown, verbatim=True)) == original:
            return True
    if _MERGING.isdisjoint(token.word for token in tokens(text)):
        return False
    plain = [
        Table(
            each.name, tuple(replace(column, not_null=False) for column in each.columns), strict=each.strict
        )
        for each in schema.tables
    ]
    with empty_database(replace(schema, tables=tuple(plain), triggers=())) as bare:
        return program(bare.connection, printed) == program(bare.connection, told_apart(text))


_MERGING = frozenset(("USING", "NATURAL"))


def _misplaced_aggregate(tree: exp.Expression) -> str:
    """Why an aggregate of the tree is not where it seems to be, or ''.

    SQLite's parser replaces ``x AND 0`` and ``x IN ()`` by 0; an aggregate in x is gone before it could
    make the query an aggregate query.
    """
    for call in calls_of_aggregates(tree):
        if escapes(call):
            return "an aggregate that belongs to an outer query"
        if any(map(_is_folded, _enclosing(call))):
            return "an aggregate that SQLite's parser removes"
    return ""


def _enclosing(call: exp.Expression) -> Iterator[exp.Expression]:
    node = call.parent
    while isinstance(node, exp.Expression) and not isinstance(node, exp.Select):
        yield node
        node = node.parent


def _is_folded(node: exp.Expression) -> bool:
    if isinstance(node, exp.And):
        return any(isinstance(x, exp.Literal) and x.name.strip("0.") == "" for x in operands(node, exp.And))
    return isinstance(node, exp.In) and not node.expressions and node.args.get("query") is None


def _depth(tree: exp.Expression) -> int:
    depth, level = 0, [tree]
    while level:
        depth += 1
        level = [child for node in level for child in node.iter_expressions()]
    return depth


def _not_one_query(found: Sequence[Token]) -> Broken | None:
    """What is wrong with a text by its tokens alone, the last of which is END."""
    words = [token.word for token in found]
    if words[0] == "":
        return Broken("EMPTY", "the text is empty")
    if ";" in words:
        return Broken("NOT_A_QUERY", "more than one statement")
    word = main_word(found)
    if word in OTHER_STATEMENTS:
        return Broken("NOT_A_QUERY", f"a statement, not a query: {word}")
    return None if is_query(word) else Broken("SYNTAX", f"a query does not start with {words[0][:40]!r}")


_REFUSED = re.compile(r"access to .* is prohibited|not authorized|vtable constructor failed")


def _prepares_unguarded(text: str, probe: Connection) -> bool:
    """Whether SQLite itself takes a query that the authorizer of the probe refuses; nothing is run."""
    with closing(probe.copy()) as free:
        try:
            program(free, told_apart(text))
        except (RunnerError, ValueError, OverflowError):
            return False
    return True


_NO_INDEX = re.compile("no such index")
_NO_NAME = re.compile(r"no such (table|column)|access to .* is prohibited|not authorized$")
_NO_FUNCTION = re.compile(r"no such function|wrong number of arguments|not authorized to use function")


def _cause(message: str) -> Cause:
    if message == "out of memory":
        return "EXHAUSTED"
    if _NO_NAME.match(message):
        return "NO_TABLE_OR_COLUMN"
    if _NO_INDEX.match(message):
        # INDEXED BY: the schema that is read here has none of its source's indexes.
        return "WITHHELD"
    return "NO_FUNCTION" if _NO_FUNCTION.match(message) else "SYNTAX"


_Instruction = tuple[object, ...]

_CALLED = re.compile(r"([a-z_0-9]+)(\(-?\d+\))\Z")
_FIRST_NAMES = {fold(second): fold(first) for second, first in SYNONYMS.items()}


def program(probe: Connection, sql: str) -> list[_Instruction]:
    """The bytecode of a query by EXPLAIN: opcode and operands p1 to p5 of each instruction.

    Second names of functions are replaced by the first ones: they name the same
    code (``substring`` is registered as an alias of ``substr``).  The SELECT of an IN is
    numbered by its first use: SQLite counts SELECTs as it parses them, and the operand does nothing
    when the program runs (``subrtnsig`` in SQLite's ``expr.c``).

    Raises:
        RunnerError: SQLite does not take the text.
    """
    numbers: dict[str, int] = {}
    return [
        (*row[1:5], _operand(row[1], row[5], numbers), row[6])
        for row in _explained(probe, sql)
        if row[1] != "Explain"
    ]


def _explained(probe: Connection, sql: str) -> Iterator[tuple[Any, ...]]:
    return probe.run_alone(f"EXPLAIN {_with_plain_blobs(sql)}", values_for(sql, {}))[0]


def _with_plain_blobs(sql: str) -> str:
    """The text with the digits of each blob in its place: EXPLAIN shows its bytes as if they were UTF-8."""
    if "x'" not in sql.lower():
        return sql
    parts, place = [], 0
    for token in tokens(sql):
        if token.kind is TokenKind.BLOB:
            digits = token.word[2:-1].encode().hex()
            parts += [sql[place : token.start], f"x'{digits}'"]
            place = token.end
    return "".join([*parts, sql[place:]])


def _operand(opcode: str, value: object, numbers: dict[str, int]) -> object:
    if opcode == "Variable":
        return None  # The parameter's name; its number is p1.
    if opcode == "BeginSubrtn" and isinstance(value, str):
        number, _, affinities = value.partition(",")
        return f"{numbers.setdefault(number, len(numbers))},{affinities}"
    called = _CALLED.match(value) if isinstance(value, str) else None
    if called is None:
        return value
    return _FIRST_NAMES.get(called[1], called[1]) + called[2]


def _called(found: list[_Instruction], opcodes: Collection[str]) -> Iterator[str]:
    """The names of the functions that some instructions of a program call, in upper case."""
    for opcode, *_, operand, _ in found:
        if opcode in opcodes and isinstance(operand, str):
            yield operand.split("(")[0].upper()


def _unrepeatable(found: list[_Instruction]) -> str:
    """The function whose value is not fixed by the database that a program calls, wherever; or ''."""
    return next(filter(is_unrepeatable, _called(found, _CALLS)), "")


_CALLS = frozenset(("Function", "PureFunc"))


def unknown_aggregate(found: list[_Instruction]) -> str:
    """The function that a program calls over rows and about which nothing is known, not even that; or ''."""
    return next((name for name in _called(found, _STEPS) if name not in _OVER_ROWS), "")


_OVER_ROWS = {row.name for row in TABLE if row.sort in (FunctionSort.AGGREGATE, FunctionSort.WINDOW)}
_STEPS = frozenset(("AggStep", "AggStep1", "AggInverse", "AggValue", "AggFinal"))


_MISSING = re.compile(r"no such (table|column|function): (?:.*\.)?([^.]+)\Z")


def _nearest_name(message: str, schema: Schema, found: Sequence[Token]) -> str:
    """``; did you mean x?`` for a message of SQLite's that names what is missing; else ''.

    Args:
        schema: where the name is looked for.
        found: the tokens of the query: columns of the tables that it names come first.
    """
    match _MISSING.match(message):
        case re.Match() as missing if missing[1] == "table":
            known = [*(table.name for table in schema.tables), *(view.name for view in schema.views)]
        case re.Match() as missing if missing[1] == "column":
            known = list(_columns(schema, folded(token.word.strip('"`[]') for token in found)))
        case re.Match() as missing:
            known = [row.name for row in TABLE]
        case _:
            return ""
    return did_you_mean(missing[2], known)


def _columns(schema: Schema, named: Collection[str]) -> Iterator[str]:
    tables = sorted(schema.tables, key=lambda table: fold(table.name) not in named)
    return (column.name for table in tables for column in table.columns)
