"""The verdicts of a commit, a line a pair, and the pairs on which those of two commits part.

``make verdicts OUT=FILE`` asks of the golden cases, of the reports and of the published corpora, and writes
the file when all is done; a rerun with the same code goes on from where it was.  A line has the run, the pair
and a hash of its texts, the verdict, its reason and tier, the facts that it rests on and how many rows its
witness has, and no time: files of one commit are the same byte for byte.  Of the reports it is told how the
verdicts stand to those that the engines bear out.  What bounds a pair is work, and at
last :data:`SECONDS` of processor time, so that a busy machine gives the same verdicts.

Usage: ``python -m benchmarks.outcomes.frozen make FILE [RUN …] [--every N]``; another commit's by ``python -m
benchmarks.against DIR outcomes.frozen make FILE``; ``python -m benchmarks.outcomes.frozen compare OLD NEW``
counts what parts by kind, lists it, and has the exit code 1 if anything does.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks.attacks.targets import code_digest, digest
from benchmarks.budget import within
from benchmarks.command import parser
from benchmarks.journal import read_lines, write_lines
from benchmarks.pairs.corpora import DATA, corpus
from equiv.engine.host import engine_for
from equiv.engine.pipeline import Engine
from equiv.engine.premises import Premises
from equiv.errors import InputError
from equiv.facts import Fact
from equiv.options import Options
from equiv.replies.extract import query_in
from equiv.schema.locate import Place
from equiv.workers.scheduler import do_kept

SECONDS = 30.0
"""Of processor time for one pair."""
TOGETHER = 20
"""How many pairs of one schema are a task."""
GOLDEN, REPORTS = "golden", "reports"
CASES = DATA / "reports" / "cases.jsonl"
"""Pairs after public bug reports and disputes, each with the verdicts that are acceptable."""
PUBLISHED = {
    "rose-vec": ("bird", "bag"),
    "rose-bench": ("bird",),
    "spider": ("spider",),
    "calcite": ("bag",),
    "literature": ("bag",),
    "leetcode": ("bag",),
    "leetcode1000": ("bag",),
    "spotit": ("bag",),
    "postgres": ("bird",),
    "rewrites": ("sql",),
    "optimised-postgres": ("sql",),
    "optimised-duckdb": ("sql",),
    "qed-cockroach": ("sql", "bag"),
    "qed-calcite": ("sql",),
    "apps": ("sql",),
}
"""The relations under which a published corpus is asked."""

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Group:
    """Pairs of one run that are compared on one schema in one way.

    Attributes:
        ddl: what the schema is read from; '' where the place has one.
        pairs: name, prediction, gold query.
    """

    run: str
    place: Place
    ddl: str
    options: Options
    pairs: tuple[tuple[str, str, str], ...] = ()

    @property
    def key(self) -> str:
        """SHA-256 of all that the verdicts depend on, the project's code included."""
        return digest(code_digest(), self.run, self.place.digest, self.ddl, self.options, self.pairs)


def groups(names: Sequence[str], every: int) -> Iterator[Group]:
    """The pairs of some runs, of each the so-many-th."""
    for name in names:
        asked: dict[Group, list[tuple[str, str, str]]] = {}
        for place, (given, pair) in enumerate(_pairs(name)):
            if place % every == 0:
                asked.setdefault(given, []).append(pair)
        for given, pairs in asked.items():
            for first in range(0, len(pairs), TOGETHER):
                yield replace(given, pairs=tuple(pairs[first : first + TOGETHER]))


def _pairs(name: str) -> Iterator[tuple[Group, tuple[str, str, str]]]:
    """The pairs of a run, each with a group that has none yet."""
    match name:
        case "golden":
            from kit.harness import all_cases, asked_by, options_of

            for case in all_cases():
                if case.command == "decide" and (world := case.world) is not None:
                    options = options_of(world, *asked_by(case))
                    pred, gold = case.parts[:2]
                    yield Group(name, Place(""), world.ddl, options), (case.name, pred, gold)
        case "reports":
            for told in read_lines(CASES):
                flags = dict(zip(told["opts"][::2], told["opts"][1::2], strict=True))
                chosen = {flag.removeprefix("--"): value for flag, value in flags.items()}
                options = Options(**chosen, dialect=told["dialect"], timeout=None)
                pair = _named(told), query_in(told["pred"]), told["gold"]
                yield Group(name, Place(""), told["schema"], options), pair
        case _:
            found = corpus(name)
            items, places = found.read()
            for relation in PUBLISHED[name]:
                options = Options(relation=relation, dialect=found.dialect, timeout=None)
                for item in items:
                    given = Group(f"{name} {relation}", places[item.db_id], "", options)
                    label = f"{item.source} {item.question_id} {item.db_id}"
                    yield given, (label, item.predicted_sql, item.gold_sql)


def _named(told: Mapping[str, Any]) -> str:
    """The name of a report; it may be about several dialects."""
    return f"{told['source']} {told['dialect']}"


def frozen(group: Group) -> dict[str, Any]:
    """The lines of a group, and the processor seconds that they took; for a process of its own."""
    start = process_time()
    try:
        premises = Premises.of(group.ddl or group.place.schema, group.place.database, group.options)
    except InputError as error:
        shown = {"verdict": "refused", "reason": str(error)}
        return {"lines": [_line(group, *pair, shown) for pair in group.pairs], "seconds": 0.0}
    lines, engine = [], engine_for(premises)
    for name, pred, gold in group.pairs:
        found = within(SECONDS, _shown, engine, pred, gold)
        if found is None:
            engine.close()
            engine = engine_for(premises)
        shown = found or {"verdict": "undecided", "reason": "TIMEOUT"}
        lines.append(_line(group, name, pred, gold, shown))
    with closing(engine):
        return {"lines": lines, "seconds": process_time() - start}


