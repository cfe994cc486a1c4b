"""Gold queries that another gold query of the same question contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.query_in_database import QueryInDatabase
from equiv.verdict import Execution, NotEquivalent, Witness


def other_gold(subject: QueryInDatabase) -> Iterator[Finding]:
    """Another gold query of the same question is not equivalent: one is wrong, or both are readings.

    The same question is one of the same id, or of the same words, on the same database.  It is reported of
    the later query, with a database that tells the two apart, under the relation of the command.
    No fault: the question is ambiguous, and both readings are meant to count; or an id is used twice.
    Example: ``SELECT name FROM person WHERE age > 30`` and, of the same id, ``… WHERE age >= 30``.
    """
    for other in subject.gold.earlier:
        verdict = subject.engine.check(other, subject.gold.sql)
        if not isinstance(verdict, NotEquivalent):
            continue
        evidence = verdict.evidence
        where = "a database" if isinstance(evidence, Witness) else "the given data"
        yield Finding(
            Kind.OTHER_GOLD,
            Basis.DATA if isinstance(evidence, Execution) else Basis.SCHEMA,
            f"another gold query of the question differs on {where} ({verdict.difference})",
            evidence.gold_rows,
            other_sql=other,
            other_rows=evidence.pred_rows,
            witness=evidence.sql if isinstance(evidence, Witness) else "",
        )
