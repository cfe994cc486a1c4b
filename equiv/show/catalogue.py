"""The rules, to be read: a list of all, and the page of one."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from equiv.errors import InputError
from equiv.rewrite.rule import Rule
from equiv.show.page import Block, Code, Grid, Text
from equiv.spelling import did_you_mean


def list_of_rules(rules: Iterable[Rule]) -> list[Block]:
    """A table: name, ESM+ number, the weakest relation preserved, and what the rule does."""
    rows = tuple(
        (
            rule.name,
            "" if rule.esm_plus is None else str(rule.esm_plus),
            rule.under.value,
            first_sentence(rule),
        )
        for rule in rules
    )
    return [Grid("", ("rule", "ESM+", "keeps", "what it does"), rows)]


def page_of_rule(rules: Iterable[Rule], name: str) -> list[Block]:
    """The page of one rule: its whole documentation.

    Raises:
        InputError: there is no rule of that name.
    """
    rule = rule_named(rules, name)
    origin = [f"rule {rule.esm_plus} of ESM+"] if rule.esm_plus is not None else []
    needs = ", ".join(need.__name__ for need in rule.needs) or "nothing"
    about = [*origin, f"in {rule.module}", f"keeps the result as a {rule.under}", f"needs {needs}"]
    shown = "; ".join(about)
    return [Text(rule.name), Text(shown[:1].upper() + shown[1:]), Code(inspect.cleandoc(rule.doc))]


def rule_named(rules: Iterable[Rule], name: str) -> Rule:
    """The rule of a name.

    Raises:
        InputError: there is none.
    """
    by_name = {rule.name: rule for rule in rules}
    if name not in by_name:
        hint = did_you_mean(name, by_name) or " (equiv rules lists them)"
        raise InputError(f"no rule is called {name!r}{hint}")
    return by_name[name]


def rules_named(rules: Iterable[Rule], names: Iterable[str]) -> list[Rule]:
    """The rules of some names, all if there are none.

    Raises:
        InputError: there is no rule of a name.
    """
    rules = list(rules)
    return [rule_named(rules, name) for name in names] or rules


def first_sentence(rule: Rule) -> str:
    """The first sentence of a rule's documentation."""
    return " ".join(rule.doc.partition("\n\n")[0].split())
