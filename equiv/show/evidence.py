"""Blocks on evidence: steps of a derivation, forms of a proof, a witness with both results and its script.

SQL text is laid over several lines, one clause a line, for reading and for line-by-line diffs: nothing but
white space changes; strings, quoted names and comments are kept as they are.

The files that ``--emit-sql`` writes have a witness and both queries, for a bare shell of the engine to
run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from equiv import verdict as v
from equiv.answers.compare import same_cell
from equiv.cells import Cell, PrintedParts, Row
from equiv.core.functions.symbols import in_words
from equiv.core.lexer import lexemes
from equiv.core.single_values import sql_literal
from equiv.dialects.crossing.dialect import giver_of, parted, sides_of
from equiv.dialects.protocol import Dialect, DialectEngine
from equiv.dialects.registry import dialect_named
from equiv.facts import Fact
from equiv.records.record import Item
from equiv.relation import Columns, Relation, Rows
from equiv.schema.locate import Place
from equiv.show.differences import Marks, differing_cells
from equiv.show.page import Beside, Block, Code, Diff, Grid, Text

_CLAUSES = frozenset(
    {"SELECT", "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "WINDOW", "VALUES"}
    | {"UNION", "INTERSECT", "EXCEPT", "LEFT", "RIGHT", "FULL", "JOIN"}
)
_CONNECTIVES = frozenset({"AND", "OR", "ON"})
_SIDES = frozenset({"LEFT", "RIGHT", "FULL", "OUTER", "INNER", "CROSS", "NATURAL"})
_QUERY_STARTS = frozenset({"SELECT", "WITH", "VALUES"})
_INDENT = "  "
_DEEPEST = 40
"""Queries nested deeper than this are indented no further."""


def lines_of(sql: str) -> list[str]:
    """The query's text, broken before each clause and connective of a query (not inside calls)."""
    tokens = lexemes(in_words(sql))
    lines: list[str] = []
    line = ""
    nesting: list[bool] = []
    depth = 0
    previous = ""
    for token, following in zip(tokens, _following(tokens), strict=True):
        word = token.upper()
        in_query = not nesting or nesting[-1]
        if word == "(":
            nesting.append(following in _QUERY_STARTS)
            depth += nesting[-1]
        elif word == ")" and nesting:
            depth -= nesting.pop()
        elif in_query and _breaks_before(word, previous) and line.strip():
            lines.append(line)
            line = _INDENT * (min(depth, _DEEPEST) + (word in _CONNECTIVES))
        if token.isspace():
            line += " " if line.strip() and not line.endswith(" ") else ""
            continue
        line += token
        previous = word
        if token.startswith("--"):
            lines.append(line)
            line = _INDENT * min(depth, _DEEPEST)
    return [text.rstrip() for text in (*lines, line) if text.strip()]


def _breaks_before(word: str, previous: str) -> bool:
    if word == "JOIN":
        return previous not in _SIDES
    return word in _CLAUSES or word in _CONNECTIVES


def _following(tokens: list[str]) -> list[str]:
    """For each token the next that is not a white space, in upper case."""
    found, following = [], ""
    for token in reversed(tokens):
        found.append(following)
        following = following if token.isspace() else token.upper()
    return found[::-1]


MATCHES_SHOWN = 12
"""How many correspondences of a proof are shown in short."""


def diff_of(before: str, after: str, title: str = "", context: int | None = 1) -> Diff:
    """The lines that change between two queries, each with so many lines of context; None: all lines."""
    import difflib

    old, new = lines_of(before), lines_of(after)
    lines: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for group in [matcher.get_opcodes()] if context is None else matcher.get_grouped_opcodes(context):
        if lines:
            lines.append((" ", "…"))
        for tag, i, j, k, m in group:
            if tag == "equal":
                lines += [(" ", line) for line in old[i:j]]
            else:
                lines += [("-", line) for line in old[i:j]] + [("+", line) for line in new[k:m]]
    return Diff(title, tuple(lines))


def rules_short(derivation: v.Derivation) -> str:
    """The rules that were applied, on a line."""
    steps = (*derivation.pred_steps, *derivation.gold_steps)
    if not steps:
        return "The two queries are identical once names are resolved."
    often = Counter(step.rule for step in steps)
    names = ", ".join(rule if times == 1 else f"{rule} ({times} times)" for rule, times in often.items())
    return f"One normal form after {len(steps)} {'step' if len(steps) == 1 else 'steps'}: {names}"


