"""A fuzzing run: batch after batch until the time or the number is reached, kept, resumed and reported.

The report counts what was asked and proved; what was found is kept in files.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

from equiv.core.model import REFERENCE, Schema
from equiv.dialects.registry import dialect_named
from equiv.engine.make import all_rules
from equiv.show.page import Block, Code, Grid, Text
from equiv.testing.fuzz import own_words
from equiv.testing.fuzz.attacker import Asking
from equiv.testing.fuzz.batches import attacked, batches
from equiv.testing.fuzz.findings import Findings
from equiv.workers.scheduler import KeyedTask, do_kept


class NamedFinding(Protocol):
    """A rule or a rewrite."""

    @property
    def name(self) -> str: ...


BROKEN, CRASHED, SCRIPTS = "bugs", "errors", "scripts"
"""The folders of files, one for each finding."""


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """The files of findings, those that were there before included."""

    findings: tuple[Path, ...]
    """Wrong proofs and errors."""
    scripts: tuple[Path, ...]
    """Databases that refute wrong proofs, to be run by a dialect's own program."""


def write_findings(found: Findings, out: Path) -> WrittenFiles:
    """The files of wrong proofs as golden files, of errors as texts, and of scripts, each written once."""
    broken = _write(out / BROKEN, "sql", found.broken)
    crashed = _write(out / CRASHED, "txt", found.crashed)
    return WrittenFiles((*broken, *crashed), tuple(_write(out / SCRIPTS, "sql", found.scripts)))


def _write(folder: Path, ending: str, texts: Iterable[str]) -> list[Path]:
    written = []
    for text in texts:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        path = folder / f"{digest[:12]}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8", errors="surrogatepass")
        written.append(path)
    return list(dict.fromkeys(written))


def blocks_of(found: Findings, run: str, *, unfired: bool = False) -> list[Block]:
    """The figures of a run, and which rules and rewrites took part in no proof, if these are wanted."""
    rules, rewrites = names()
    rows: tuple[tuple[str, int | str], ...] = (
        ("pairs asked about", found.pairs),
        ("not readable or not supported", found.unread),
        ("proofs", found.proved.total()),
        ("databases tried on them", found.databases),
        *([("texts compared with their readings", found.readings)] if found.readings else []),
        *([("trials under random settings", found.under_settings)] if found.under_settings else []),
        *([("proofs that depend on an unknown setting", found.hanging)] if found.hanging else []),
        ("questions abandoned", found.given_up),
        ("pairs decided by the whole engine", found.decided),
        ("rules used", f"{len(rules & set(found.fired))} of {len(rules)}"),
        ("rewrites of the algebra used", f"{len(rewrites & set(found.fired))} of {len(rewrites)}"),
        ("wrong proofs", len(found.broken)),
        ("errors", len(found.crashed)),
    )
    cells = tuple((name, f"{value:,}" if isinstance(value, int) else value) for name, value in rows)
    blocks: list[Block] = [Grid(run, ("what", "how many"), cells)]
    if unfired:
        blocks += [Text("Used in no proof:"), Code("\n".join(sorted((rules | rewrites) - set(found.fired))))]
    return blocks


def names() -> tuple[frozenset[str], frozenset[str]]:
    """The names of all rules, and of all rewrites of the algebra."""
    from equiv.proof.catalogue import REWRITES

    return _names(all_rules()), _names(REWRITES)


def _names(known: Iterable[NamedFinding]) -> frozenset[str]:
    return frozenset(each.name for each in known)


KEPT = "fuzz.jsonl"
"""The file of a run's folder that keeps what came of each batch."""


@dataclass(frozen=True, slots=True)
class FuzzOrder:
    """The request of a fuzzing run.

    Attributes:
        out: the folder of the run, which a rerun goes on from.
        seed: what the pairs are drawn from.
        schema: what they are made on; None: schemas are drawn.
        dialect: what dialect they are of, by name.
        asking: how much is asked and tried of each pair.
        pairs: how many; None: as many as there is time for.
        seconds: after so long no further batch is begun; None: when the pairs are done.
        workers: processes.
    """

    out: Path
    seed: int
    schema: Schema | None
    dialect: str
    asking: Asking
    pairs: int | None
    seconds: float | None
    workers: int


@dataclass(slots=True)
class Done:
    """The outcome of a fuzzing run."""

    found: Findings
    seconds: float = 0.0
    lost: int = 0
    """Batches that were lost with their process."""
    is_cut_short: bool = False
    """It was interrupted; what was done is kept."""


def fuzz(order: FuzzOrder, tell: Callable[[str], None]) -> Done:
    """Ask about random pairs; each finding is told, and written, when it comes."""
    done, start = Done(Findings()), monotonic()
    work, do = _work_of(order)
    limit = math.inf if order.seconds is None else order.seconds
    try:
        for each in do_kept(work, do, order.workers, order.out / KEPT, seconds=limit, tell=tell):
            if each is None:
                done.lost += 1
                continue
            own = Findings()
            own.add(each)
            _tell_of(write_findings(own, order.out), order.dialect, tell)
            done.found.add(each)
    except KeyboardInterrupt:
        done.is_cut_short = True
    done.seconds = monotonic() - start
    return done


def _work_of(order: FuzzOrder) -> tuple[Iterable[KeyedTask], Callable[[Any], dict[str, Any]]]:
    """The batches, and what does one in a worker."""
    if order.dialect == REFERENCE:
        return batches(order.seed, order.schema, order.asking, order.pairs), attacked
    drawn = own_words.batches(order.dialect, order.seed, order.asking, order.pairs)
    return drawn, own_words.attacked


def _tell_of(written: WrittenFiles, dialect: str, tell: Callable[[str], None]) -> None:
    for path in written.findings:
        tell(f"found: {path}")
    for path in written.scripts:
        tell(f"replay: {' '.join(dialect_named(dialect).engine.command(str(path), None))}")
