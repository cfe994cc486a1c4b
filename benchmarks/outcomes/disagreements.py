"""Where verdicts on a published corpus fall short of what its source says, pair by pair.

Three lists: said to be equivalent and not proved (with both normal forms), said to be different and not
refuted (likewise), and contradictions: proved against the source, or refuted against it, with the replayed
witness, which overrules the source.

Usage: ``python -m benchmarks.outcomes.disagreements literature bag`` reads ``results/literature.bag.jsonl``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.outcomes.verdicts import RESULTS, Record, read, what
from benchmarks.pairs.corpora import CONVERTED
from equiv.core.model import Context
from equiv.core.printing import to_sql
from equiv.core.query import Query
from equiv.dialects.registry import reference
from equiv.engine.engine import Engine
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.relation import resolve_relation
from equiv.tiers.rules import RulesTier
from equiv.verdict import Tier


def main() -> int:
    """Print the three lists of one results file."""
    name, relation = sys.argv[1:3]
    records = read(RESULTS / f"{name}.{relation}.jsonl")
    forms = NormalForms(CONVERTED / name / "ddl", relation)
    kinds: dict[str, list[Record]] = {title: [] for title in _TITLES}
    for record in records:
        title = _title(record)
        if title:
            kinds[title].append(record)
    for title, found in kinds.items():
        print(f"## {title}: {len(found)}\n")
        for record in found:
            print("\n".join(_shown(record, forms)), end="\n\n")
    return 0


_TITLES = (
    "Said to be equivalent, not proved",
    "Said to be different, not refuted",
    "Refuted, though said to be equivalent",
    "Proved, though said to be different",
)


def _title(record: Record) -> str | None:
    match record["verdict"], bool(record["label"]):
        case "equivalent", False:
            return _TITLES[3]
        case "not_equivalent", True:
            return _TITLES[2]
        case "undecided" | "invalid", said:
            return _TITLES[0] if said else _TITLES[1]
    return None


class NormalForms:
    """Both queries of a record after the rules."""

    def __init__(self, folder: Path, relation: str) -> None:
        self._folder = folder
        self._relation = relation
        self._engines: dict[str, Engine] = {}

    def __call__(self, record: Record) -> Iterator[str]:
        """The normal forms, prediction first, or why there are none."""
        engine = self._engine(record["db_id"])
        rules = next(tier for tier in engine.tiers if tier.tier is Tier.RULES)
        assert isinstance(rules, RulesTier)
        for sql in (record["predicted_sql"], record["gold_sql"]):
            query = engine.read(sql)
            if not isinstance(query, Query) or query.tree is None:
                yield f"no normal form: {getattr(query, 'unsupported', query)}"
                continue
            relation = resolve_relation(self._relation, gold_orders=query.orders)
            context = Context(engine.schema, engine.facts, relation.rows)
            yield to_sql(rules._forms.of(query.tree, context).tree)  # noqa: SLF001

    def _engine(self, db_id: str) -> Engine:
        if db_id not in self._engines:
            schema = reference().loader.read_ddl(
                (self._folder / f"{db_id}.sql").read_text(encoding="utf-8"), db_id
            )
            self._engines[db_id] = make_engine(schema, None, Options(relation=self._relation, timeout=None))
        return self._engines[db_id]


def _shown(record: Record, forms: NormalForms) -> Iterable[str]:
    where = f"{record['db_id']}, {record['difficulty']}"
    yield f"### {record['question_id']} ({where}): {record['verdict']} {what(record)}"
    yield f"pred: {record['predicted_sql']}"
    yield f"gold: {record['gold_sql']}"
    evidence = record["evidence"]
    if record["verdict"] == "not_equivalent" and evidence:
        yield f"difference: {record['difference']}"
        yield from (f"  {line}" for line in evidence.get("sql", "").splitlines() if "INSERT" in line)
        yield f"  pred rows: {evidence['pred_rows']}"
        yield f"  gold rows: {evidence['gold_rows']}"
        return
    for side, form in zip(("pred", "gold"), forms(record), strict=True):
        yield f"{side} normal form: {form}"


if __name__ == "__main__":
    sys.exit(main())
