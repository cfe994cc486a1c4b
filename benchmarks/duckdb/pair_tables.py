"""How transpiled pairs end, in Markdown: counts by corpus, repairs, why the rest is undecided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median, quantiles
from typing import Any

Record = dict[str, Any]

_HEAD = (
    *("corpus", "queries", "DuckDB prepares", "translated", "pairs", "both prepared", "proved", "refuted"),
    *("decided", "seconds: median, 95 %, most"),
)


def tables(records: Sequence[Record]) -> Iterator[str]:
    """The tables of a results file."""
    corpora = [*dict.fromkeys(record["corpus"] for record in records)]
    yield f"| {' | '.join(_HEAD)} |"
    yield "|---" * len(_HEAD) + "|"
    for corpus in corpora:
        yield _row(corpus, [record for record in records if record["corpus"] == corpus])
    yield from (
        "",
        "| corpus | executed | pairs | equivalent | not equivalent | undecided |",
        "|---|---|---|---|---|---|",
    )
    for corpus in corpora:
        yield from _executed(corpus, [record for record in records if record["corpus"] == corpus])
    yield from ("", "| corpus | repair | queries |", "|---|---|---|")
    for (corpus, name), count in _repairs(records).most_common():
        yield f"| {corpus} | `{name}` | {count} |"
    yield from ("", "| corpus | attack on | ends | pairs |", "|---|---|---|---|")
    for (corpus, verdict, how), count in _attacks(records).most_common():
        yield f"| {corpus} | {verdict} | {how} | {count} |"
    yield from ("", "| corpus | undecided | why | pairs |", "|---|---|---|---|")
    for (corpus, reason, detail), count in _undecided(records).most_common():
        yield f"| {corpus} | {reason} | {detail} | {count} |"
    yield from ("", "| corpus | not prepared | queries |", "|---|---|---|")
    for (corpus, why), count in _refused(records).most_common():
        yield f"| {corpus} | {why} | {count} |"


def _queries(records: Sequence[Record]) -> dict[tuple[str, str, str], tuple[str, tuple[str, ...]]]:
    """How the reading of each query ends, with its repairs."""
    return {
        (r["corpus"], r["db_id"], r[side]): (r["read"][at], tuple(r["repairs"][at]))
        for r in records
        for at, side in enumerate(("predicted_sql", "gold_sql"))
    }


def _is_prepared(ended: str) -> bool:
    return ended == "read" or ended.startswith("not read")


def _row(corpus: str, records: Sequence[Record]) -> str:
    ends = [ended for ended, _ in _queries(records).values()]
    prepared = [r for r in records if all(map(_is_prepared, r["read"]))]
    verdicts = Counter(r["verdict"] for r in prepared)
    decided = verdicts["equivalent"] + verdicts["not_equivalent"]
    times = sorted(r["seconds"] for r in prepared) or [0.0]
    most = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    cells = (
        *(corpus, len(ends), sum(map(_is_prepared, ends)), ends.count("read")),
        *(len(records), len(prepared), verdicts["equivalent"], verdicts["not_equivalent"]),
        f"{100 * decided / max(1, len(prepared)):.1f} %",
        f"{median(times):.2f}, {most:.2f}, {times[-1]:.1f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def _executed(corpus: str, records: Sequence[Record]) -> Iterator[str]:
    """The verdicts by what those who published the pairs saw on one database."""
    for equal in (True, False):
        found = Counter(
            r["verdict"]
            for r in records
            if r["executed_equal"] is equal and all(map(_is_prepared, r["read"]))
        )
        if found:
            shown = (found["equivalent"], found["not_equivalent"], found["undecided"])
            seen = "equal" if equal else "unequal"
            yield f"| {corpus} | {seen} | {found.total()} | {' | '.join(map(str, shown))} |"


def _repairs(records: Sequence[Record]) -> Counter[tuple[str, str]]:
    return Counter((corpus, name) for (corpus, *_), (_, names) in _queries(records).items() for name in names)


def _attacks(records: Sequence[Record]) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for r in records:
        if how := r.get("attack"):
            first, _, rest = how.partition(" ")
            if first == "stands":
                how = "stands on 50 databases or more" if int(rest) >= 50 else "stands on fewer"
            found[r["corpus"], r["verdict"], "parted" if first == "parted" else how] += 1
    return found


def _undecided(records: Sequence[Record]) -> Counter[tuple[str, str, str]]:
    found: Counter[tuple[str, str, str]] = Counter()
    for r in records:
        if r["verdict"] == "undecided" and all(map(_is_prepared, r["read"])):
            detail = re.sub(r"^(prediction|gold query|gold): ", "", r["detail"])
            found[r["corpus"], r["reason"], kind_of_message(detail)] += 1
    return found


def _refused(records: Sequence[Record]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for (corpus, *_), (ended, _) in _queries(records).items():
        if not _is_prepared(ended):
            found[corpus, kind_of_message(ended.removeprefix("refused: "))] += 1
    return found


_ABSENT = "names that are not there, or may be several"
_KINDS = (
    (r"must appear in the GROUP BY", "a column beside GROUP BY"),
    (
        r"'[-+*/]\(.*VARCHAR.*\)'|operator does not exist: text [-+*/]|'(?:avg|sum)\(VARCHAR\)'",
        "a text that is computed with",
    ),
    (r"function (?:avg|sum)\(text\) does not exist", "a text that is computed with"),
    (
        r"(?:~~|substring)\((?:DATE|TIMESTAMP)|(?:date|timestamp[a-z ]*) ~~|substring\((?:date|timestamp)",
        "a date that is read as a text",
    ),
    (r"(?:sum|avg|max|min)\(boolean\)", "a boolean that is added up"),
    (r"round\(double precision, integer\)", "ROUND of a DOUBLE to decimals"),
    (r"must be type boolean", "a number for a condition"),
    (r"Cannot (?:compare|mix)|operator does not exist|cannot be matched", "texts beside numbers or dates"),
    (r"invalid input syntax for type", "texts beside numbers or dates"),
    (r"No function matches.*'(.*?)'", "types of arguments: {}"),
    (
        r"Function with name \w+ does not exist|function \w+\(.*\) does not exist",
        "a function that the other lacks",
    ),
    (r"does not have a column|not found in FROM|column .* does not exist", _ABSENT),
    (r"Referenced (?:column|table)|Table with name|(?i:ambiguous)", _ABSENT),
    (r"(?i)syntax error|parser error", "syntax"),
    (r"^(Cast: [\w ]+)", "{}"),
    (r"^\w+: .*(which may be one of several|which is not resolved)", "a name {}"),
    (r"which DuckDB cannot compute", "a constant that DuckDB cannot compute"),
    (r"binds the resolved query otherwise", "DuckDB binds the resolved query otherwise"),
)


def kind_of_message(message: str) -> str:
    """The kind of a message, without names of the data."""
    for form, name in _KINDS:
        if match := re.search(form, message.replace("\n", " ")):
            return name.format(*match.groups())
    return message.replace("|", "\\|").splitlines()[0][:60] if message else ""