def derivation_blocks(derivation: v.Derivation, describe: Callable[[str], str]) -> list[Block]:
    """Every step of both sides, and where they meet."""
    blocks: list[Block] = []
    for side, steps in (("prediction", derivation.pred_steps), ("gold", derivation.gold_steps)):
        if not steps:
            blocks.append(Text(f"{side}: already in normal form"))
        blocks += step_blocks(side, steps, describe)
    return [*blocks, Text("Both are now"), Code("\n".join(lines_of(derivation.normal_form)))]


def step_blocks(side: str, steps: Sequence[v.Step], describe: Callable[[str], str]) -> list[Block]:
    """The steps of one side as diffs."""
    return [
        block
        for number, step in enumerate(steps, 1)
        for block in _step(f"{side}, step {number} of {len(steps)}: {step.rule}", step, describe)
    ]


def proof_blocks(proof: v.Proof, most: int | None = None) -> list[Block]:
    """Both normal forms, what was matched (the first so many), and how much a solver had to show."""
    pred, gold = in_words(proof.pred_form), in_words(proof.gold_form)
    if pred == gold:
        blocks: list[Block] = [Text("Both queries mean"), Code(pred)]
    else:
        blocks = [Text("The prediction means"), Code(pred), Text("The gold query means"), Code(gold)]
        told = [in_words(each) for each in proof.correspondences]
        # The whole, and what has one text on both sides, say no more than the forms.
        told = [
            each for each in told if {*each.split("  =  ")} not in ({pred, gold}, {each.split("  =  ")[0]})
        ]
        omitted = len(told[most:]) if most else 0
        lines = [*told[:most], *([f"… and {omitted} more, which equiv explain shows"] if omitted else [])]
        blocks += [Text("These are equal, because"), Code("\n".join(lines))] if lines else []
    number = len(proof.obligations)
    if number:
        claims = "1 claim" if number == 1 else f"{number} claims"
        blocks.append(Text(f"Z3 showed {claims}; --certificate writes them for another solver to check."))
    return blocks


def _step(title: str, step: v.Step, describe: Callable[[str], str]) -> list[Block]:
    kept = "" if step.under == "list" else f"preserves the result as a {step.under}"
    shown = remarks_on(describe(step.rule), step.facts, kept)
    return [diff_of(step.before, step.after, f"{title} ({shown})" if shown else title)]


def remarks_on(told: str, facts: Sequence[Fact], kept: str) -> str:
    """The remarks on a step: what it does, the facts that it rests on, and what it preserves."""
    rests = f"rests on {', '.join(map(fact_name, facts))}" if facts else ""
    return "; ".join(filter(None, (told.rstrip("."), rests, kept)))


def fact_name(fact: Fact) -> str:
    """A fact with its grade."""
    return f"{fact!s} ({fact.grade})"


LINES_SHOWN = 12
"""How many lines of a definition are shown before it is folded."""

ROWS_SHOWN = 20
"""How many rows of a table are shown; a witness has fewer."""

CELL_WIDTH = 200
"""How many characters of a cell are shown."""

COLUMNS_PERMUTED = 5
"""How many columns may stand in any order where the differing cells of results are looked for."""

NAME_WIDTH = 40
"""How many characters of a column's name are shown: SQLite calls an expression by its text."""


def show_cell(cell: Cell) -> str:
    """A cell as a SQL literal, so that 1, 1.0, '1' and NULL look different; long ones are cut."""
    text = str(cell) if isinstance(cell, PrintedParts) else sql_literal(cell)
    return text if len(text) <= CELL_WIDTH else f"{text[:CELL_WIDTH]}…"


SIDES = ("prediction", "gold query")
"""What the two queries of a pair are called."""


SCRIPT_SHOWN = 40
"""How many lines of a script are shown in short, and how many of its rows at all."""


