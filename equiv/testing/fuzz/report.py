"""The report of a fuzzing run, and the files that keep its findings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from equiv.engine.make import all_rules
from equiv.show.page import Block, Code, Grid, Text
from equiv.testing.fuzz.findings import Findings


class Named(Protocol):
    """A rule or a rewrite."""

    @property
    def name(self) -> str: ...


BROKEN, CRASHED, SCRIPTS = "bugs", "errors", "scripts"
"""The folders of files, one for each finding."""


@dataclass(frozen=True, slots=True)
class Written:
    """The files of findings, those that were there before included."""

    findings: tuple[Path, ...]
    """Wrong proofs and errors."""
    scripts: tuple[Path, ...]
    """Databases that refute wrong proofs, to be run by a dialect's own program."""


def write_findings(found: Findings, out: Path) -> Written:
    """The files of wrong proofs as golden files, of errors as texts, and of scripts, each written once."""
    broken = _write(out / BROKEN, "sql", found.broken)
    crashed = _write(out / CRASHED, "txt", found.crashed)
    return Written((*broken, *crashed), tuple(_write(out / SCRIPTS, "sql", found.scripts)))


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
        ("not readable or not modelled", found.unread),
        ("proofs", found.proved.total()),
        ("databases against them", found.databases),
        *([("texts held against their readings", found.readings)] if found.readings else []),
        *([("trials under drawn settings", found.under_settings)] if found.under_settings else []),
        *([("proofs that hang on an unknown setting", found.hanging)] if found.hanging else []),
        ("questions given up", found.given_up),
        ("pairs decided by the whole engine", found.decided),
        ("rules that took part", f"{len(rules & set(found.fired))} of {len(rules)}"),
        ("rewrites of the algebra that took part", f"{len(rewrites & set(found.fired))} of {len(rewrites)}"),
        ("wrong proofs", len(found.broken)),
        ("errors", len(found.crashed)),
    )
    cells = tuple((name, f"{value:,}" if isinstance(value, int) else value) for name, value in rows)
    blocks: list[Block] = [Grid(run, ("what", "how many"), cells)]
    if unfired:
        blocks += [Text("In no proof:"), Code("\n".join(sorted((rules | rewrites) - set(found.fired))))]
    return blocks


def names() -> tuple[frozenset[str], frozenset[str]]:
    """The names of all rules, and of all rewrites of the algebra."""
    from equiv.proof.catalogue import REWRITES

    return _names(all_rules()), _names(REWRITES)


def _names(known: Iterable[Named]) -> frozenset[str]:
    return frozenset(each.name for each in known)
