"""Classes of nodes that older versions of sqlglot lack are made, and else are its own."""

from __future__ import annotations

from importlib import reload

import pytest
from sqlglot import exp

from equiv.core import nodes


def test_classes_are_those_of_the_version_at_hand() -> None:
    assert (nodes.Rank, nodes.Ntile, nodes.DType) == (exp.Rank, exp.Ntile, exp.DataType.Type)


def test_classes_that_a_version_lacks_are_made_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {name: getattr(exp, name) for name in nodes.__all__ if name not in ("DType", "Expr")}
    with monkeypatch.context() as without:
        for name in (*own, "Expr"):
            without.delattr(exp, name)
        made = reload(nodes)
        for name, known in own.items():
            lacked = getattr(made, name)
            assert lacked is not known
            assert (lacked.arg_types, lacked.is_var_len_args) == (known.arg_types, known.is_var_len_args)
        assert made.Expr is exp.Expression
    assert reload(nodes).Rank is exp.Rank
