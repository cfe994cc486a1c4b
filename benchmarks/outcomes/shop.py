"""An ordinary shop's queries, each respelt in three ways and broken in three: what is decided, and rightly.

``benchmarks/pairs/shop/`` holds a schema and a file of queries for each dialect.  A query stands under its
name and what it is about; the three statements after it are the same query in other words, the last three are
another one.  Every third query is kept aside: nothing was made by looking at it.

Usage: ``python -m benchmarks.outcomes.shop [DIALECT …]``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from benchmarks.command import parser
from benchmarks.journal import section
from equiv import check
from equiv.verdict import Equivalent, NotEquivalent, Undecided, Verdict

FOLDER = Path(__file__).parent.parent / "pairs" / "shop"
DIALECTS = ("postgres", "duckdb", "sqlite")
SHARES = ("seen", "aside")
RESPELLINGS = 3
BROKEN = 3
_DATES = ("users.birthday", "orders.delivery_on")
_TIMES = ("orders.placed_at", *(f"{each}.created_at" for each in ("users", "products", "reviews")))
_FORMS = (*map("iso_date({})".format, _DATES), *map("iso_timestamp({})".format, _TIMES))
"""What SQLite's schema says of no column: that its texts are dates and timestamps."""


@dataclass(frozen=True, slots=True)
class Question:
    """A query beside one of its respellings, or beside what is another query."""

    name: str
    about: str
    share: str
    query: str
    other: str
    is_same: bool

    @property
    def kind(self) -> str:
        """What it is asked of."""
        return "respelt" if self.is_same else "broken"


def questions(dialect: str) -> Iterator[Question]:
    """The questions of a dialect's file, in its order.

    Raises:
        ValueError: a query has not three respellings and three broken ones.
    """
    blocks = (FOLDER / f"{dialect}.sql").read_text(encoding="utf-8").split("-- ")[1:]
    for number, block in enumerate(blocks):
        title, _, body = block.partition("\n")
        name, _, about = title.partition(": ")
        query, *others = [text.strip() for text in body.split(";\n") if text.strip()]
        if len(others) != RESPELLINGS + BROKEN:
            raise ValueError(f"{dialect}: {name} has {len(others)} others")
        for place, other in enumerate(others):
            share = SHARES[number % 3 == 2]
            yield Question(name, about, share, query, other, place < RESPELLINGS)


def ended(question: Question, verdict: Verdict) -> str:
    """Right, wrong or open."""
    match verdict:
        case Equivalent():
            return "right" if question.is_same else "wrong"
        case NotEquivalent():
            return "wrong" if question.is_same else "right"
    return "open"


def asked(dialect: str, question: Question, seconds: float) -> Verdict:
    """The verdict on a question."""
    schema = FOLDER / f"schema.{dialect}.sql"
    assumed = _FORMS if dialect == "sqlite" else ()
    return check(
        question.other, question.query, schema=schema, dialect=dialect, timeout=seconds, assume=assumed
    )


def why(verdict: Verdict) -> str:
    """In a line, why nothing is decided, or on what ground something is."""
    if isinstance(verdict, Undecided):
        return f"{verdict.reason}: {verdict.detail}"
    return f"{verdict.name} by {verdict.tier}"


def main(words: list[str]) -> int:
    """Ask what is chosen, and print shares; the exit code is 1 if a verdict is wrong."""
    arguments = parser(
        __doc__,
        only=("", "a part of names, or of what they are about"),
        wrong_and_open=(False, "say each that is not decided rightly"),
        seconds=(20.0, "for a pair"),
    )
    arguments.add_argument("dialects", nargs="*", choices=(*DIALECTS, []), default=[])
    arguments.add_argument("--share", choices=(*SHARES, "all"), default="all")
    given = arguments.parse_args(words)
    counts: Counter[tuple[str, ...]] = Counter()
    kinds: Counter[tuple[str, ...]] = Counter()
    start = perf_counter()
    for dialect in given.dialects or DIALECTS:
        for question in questions(dialect):
            if (
                given.share not in (question.share, "all")
                or given.only not in f"{question.name}: {question.about}"
            ):
                continue
            verdict = asked(dialect, question, given.seconds)
            end = ended(question, verdict)
            counts[dialect, question.kind, question.share, end] += 1
            kinds[dialect, question.about, end] += 1
            if given.wrong_and_open and end != "right":
                print(f"{end} {dialect} {question.name} {question.kind}: {why(verdict)[:300]}")
                print(f"    {question.query}\n    {question.other}", flush=True)
    print("\n".join(table(("dialect", "kind", "share"), counts)))
    print("\n".join(table(("dialect", "about"), kinds)))
    print(f"{perf_counter() - start:.0f} s")
    return int(any(end[-1] == "wrong" for end in counts))


def table(head: tuple[str, ...], counts: Counter[tuple[str, ...]]) -> Iterator[str]:
    """Lines of a table of what was decided rightly, wrongly or not at all, by what the counts are of."""
    rows = []
    for key in dict.fromkeys(each[:-1] for each in counts):
        right, wrong, still = (counts[(*key, end)] for end in ("right", "wrong", "open"))
        asked_of = right + wrong + still
        rows.append((*key, asked_of, right, wrong, still, f"{(right + wrong) / asked_of:.1%}"))
    yield from section((*head, "asked", "right", "wrong", "open", "decided"), rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
