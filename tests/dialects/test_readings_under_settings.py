"""A text whose reading names no setting answers alike under all of them: PostgreSQL and DuckDB are asked."""

from __future__ import annotations

from contextlib import closing
from importlib.util import find_spec
from random import Random

import pytest
from kit.sizes import seeds, sized

from equiv.answers.compare import same_bag
from equiv.core.query import Query
from equiv.dialects.postgres.wire import is_installed
from equiv.dialects.registry import dialect_named
from equiv.engine.make import make_engine
from equiv.options import Options
from equiv.testing.fuzz.own_words import words_of
from equiv.testing.fuzz.own_worlds import OwnWordsQuestions, world

INSTALLED = {"postgres": is_installed(), "duckdb": find_spec("duckdb") is not None}
PLAIN = frozenset(("integer", "number", "boolean"))
"""Families whose values an engine writes alike under all settings."""
DRAWN = 4
"""Under how many drawn settings each text is asked on a database."""


@pytest.mark.parametrize("dialect", sorted(INSTALLED))
@sized("count", 1, 5)
def test_a_text_that_names_no_setting_answers_alike_under_all(dialect: str, count: int) -> None:
    if not INSTALLED[dialect]:
        pytest.skip(f"{dialect} is not installed")
    texts = 0
    for seed in seeds(count):
        found, asked = _parting(dialect, Random(f"{dialect} {4 * seed}"))
        assert not found, f"seed {seed}:\n" + "\n\n".join(found)
        texts += asked
    assert texts > 3 * count


def _parting(dialect: str, random: Random) -> tuple[list[str], int]:
    """The texts of a random schema that answer otherwise under settings which they do not name."""
    words, known = words_of(dialect), dialect_named(dialect)
    assert words.databases is not None
    drawn = world(words, random)
    schema = known.loader.read_ddl(drawn.ddl)
    with closing(make_engine(schema, None, Options(dialect=dialect, timeout=None))) as engine:
        ways = [way for _ in range(8) for way in OwnWordsQuestions(words, random, 0.7).ways(4)]
        read = {way: engine.read(way) for way in dict.fromkeys(ways)}
    texts = {way: query for way, query in read.items() if isinstance(query, Query) and _is_fixed(query)}
    own = {name: values[0] for name, values in words.settings.items()}
    told: dict[str, str] = {}
    with closing(words.databases(drawn.ddl, [drawn.rows(random) for _ in range(2)])) as opened:
        for number in range(2):
            before = dict(zip(texts, opened.rows(number, own, list(texts)), strict=True))
            for _ in range(DRAWN):
                settings = {name: random.choice(values) for name, values in opened.settings.items()}
                for text, query in texts.items():
                    # A single-precision number is written in fewer digits under it.
                    kept = {
                        *query.settings,
                        *(
                            ("extra_float_digits",)
                            if any(t.startswith("number") for t in query.types)
                            else ()
                        ),
                    }
                    here = {n: own[n] if n in kept else value for n, value in settings.items()}
                    (rows,), expected = opened.rows(number, here, [text]), before[text]
                    if rows is not None and expected is not None and not same_bag(rows, expected):
                        told.setdefault(
                            text, f"{text}\nnames {set(query.settings)}\n{here}\n{expected}\n{rows}"
                        )
    return list(told.values()), len(texts)


def _is_fixed(query: Query) -> bool:
    """Whether a query is read, leaves no choice, and returns values that are written in one way."""
    return query.tree is not None and query.is_plain and {t.partition("(")[0] for t in query.types} <= PLAIN
