"""Rule packs: found by file, module or entry point; asked last; what rests on them says so."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import equiv
from equiv import packs
from equiv.engine.host import Checker
from equiv.errors import InputError
from equiv.eval.plan import Setting, key_of
from equiv.options import Options
from equiv.packs import load_pack, load_packs
from equiv.records.record import Item, pair_key, to_record
from equiv.rules.verification.verify import Verified, verify_pack
from equiv.schema.locate import Place
from equiv.verdict import Derivation, Equivalent, NotEquivalent, Tier, Undecided, Verdict

EXAMPLE = Path(__file__).parents[2] / "examples" / "packs" / "shop_rules.py"
DDL = "CREATE TABLE orders (id INTEGER PRIMARY KEY, shop INT NOT NULL, code TEXT, total INT);"
TRIMS = ("SELECT TRIM(LTRIM(code)) FROM orders", "SELECT TRIM(code) FROM orders")

KEEP = "@rule(on=exp.Trim)\ndef keep(node, ctx):\n    return None\n"
HEADER = """
from sqlglot import exp
from equiv.rewrite.rule import rule
"""


def decide(pair: tuple[str, str], *rules: str | Path, **options: object) -> Verdict:
    return equiv.check(
        *pair,
        schema=DDL,
        timeout=None,
        rules=tuple(map(str, rules)),
        **options,  # type: ignore[arg-type]
    )


def written(tmp_path: Path, body: str, name: str = "pack.py") -> Path:
    path = tmp_path / name
    path.write_text(HEADER + body)
    return path


def test_a_pack_settles_what_nothing_else_does_and_the_derivation_names_it() -> None:
    alone = decide(TRIMS)
    assert isinstance(alone, Undecided)
    verdict = decide(TRIMS, EXAMPLE)
    assert isinstance(verdict, Equivalent)
    assert verdict.tier is Tier.PACKS
    assert isinstance(verdict.evidence, Derivation)
    assert verdict.evidence.on_trust == ("shop_rules:eliminate_trim_below_trim",)
    assert [attempt.tier for attempt in verdict.attempts][-1] is Tier.PACKS


@pytest.mark.long
def test_a_worker_process_loads_the_pack_from_another_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLE.parent)
    with Checker(DDL, rules=("./shop_rules.py",)) as checker:
        monkeypatch.chdir(tmp_path)
        assert checker.check(*TRIMS).name == "equivalent"


def test_what_the_algebra_proves_of_a_step_is_not_on_trust() -> None:
    """The pack's step is a proof's lemma: nothing rests on the pack, and the facts of the lemma are told."""
    both = ("SELECT TRIM(LTRIM(code)), total + total FROM orders", "SELECT TRIM(code), 2 * total FROM orders")
    verdict = decide(both, EXAMPLE)
    assert isinstance(verdict, Equivalent)
    assert isinstance(verdict.evidence, Derivation)
    assert "shop_rules:convert_sum_to_double" in {step.rule for step in verdict.evidence.pred_steps}
    assert verdict.evidence.on_trust == ("shop_rules:eliminate_trim_below_trim",)
    assert "total" in {column for fact in verdict.facts for column in fact.columns}


def test_a_wrong_rule_is_refuted_before_it_is_asked() -> None:
    pair = ("SELECT COUNT(DISTINCT shop) FROM orders", "SELECT COUNT(shop) FROM orders")
    verdict = decide(pair, EXAMPLE)
    assert isinstance(verdict, NotEquivalent)
    assert verdict.tier is Tier.GENERATE


def test_a_wrong_rule_decides_nothing_even_where_no_other_tier_may() -> None:
    """Databases attack the derivation, whichever tiers may settle pairs."""
    pair = ("SELECT COUNT(DISTINCT shop) FROM orders", "SELECT COUNT(shop) FROM orders")
    verdict = decide(pair, EXAMPLE, tiers=("rules",))
    assert isinstance(verdict, Undecided)
    assert verdict.reason == "CONFLICT"
    assert verdict.detail.endswith("; wrong is a rule of your pack: shop_rules:eliminate_distinct")


def test_a_rule_that_raises_is_named_and_decides_nothing(tmp_path: Path) -> None:
    path = written(
        tmp_path, "@rule(on=exp.Trim)\ndef break_down(node, ctx):\n    raise KeyError('no such thing')\n"
    )
    verdict = decide(TRIMS, path)
    assert isinstance(verdict, Undecided)
    assert any("pack:break_down raised KeyError" in attempt.reason for attempt in verdict.attempts)


def test_whatever_follows_a_step_on_trust_is_the_packs_affair(tmp_path: Path) -> None:
    """A rule of ours may be led astray by a tree that a pack has made: it answers for them."""
    body = (
        "@rule(on=exp.Trim)\n"
        "def lose_a_column(node, ctx):\n"
        "    return exp.column('nothing', table='orders')\n"
    )
    pair = ("SELECT TRIM(LTRIM(code)), shop FROM orders", "SELECT TRIM(RTRIM(code)), shop FROM orders")
    verdict = decide(pair, written(tmp_path, body))
    assert isinstance(verdict, Equivalent)
    assert isinstance(verdict.evidence, Derivation)
    assert verdict.evidence.on_trust == ("pack:lose_a_column",)


def test_record_says_what_is_on_trust_and_its_key_depends_on_the_pack(tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    path.write_text(EXAMPLE.read_text())
    item = Item("", None, "", *TRIMS)
    verdict = decide(TRIMS, path)
    record = to_record(item, verdict, "key")
    assert record["evidence"]["on_trust"] == ["shop:eliminate_trim_below_trim"]
    assert record["score_by"] == "packs"
    options = Options(rules=(str(path),))
    first = pair_key(item, "", options)
    assert first != pair_key(item, "", Options())
    path.write_text(path.read_text() + "\n# more\n")
    assert pair_key(item, "", options) != first


def test_one_run_reads_a_pack_once(tmp_path: Path) -> None:
    path = tmp_path / "shop.py"
    path.write_text(EXAMPLE.read_text())
    item, options = Item("", None, "shop", *TRIMS), Options(rules=(str(path),))
    run = {"shop": Setting(Place("shop"), options)}
    first = key_of(item, run)
    path.write_text(path.read_text() + "\n# more\n")
    assert key_of(item, run) == first
    assert key_of(item, {"shop": Setting(Place("shop"), options)}) != first


def test_a_module_and_an_entry_point_are_packs_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, KEEP, "our_sql_rules.py")
    monkeypatch.syspath_prepend(tmp_path)
    assert [rule.name for rule in load_pack("our_sql_rules").rules] == ["our_sql_rules:keep"]
    point = EntryPoint("nice", "our_sql_rules", packs.GROUP)
    monkeypatch.setattr(packs, "entry_points", lambda group, name: [point] if name == "nice" else [])
    assert [rule.name for rule in load_pack("nice").rules] == ["nice:keep"]
    monkeypatch.delitem(sys.modules, "our_sql_rules")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("x = 1\n", "it defines no rules"),
        ("RULES = [1]\n", "it defines no rules"),
        ("RULES = 1\n", "RULES must be a sequence"),
        ("raise ValueError('two\\nlines')\n", "ValueError: two lines"),
        ("import no_such_module\n", "ModuleNotFoundError"),
        ("def f(:\n", "SyntaxError"),
        (
            f"SCHEMA = 1\n{KEEP}",
            "SCHEMA must be DDL text",
        ),
    ],
)
def test_what_is_no_pack_is_said_in_one_line(tmp_path: Path, body: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        load_pack(str(written(tmp_path, body)))
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_what_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    for name in (str(tmp_path / "none.py"), "no_such_pack_here", "os.path.nothing"):
        with pytest.raises(InputError, match="rule pack"):
            load_pack(name)
    one = written(tmp_path, KEEP)
    with pytest.raises(InputError, match="there are two rule packs 'pack'"):
        load_packs((str(one), str(one)))
    with pytest.raises(InputError, match="no such rule pack"):
        Checker(DDL, rules=("none.py",))
    with pytest.raises(InputError, match="sequence of pack names"):
        Options(rules="mypack.py")  # type: ignore[arg-type]


def verified(path: Path) -> list[Verified]:
    pack = load_pack(str(path))
    return verify_pack(pack, pack.rules)


@pytest.mark.long
def test_verification_tells_the_sound_rules_from_the_other() -> None:
    found = {each.name.partition(":")[2]: each.status for each in verified(EXAMPLE)}
    assert found == {
        "convert_sum_to_double": "proved",
        "eliminate_trim_below_trim": "tested",
        "eliminate_distinct": "refuted",
    }


def test_verification_wants_a_schema(tmp_path: Path) -> None:
    path = written(tmp_path, KEEP)
    with pytest.raises(InputError, match="SCHEMA must hold"):
        verified(path)
