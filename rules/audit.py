"""Runs every pair of :mod:`.esm_plus` and writes what comes of it: ``python -m equiv.rules.audit``.

Written are docs/esm-plus-audit.md and the golden file of the same cases.  The
witnesses on the page are those that the run found and replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import equiv
from equiv.cells import Row
from equiv.rules.esm_plus import PROVED, AuditedPair, Entry, listed
from equiv.verdict import Equivalent, NotEquivalent, Undecided, Verdict, Witness

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "esm-plus-audit.md"
GOLDEN = ROOT / "tests" / "golden" / "esm_plus"
EFFORT = 300
"""How many generated databases may be tried on a pair."""

HEAD = """\
# Audit of ESM+

Written by `python -m equiv.rules.audit`; change `rules/esm_plus.toml` instead. ESM+ (arXiv 2407.07313)
equates queries by 20 rules under assumptions about the schema (its Table 1), after 8 fixes of its predecessor
(its appendix A.1). Each row rests on a pair of queries that was run on a schema where the paper's assumption
holds, under bag comparison and with the facts that the schema intends. The same pairs are golden cases
(`tests/golden/esm_plus/`).

## The rules

*Sound as stated* is "no" where a database that keeps the assumption distinguishes the two queries: the
witness, replayed on a fresh SQLite. Where the assumption is not enough, there is a golden case too in which
the condition used here holds and the pair is proved. *Where unsound* says whether SQL in general or only
SQLite's typing, which compares values of different types and stores any type in any column, makes it so.
"""

FIXED = """
## The fixes

What the predecessor does is taken from the paper (sections 3.1 to 3.3 and appendix A.1), not from a run of
it. It takes two queries for one, reads a query wrongly, or fails on it, which counts as no match. Where it
takes two for one that differ, the witness shows that they do.
"""

ETM = """
## ETM

ETM (the later version of arXiv 2407.07313, *Future Internet* 17(8)) has 26 rules over trees and 9 that only
spell alike (names, aliases, order, parentheses). Its rules 1 to 7, 10 to 14 and 18 to 23 are those above.
New are:

