"""The page of a report: a template filled by Jinja, which escapes all text that it is given.

A page may load nothing and run nothing but its own style and script, whose hashes its content security
policy names (https://www.w3.org/TR/CSP3/): what is not this very script does not run even if it got in.

A chart is handed to the template as geometry, positions in percent of its width, which are drawn as SVG.
The pairs of a report are JSON, small enough for a browser; what does not fit is counted.  Each text is kept
once, in a pool, and stands in the details of a pair by its number: derivations repeat queries and pairs
repeat facts, so that this saves more than half of a page.  Cells are written as SQL literals, facts in
their notation, scripts as statements.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from equiv.core.single_values import sql_literal
from equiv.core.texts import statements
from equiv.errors import InputError
from equiv.eval.metrics.scores import Measured, PairId, Portion, pair_of, text_of
from equiv.eval.report_parts import Heat, rules_of
from equiv.eval.sections import SectionedReport
from equiv.files import FileErrors, own_file, source_hash
from equiv.records.record import Record, versions
from equiv.records.verdict_json import FACT
from equiv.show.differences import Marks, changed_words, differing_cells
from equiv.show.page import Grid, escape
from equiv.show.terminal import is_numeric
from equiv.show.verdicts import KEPT, attempt_words
from equiv.verdict import EXECUTION_ROWS, Difference, Reason

if TYPE_CHECKING:
    from jinja2 import Environment


COLOURS = {
    "equivalent": "good",
    "not_equivalent": "bad",
    "undecided": "open",
    "invalid": "void",
    "1": "good",
    "0": "bad",
}
"""The class of a kind of pairs in the style sheet."""

SHADES = 10
"""How many shades a cell of a heat map may have beside the lightest."""


def _words_of(portions: tuple[Portion, ...]) -> str:
    """The shares of a group in a line."""
    if not any(portion.known for portion in portions):
        return "not measured"
    shares = (f"{100 * p.share:.1f}" if p.known else "-" for p in portions)
    return " \N{MIDDLE DOT} ".join(shares)


def shade_rows(chart: Heat) -> list[list[tuple[str, int | None]]]:
    """The cells of a heat map with their shades, 0 to :data:`SHADES`, spread over what occurs."""
    known = [share for row in chart.shades for share in row if share is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    reach = (high - low) or 1.0
    return [
        [
            (cell, None if share is None else round(SHADES * (share - low) / reach))
            for cell, share in zip(cells, shares, strict=True)
        ]
        for cells, shares in zip(chart.grid.rows, chart.shades, strict=True)
    ]


FOLDED = frozenset({"tables"})
"""The sections of which all tables but the first are folded."""

TABLE_TEXT = 1_000
"""How many characters of a text stand in tables and headings."""

LONG = 40
"""Characters from which a column of a table is one of long texts."""


def prepare(path: Path) -> None:
    """Import and load whatever a page needs, so that it fails before the long work, not after it.

    Raises:
        InputError: there is no such folder, or Jinja is not installed.
    """
    environment()
    if not path.absolute().parent.is_dir():
        raise InputError(f"{path}: there is no folder {path.parent}")


def write_page(path: Path, report: SectionedReport) -> int:
    """Write the page of a report; its size in bytes.

    Raises:
        InputError: the file cannot be written, or Jinja is not installed.
    """
    return write_text(path, page_of(report))


def write_text(path: Path, text: str) -> int:
    """Write the text of a page; its size in bytes.

    Raises:
        InputError: the file cannot be written.
    """
    written = text.encode()
    with FileErrors(path):
        path.write_bytes(written)
    return len(written)


def page_of(report: SectionedReport) -> str:
    """The page as text.

    Raises:
        InputError: Jinja is not installed.
    """
    payload = payload_of(report.records, report.measures, report.whole)
    return rendered(
        "page.html",
        ["page.css"],
        "page.js",
        title=report.title,
        data=payload.text,
        sections=report.sections,
        pairs=len(report.records),
        remarks=payload.remarks,
        places=payload.places,
    )


def rendered(template: str, styles: Sequence[str], script: str, data: str = "", **filled: object) -> str:
    """A page with styles and script, files of this folder into which nothing is filled, and escaped data.

    Raises:
        InputError: Jinja is not installed.
    """
    found = environment().get_template(template)
    from markupsafe import Markup

    style, code = "".join(own_file(__file__, name) for name in styles), own_file(__file__, script)
    whole = {"style": style, "script": code, "data": data}
    marked = {name: Markup(text) for name, text in whole.items()}  # noqa: S704
    return found.render(policy=policy_of(style, code), versions=versions(), **marked, **filled)


def policy_of(style: str, script: str) -> str:
    """The content security policy under which this style and this script alone count."""
    return (
        "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none';"
        f" style-src '{source_hash(style)}'; script-src '{source_hash(script)}'"
    )


@cache
def environment() -> Environment:
    """The templates of this folder.

    Raises:
        InputError: Jinja is not installed.
    """
    try:
        from jinja2 import Environment, FunctionLoader, StrictUndefined
    except ModuleNotFoundError:
        raise InputError("an HTML report needs Jinja: pip install -e '.[eval]'") from None
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(partial(own_file, __file__)),
        finalize=_shown,
    )
    made.globals |= {
        "kind_of": lambda part: type(part).__name__,
        "percent": lambda share: round(100 * share, 2),
        "words_of": _words_of,
        "shade_rows": shade_rows,
        "colours": COLOURS,
        "zip": zip,
        "styles": _styles,
        "folded": lambda section, number: section.name in FOLDED and number > 0,
    }
    return made


def shortened(text: str, width: int) -> str:
    """The first characters of a text, and how many more it has, if it has."""
    return text if len(text) <= width else f"{text[:width]}… ({len(text) - width:,} more characters)"


def shown_text(text: str, width: int) -> str:
    """A text, shortened, with its hidden characters written out."""
    text = shortened(text, width)
    return text if text.isprintable() else escape(text, keep="\n\t")


def _shown(value: object) -> object:
    """Text with its hidden characters written out and not too long, before it is escaped."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return shown_text(value, TABLE_TEXT)
    return value