def _shown(engine: Engine, pred: str, gold: str) -> Line:
    """What is kept of a verdict."""
    verdict = engine.complete(engine.check(pred, gold), pred, gold)
    witness = getattr(verdict, "witness", None)
    facts: Sequence[Fact] = getattr(verdict, "facts", ())
    return {
        "verdict": verdict.name,
        "reason": str(getattr(verdict, "reason", "") or getattr(verdict, "difference", "") or ""),
        "tier": str(getattr(verdict, "tier", "") or ""),
        "facts": sorted(map(str, facts)),
        "witness": sum(len(rows) for _, rows in witness.tables.values()) if witness else 0,
    }


def _line(group: Group, name: str, pred: str, gold: str, shown: Line) -> Line:
    return {"run": group.run, "pair": name, "texts": _texts(pred, gold), **shown}


def _texts(pred: str, gold: str) -> str:
    return hashlib.sha256(f"{pred}\0{gold}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def standings(lines: Sequence[Line]) -> Iterator[tuple[str, Line]]:
    """How verdicts on reports stand to the acceptable ones.

    One that is none of these is *against* its case if it claims something, and *short* of it if it does not.
    """
    own = [line for line in lines if line["run"] == REPORTS]
    cases = read_lines(CASES) if own else []
    expected = {
        (_named(told), _texts(query_in(told["pred"]), told["gold"])): told["expected"] for told in cases
    }
    for line in own:
        is_met = line["verdict"] in expected[line["pair"], line["texts"]]
        is_short = line["verdict"] in ("undecided", "refused")
        yield "as expected" if is_met else "short" if is_short else "against", line


def parted(old: Sequence[Line], new: Sequence[Line]) -> tuple[Counter[str], list[str]]:
    """Where two files part: how often by kind, and a line each; what one file lacks is not compared."""
    kinds, lines = Counter[str](), []
    known = {_key(line): line for line in old}
    for line in new:
        before = known.get(_key(line))
        if before is not None and before != line:
            names = [name for name in _FIELDS if before.get(name) != line.get(name)]
            verdict = "verdict" in names or "tier" in names or "reason" in names
            kind = f"{_ended(before)} -> {_ended(line)}" if verdict else " and ".join(names)
            kinds[f"{line['run']}: {kind}"] += 1
            changes = "; ".join(_change(name, before.get(name), line.get(name)) for name in names)
            lines.append(f"{line['run']} | {line['pair']} | {changes}")
    return kinds, lines


def _change(name: str, old: Any, new: Any) -> str:
    """What a field was and is; of the facts those that came and went."""
    if not isinstance(old, list) or not isinstance(new, list):
        return f"{name} {old!r} -> {new!r}"
    come, gone = (sorted({*one} - {*other}) for one, other in ((new, old), (old, new)))
    return f"{name} {' '.join([*(f'+{each}' for each in come), *(f'-{each}' for each in gone)])}"


_FIELDS = ("verdict", "reason", "tier", "facts", "witness")


def _key(line: Line) -> tuple[str, str, str]:
    return line["run"], line["pair"], line["texts"]


def _ended(line: Line) -> str:
    return " ".join(str(line.get(name)) for name in _FIELDS[:3] if line.get(name))


def _make(given: argparse.Namespace) -> int:
    work = list(groups(given.runs or [GOLDEN, REPORTS, *PUBLISHED], given.every))
    kept, lost, seconds = given.file.with_suffix(".kept.jsonl"), 0, 0.0
    lines: list[Line] = []
    for found in do_kept(work, frozen, given.workers, kept):
        lost += found is None
        lines += found["lines"] if found else ()
        seconds += found["seconds"] if found else 0
    lines.sort(key=_key)
    write_lines(given.file, lines)
    for (name, ended), count in sorted(Counter((line["run"], _ended(line)) for line in lines).items()):
        print(f"{name:24} {ended:40} {count:6}")
    stand = list(standings(lines))
    for how, count in Counter(how for how, _ in stand).items():
        print(f"{REPORTS:24} {how:40} {count:6}")
    for how, line in stand:
        if how != "as expected":
            print(f"{how}: {_ended(line)}, {line['pair']}")
    print(f"{len(lines)} pairs, {seconds:.0f} s of processor time, {lost} tasks lost")
    return int(lost > 0 or any(how == "against" for how, _ in stand))


def _compare(given: argparse.Namespace) -> int:
    old, new = read_lines(given.old), read_lines(given.new)
    kinds, lines = parted(old, new)
    print("\n".join(lines))
    for kind, count in kinds.most_common():
        print(f"{count:6}  {kind}")
    both = len({*map(_key, old)} & {*map(_key, new)})
    print(f"{both} pairs in both files, {len(lines)} differ")
    return int(bool(lines))


def main() -> int:
    """Make a file of verdicts, or compare two."""
    arguments = parser(__doc__)
    commands = arguments.add_subparsers(required=True)
    make = commands.add_parser("make")
    make.add_argument("file", type=Path)
    make.add_argument("runs", nargs="*", choices=[GOLDEN, REPORTS, *PUBLISHED, []])
    make.add_argument("--every", type=int, default=1, help="take each so-many-th pair alone")
    make.add_argument("--workers", type=int, default=2)
    make.set_defaults(do=_make)
    compare = commands.add_parser("compare")
    compare.add_argument("old", type=Path)
    compare.add_argument("new", type=Path)
    compare.set_defaults(do=_compare)
    given = arguments.parse_args()
    return int(given.do(given))


if __name__ == "__main__":
    # Worker processes find what they do by the name of its module, which is not __main__ there.
    sys.exit(import_module("benchmarks.outcomes.frozen").main())