| rule | as stated | here |
|---|---|---|
| **8** `CAST(SUM(c) AS REAL) / COUNT(*)` and `AVG(c)`, c NOT NULL | sound | \
`convert_average_to_quotient`, `convert_real_quotient`, `convert_count_to_star` |
| **9** `COUNT(CASE WHEN p THEN 1 END)` and `SUM(CASE WHEN p THEN 1 ELSE 0 END)` | \
not over no rows, where SUM is NULL | \
`convert_sum_to_count`, `convert_divided_sum_to_count`; `COALESCE(SUM(…), 0)` by proof |
| **15** `SUBSTR(c, 1, 4) = '2012' AND SUBSTR(c, 5, 2) BETWEEN '01' AND '06'` and \
`c BETWEEN '201201' AND '201206'` | \
not of shorter or longer texts, such as '2012060' | none: no fact says how long a text is |
| **16** `c LIKE 'test%'` and `SUBSTR(c, 1, 4) = 'test'` | not with letters, whose case LIKE ignores | \
`convert_prefix_pattern_to_slice`, of text, where the prefix has no letter |
| **17** `ORDER BY julianday(d)` and `ORDER BY d` | only of dates in one form | \
`eliminate_julian_day_of_term`, for `iso_date(d)` |
| **24** `IIF` and `CASE` | sound | `convert_iif_to_case` |
| **25** `LEFT JOIN … WHERE b.x IS NULL` and `NOT IN` | not if x or a member of IN may be NULL otherwise | \
`convert_anti_join_to_not_exists`, `convert_not_in_to_not_exists` |
| **26** `WITH` and the query in its place | not if it is read twice and leaves a choice | `inline_cte` |
"""


class DisagreementError(Exception):
    """A pair does not come out as its entry says."""


def run(pair: AuditedPair) -> Verdict:
    """The verdict on a pair.

    Raises:
        DisagreementError: it is not the one that the entry names.
    """
    found = equiv.check(
        pair.pred,
        pair.gold,
        schema=pair.ddl,
        relation=pair.relation,
        assume=pair.assume,
        effort=EFFORT,
        timeout=None,
    )
    words = [found.name]
    if isinstance(found, Undecided):
        words.append(found.reason)
    elif isinstance(found, Equivalent | NotEquivalent):
        words.append(f"by={found.tier}")
    if " ".join(words) != pair.verdict:
        raise DisagreementError(f"{pair.pred} / {pair.gold}: {' '.join(words)}, not {pair.verdict}")
    return found


def page(entries: Iterable[Entry]) -> str:
    """The page on some entries, as Markdown."""
    found = list(entries)
    rules = [entry for entry in found if not entry.predecessor]
    fixes = [entry for entry in found if entry.predecessor]
    titles = ("rule", "assumption in the paper", "sound as stated", "where unsound", "witness")
    lines = [HEAD, *_table((*titles, "condition used here", "here"), map(_of_rule, rules))]
    lines += [FIXED, *_table(("fix", "its predecessor", "here", "witness"), map(_of_fix, fixes))]
    return "\n".join(lines) + "\n" + ETM


def _table(titles: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    head = [f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    return head + [f"| {' | '.join(cells)} |" for cells in rows]


def _of_rule(entry: Entry) -> Iterator[str]:
    yield f"**{entry.number}** {_escaped(entry.about)}"
    yield _escaped(entry.assumption)
    yield _answer(entry)
    yield _escaped(entry.where) or "nowhere"
    yield _shown(entry)
    yield _escaped(entry.condition)
    yield ", ".join(f"`{name}`" for name in entry.rules) or f"settled by {entry.settled_by}"


def _of_fix(entry: Entry) -> Iterator[str]:
    yield f"**{entry.number}** {_escaped(entry.about)}"
    yield _escaped(entry.predecessor)
    condition = "" if entry.condition == "none" else f"; {_escaped(entry.condition)}"
    yield f"settled by {entry.settled_by}: {_escaped(entry.why)}{condition}"
    yield _shown(entry)


def _shown(entry: Entry) -> str:
    """The witnesses of an entry; its other pairs are run as well."""
    if entry.as_used is not None:
        run(entry.as_used)
    found = [(pair, run(pair)) for pair in (entry.as_stated, *entry.also)]
    shown = [
        _witness(pair, verdict.evidence)
        for pair, verdict in found
        if isinstance(verdict, NotEquivalent) and isinstance(verdict.evidence, Witness)
    ]
    return "<br><br>".join(shown) or "none"


def _answer(entry: Entry) -> str:
    sound = entry.as_stated.verdict == PROVED
    return f"{'yes' if sound else 'no'}: {_escaped(entry.why)}"


def _witness(pair: AuditedPair, witness: Witness) -> str:
    """The pair, the rows of the database and both results."""
    stored = [
        f"{table}({', '.join(columns)}) = {_rows(rows)}" for table, (columns, rows) in witness.tables.items()
    ]
    first, second = (
        f"`{_escaped(sql)}` → {_rows(rows)}"
        for sql, rows in ((pair.pred, witness.pred_rows), (pair.gold, witness.gold_rows))
    )
    return "<br>".join([*stored, first, second])


def _rows(rows: Iterable[Row]) -> str:
    return ", ".join(f"({', '.join(map(_cell, row))})" for row in rows) or "no row"


def _cell(value: object) -> str:
    return "NULL" if value is None else _escaped(repr(value))


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def golden(entries: Iterable[Entry]) -> str:
    """The golden file of some entries."""
    parts = ["# Written by `python -m equiv.rules.audit` from rules/esm_plus.toml.\n"]
    for entry in entries:
        parts += [_case(entry, pair, entry.why) for pair in (entry.as_stated, *entry.also)]
        if entry.as_used is not None:
            parts.append(_case(entry, entry.as_used, entry.condition))
    return "\n".join(parts)


def _case(entry: Entry, pair: AuditedPair, comment: str) -> str:
    note = f": {comment}" if comment else ""
    title = f"# ESM+ {entry.number}, {entry.about}{note}."
    queries = f"{pair.pred}\n----\n{pair.gold}\n----\n{pair.verdict}\n"
    ddl = pair.ddl.replace("; ", ";\n")
    facts = "".join(f" assume='{fact}'" for fact in pair.assume)
    return f"schema{facts}\n{ddl}\n----\n\n{title}\ndecide relation={pair.relation}\n{queries}"


FILES = {name: listed(name) for name in ("table_1", "fixes", "limitations")}
"""The golden files, and what each holds."""


def main() -> None:
    """Write the page and the golden files."""
    PAGE.write_text(page((*FILES["table_1"], *FILES["fixes"])), encoding="utf-8")
    GOLDEN.mkdir(exist_ok=True)
    for name, entries in FILES.items():
        (GOLDEN / f"{name}.sql").write_text(golden(entries), encoding="utf-8")


if __name__ == "__main__":
    main()