def _styles(grid: Grid) -> list[str]:
    """The class of each column: of numbers, of long texts, or none."""
    columns = [[row[place] for row in grid.rows] for place in range(len(grid.columns))]
    return [
        "number" if is_numeric(cells) else "long" if max(map(len, cells)) > LONG else "" for cells in columns
    ]


TEXT_LENGTH = 20_000
"""How many characters of a text a page holds."""


class TextPool:
    """Texts with hidden characters written out, so that none can turn the page's text around."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}
        self.size = 0
        """Characters so far."""
        self.cut = 0
        """How many texts were cut."""

    def add(self, text: str) -> int:
        """The number of a text."""
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.texts)
            self.cut += len(text) > TEXT_LENGTH
            shown = shown_text(text, TEXT_LENGTH)
            self.texts.append(shown)
            self.size += len(shown)
        return number

    def shown(self, text: str) -> str:
        """A text as the page has it."""
        return self.texts[self.add(text)]


CELL_WIDTH = 200
"""How many characters of a cell are shown."""


def cell_text(cell: Any) -> str:
    """A cell of a record as the SQL literal that it stands for; a long one is cut, and says so."""
    match cell:
        case {"blob": str(digits)}:
            text = f"x'{digits}'"
        case {"real": str(number)}:
            text = "-9e999" if number.startswith("-") else "9e999"
        case None | int() | float() | str():
            text = sql_literal(cell)
        case _:
            text = str(cell)
    return shortened(text, CELL_WIDTH)


def cell_key(cell: Any) -> Hashable:
    """A key of a cell: equal cells have equal keys (1 and 1.0), others do not (1 and '1')."""
    return cell if cell is None or isinstance(cell, int | float | str) else str(cell)


def fact_text(fact: Any) -> str:
    """A fact of a record as ``--assume`` writes it, with its grade; one that is not known as it stands."""
    if not FACT.holds(fact):
        return str(fact)
    known = FACT.read(fact)
    return f"{known!s} ({known.grade})"


def inserts_and_others(script: str) -> tuple[list[str], list[str]]:
    """The statements of a witness: those that make rows, and the others."""
    found = [statement.strip() for statement in statements(script)]
    rows = [statement for statement in found if statement[:6].upper() == "INSERT"]
    return rows, [statement for statement in found if statement and statement[:6].upper() != "INSERT"]


ROWS_SHOWN = 20
COLUMNS_SHOWN = 30
STEPS_SHOWN = 60
"""How many rows and columns of a result, and steps of a derivation, a page holds of one pair."""

Detail = dict[str, Any]


def detail_of(record: Record, pool: TextPool) -> Detail:
    """The details of a pair beyond its line in the list, without empty fields."""
    add = pool.add
    detail: Detail = {
        "key": add(record["key"]),
        "relation": add(record["relation"]),
        "hint": _text(record["hint"], pool),
        "label": _text(record["label"], pool),
        "why": _text(record["detail"], pool),
        "failure": _text(record["failure_code"], pool),
        "parts": _parts(record.get("parts"), pool),
        "tried": _text(record.get("databases") or None, pool),
        "bounded": _text((record["bounded"] or {}).get("rows"), pool),
        "strongest": _text(record.get("strongest"), pool),
        "weakest": _text(record.get("weakest"), pool),
        "confirmed": _text(record.get("confirmed"), pool),
        "facts": [add(fact_text(fact)) for fact in record["facts"]],
        "dropped": [add(fact_text(fact)) for fact in record["facts_dropped"]],
        "conditions": [_condition(one, pool) for one in record["equivalent_if"]],
        "remarks": [[add(one["side"]), add(one["text"])] for one in record.get("remarks", ())],
        "faults": [add(fault["text"]) for fault in record.get("faults", ())],
        "golds": [add(gold["sql"]) for gold in record.get("golds", ())],
        "attempts": [_attempt(attempt, pool) for attempt in record["attempts"]],
        "diff": changed_words(pool.shown(record["predicted_sql"]), pool.shown(record["gold_sql"])),
        "evidence": _evidence(record["evidence"], record["relation"], pool),
        "caveat": _caveat(record, pool),
        "replies": _replies(record, pool),
    }
    return {name: value for name, value in detail.items() if value not in (None, [], {})}


def _text(value: object, pool: TextPool) -> int | None:
    return None if value is None or value == "" else pool.add(str(value))


def _parts(parts: Any, pool: TextPool) -> list[int]:
    """What the prediction and the gold query alone hold once they are rewritten."""
    return [pool.add(parts[side] or "(nothing)") for side in ("pred", "gold")] if parts else []


def _attempt(attempt: Any, pool: TextPool) -> list[int]:
    told = attempt_words(*(str(attempt[name]) for name in ("tier", "outcome", "reason")))
    return [pool.add(str(text)) for text in (attempt["tier"], *told, f"{float(attempt['ms']):.1f}")]


def _condition(condition: Any, pool: TextPool) -> list[int]:
    kept = KEPT[condition["satisfied"]]
    if condition.get("observed"):
        kept += "; --facts observed proves the pair"
    return [pool.add(condition["fact"]), pool.add(kept)]


def _caveat(record: Record, pool: TextPool) -> Detail | None:
    """What is told first of an equivalence that holds in exact arithmetic alone."""
    caveat = record.get("caveat")
    if not caveat:
        return None
    places = "; ".join(caveat["places"])
    evidence = _evidence(caveat["evidence"], record["relation"], pool)
    return {"places": pool.add(places), **({"evidence": evidence} if evidence else {})}


def _replies(record: Record, pool: TextPool) -> list[list[int]]:
    """What the roles of a judge said: role, decision and reason."""
    said = {
        ("prover", True): "passes the prediction",
        ("prover", False): "rejects the prediction",
        ("refuter", True): "overturns the pass",
        ("refuter", False): "upholds the prediction",
    }
    replies = []
    for role, field in (("prover", "verdict"), ("refuter", "overturn")):
        if reply := record[f"{role}_result"]:
            decision = said.get((role, bool(reply.get(field))), "")
            replies.append([pool.add(role), pool.add(decision), pool.add(str(reply.get("reason") or ""))])
    return replies


def _evidence(evidence: Any, relation: str, pool: TextPool) -> Detail | None:
    match evidence:
        case {"kind": "derivation" | "proof" as kind, "steps": steps}:
            detail: Detail = {"kind": kind, "steps": [_step(step, pool) for step in steps[:STEPS_SHOWN]]}
            detail["more"] = max(len(steps) - STEPS_SHOWN, 0)
            for name in ("normal_form", "pred_form", "gold_form"):
                if name in evidence:
                    detail[name] = pool.add(evidence[name])
            detail["matches"] = [pool.add(one) for one in evidence.get("correspondences", ())]
            detail["claims"] = [pool.add(one["text"]) for one in evidence.get("obligations", ())]
            return detail
        case {"kind": "execution", "few": {**few}}:
            names = ("database", "binding", "pred_columns", "gold_columns")
            return _evidence({**few, **{name: evidence[name] for name in names}}, relation, pool)
        case {"kind": "witness" | "execution" as kind}:
            return {"kind": kind, **_database(evidence, pool), **_results(evidence, relation, pool)}
    return None


def _step(step: Any, pool: TextPool) -> list[Any]:
    texts = (step["side"], step["rule"], step["before"], step["after"], step["under"])
    return [*map(pool.add, texts), [pool.add(fact_text(fact)) for fact in step["facts"]]]


def _database(evidence: Any, pool: TextPool) -> Detail:
    found: Detail = {}
    if "database" in evidence:
        found["database"] = pool.add(str(evidence["database"]))
    if script := evidence.get("sql"):
        rows, schema = inserts_and_others(script[:TEXT_LENGTH])
        if len(script) > TEXT_LENGTH:
            schema.append(f"-- {len(script) - TEXT_LENGTH:,} more characters")
        found |= {"rows": pool.add("\n".join(rows)), "schema": pool.add("\n".join(schema))}
    if binding := evidence.get("binding"):
        values = ", ".join(f"{name} = {cell_text(cell)}" for name, cell in binding["values"].items())
        found["binding"] = pool.add(values)
    return found


def _results(evidence: Any, relation: str, pool: TextPool) -> Detail:
    """Both results as far as they are shown, and the cells that distinguish them."""
    sides = [evidence[name] for name in ("pred_rows", "gold_rows")]
    marks = _marks(sides, relation, whole=evidence["kind"] == "witness")
    return {
        name: {
            "rows": [
                [pool.add(cell_text(cell)) for cell in row[:COLUMNS_SHOWN]] for row in rows[:ROWS_SHOWN]
            ],
            "marks": [[place for place in row if place < COLUMNS_SHOWN] for row in own[:ROWS_SHOWN]],
            "more": max(len(rows) - ROWS_SHOWN, 0),
            "columns": max(map(len, rows), default=0),
            "names": [pool.add(column) for column in evidence.get(f"{name}_columns", ())[:COLUMNS_SHOWN]],
            **({"error": pool.add(error)} if (error := evidence.get(f"{name}_error")) else {}),
        }
        for name, rows, own in zip(("pred", "gold"), sides, marks, strict=True)
    }


def _marks(sides: Sequence[Any], relation: str, *, whole: bool) -> tuple[Marks, Marks]:
    """The differing cells; none where only the first rows are known, since the others may be what differs."""
    if not whole and max(map(len, sides)) >= EXECUTION_ROWS:
        return [[] for _ in sides[0]], [[] for _ in sides[1]]
    one, other = ([[cell_key(cell) for cell in row] for row in rows] for rows in sides)
    rows = relation.partition("/")[0]
    return differing_cells(one, other, ordered=rows == "list", repeated=rows != "set")


PAIRS = 20_000
"""How many pairs a page lists."""

CHARACTERS = 40_000_000
"""How large the pairs of a page may be; the details of further ones are left out."""

LINE = (
    *("key", "system", "database", "question id", "question", "difficulty"),
    *("verdict", "tier", "reason", "difference", "failure", "score_by", "score"),
)
"""The fields of a pair's line in the list, in order: texts."""


