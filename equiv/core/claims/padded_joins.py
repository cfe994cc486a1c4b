"""Comparisons under RTRIM between the sources of a query, which SQLite 3.40 answers by its plan.

A Bloom filter before an index of a join tells two texts of different lengths apart, which RTRIM may compare
as equal; whether there is one is up to the plan.  (An automatic index on ``u.a COLLATE RTRIM = t.code`` finds
'a' for 'a ' in 3.54, and not in 3.40, where EXPLAIN shows the filter before it.)
"""

from __future__ import annotations

from itertools import islice

from sqlglot import exp

from equiv.core.claims.comparing import comparisons
from equiv.core.claims.comparison import UNKNOWN
from equiv.core.context import Context
from equiv.core.model import Schema
from equiv.facts import Facts


def joins_under_rtrim(tree: exp.Expression, schema: Schema) -> bool:
    """Whether a query of several sources compares a column with anything under RTRIM."""
    if "RTRIM" not in schema.collations and tree.find(exp.Collate) is None:
        return False
    if len(list(islice(tree.find_all(exp.Table), 2))) < 2:
        return False
    found = comparisons(tree, Context(schema, Facts()))
    return any(
        each.right
        and each.collation in ("RTRIM", UNKNOWN)
        and any(side.find(exp.Column) is not None for side in (*each.left, *each.right))
        for each in found
    )
