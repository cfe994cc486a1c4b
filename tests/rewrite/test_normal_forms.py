"""Normal forms that are kept, and what is kept of a tree while it stands: the same as made anew."""

from __future__ import annotations

from typing import Any

import pytest
from kit.harness import Case, World, all_cases

from equiv.core.claims import blocks
from equiv.core.printing import key
from equiv.relation import Rows
from equiv.rewrite.normalise import RuleSet, normalise
from equiv.rules import RULES
from equiv.rules.guards.selects import Choice
from equiv.tiers.rules import NormalForms

ALL_RULES = RuleSet(RULES)
CASES = [case for case in all_cases() if case.command == "norm"]
SAMPLE = CASES[::4]


def world_of(case: Case) -> World:
    assert case.world is not None
    return case.world


@pytest.mark.long
def test_a_form_that_serves_a_stricter_comparison_is_the_one_made_for_it() -> None:
    reused = 0
    for case in SAMPLE:
        world, forms = world_of(case), NormalForms(ALL_RULES)
        tree = world.read(case.parts[0]).tree
        assert tree is not None
        found = [forms.of(tree, world.context(rows)) for rows in reversed(Rows)]
        reused += len(found) - len(set(map(id, found)))
        for rows, form in zip(reversed(Rows), found, strict=True):
            anew = normalise(tree, ALL_RULES, world.context(rows), trace=True)
            assert key(form.tree) == key(anew.tree), (case.name, rows)
            assert (form.facts, form.steps, form.under) == (anew.facts, anew.steps, anew.under)
    assert reused > len(SAMPLE)


def test_an_order_inside_is_promised_in_a_list_only() -> None:
    world, forms = World("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)"), NormalForms(ALL_RULES)
    tree = world.read("SELECT q.a FROM (SELECT a, id FROM t ORDER BY id LIMIT 3) AS q").tree
    assert tree is not None
    bag, rows = (forms.of(tree, world.context(rows)).tree for rows in (Rows.BAG, Rows.LIST))
    assert key(bag) != key(rows)


@pytest.mark.long
def test_what_is_kept_of_a_tree_changes_no_normal_form(monkeypatch: pytest.MonkeyPatch) -> None:
    def forms() -> list[object]:
        trees = [(world_of(case), world_of(case).read(case.parts[0]).tree) for case in SAMPLE]
        return [key(normalise(tree, ALL_RULES, world.context()).tree) for world, tree in trees if tree]

    kept = forms()
    monkeypatch.setattr(blocks.TreeMemo, "known", property(lambda self: None, lambda self, known: None))
    assert forms() == kept


@pytest.mark.long
def test_what_guards_hand_to_a_body_is_what_it_would_find(monkeypatch: pytest.MonkeyPatch) -> None:
    pick, handed = Choice.pick, []

    def checked(choice: Choice[Any], node: Any, ctx: Any) -> Any:
        known = blocks.TREE_MEMO.handed or {}
        found = pick(choice, node, ctx)
        if known:
            handed.append(found)
            assert found == choice._pick(node, ctx)
            assert blocks.TREE_MEMO.handed is None
        return found

    monkeypatch.setattr(Choice, "pick", checked)
    for case in CASES:
        if "expect" in case.options:
            tree = world_of(case).read(case.parts[0]).tree
            assert tree is not None
            normalise(tree, ALL_RULES, world_of(case).context())
    assert len(handed) > 100


def test_nothing_is_kept_of_a_tree_that_does_not_stand() -> None:
    assert blocks.TREE_MEMO.known is None
    world = World("CREATE TABLE t (a INTEGER)")
    tree = world.read("SELECT a FROM t WHERE a > 1 AND a > 2").tree
    assert tree is not None
    normalise(tree, ALL_RULES, world.context())
    assert blocks.TREE_MEMO.known is None
    assert blocks.TREE_MEMO.handed is None
    assert blocks.TREE_MEMO.root is None