Scores = Mapping[PairId, bool]


@dataclass(frozen=True, slots=True)
class Payload:
    """The pairs of a page: their lines, details and texts."""

    text: str
    """JSON that may stand in a script element: it has no ``<``, ``>`` or ``&``."""
    remarks: tuple[str, ...]
    """What was cut or left out."""
    places: Mapping[str, int]
    """Where the pair of a record's key stands in the list."""


def payload_of(
    records: Sequence[Record],
    measures: Sequence[Measured],
    whole: Callable[[Record], Record] = lambda record: record,
) -> Payload:
    """The pairs to list, those first that are worth a look; the list is in the order of the records again.

    Args:
        records: what is counted of each pair.
        measures: the metrics.
        whole: gives all that is known of one of these pairs.
    """
    pool = TextPool()
    scores = [measured.scores for measured in measures]
    by_rank = sorted(range(len(records)), key=[_rank(record, scores) for record in records].__getitem__)[
        :PAIRS
    ]
    chosen = sorted(by_rank)
    lines = {place: _line(records[place], scores, pool) for place in chosen}
    details: dict[int, str] = {}
    size = sum(len(str(line)) for line in lines.values())
    for place in by_rank:
        if size + pool.size > CHARACTERS:
            break
        details[place] = _json(detail_of(whole(records[place]), pool))
        size += len(details[place])
    listed = ",\n".join(f"[{_json(lines[place])},{details.get(place, 'null')}]" for place in chosen)
    names = {
        "fields": LINE,
        "metrics": [pool.shown(measured.name) for measured in measures],
        "meanings": {each.value: each.says for each in (*Difference, *Reason)},
    }
    text = f'{{"names":{_json(names)},\n"pairs":[{listed}],\n"pool":{_json(pool.texts)}}}'
    places = {str(records[place]["key"]): number for number, place in enumerate(chosen)}
    return Payload(text, tuple(_remarks(len(records), len(chosen), len(details), pool.cut)), places)