def database_and_results(
    evidence: v.Witness | v.Execution,
    relation: Relation,
    sides: tuple[str, str] = SIDES,
    *,
    short: bool = False,
) -> list[Block]:
    """The database, both results side by side, and the database as SQL.

    Args:
        evidence: the database with both results.
        relation: by which the results are compared: the cells that differ are marked.
        sides: what the predicted query and the gold query are called.
        short: whether rows that foreign keys alone demand, and a long script, are told of alone.
    """
    blocks: list[Block] = []
    match evidence:
        case v.Execution() if few := evidence.on_few_rows:
            _, *rest = database_and_results(few, relation, sides, short=short)
            where = "" if any(rows for _, rows in few.tables.values()) else ", below as SQL"
            return [Text(f"On a few rows of the database {evidence.database}{where}:"), *rest]
        case v.Execution():
            blocks.append(Text(f"On the database {evidence.database}:"))
        case v.Witness():
            filled = {name: content for name, content in evidence.tables.items() if content[1]}
            # A record has the rows in the script alone.
            which = "the database below" if "\nINSERT INTO " in evidence.sql else "the empty database"
            blocks.append(Text(f"On {'this database' if filled else which}:"))
            told = {name: len(filled[name][1]) for name in filled if short and name in evidence.demanded}
            blocks += [rows_grid(name, *content) for name, content in filled.items() if name not in told]
            if told:
                names = ", ".join(f"{name} ({number})" for name, number in told.items())
                blocks.append(Text(f"Rows to which foreign keys refer, not shown: {names}"))
    if evidence.binding is not None and evidence.binding.values:
        text = ", ".join(f"{name} = {show_cell(value)}" for name, value in evidence.binding.values)
        blocks.append(Text(f"With {text}:"))
    blocks.append(_both(evidence, relation, sides))
    if isinstance(evidence, v.Witness) and short and evidence.sql.count("\n") > SCRIPT_SHOWN:
        blocks.append(Text(f"The database as SQL has {evidence.sql.count(chr(10))} lines; see --emit-sql."))
    elif isinstance(evidence, v.Witness):
        text = _folded(evidence.sql.strip())
        whole = "" if text == evidence.sql.strip() else " (in part; the whole: equiv check --emit-sql FILE)"
        blocks += [Text(f"The database as SQL{whole}:"), Code(text)]
    return blocks


def _folded(script: str) -> str:
    """A script with long definitions cut to their first line, and with its first rows alone."""
    told, rows = [], 0
    for statement in script.removesuffix(";").split(";\n"):
        is_row = statement.startswith("INSERT INTO ")
        rows += is_row
        if statement.count("\n") > LINES_SHOWN and not is_row:
            told.append(f"{statement.splitlines()[0].rstrip(' (')} (…)")
        elif not is_row or rows <= SCRIPT_SHOWN:
            told.append(statement)
    further = f"\n-- … {rows - SCRIPT_SHOWN} further rows" if rows > SCRIPT_SHOWN else ""
    return ";\n".join(told) + ";" * script.endswith(";") + further


def rows_grid(title: str, columns: Sequence[str], rows: Sequence[Row]) -> Grid:
    """A table's rows, cut after :data:`ROWS_SHOWN`."""
    shown = tuple(tuple(show_cell(cell) for cell in row) for row in rows[:ROWS_SHOWN])
    if len(rows) > ROWS_SHOWN:
        title = f"{title} (the first {ROWS_SHOWN} of {len(rows)} rows)"
    return Grid(title, tuple(columns), shown)


def _both(evidence: v.Witness | v.Execution, relation: Relation, names: tuple[str, str]) -> Beside:
    marks = _marks(evidence, relation)
    sides = zip(
        names,
        (evidence.pred_rows, evidence.gold_rows),
        (evidence.pred_columns, evidence.gold_columns),
        marks,
        (evidence.pred_error, evidence.gold_error),
        strict=True,
    )
    left, right = (
        Grid(f"the {side} raises an error: {error}", (), ())
        if error
        else _result(
            side, rows, columns, own, cut=isinstance(evidence, v.Execution) and len(rows) >= v.EXECUTION_ROWS
        )
        for side, rows, columns, own, error in sides
    )
    return Beside(left, right)


def _result(side: str, rows: Sequence[Row], names: Sequence[str], marks: Marks, *, cut: bool) -> Grid:
    number = "no row" if not rows else "1 row" if len(rows) == 1 else f"{len(rows)} rows"
    grid = rows_grid(f"the {side} returns {'at least ' if cut else ''}{number}", _headings(rows, names), rows)
    places = {(row, column) for row, own in enumerate(marks[:ROWS_SHOWN]) for column in own}
    return Grid(grid.title, grid.columns, grid.rows, frozenset(places))


def _headings(rows: Sequence[Row], names: Sequence[str]) -> list[str]:
    """What stands above the columns of a result: their names, or positions where these are not known."""
    width = len(rows[0]) if rows else len(names)
    known = names if len(names) == width else ("",) * width
    cut = [name if len(name) <= NAME_WIDTH else f"{name[:NAME_WIDTH]}…" for name in known]
    return [name or f"column {position}" for position, name in enumerate(cut, 1)]


