"""Runs every pair of :mod:`rules.esm_plus` and writes what comes of it: ``python -m rules.audit``.

Written are docs/esm-plus-audit.md and the golden file of the same cases.  The
witnesses on the page are those that the run found and replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import equiv
from equiv.verdict import Equivalent, NotEquivalent, Row, Undecided, Verdict, Witness

from .esm_plus import FIXES, LIMITATIONS, PROVED, TABLE_1, Entry, Pair

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "esm-plus-audit.md"
GOLDEN = ROOT / "tests" / "golden" / "esm_plus"
EFFORT = 300
"""How many generated databases may be tried on a pair."""

HEAD = """\
# Audit of ESM+

Written by `python -m rules.audit`; change `rules/esm_plus.py` instead. ESM+ (arXiv 2407.07313) equates
queries by 20 rules under assumptions about the schema (its Table 1), after 8 fixes of its predecessor (its
appendix A.1). Each row rests on a pair of queries that was run on a schema where the paper's assumption
holds, under bag comparison and with the facts that the schema intends. *Sound as stated* is "no" where a
database that keeps the assumption tells the two queries apart: the witness, replayed on a fresh SQLite. The
same pairs are golden cases (`tests/golden/esm_plus/`); where the assumption is not enough, there is a case
too in which the condition used here holds and the pair is proved. For a fix, the witness is of two queries
that its predecessor took for one.
"""


class DisagreementError(Exception):
    """A pair does not come out as its entry says."""


def run(pair: Pair) -> Verdict:
    """The verdict on a pair.

    Raises:
        DisagreementError: it is not the one that the entry names.
    """
    found = equiv.check(
        pair.pred, pair.gold, schema=pair.ddl, relation=pair.relation, effort=EFFORT, timeout=None
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
    titles = ("rule", "assumption in the paper", "sound as stated", "witness", "condition used here", "here")
    lines = [HEAD, f"| {' | '.join(titles)} |", f"|{'---|' * len(titles)}"]
    lines += [f"| {' | '.join(_cells(entry))} |" for entry in entries]
    return "\n".join(lines) + "\n"


def _cells(entry: Entry) -> Iterator[str]:
    verdict = run(entry.as_stated)
    if entry.as_used is not None:
        run(entry.as_used)
    evidence = verdict.evidence if isinstance(verdict, NotEquivalent) else None
    witness = _witness(entry.as_stated, evidence) if isinstance(evidence, Witness) else "none"
    yield f"**{entry.number}** {_escaped(entry.about)}"
    yield _escaped(entry.assumption) or "a fix, no assumption"
    yield _answer(entry)
    yield witness
    yield _escaped(entry.condition)
    yield ", ".join(f"`{name}`" for name in entry.rules) or f"settled by {entry.settled_by}"


def _answer(entry: Entry) -> str:
    if not entry.assumption:
        return f"yes: {_escaped(entry.why)}"
    sound = entry.as_stated.verdict == PROVED
    return f"{'yes' if sound else 'no'}: {_escaped(entry.why)}"


def _witness(pair: Pair, witness: Witness) -> str:
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
    parts = ["# Written by `python -m rules.audit` from rules/esm_plus.py.\n"]
    for entry in entries:
        parts.append(_case(entry, entry.as_stated, entry.why))
        if entry.as_used is not None:
            parts.append(_case(entry, entry.as_used, entry.condition))
    return "\n".join(parts)


def _case(entry: Entry, pair: Pair, comment: str) -> str:
    note = f": {comment}" if comment else ""
    title = f"# ESM+ {entry.number}, {entry.about}{note}."
    queries = f"{pair.pred}\n----\n{pair.gold}\n----\n{pair.verdict}\n"
    ddl = pair.ddl.replace("; ", ";\n")
    return f"schema\n{ddl}\n----\n\n{title}\ndecide relation={pair.relation}\n{queries}"


FILES = {"table_1": TABLE_1, "fixes": FIXES, "limitations": LIMITATIONS}
"""The golden files, and what each holds."""


def main() -> None:
    """Write the page and the golden files."""
    PAGE.write_text(page((*TABLE_1, *FIXES)), encoding="utf-8")
    GOLDEN.mkdir(exist_ok=True)
    for name, entries in FILES.items():
        (GOLDEN / f"{name}.sql").write_text(golden(entries), encoding="utf-8")


if __name__ == "__main__":
    main()
