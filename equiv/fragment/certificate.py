"""What shows that two unions are equal: each case of either, and the block or case that has its rows."""

from __future__ import annotations

from equiv.fragment.decision import Equal, Match, Side
from equiv.fragment.tableau import NULL, Tableau
from equiv.verdict import Proof


def proof_of(pred: Side, gold: Side, equal: Equal) -> Proof:
    """The evidence of an equivalence, for people: the cases of both queries, and the mappings."""
    names = "prediction", "gold"
    lines = [
        _line(match, names[at], names[1 - at], equal.by)
        for at, side in enumerate(equal.matches)
        for match in side
    ]
    return Proof(_page(pred), _page(gold), tuple(lines or ("neither query ever returns a row",)), ())


def _line(match: Match, mine: str, theirs: str, by: str) -> str:
    rows = ", ".join(f"{old} → {new}" for old, new in sorted(match.rows.items()))
    case = f"a case of {mine} block {match.case.block + 1}"
    if by == "containment":
        return f"{theirs} block {match.partner + 1} returns the head of {case}: rows {rows}"
    return f"{case} is isomorphic to case {match.partner + 1} of {theirs}: rows {rows}"


def _page(side: Side) -> str:
    """The cases of a union, a line each."""
    kind = "the set of" if side.union.distinct else "the sum of"
    return "\n".join([kind, *(f"{c.block + 1}: {_text(c.tableau)}" for c in side.cases)])


def _text(case: Tableau) -> str:
    rows = " ".join(
        f"{number}:{table}({', '.join(f'{name} {_name(case, e)}' for name, e in cells.items())})"
        for number, (table, cells) in case.rows.items()
    )
    return f"({', '.join(_name(case, element) for element in case.head)}) ← {rows or 'one row'}"


def _name(case: Tableau, element: int) -> str:
    if element == NULL:
        return "NULL"
    region = case.regions[element]
    if region is None:
        return f"x{element}"
    if region.only is not None:
        return repr(region.only)
    bounds = (region.low is not None and f"≥ {region.low}", region.high is not None and f"≤ {region.high}")
    said = [each for each in bounds if each] + [f"≠ {value!r}" for value in sorted(region.without, key=repr)]
    return f"x{element}" + (f" [{', '.join(said)}]" if said else "")