def _marks(evidence: v.Witness | v.Execution, relation: Relation) -> tuple[Marks, Marks]:
    """The cells that differ; none where only the first rows are known, since others may be what differs."""
    pred, gold = evidence.pred_rows, evidence.gold_rows
    if evidence.pred_error or evidence.gold_error:
        return [[] for _ in pred], [[] for _ in gold]
    if isinstance(evidence, v.Execution) and max(len(pred), len(gold)) >= v.EXECUTION_ROWS:
        return [[] for _ in pred], [[] for _ in gold]
    width = len(gold[0]) if gold else 0
    places = [tuple(range(width))]
    if relation.columns is Columns.ANY and pred and len(pred[0]) == width <= COLUMNS_PERMUTED:
        places = list(permutations(range(width)))
    return min((_marked(pred, gold, order, relation) for order in places), key=_number)


def _marked(
    pred: Sequence[Row], gold: Sequence[Row], order: Sequence[int], relation: Relation
) -> tuple[Marks, Marks]:
    """The cells that differ if the columns of the gold result stand in some order."""
    turned = [tuple(row[place] for place in order) for row in gold]
    ordered, repeated = relation.rows is Rows.LIST, relation.rows is not Rows.SET
    ours, theirs = differing_cells(pred, turned, ordered=ordered, repeated=repeated, same=same_cell)
    return ours, [sorted(order[place] for place in row) for row in theirs]


def _number(marks: tuple[Marks, Marks]) -> int:
    return sum(len(row) for side in marks for row in side)


@dataclass(frozen=True)
class Replay:
    """A script that shows results on the database of a verdict."""

    text: str
    database: Path | None
    """The populated database that it runs on; None: a fresh one."""
    engine: DialectEngine
    """The engine whose shell runs it."""


def replays_of(item: Item, place: Place, verdict: v.Verdict) -> list[Replay]:
    """The script that shows both results on the verdict's database; none if there is no database.

    Of a populated database it has the few rows that are shown, if there are some.  Across dialects there is
    one script for the prediction and one for the gold query; of a populated database, which is a file of one
    engine, that engine's query alone.
    """
    dialect = dialect_named(verdict.dialect)
    pred, gold = sides_of(dialect)
    match verdict:
        case v.NotEquivalent(evidence=v.Execution(on_few_rows=v.Witness() as few)) if pred is gold:
            return [_on_fresh_rows(pred, few.sql, _queries(item, few.binding))]
        case v.NotEquivalent(evidence=v.Witness() as witness) | v.Undecided(evidence=v.Witness() as witness):
            queries = _queries(item, witness.binding)
            if pred is gold:
                return [_on_fresh_rows(pred, witness.sql, queries)]
            scripts = zip((pred, gold), parted(witness.sql), queries, strict=True)
            return [_on_fresh_rows(dialect, script, [query]) for dialect, script, query in scripts]
        case v.NotEquivalent(evidence=v.Execution(binding=binding)):
            giver = giver_of(dialect)
            sides = zip((pred, gold), _queries(item, binding), strict=True)
            queries = [query for side, query in sides if side is giver]
            return [Replay("".join(_shown(queries, giver.engine)), place.database, giver.engine)]
    return []


def _on_fresh_rows(dialect: Dialect, script: str, queries: list[tuple[str, str]]) -> Replay:
    head = f"-- The queries differ here on {dialect.title} {dialect.engine.version}.\n"
    text = head + script.rstrip() + "\n" + "".join(_shown(queries, dialect.engine))
    return Replay(text, None, dialect.engine)


def _queries(item: Item, binding: v.ParameterBinding | None) -> list[tuple[str, str]]:
    """Both queries, each with what it is, with values in the places of their parameters."""
    pred, gold = item.predicted_sql, item.gold_sql
    if binding is not None:
        pred, gold = binding.pred_sql, binding.gold_sql
    return [("prediction", pred), ("gold", gold)]


def _shown(queries: list[tuple[str, str]], engine: DialectEngine) -> Iterator[str]:
    for title, sql in queries:
        yield f"\nSELECT '{title}:';\n{_statement(sql, engine)}"


def _statement(sql: str, engine: DialectEngine) -> str:
    """The query as the engine's shell takes it; one that could pass for a shell command is left out."""
    if not engine.is_plain_in_shell(sql):
        return "SELECT 'left out: a line of the query looks like a command of the shell';\n"
    return sql.rstrip().rstrip(";") + "\n;\n"