def _rank(record: Record, scores: Sequence[Scores]) -> int:
    """What is looked at first: disagreements between metrics, then what is open, then refutations."""
    pair = pair_of(record)
    if len({own[pair] for own in scores if pair in own}) > 1:
        return 0
    order = {"undecided": 1, "not_equivalent": 2, "invalid": 3}
    return order.get(record["verdict"], 4)


def _line(record: Record, scores: Sequence[Scores], pool: TextPool) -> list[Any]:
    fields = (
        *(record["key"], record["source"], record["db_id"], text_of(record["question_id"])),
        *(record["question"], text_of(record["difficulty"])),
        *(record["verdict"], record["tier"] or "-", record["reason"] or "-", record["difference"] or "-"),
        *(record["failure_code"] or "-", record["score_by"] or "-", text_of(record["score"])),
    )
    pair = pair_of(record)
    told = "".join({True: "1", False: "0", None: "-"}[own.get(pair)] for own in scores)
    rules = sorted({pool.add(rule) for rule in rules_of(record)})
    queries = (pool.add(record["predicted_sql"]), pool.add(record["gold_sql"]))
    return [*(pool.add(str(field)) for field in fields), *queries, told, rules]


def _json(value: Any) -> str:
    """JSON in ASCII without the signs that mean something in HTML."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _remarks(pairs: int, listed: int, detailed: int, cut: int) -> list[str]:
    remarks = []
    if listed < pairs:
        remarks.append(
            f"Listed are {listed:,} of {pairs:,} pairs: those that metrics disagree on come first, then what"
            " is undecided, then refutations. All tables count every pair."
        )
    if detailed < listed:
        remarks.append(
            f"Of {listed - detailed:,} pairs only the line is here; the results file has the rest."
        )
    if cut:
        remarks.append(f"{cut:,} texts of more than {TEXT_LENGTH:,} characters are cut.")
    return remarks
