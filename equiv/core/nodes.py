"""The classes of nodes that not every supported version of sqlglot has, or calls by another name.

They are called here as sqlglot 30 calls them. What 26.33 lacks are the window functions of ranks, which it
reads as calls that it does not know; no tree of ours is read by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

__all__ = ["CumeDist", "DType", "DenseRank", "Expr", "Ntile", "PercentRank", "Rank"]

if TYPE_CHECKING:
    from sqlglot.expressions import CumeDist, DenseRank, DType, Expr, Ntile, PercentRank, Rank
else:
    Expr = getattr(exp, "Expr", exp.Expression)
    DType = exp.DataType.Type

    def _window_function(name: str, argument: str) -> type[exp.Expression]:
        """The class of that name, made if there is none."""
        form = {"arg_types": {argument: False}, "is_var_len_args": argument == "expressions"}
        return getattr(exp, name, None) or type(name, (exp.AggFunc,), form)

    CumeDist = _window_function("CumeDist", "expressions")
    DenseRank = _window_function("DenseRank", "expressions")
    Ntile = _window_function("Ntile", "this")
    PercentRank = _window_function("PercentRank", "expressions")
    Rank = _window_function("Rank", "expressions")
