"""Each operator and function that is mapped, on nasty values: DuckDB and the core give the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from kit.engines import assert_core_agrees
from kit.sizes import sized

from equiv.dialects.protocol import Session
from equiv.dialects.registry import dialect_named

pytest.importorskip("duckdb")

DUCKDB = dialect_named("duckdb")
DDL = """CREATE TABLE v (id INTEGER PRIMARY KEY, i INTEGER, j BIGINT, h SMALLINT, n DECIMAL(12, 4),
    m DECIMAL(8, 2), r DOUBLE, x VARCHAR, y VARCHAR, d DATE, e DATE, s TIMESTAMP,
    u TIMESTAMP, p BOOLEAN, q BOOLEAN, g FLOAT, k FLOAT, w VARCHAR, z TIMESTAMPTZ,
    l INTEGER[], o VARCHAR[])"""
COLUMNS: dict[str, tuple[str | None, ...]] = {
    "i": ("0", "1", "-1", "2", "3", "-7", "10", "100", None),
    "j": ("0", "3", "-3", "2", "-2", "5", "1000000", None),
    "h": ("1", "-5", "4", None),
    "n": ("0", "0.5", "1.5", "2.5", "-0.5", "-2.5", "7.25", "-7.25", "1234.5678", None),
    "m": ("0.00", "0.05", "1.25", "-1.25", "99.99", None),
    "r": ("0", "0.5", "1.5", "2.5", "-0.5", "-1.5", "-2.5", "3.25", "1000", None),
    "x": (
        "",
        "a",
        "A",
        "ab",
        "aB",
        "%",
        "a_b",
        "a\\b",
        " a ",
        "É",
        "éa",
        "ß",
        "xaby",
        "\u2003a\u00a0",
        "[a]*?",
        "a\nb",
        "ab\n",
        None,
    ),
    "y": ("a", "b", "%", "a%", "_b", "A", ",", "É", "ab", "", "\\%", None),
    "d": ("2000-02-29", "1999-12-31", "2000-01-01", "2001-03-31", "0800-07-04", None),
    "e": ("2000-02-29", "2000-03-01", "1999-01-31", "2010-10-10", None),
    "s": (
        "2000-02-29 12:30:45.5",
        "1999-12-31 23:59:59.999999",
        "2000-01-01 00:00:00",
        "2010-05-06 07:08:09",
        None,
    ),
    "u": ("2000-02-29 12:30:45.5", "2000-01-31 00:00:00", "2009-05-07 17:08:09.25", None),
    "p": ("true", "false", None),
    "q": ("false", "true", "true", None, "false"),
    "g": ("0", "0.1", "0.5", "-1.5", "2.5", "16777216", "0.3333333", "-0.1", None),
    "k": ("0.1", "0.2", "0.5", "-3", None),
    "w": (
        "12",
        " 1.5",
        "abc",
        "-2.5",
        "1e2",
        "0x1F",
        ".5",
        "7_0",
        "",
        "-0.4\n",
        "200",
        "99.95",
        "2020-1-5",
        " 2020/02/30",
        "2020-01-05 10:3",
        None,
    ),
    "z": (
        "2000-02-29 12:30:45.5+00",
        "1999-12-31 23:59:59.999999+00",
        "2000-01-01 00:00:00+00",
        "2010-05-06 07:08:09+00",
        None,
    ),
    "l": ("[]", "[1]", "[1, 2]", "[NULL]", "[3, NULL]", "[0, 0]", "[-1, 2, 3]", None),
    "o": ("[]", "[a]", "[a, b]", "[NULL]", "[A, NULL]", "['']", None),
}
ROWS = 34
_PAIRS = (
    *(
        ("i", "j"),
        ("i", "h"),
        ("n", "r"),
        ("n", "m"),
        ("i", "n"),
        ("x", "y"),
        ("d", "e"),
        ("s", "u"),
        ("d", "s"),
    ),
    *(
        ("s", "d"),
        ("p", "q"),
        ("d", "'2000-01-01'"),
        ("d", "timestamp '2000-01-01 10:00:00'"),
        ("p", "1"),
        ("i", "'3'"),
    ),
    *(("j", "1.5"), ("s", "'2000-01-01'"), ("m", "1.255"), ("x", "'a'"), ("'b'", "y")),
)
_PLAIN = r"""
    TRY_CAST(w AS INTEGER); TRY_CAST(w AS BIGINT); TRY_CAST(w AS TINYINT); TRY_CAST(w AS DOUBLE);
    TRY_CAST(w AS DECIMAL(8, 2)); TRY_CAST(w AS DECIMAL(3, 1)); TRY_CAST(w AS DATE); TRY_CAST(w AS TIMESTAMP);
    TRY_CAST(x AS DATE); TRY_CAST(x AS DOUBLE) + 1; TRY_CAST(i AS TINYINT); TRY_CAST(j AS SMALLINT);
    TRY_CAST(n AS TINYINT); TRY_CAST(r AS SMALLINT); TRY_CAST(h * 100 AS TINYINT); strftime(d, '%H:%M');
    substr(x, i * -1000000000); substr(x, 1, j * 1000000000); left(x, 3000000000); round(n, -8);
    TRY_CAST(d AS TIMESTAMP); TRY_CAST(i AS VARCHAR);
    m::VARCHAR; n::VARCHAR; coalesce(TRY_CAST(w AS DOUBLE), 0); (i, id) = (id, i); (i, x) <> (id, y);
    (i, id) < (id, i); (x, i) <= (y, id); (i, x) > (id, y); (d, i) >= (e, id); (p, x) < (q, y);
    (i, j) IN ((1, 3), (0, NULL));
    (i, x) NOT IN ((1, 'a'), (NULL, 'b')); (i, j) IN (SELECT w.i, w.j FROM v w WHERE w.id < 9);
    (i, j) NOT IN (SELECT w.j, w.i FROM v w); list_contains([1, 2, NULL], i); list_contains([NULL], i);
    list_has(['a', 'b'], x); i IN [1, 2]; x NOT IN ['a']; array_contains([0.5, 1.5], n); p IN [true];
    regexp_matches(x, 'a'); regexp_matches(x, '^a'); regexp_matches(x, 'b$'); x ~ 'a.b'; x ~ '^a.b$';
    x ~ '^.$'; x ~ '.*b'; x ~ 'a.*'; regexp_matches(x, 'a.*b', 's'); regexp_matches(x, 'a.b', 's');
    x !~ '[a-z]b'; x ~ '^[^a]'; x ~ '^[ab]+$'; x ~ '^[^a]*$'; x ~ 'a|B'; x ~ '^(a|ab)$'; x ~ 'a{2}';
    x ~ '\[a\]'; x SIMILAR TO 'a.'; x SIMILAR TO '[ab]+'; x NOT SIMILAR TO 'a|A'; regexp_full_match(x, 'ab');
    x GLOB 'a*'; x GLOB '*b'; x ^@ 'a'; x ^@ y; if(p, i, n); if(q, x, y);
    g = 0.1; g > 0.1; g = r; g < r; g = 0.1::DOUBLE; g = k; g <> k; g < n; g = i; g IN (0.1, 2.5);
    g BETWEEN 0.1 AND k; g::DOUBLE; g::INTEGER; -g; abs(g); floor(g); ceil(g); trunc(g); g * 2 > 0;
    i::FLOAT; m::FLOAT; 0.1::FLOAT; greatest(g, k); least(g, r); coalesce(g, k, 0); coalesce(g, r);
    CASE WHEN p THEN g ELSE r END; CASE WHEN p THEN g ELSE k END; nullif(g, k); g IS DISTINCT FROM k;
    g IS NOT DISTINCT FROM 0.1; max(g) OVER (); sum(g) OVER (); avg(k) OVER (PARTITION BY p);
    lag(g) OVER (ORDER BY id); g IN (SELECT w.k FROM v w); (SELECT max(w.g) FROM v w WHERE w.k = v.g);
    (g, i) = (k, j::INTEGER); TRY_CAST(g AS INTEGER); g * 2; g - g; k - g < 0.05;
    add(i, j); subtract(j, 2); multiply(i, 2); divide(i, 3); divide(j, h); monthname(d); dayname(s);
    date_add(d, INTERVAL 1 MONTH); date_add(s, INTERVAL 2 DAYS); today() = current_date;
    i & id; i | id; xor(i, id); i & j; h | j; xor(h, i); i & i; j | j; xor(i, i); i & 0; 0 | h; xor(0, j);
    j & 922337203685477579; ~i; ~j; ~h; ~i & 7; xor(i, -1); i & id::UTINYINT; i::TINYINT | 1; abs(i) << 2;
    abs(i) << 0; abs(j) << 40; id << 25; id::TINYINT << 1; i >> 0; i >> 1; j >> 3; h >> 15; j >> 63; i >> 31;
    i::TINYINT >> 7; id::BIGINT << 57; (i & 6)::HUGEINT | j; xor(id::UBIGINT, 3::UBIGINT);
    w::DOUBLE; w::DECIMAL(8, 2); w::DATE; w::INTEGER;
    w::BIGINT + i; w::SMALLINT; substr(w, 1, 2)::INTEGER; coalesce(w, '0')::INTEGER // 2;
    x LIKE y; x NOT LIKE y; x ILIKE y; x LIKE y || '%'; x NOT ILIKE y;
    mod(i, j); -n; +i; -r; abs(i); abs(n); abs(r); round(n); round(r); round(i); round(n, 1); round(n, 2);
    round(r, 1); round(n, -1); round(i, 2); round(i, -1); floor(n); floor(r); floor(i); ceil(n); ceil(r);
    ceiling(r); trunc(n); trunc(r); sign(n); sign(i); sqrt(abs(r)); power(r, 2); i ^ 2; i ** 2; pow(i, 3);
    n::INTEGER; r::INTEGER; n::BIGINT; r::SMALLINT; i::DECIMAL(9, 3); i::DOUBLE; r::DECIMAL(10, 1);
    n::DECIMAL(10, 1); n::DECIMAL(10, 0); n::DOUBLE; p::INTEGER; i::BOOLEAN; p::VARCHAR; i::VARCHAR;
    d::VARCHAR; s::VARCHAR; x::VARCHAR(2); x LIKE 'a%'; x LIKE '%a%'; x LIKE '_b'; x LIKE 'a\_b';
    x LIKE 'a\b'; x LIKE 'a$_b' ESCAPE '$'; x NOT LIKE 'a$_b' ESCAPE '$'; x LIKE '[a]*?'; x LIKE 'ab';
    x LIKE '%B%'; x NOT LIKE 'a%'; x ILIKE 'A%'; x NOT ILIKE '%B'; x ILIKE 'É'; x || y; x || i;
    concat(x, y); concat(x, i, NULL, 'z'); upper(x); lower(x); ucase(x); lcase(x); substr(x, i);
    substr(x, i, 2); substring(x, i, h); substring(x from 2 for 2); left(x, 2); left(x, 0); right(x, 2);
    right(x, 0); left(x, -1); left(x, -3); right(x, -1); right(x, -4); starts_with(x, 'a');
    starts_with(x, y); prefix(x, y); ends_with(x, 'b'); suffix(x, y); contains(x, y); contains(x, 'a');
    length(x); len(x); strpos(x, 'b'); instr(x, ''); position('b' in x); position(y in x); trim(x);
    ltrim(x); rtrim(x); trim(x, 'a '); ltrim(x, 'a '); rtrim(x, y); replace(x, 'a', 'z');
    replace(x, y, ''); d::TIMESTAMP; s::DATE; d::TIMESTAMP::DATE; d + INTERVAL 1 MONTH;
    d - INTERVAL '1 year 2 days'; d + INTERVAL 10 DAYS; d + INTERVAL '36 hours'; s + INTERVAL 1 MONTH;
    s - INTERVAL '90 minutes'; INTERVAL 3 DAYS + s; INTERVAL 3 DAYS + d; d + 30; d - 1; 1 + d; d - e;
    d + i; d + INTERVAL 1 MONTH > e; e <= d - INTERVAL 3 DAYS; d + INTERVAL 1 DAY = s;
    d + INTERVAL (1) WEEK; extract(hour from s); extract(minute from s); extract(second from s); year(d);
    month(s); day(d); dayofmonth(s); hour(s); second(s); quarter(d); dayofweek(d); weekday(s);
    dayofyear(d); isodow(s); date_part('year', d); datepart('month', s); date_trunc('month', d)::DATE;
    strftime(d, '%Y'); strftime(s, '%Y-%m-%d'); strftime('%H:%M:%S', s); strftime(s, '%d/%m/%Y %H');
    strftime(d, '%Y%m'); strftime(d, '%j'); strftime(d, '%Y-%m-%d %H:%M:%S');
    strftime(d::TIMESTAMP, '%m'); greatest(i, j); least(n, r, i); greatest(x, y); least(d, e);
    coalesce(i, j, 0); ifnull(x, 'z'); nullif(i, j); nullif(x, y); nullif(r, 0); nullif(i, 1.5);
    i IS DISTINCT FROM j; x IS NOT DISTINCT FROM y; p IS TRUE; p IS NOT TRUE; p IS FALSE; p IS NULL;
    p IS NOT NULL; p AND q; p OR q; NOT p; i AND p; i IN (1, 2, NULL); i NOT IN (1, 2); x IN ('a', 'b');
    i IN (1, 2.5); i IN (3); d IN ('2000-02-29', '1999-12-31'); i BETWEEN j AND 5;
    d BETWEEN '2000-01-01' AND e; x NOT BETWEEN 'a' AND y; n BETWEEN i AND r;
    CASE i WHEN 1 THEN 'one' WHEN j THEN 'j' ELSE 'none' END; CASE WHEN p THEN i ELSE n END;
    CASE WHEN i THEN 1 END; CASE WHEN p THEN d ELSE s END; CASE WHEN p THEN 1 ELSE 2.5 END;
    i > ANY (SELECT w.j FROM v w); i >= ALL (SELECT w.i FROM v w WHERE w.i IS NOT NULL);
    i IN (SELECT w.j FROM v w); i NOT IN (SELECT w.j FROM v w WHERE w.j > 1);
    EXISTS (SELECT 1 FROM v w WHERE w.i = v.j); (SELECT max(w.i) FROM v w WHERE w.j = v.j);
    '12'::INTEGER + i; current_date = current_date; sum(i) OVER (ORDER BY id); lag(i) OVER (ORDER BY id);
    lead(x, 2, 'z') OVER (ORDER BY id); count(*) OVER (PARTITION BY p);
    row_number() OVER (ORDER BY x DESC, id); rank() OVER (ORDER BY i);
    first_value(i) OVER (PARTITION BY q ORDER BY id); avg(r) OVER (ORDER BY id ROWS 2 PRECEDING);
    ntile(3) OVER (ORDER BY id); min(d) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING);
    dense_rank() OVER (ORDER BY x NULLS FIRST);
    i = ANY (l); i <> ALL (l); i = ALL (l); i <> ANY (l); i < ANY (l); i >= ALL (l); NULL = ANY (l);
    3 = ANY (l); x = ANY (o); x <> ALL (o); i = ANY (ARRAY[1, 2, NULL]); i <> ALL ([1, 2]);
    i <> ALL ([1, NULL]); i = ALL ([1]); i > ANY ([1, 2, NULL]); i < ALL ([10, NULL]); x = ANY ([y, 'a']);
    x IN (SELECT unnest(o)); l @> [1, 2]; l @> [1, NULL]; [1] <@ l; l && ARRAY[1, 3]; [3, NULL] && l;
    list_has_any([1, 2], l); list_has_all(l, [1]); array_has_all(l, [2, 3]); o && ['a', 'b']; o @> ['a'];
    list_contains(l, 1); list_has(o, x); array_contains(l, i); contains(l, 3); contains(o, 'b'); 2 IN l;
    i NOT IN l; ARRAY[i, 1] @> [1]; z + INTERVAL 1 MONTH; z - INTERVAL '90 minutes'; INTERVAL 3 DAYS + z;
    z + INTERVAL 3 DAYS < '2000-03-01'; s + INTERVAL 3 DAYS >= u; s - INTERVAL 2 DAYS > u - INTERVAL 1 DAY;
    s - u < INTERVAL 3 DAYS; INTERVAL 1 MONTH >= s - u; z - s::TIMESTAMPTZ <= INTERVAL 0 DAYS; d + 3 > e;
    d - 3 <= e + 1; d + 3 = '2000-03-01'; hour(z); year(z); dayofweek(z); isodow(z); second(z);
    strftime(z, '%Y-%m-%d %H'); strftime('%j', z); monthname(z); dayname(z); z::DATE = d; z::TIMESTAMP = s;
    date_trunc('quarter', s) = '2000-01-01'; date_trunc('quarter', z) < '2000-02-01';
    date_trunc('week', s) >= '1999-12-27'; date_trunc('weeks', s) = '2010-05-03';
    date_trunc('week', z) <> '2010-05-03'; now() >= now() - INTERVAL 1 DAY; today() = now()::DATE;
    current_timestamp::DATE = current_date; z < now() - INTERVAL 7 DAYS; now() - z <= INTERVAL 7 DAYS
