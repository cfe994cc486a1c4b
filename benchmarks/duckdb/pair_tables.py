"""How transpiled pairs end, in Markdown: counts by corpus, repairs, why the rest is undecided."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles

from benchmarks.journal import Record, markdown

_HEAD = (
    *("corpus", "queries", "DuckDB prepares", "translated", "pairs", "both prepared", "proved", "refuted"),
    *("decided", "seconds: median, 95 %, most"),
)
KINDS: list[list[str]] = tomllib.loads(Path(__file__).with_name("messages.toml").read_text(encoding="utf-8"))[
    "kinds"
]
"""Forms of messages, and what each says without names of the data."""


def tables(records: Sequence[Record]) -> Iterator[str]:
    """The tables of a results file."""
    corpora = {name: [r for r in records if r["corpus"] == name] for name in (r["corpus"] for r in records)}
    yield from markdown(_HEAD, (_row(*each) for each in corpora.items()))
    yield ""
    head = ("corpus", "executed", "pairs", "equivalent", "not equivalent", "undecided")
    yield from markdown(head, (row for each in corpora.items() for row in _executed(*each)))
    for names, found in (
        ("corpus, repair, queries", _repairs(records)),
        ("corpus, attack on, ends, pairs", _attacks(records)),
        ("corpus, undecided, why, pairs", _undecided(records)),
        ("corpus, not prepared, queries", _refused(records)),
    ):
        yield ""
        counts = Counter(found).most_common()
        yield from markdown(names.split(", "), ((*what, count) for what, count in counts))


def _queries(records: Sequence[Record]) -> dict[tuple[str, str, str], tuple[str, tuple[str, ...]]]:
    """How the reading of each query ends, with its repairs."""
    return {
        (r["corpus"], r["db_id"], r[side]): (r["read"][at], tuple(r["repairs"][at]))
        for r in records
        for at, side in enumerate(("predicted_sql", "gold_sql"))
    }


def _is_prepared(ended: str) -> bool:
    return ended == "read" or ended.startswith("not read")


def _row(corpus: str, records: Sequence[Record]) -> tuple[object, ...]:
    ends = [ended for ended, _ in _queries(records).values()]
    prepared = [r for r in records if all(map(_is_prepared, r["read"]))]
    verdicts = Counter(r["verdict"] for r in prepared)
    decided = verdicts["equivalent"] + verdicts["not_equivalent"]
    times = sorted(r["seconds"] for r in prepared) or [0.0]
    most = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return (
        *(corpus, len(ends), sum(map(_is_prepared, ends)), ends.count("read")),
        *(len(records), len(prepared), verdicts["equivalent"], verdicts["not_equivalent"]),
        f"{100 * decided / max(1, len(prepared)):.1f} %",
        f"{median(times):.2f}, {most:.2f}, {times[-1]:.1f}",
    )


def _executed(corpus: str, records: Sequence[Record]) -> Iterator[tuple[object, ...]]:
    """The verdicts by what those who published the pairs saw on one database."""
    prepared = [r for r in records if all(map(_is_prepared, r["read"]))]
    for equal in (True, False):
        found = Counter(r["verdict"] for r in prepared if r["executed_equal"] is equal)
        if found:
            shown = (found["equivalent"], found["not_equivalent"], found["undecided"])
            yield corpus, "equal" if equal else "unequal", found.total(), *shown


def _repairs(records: Sequence[Record]) -> Iterator[tuple[str, ...]]:
    return ((corpus, f"`{name}`") for (corpus, *_), (_, names) in _queries(records).items() for name in names)


def _attacks(records: Sequence[Record]) -> Iterator[tuple[str, ...]]:
    for r in records:
        if how := r.get("attack"):
            first, _, rest = how.partition(" ")
            if first == "stands":
                how = "stands on 50 databases or more" if int(rest) >= 50 else "stands on fewer"
            yield r["corpus"], r["verdict"], "parted" if first == "parted" else how


def _undecided(records: Sequence[Record]) -> Iterator[tuple[str, ...]]:
    for r in records:
        if r["verdict"] == "undecided" and all(map(_is_prepared, r["read"])):
            detail = re.sub(r"^(prediction|gold query|gold): ", "", r["detail"])
            yield r["corpus"], r["reason"], kind_of_message(detail)


def _refused(records: Sequence[Record]) -> Iterator[tuple[str, ...]]:
    for (corpus, *_), (ended, _) in _queries(records).items():
        if not _is_prepared(ended):
            yield corpus, kind_of_message(ended.removeprefix("refused: "))


def kind_of_message(message: str) -> str:
    """The kind of a message, without names of the data."""
    for form, name in KINDS:
        if match := re.search(form, message.replace("\n", " ")):
            return name.format(*match.groups())
    return message.replace("|", "\\|").splitlines()[0][:60] if message else ""
