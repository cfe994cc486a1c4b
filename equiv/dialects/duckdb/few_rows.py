"""Functions in FROM that have few rows, which constants say."""

from __future__ import annotations

from equiv.dialects.duckdb.trees import Tree

_FEW = 50


def is_small(node: Tree) -> bool:
    """Whether a function in FROM has few rows, which constants say."""
    call = node["function"]
    name, given = str(call["function_name"]).lower(), [each["expression"] for each in call["arguments"]]
    plain = node.get("with_ordinality", "WITHOUT_ORDINALITY") == "WITHOUT_ORDINALITY"
    if (
        not plain
        or call.get("schema")
        or call.get("catalog")
        or any(e.get("name") for e in call["arguments"])
    ):
        return False
    if name == "unnest" and len(given) == 1 and given[0].get("function_name") == "list_value":
        elements = [each["expression"] for each in given[0]["arguments"]]
        return 0 < len(elements) <= _FEW and all(each["class"] == "CONSTANT" for each in elements)
    if name not in ("range", "generate_series") or not 1 <= len(given) <= 3:
        return False
    whole = [_whole(each) for each in given]
    numbers = [each for each in whole if each is not None]
    if len(numbers) < len(whole):
        return False
    start, end, step = (0, *numbers, 1) if len(numbers) == 1 else (*numbers, 1)[:3]
    return step != 0 and (end - start) // step < _FEW


def _whole(node: Tree) -> int | None:
    """The small integer that a node is as it is written."""
    if node["class"] == "FUNCTION" and node["function_name"] == "-" and len(node["arguments"]) == 1:
        found = _whole(node["arguments"][0]["expression"])
        return None if found is None else -found
    if node["class"] != "CONSTANT" or node["literal"]["kind"] != "INTEGER":
        return None
    text = str(node["literal"]["text"])
    return int(text) if len(text) <= 9 else None
