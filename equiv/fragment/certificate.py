"""What shows that two unions are equal: each case of either, and the block or case that has its rows."""

from __future__ import annotations

from collections.abc import Mapping

from equiv.fragment.decision import Equal, Match, Side
from equiv.fragment.tableau import NULL, Tableau
from equiv.verdict import Proof


def proof_of(pred: Side, gold: Side, equal: Equal) -> Proof:
    """The evidence of an equivalence, for people: the cases of both queries, and the mappings."""
    if equal.by == "isomorphism":
        lines = [_isomorphic(match, gold) for match in equal.matches[0]]
    else:
        forth, back = equal.matches
        lines = [_contained(match, "prediction", "gold") for match in forth]
        lines += [_contained(match, "gold", "prediction") for match in back]
    return Proof(_page(pred), _page(gold), tuple(lines or ("neither query ever returns a row",)), ())


def _contained(match: Match, mine: str, theirs: str) -> str:
    rows = _mapped(match.rows, match.case.tableau)
    case = f"a case of {mine} block {match.case.block + 1}"
    return f"{theirs} block {match.partner + 1} returns the head of {case}{rows}"


def _isomorphic(match: Match, gold: Side) -> str:
    partner = gold.cases[match.partner]
    rows = _mapped(match.rows, partner.tableau)
    return f"a case of prediction block {match.case.block + 1} is one of gold block {partner.block + 1}{rows}"


def _mapped(rows: Mapping[int, int], target: Tableau) -> str:
    """Which row becomes which, each by its place."""
    places = {number: place for place, number in enumerate(target.rows, 1)}
    shown = (f"{place} → {places[rows[number]]}" for place, number in enumerate(sorted(rows), 1))
    return f": rows {', '.join(shown)}" if rows else ""


def _page(side: Side) -> str:
    """The cases of a union, a line each."""
    kind = "the set of" if side.union.distinct else "the sum of"
    return "\n".join([kind, *(f"{c.block + 1}: {_text(c.tableau)}" for c in side.cases)])


def _text(case: Tableau) -> str:
    rows = " ".join(
        f"{place}:{table}({', '.join(f'{name} {_name(case, e)}' for name, e in cells.items())})"
        for place, (table, cells) in enumerate(case.rows.values(), 1)
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
