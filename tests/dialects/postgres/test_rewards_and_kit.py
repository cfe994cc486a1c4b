"""Rewards and the kit for testing rewriters, asked in PostgreSQL's dialect."""

from __future__ import annotations

import pytest

from equiv.errors import InputError
from equiv.rewards import reward
from equiv.testing import assert_equivalent, check_rewrite
from equiv.testing.trials import TrialOutcome

pytestmark = pytest.mark.long

DDL = "CREATE TABLE t (id serial PRIMARY KEY, a int, name varchar(20) NOT NULL)"
HALF = "SELECT name FROM t WHERE a / 2 = 1"


def test_a_reward_is_given_by_postgresqls_rules() -> None:
    kept = reward(f"```sql\n{HALF}\n```", "SELECT name FROM t WHERE a IN (2, 3)", DDL, dialect="postgres")
    lost = reward(HALF, "SELECT name FROM t WHERE a = 2", DDL, dialect="postgres")
    assert (kept.score, lost.score) == (1.0, 0.0)
    folded = "SELECT id FROM t WHERE name LIKE 'A%'", "SELECT id FROM t WHERE name LIKE 'a%'"
    assert reward(*folded, DDL).score == 1.0
    assert reward(*folded, DDL, dialect="postgres").score == 0.0


def test_a_rewriter_is_tried_on_queries_in_postgresqls_words() -> None:
    queries = ["SELECT name::text FROM t WHERE a >= 1", "SELECT DISTINCT ON (a) a FROM t"]
    report = check_rewrite(
        lambda sql: sql.replace(" >= ", " > "), schema=DDL, queries=queries, dialect="postgres"
    )
    assert [each.outcome for each in report.tried] == [TrialOutcome.REFUTED, TrialOutcome.UNCHANGED]
    assert_equivalent(HALF, "SELECT name FROM t WHERE a IN (2, 3)", schema=DDL, dialect="postgres")


def test_no_queries_are_drawn_in_postgresqls_words() -> None:
    with pytest.raises(InputError, match="give queries= for postgres"):
        check_rewrite(str, schema=DDL, dialect="postgres")
