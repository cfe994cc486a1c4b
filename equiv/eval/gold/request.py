"""The request of one ``equiv gold``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from equiv.errors import InputError
from equiv.eval.gold.catalogue import kinds_named
from equiv.eval.gold.finding import Kind
from equiv.eval.reading.formats import PLAIN, FormatOptions
from equiv.eval.reading.tables import mapping_of

if TYPE_CHECKING:
    from equiv.options import Options
    from equiv.show.arguments import Auditing


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """Files and options of an audit."""

    files: tuple[Path, ...]
    options: Options
    kinds: frozenset[Kind] = frozenset(Kind)
    gold: Path | None = None
    kind: str = "auto"
    reading: FormatOptions = PLAIN
    db_root: Path | None = None
    schema: Path | None = None
    judged: tuple[Path, ...] = ()
    agreeing: int = 2
    out: Path | None = None
    workers: int = 1
    limit: int | None = None


def request_of(files: Sequence[Path], given: Auditing, options: Options) -> AuditRequest:
    """The request that the command line makes.

    Raises:
        InputError: a kind is unknown, a mapping has another form, or a ranking is wanted of some kinds alone.
    """
    if given.ranking is not None and kinds_named(given.kinds) != frozenset(Kind):
        raise InputError("--ranking needs all kinds: leave out --kinds")
    return AuditRequest(
        files=tuple(files),
        options=options,
        kinds=kinds_named(given.kinds),
        gold=given.gold,
        kind=given.kind,
        reading=FormatOptions(mapping_of(given.mapping), given.extract),
        db_root=given.db_root,
        schema=given.schema,
        judged=tuple(given.judged or ()),
        agreeing=given.agree,
        out=given.out,
        workers=given.workers,
        limit=given.limit,
    )
