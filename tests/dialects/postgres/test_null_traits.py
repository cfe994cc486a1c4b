"""What is called never NULL, or NULL just of NULL, is so on PostgreSQL, whatever values its types have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from kit.engines import empty_database
from kit.sizes import sized

from equiv.core.runner import Result
from equiv.dialects.protocol import Session
from equiv.dialects.typed.lowering.unknown import NEVER_NULL, SURE, is_sure
from equiv.dialects.typed.tree import Routine, RoutineCall, Type, TypedConstant

POOL = {
    "bool": ["true", "false"],
    "int4": ["0", "1", "-7"],
    "int8": ["0", "5"],
    "numeric": ["0", "NaN", "-1.50"],
    "float8": ["0", "NaN", "Infinity"],
    "money": ["1.5"],
    "text": ["", "a", "A%b", "\\", "2020-01-01"],
    "varchar": ["", "ab"],
    "bpchar": ["", "a "],
    "name": ["", "pg_class"],
    "bytea": ["", "\\x00ff"],
    "uuid": ["00000000-0000-0000-0000-000000000001"],
    "json": ["null", "{}", "[1,null]", '"a"', '{"a":null}'],
    "jsonb": ["null", "{}", "[1,null]", '"a"', '{"a":null,"b":[1]}', "3"],
    "date": ["2020-02-29", "infinity", "0001-01-01 BC"],
    "timestamp": ["2020-02-29 10:00:00", "infinity"],
    "timestamptz": ["2020-02-29 10:00:00+00", "-infinity"],
    "time": ["00:00", "24:00"],
    "timetz": ["00:00+02"],
    "interval": ["0", "1 mon", "-30 days"],
    "inet": ["10.0.0.1/8", "::1"],
    "cidr": ["10.0.0.0/8"],
    "macaddr": ["08:00:2b:01:02:03"],
    "bit": ["", "1"],
    "varbit": ["", "101"],
    "int4range": ["empty", "(,)", "[1,2)"],
    "tstzrange": ["empty", "(,)"],
    "int4multirange": ["{}", "{(,)}", "{[1,2),[5,)}"],
    "tsvector": ["", "'a':1 'b'"],
    "tsquery": ["", "a & b", "!a"],
    "oid": ["0", "1259"],
    "regclass": ["pg_class"],
    "point": ["(0,0)", "(NaN,1)"],
    "lseg": ["[(0,0),(1,1)]", "[(0,0),(0,0)]"],
    "line": ["{1,0,0}"],
    "box": ["((0,0),(1,1))"],
    "path": ["((0,0),(1,1))", "[(0,0),(1,2)]"],
    "polygon": ["((0,0))"],
    "circle": ["<(0,0),0>"],
    "xml": ["<a/>"],
    "_text": ["{}", "{a,NULL}"],
    "anyarray": ["{}::int4[]", "{1,NULL}::int4[]", "{NULL}::text[]"],
    "anyelement": ["1::int4"],
    "anyrange": ["empty::int4range", "(,)::int4range"],
    "anymultirange": ["{}::int4multirange", "{[1,2)}::int4multirange"],
    "anycompatible": ["1::int4"],
    "anycompatiblearray": ["{}::int4[]", "{1,NULL}::int4[]"],
    "any": ["1::int4"],
}
DDL = "CREATE TABLE t (id integer PRIMARY KEY)"
ROUTINES = """SELECT oprname::text, concat_ws(' ', (SELECT typname FROM pg_type WHERE oid = oprleft),
      (SELECT typname FROM pg_type WHERE oid = oprright)), true, proisstrict,
      (SELECT typname FROM pg_type WHERE oid = oprresult)::text
    FROM pg_operator o JOIN pg_proc p ON p.oid = oprcode WHERE oprnamespace = 'pg_catalog'::regnamespace
    UNION ALL SELECT proname, array_to_string(ARRAY(SELECT typname FROM unnest(proargtypes)
      WITH ORDINALITY a (id, place) JOIN pg_type t ON t.oid = id ORDER BY place), ' '), false, proisstrict,
      (SELECT typname FROM pg_type WHERE oid = prorettype)
    FROM pg_proc WHERE prokind = 'f' AND pronamespace = 'pg_catalog'::regnamespace ORDER BY 1, 2"""
CASTS = """SELECT (SELECT typname FROM pg_type WHERE oid = castsource)::text,
      (SELECT typname FROM pg_type WHERE oid = casttarget)::text
    FROM pg_cast WHERE castsource < 16384 AND casttarget < 16384 ORDER BY 1, 2"""


def constant(kind: str, text: str) -> str:
    value, _, own = text.partition("::") if kind.startswith("any") else (text, "", kind)
    return "'" + value.replace("'", "''") + f"'::{own}"


def calls(session: Session, share: int) -> Iterator[str]:
    """Calls of what is called sure, of values of all kinds."""
    found = session.run(ROUTINES)
    assert isinstance(found, Result)
    known = []
    for name, kinds, is_operator, is_strict, result in found.rows:
        routine = Routine(
            str(name), tuple(str(kinds).split()), "i", bool(is_strict), operator=bool(is_operator)
        )
        if is_sure(RoutineCall(Type(str(result)), routine, ())) and POOL.keys() >= {*routine.arguments}:
            known.append(routine)
    assert {each.name for each in known} >= (SURE | NEVER_NULL) - {"ts_rank", "ts_rank_cd"}
    for routine in known[::share]:
        nulls = [] if routine.strict else ["NULL"]
        pools = ([*(constant(kind, each) for each in POOL[kind]), *nulls] for kind in routine.arguments)
        for values in list(product(*pools))[:100]:
            if routine.operator:
                yield f"{' '.join(values[:-1])} OPERATOR(pg_catalog.{routine.name}) {values[-1]}"
            else:
                bare = routine.name in ("current_user", "session_user")
                yield routine.name if bare else f"pg_catalog.{routine.name}({', '.join(values)})"
    pairs = session.run(CASTS)
    assert isinstance(pairs, Result)
    for source, target in [*pairs.rows, *product(["text"], POOL)][::share]:
        cast = Routine(str(target), (str(source),), "i", strict=True)
        call = RoutineCall(Type(str(target)), cast, (TypedConstant(Type(str(source)), ""),), cast=True)
        if source in POOL and target in POOL and not str(target).startswith("any") and is_sure(call):
            yield from (f"CAST({constant(str(source), each)} AS {target})" for each in POOL[str(source)])


def nulls(session: Session, texts: list[str]) -> list[str]:
    """Those of some expressions that are NULL; not those that raise an error."""
    found = session.run(f"SELECT {', '.join(f'({each}) IS NULL' for each in texts)}")
    if isinstance(found, Result):
        return [each for each, is_null in zip(texts, found.rows[0], strict=True) if is_null]
    half = len(texts) // 2
    return nulls(session, texts[:half]) + nulls(session, texts[half:]) if half else []


@sized("share", 40, 1)
def test_what_is_sure_is_never_null(share: int) -> None:
    _, session = empty_database("postgres", DDL)
    asked = list(calls(session, share))
    assert len(asked) > 100
    assert not [each for at in range(0, len(asked), 60) for each in nulls(session, asked[at : at + 60])]


@pytest.mark.parametrize(
    ("name", "kinds", "result"),
    [
        ("@?", ("jsonb", "jsonpath"), "bool"),
        ("time", ("timestamp",), "time"),
        ("int4", ("jsonb",), "int4"),
        ("->>", ("jsonb", "text"), "text"),
        ("array_length", ("anyarray", "int4"), "int4"),
        ("lower", ("anyrange",), "int4"),
    ],
)
def test_what_may_be_null_of_values_is_not_sure(name: str, kinds: tuple[str, ...], result: str) -> None:
    routine = Routine(name, kinds, "i", strict=True, operator=not name.isidentifier())
    given = tuple(TypedConstant(Type(each), "") for each in kinds)
    assert not is_sure(RoutineCall(Type(result), routine, given, cast=len(kinds) == 1 and name != "lower"))
