"""The rewrite rules of this project as rewriters: each alone, proved or refuted by everything but the rules.

python examples/rewriters/own_rules.py --examples 100
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from equiv.engine.make import all_rules
from equiv.options import TIERS
from equiv.rewrite.rule import Rule
from equiv.testing import assert_rewrite_sound
from equiv.testing.schema_facts import SHOP, ground_of, schema_of
from equiv.verdict import Tier

OTHERS = tuple(tier for tier in TIERS if tier is not Tier.RULES)
"""What may settle a pair: nothing that the rules themselves say."""


def rewriter(rule: Rule) -> Callable[[str], str | None]:
    """A rule as a function from SQL to SQL; None where it does not fire."""
    ground = ground_of(schema_of(SHOP))

    def rewrite(sql: str) -> str | None:
        new, plain = ground.normal_form(sql, rules=[rule]), ground.normal_form(sql, rules=[])
        return new if new != plain else None

    rewrite.__name__ = rule.name
    return rewrite


def main() -> None:
    """Try each rule, and print how much of what it does is proved."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rules", nargs="*", help="their names; by default all")
    parser.add_argument("--examples", type=int, default=100)
    given = parser.parse_args()
    for rule in all_rules():
        if rule.name in (given.rules or [rule.name]):
            report = assert_rewrite_sound(rewriter(rule), schema=SHOP, examples=given.examples, tiers=OTHERS)
            print(report.summary, flush=True)


if __name__ == "__main__":
    main()