"""
EXPRESSIONS = (
    *(f"{left} {sign} {right}" for sign in ("=", "<>", "<", "<=", ">", ">=") for left, right in _PAIRS),
    *(
        f"{left} {sign} {right}"
        for sign in ("+", "-", "*")
        for left, right in (
            ("i", "j"),
            ("h", "h"),
            ("n", "m"),
            ("r", "i"),
            ("n", "i"),
            ("m", "1.5"),
            ("j", "2"),
        )
    ),
    *(f"{left} / {right}" for left, right in (("i", "j"), ("n", "m"), ("r", "i"), ("j", "2"), ("i", "2.0"))),
    *(f"{left} // {right}" for left, right in (("i", "j"), ("j", "h"), ("i", "-3"))),
    *(f"{left} % {right}" for left, right in (("i", "j"), ("n", "m"), ("i", "3"), ("n", "2"), ("n", "-1.5"))),
    *(f"substr(x, {start})" for start in (2, 0, -1, -9, 9)),
    *(f"substr(x, {start}, {length})" for start in (2, 0, -1, -3, 5) for length in (0, 1, 3, -1, -2)),
    *(
        f"extract({part} from {value})"
        for part in ("year", "month", "day", "dow", "isodow", "doy", "quarter")
        for value in ("d", "s", "z")
    ),
    *(
        f"date_trunc('{part}', {value})"
        for part in ("year", "month", "day", "hour", "minute", "second")
        for value in ("s", "z")
    ),
    *(f"date_trunc('{part}', d)" for part in ("year", "month", "day")),
    *(f"date_diff('{part}', d, e)" for part in ("year", "month", "day")),
    *(f"datediff('{part}', s, u)" for part in ("year", "month", "day")),
    *(each.strip() for each in _PLAIN.split(";")),
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    rows = [
        "(" + ", ".join([str(at), *(_shown(values, at) for values in COLUMNS.values())]) + ")"
        for at in range(ROWS)
    ]
    with DUCKDB.engine.replay(f"{DDL}; INSERT INTO v VALUES {', '.join(rows)};") as found:
        yield found


def _shown(values: tuple[str | None, ...], at: int) -> str:
    # Columns of different lengths meet in many pairs.
    value = values[(at * 7 + at // len(values)) % len(values)]
    return "NULL" if value is None else "'" + value.replace("'", "''") + "'"


@sized("share", 5, 3)
def test_duckdb_and_the_core_agree(session: Session, share: int, subtests: pytest.Subtests) -> None:
    for expression in EXPRESSIONS[::share]:
        with subtests.test(expression):
            assert_core_agrees(session, "duckdb", DDL, expression, ROWS)
