"""The 20 rules and 8 fixes of ESM+, each as a pair of queries on a schema where its assumption holds.

ESM+ (see CITATIONS.md, [1]) lists equivalences under "verifiable assumptions"
in its Table 1 and corrections of its predecessor in appendix A.1.  An entry
holds the smallest instance that decides whether the assumption is enough, and,
if it is not, one where the condition used here holds.  Nothing is claimed by
hand: :mod:`equiv.rules.audit` runs every pair.
"""

from __future__ import annotations

from dataclasses import dataclass

PROVED = "equivalent by=rules"
REFUTED = "not_equivalent by=generate"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two queries on a schema, and what `equiv check` says of them."""

    ddl: str
    pred: str
    gold: str
    verdict: str
    relation: str = "bag"
    assume: tuple[str, ...] = ()
    """Facts beyond those of the schema, in the notation of ``--assume``."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule or fix."""

    number: str
    about: str
    """What it equates, or what it corrects, in a few words."""
    assumption: str
    """The paper's."""
    as_stated: Pair
    """An instance in which the assumption holds."""
    why: str
    """Why it suffices, or what it overlooks."""
    condition: str
    """What is required here."""
    rules: tuple[str, ...] = ()
    """The rules of :mod:`rules` that do it; none if parsing or comparison settles it."""
    settled_by: str = ""
    as_used: Pair | None = None
    """An instance in which the condition used here holds."""
    where: str = ""
    """How far it is unsound: in SQL in general, or under SQLite's typing alone; '' if it is not."""
    also: tuple[Pair, ...] = ()
    """Further instances in which the assumption holds, and fails to suffice for another reason."""
    predecessor: str = ""
    """Of a fix: what the predecessor of ESM+ does, as the paper says or as follows from what it says."""


READING = (
    "push_join_condition_to_filter",  # appendix A.1, fix 3: a join condition is a condition
    "eliminate_duplicate_member",  # fix 7: the values of IN are a set
    "fold_not_literal",  # these three clear away what rule 8 leaves of a condition
    "fold_literal_operand",
    "eliminate_true_filter",
)
"""The rules beside the numbered ones that the structural match of ESM+ needs to compare conditions."""

ONE = "CREATE TABLE t1 (c1 INTEGER UNIQUE, c2 INTEGER, c3 INTEGER)"
STRICT = "CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c2 INTEGER, c3 INTEGER)"
PLAIN = "CREATE TABLE t1 (c1 INTEGER, c2 INTEGER, c3 TEXT)"
FILLED = ("not_empty(t1)",)
NULLABLE = "two rows may hold NULL in a UNIQUE column"
GENERAL = "in SQL in general"
TWO_NULLS = f"{GENERAL}, except where UNIQUE admits one NULL only"
TYPING = "only under SQLite's typing"

TABLE_1 = (
    Entry(
        "1",
        "the row with the extreme value: `= (SELECT MAX …)` and `ORDER BY … LIMIT 1`",
        "column UNIQUE",
        Pair(
            ONE,
            "SELECT c2 FROM t1 WHERE c1 = (SELECT MAX(c1) FROM t1)",
            "SELECT c2 FROM t1 ORDER BY c1 DESC LIMIT 1",
            REFUTED,
        ),
        "one row with NULL is enough: `=` finds none, ORDER BY finds it; ascending, also among others",
        "the column is a key without NULL, and both forms filter alike",
        ("convert_extreme_filter_to_first_row",),
        where=f"{GENERAL}, also where UNIQUE admits one NULL only",
        also=(
            Pair(
                ONE,
                "SELECT c2 FROM t1 WHERE c1 = (SELECT MIN(c1) FROM t1)",
                "SELECT c2 FROM t1 ORDER BY c1 LIMIT 1",
                REFUTED,
            ),
        ),
        as_used=Pair(
            STRICT,
            "SELECT c2 FROM t1 WHERE c1 = (SELECT MAX(c1) FROM t1)",
            "SELECT c2 FROM t1 ORDER BY c1 DESC LIMIT 1",
            PROVED,
        ),
    ),
    Entry(
        "2",
        "DISTINCT or not",
        "column UNIQUE",
        Pair(ONE, "SELECT DISTINCT c1 FROM t1", "SELECT c1 FROM t1", REFUTED),
        f"{NULLABLE}, which DISTINCT merges",
        "the projections determine the row of every source: a key that compares by BINARY, without NULL",
        ("eliminate_distinct_on_key", "reduce_count_distinct_key"),
        where=TWO_NULLS,
        as_used=Pair(
            ONE, "SELECT DISTINCT c1 FROM t1 WHERE c1 > 2", "SELECT c1 FROM t1 WHERE c1 > 2", PROVED
        ),
    ),
    Entry(
        "3",
        "INTERSECT and AND",
        "column UNIQUE",
        Pair(
            ONE,
            "SELECT c1 FROM t1 WHERE c2 = 1 INTERSECT SELECT c1 FROM t1 WHERE c3 = 2",
            "SELECT c1 FROM t1 WHERE c2 = 1 AND c3 = 2",
            REFUTED,
        ),
        f"{NULLABLE}, one meeting each condition",
        "the projections contain a key of every source, without NULL",
        ("merge_intersect_to_and",),
        where=TWO_NULLS,
        as_used=Pair(
            STRICT,
            "SELECT c1 FROM t1 WHERE c2 = 1 INTERSECT SELECT c1 FROM t1 WHERE c3 = 2",
            "SELECT c1 FROM t1 WHERE c2 = 1 AND c3 = 2",
            PROVED,
        ),
    ),
    Entry(
        "4",
        "UNION and OR",
        "column UNIQUE",
        Pair(
            ONE,
            "SELECT c1 FROM t1 WHERE c2 = 1 UNION SELECT c1 FROM t1 WHERE c3 = 2",
            "SELECT c1 FROM t1 WHERE c2 = 1 OR c3 = 2",
            REFUTED,
        ),
        f"{NULLABLE}, which UNION merges",
        "none if DISTINCT stays; dropping it needs rule 2",
        ("merge_union_to_or", "eliminate_distinct_on_key"),
        where=TWO_NULLS,
        as_used=Pair(
            PLAIN,
            "SELECT c1 FROM t1 WHERE c2 = 1 UNION SELECT c1 FROM t1 WHERE c3 = 'k'",
            "SELECT DISTINCT c1 FROM t1 WHERE c2 = 1 OR c3 = 'k'",
            PROVED,
        ),
    ),
    Entry(
        "5",
        "further GROUP BY columns",
        "column UNIQUE",
        Pair(ONE, "SELECT COUNT(*) FROM t1 GROUP BY c1, c2", "SELECT COUNT(*) FROM t1 GROUP BY c1", REFUTED),
        f"{NULLABLE} and so share a group",
        "the other keys determine the column: by a key without NULL, an equality or a constant",
        ("eliminate_determined_group_key",),
        where=TWO_NULLS,
        as_used=Pair(
            STRICT, "SELECT COUNT(*) FROM t1 GROUP BY c1, c2", "SELECT COUNT(*) FROM t1 GROUP BY c1", PROVED
        ),
    ),
    Entry(
        "6",
        "EXCEPT and NOT IN",
        "column UNIQUE and NOT NULL",
        Pair(
            f"{STRICT}; CREATE TABLE t2 (c4 INTEGER)",
            "SELECT c1 FROM t1 EXCEPT SELECT c4 FROM t2",
            "SELECT c1 FROM t1 WHERE c1 NOT IN (SELECT c4 FROM t2)",
            REFUTED,
        ),
        "the other query may yield NULL: NOT IN is then never true",
        "NULL on neither side of NOT IN, on one side at most of EXCEPT; equal affinity, BINARY",
        (
            "convert_except_to_not_exists",
            "convert_not_in_to_not_exists",
            "convert_anti_join_to_not_exists",
        ),
        where=GENERAL,
        as_used=Pair(
            f"{STRICT}; CREATE TABLE t2 (c4 INTEGER)",
            "SELECT c1 FROM t1 EXCEPT SELECT c4 FROM t2 WHERE c4 > 0",
            "SELECT c1 FROM t1 WHERE c1 NOT IN (SELECT c4 FROM t2 WHERE c4 > 0)",
            PROVED,
        ),
    ),
    Entry(
        "7",
        "COUNT(*) and COUNT(c)",
        "column NOT NULL",
        Pair(STRICT, "SELECT COUNT(*) FROM t1", "SELECT COUNT(c1) FROM t1", PROVED),
        "over one table, as stated; an outer join may pad the column",
        "the expression is never NULL where it is read",
        ("convert_count_to_star",),
    ),
    Entry(
        "8",
        "IS NOT NULL",
        "column NOT NULL",
        Pair(STRICT, "SELECT c1 FROM t1 WHERE c1 IS NOT NULL", "SELECT c1 FROM t1", PROVED),
        "over one table, as stated; an outer join may pad the column",
        "the expression is never NULL where it is read",
        ("fold_null_test",),
    ),
    Entry(
        "9",
        "the extreme value: MIN or MAX, and `ORDER BY … LIMIT 1`",
        "table not empty",
        Pair(
            PLAIN,
            "SELECT MIN(c1) FROM t1",
            "SELECT c1 FROM t1 ORDER BY c1 LIMIT 1",
            REFUTED,
            assume=FILLED,
        ),
        "NULL comes first in ascending order, MIN skips it; the largest value (figure 1b) is as stated",
        "not_empty and no filter, NULL last or absent, BINARY; as a value in a comparison or in"
        " arithmetic without not_empty, but of equal affinity",
        ("convert_first_row_to_extreme", "convert_first_value_to_extreme"),
        where="in most dialects: in one direction NULL comes first",
        as_used=Pair(
            PLAIN,
            "SELECT MAX(c1) FROM t1",
            "SELECT c1 FROM t1 ORDER BY c1 DESC LIMIT 1",
            PROVED,
            assume=FILLED,
        ),
    ),
    Entry(
        "10",
        "`*` and the list of all columns",
        "no other columns",
        Pair(PLAIN, "SELECT * FROM t1", "SELECT c1, c2, c3 FROM t1", PROVED),
        "in the order of the table",
        "columns in the same order, unless the relation is `any`",
        settled_by="resolution",
    ),
    Entry(
        "11",
        "a number in quotes or not",
        "the number does not start with zero",
        Pair(
            "CREATE TABLE t1 (c1, c2 INTEGER)",
            "SELECT c2 FROM t1 WHERE c1 = '5'",
            "SELECT c2 FROM t1 WHERE c1 = 5",
            REFUTED,
        ),
        "a column without affinity converts neither side; in a TEXT column 1.0 is not '1.0'",
        "the column's affinity converts one form into the other, exactly",
        ("convert_numeric_text", "convert_integer_to_text"),
        where=f"{TYPING}: elsewhere a column has a type",
        as_used=Pair(PLAIN, "SELECT c2 FROM t1 WHERE c1 = '5'", "SELECT c2 FROM t1 WHERE c1 = 5", PROVED),
    ),
    Entry(
        "12",
        "IN and JOIN",
        "a foreign key compared with its primary key",
        Pair(
            "CREATE TABLE t1 (c1 TEXT PRIMARY KEY, c3 INTEGER);"
            " CREATE TABLE t2 (c2 INTEGER REFERENCES t1 (c1), c4 INTEGER)",
            "SELECT c4 FROM t2 WHERE c2 IN (SELECT c1 FROM t1 WHERE c1 IN ('1', '01'))",
            "SELECT c4 FROM t1 JOIN t2 ON t1.c1 = t2.c2 WHERE c1 IN ('1', '01')",
            REFUTED,
        ),
        "a comparison that converts the key lets one reference match several rows",
        "at most one match: a key that the comparison leaves as stored; duplicates may make that needless",
        ("convert_in_to_exists", "convert_unique_join_to_exists"),
        where=f"{TYPING}: elsewhere a reference has the type of its key",
        as_used=Pair(
            "CREATE TABLE t1 (c1 INTEGER PRIMARY KEY, c3 INTEGER);"
            " CREATE TABLE t2 (c2 INTEGER REFERENCES t1 (c1), c4 INTEGER)",
            "SELECT c4 FROM t2 WHERE c2 IN (SELECT c1 FROM t1 WHERE c3 = 1)",
            "SELECT c4 FROM t1 JOIN t2 ON t1.c1 = t2.c2 WHERE c3 = 1",
            PROVED,
        ),
    ),
    Entry(
        "13",
        "a join of which nothing is read",
        "the key is one column",
        Pair(
            "CREATE TABLE t1 (c1 INTEGER PRIMARY KEY);"
            " CREATE TABLE t2 (c2 INTEGER REFERENCES t1 (c1), c4 INTEGER)",
            "SELECT c4 FROM t1 JOIN t2 ON t1.c1 = t2.c2",
            "SELECT c4 FROM t2",
            REFUTED,
        ),
        "a reference may be NULL, and its row is lost in the join",
        "parent columns UNIQUE, reference included in them, affinity and collation equal;"
        " unless never NULL, IS NOT NULL stays",
        ("eliminate_parent_join", "reduce_exists_on_reference"),
        where=GENERAL,
        as_used=Pair(
            "CREATE TABLE t1 (c1 INTEGER PRIMARY KEY);"
            " CREATE TABLE t2 (c2 INTEGER REFERENCES t1 (c1), c4 INTEGER)",
            "SELECT c4 FROM t1 JOIN t2 ON t1.c1 = t2.c2",
            "SELECT c4 FROM t2 WHERE c2 IS NOT NULL",
            PROVED,
        ),
    ),
    Entry(
        "14",
        "AS before an alias or not",
        "none",
        Pair(PLAIN, "SELECT t.c1 FROM t1 AS t", "SELECT t.c1 FROM t1 t", PROVED),
        "the parser reads both alike",
        "none",
        settled_by="parsing",
    ),
    Entry(
        "15",
        "IN over a list and a chain of comparisons",
        "none",
        Pair(
            PLAIN,
            "SELECT c2 FROM t1 WHERE c1 IN (1, 2) AND c3 NOT IN ('x', 'y')",
            "SELECT c2 FROM t1 WHERE (c1 = 1 OR c1 = 2) AND c3 <> 'x' AND c3 <> 'y'",
            PROVED,
        ),
        "for constants; a column in the list would lose its affinity there",
        "the members are constants",
        ("convert_single_in", "merge_equalities"),
    ),
    Entry(
        "16",
        "either of two columns that a join equates",
        "none",
        Pair(
            "CREATE TABLE t1 (c1 TEXT); CREATE TABLE t2 (c2 INTEGER)",
            "SELECT t1.c1 FROM t1 JOIN t2 ON t1.c1 = t2.c2",
            "SELECT t2.c2 FROM t1 JOIN t2 ON t1.c1 = t2.c2",
            REFUTED,
        ),
        "equal is not identical: '1' = 1 between columns of different affinity, 'a' = 'A' under NOCASE",
        "one storage affinity and BINARY for both",
        ("convert_to_representative_column",),
        where=f"the witness {TYPING}; letter case wherever a collation ignores it",
        as_used=Pair(
            "CREATE TABLE t1 (c1 INTEGER); CREATE TABLE t2 (c2 INTEGER)",
            "SELECT t1.c1 FROM t1 JOIN t2 ON t1.c1 = t2.c2",
            "SELECT t2.c2 FROM t1 JOIN t2 ON t1.c1 = t2.c2",
            PROVED,
        ),
    ),
    Entry(
        "17",
        "IN over the same table and the filter itself",
        "none",
        Pair(
            PLAIN,
            "SELECT c1 FROM t1 WHERE c1 IN (SELECT c1 FROM t1 WHERE c2 = 1)",
            "SELECT c1 FROM t1 WHERE c2 = 1",
            REFUTED,
        ),
        "another row with the same value may meet the condition",
        "the column is UNIQUE; IS NOT NULL stays",
        ("merge_semi_join_on_key",),
        where=GENERAL,
        as_used=Pair(
            STRICT,
            "SELECT c1 FROM t1 WHERE c1 IN (SELECT c1 FROM t1 WHERE c2 = 1)",
            "SELECT c1 FROM t1 WHERE c2 = 1",
            PROVED,
        ),
    ),
    Entry(
        "18",
        "a query and its UNION or INTERSECT with itself",
        "none",
        Pair(PLAIN, "SELECT c1 FROM t1", "SELECT c1 FROM t1 UNION SELECT c1 FROM t1", REFUTED),
        "UNION and INTERSECT remove duplicates; a LIMIT inside may choose anew",
        "DISTINCT stays, no LIMIT inside",
        ("merge_equal_operands",),
        where=GENERAL,
        as_used=Pair(
            PLAIN,
            "SELECT DISTINCT c1 FROM t1",
            "SELECT c1 FROM t1 INTERSECT SELECT c1 FROM t1",
            PROVED,
        ),
    ),
    Entry(
        "19",
        "BETWEEN and two comparisons",
        "none",
        Pair(
            PLAIN,
            "SELECT c2 FROM t1 WHERE c1 BETWEEN 1 AND 5",
            "SELECT c2 FROM t1 WHERE c1 >= 1 AND c1 <= 5",
            PROVED,
        ),
        "also for NULL, as the conjunction of both; its `c1 >= x/y and c1 <= x/y` is read as `c1 >= x AND"
        " c1 <= y`: as options, chosen alike, it would be `c1 >= x AND c1 <= x`, which is another query",
        "the subject has one value",
        ("convert_between",),
    ),
    Entry(
        "20",
        "a comparison and NOT of its opposite",
        "none",
        Pair(PLAIN, "SELECT c2 FROM t1 WHERE c1 >= 3", "SELECT c2 FROM t1 WHERE NOT c1 < 3", PROVED),
        "also for NULL, which makes both NULL",
        "none",
        ("push_not_into_comparison",),
    ),
)

DOGS = (
    "CREATE TABLE breeds (breed_code TEXT PRIMARY KEY, breed_name TEXT);"
    " CREATE TABLE dogs (dog_id INTEGER PRIMARY KEY, breed_code TEXT REFERENCES breeds (breed_code),"
    " name TEXT, seen TEXT, value INTEGER)"
)

FIXES = (
    Entry(
        "A.1-1",
        "LEFT, RIGHT, INNER and OUTER are read",
        "",
        Pair(
            DOGS,
            "SELECT dogs.name FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_code",
            "SELECT dogs.name FROM dogs LEFT JOIN breeds ON dogs.breed_code = breeds.breed_code",
            REFUTED,
        ),
        "the join kind is part of the tree",
        "padding must be ruled out before a join kind changes",
        settled_by="parsing",
        predecessor="fails: a query with these words is not read, and so equals none",
    ),
    Entry(
        "A.1-2",
        "a foreign key is not its primary key",
        "",
        Pair(
            DOGS,
            "SELECT dogs.breed_code FROM dogs JOIN breeds",
            "SELECT breeds.breed_code FROM dogs JOIN breeds",
            REFUTED,
        ),
        "columns keep their table",
        "a filter must make the two equal",
        settled_by="resolution",
        predecessor="takes the two for one: it writes each foreign key as its primary key before it compares;"
        " over different tables (`COUNT(breed_code)` of dogs and of breeds) FROM tells it that they differ",
    ),
    Entry(
        "A.1-3",
        "join conditions count",
        "",
        Pair(
            DOGS,
            "SELECT dogs.dog_id, breed_name FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_code",
            "SELECT dogs.dog_id, breed_name FROM dogs JOIN breeds ON dogs.breed_code = breeds.breed_name",
            REFUTED,
        ),
        "they are filters like any other",
        "filters are compared",
        settled_by="comparison",
        predecessor="takes the two for one: it collects the conditions and never compares them",
    ),
    Entry(
        "A.1-4",
        "an alias belongs to its subquery",
        "",
        Pair(
            DOGS,
            "SELECT t.dog_id FROM dogs AS t WHERE t.breed_code IN (SELECT t.breed_code FROM breeds AS t)",
            "SELECT d.dog_id FROM dogs d WHERE d.breed_code IN (SELECT breeds.breed_code FROM breeds)",
            PROVED,
        ),
        "names resolve from the inside out",
        "every source gets a name of its own",
        settled_by="resolution",
        predecessor="misreads the first query: the alias of the subquery stands for its table outside too",
    ),
    Entry(
        "A.1-5",
        "DISTINCT counts everywhere",
        "",
        Pair(DOGS, "SELECT DISTINCT name FROM dogs", "SELECT name FROM dogs", REFUTED),
        "DISTINCT is part of the tree",
        "rule 2",
        settled_by="comparison",
        predecessor="takes the two for one: DISTINCT counts inside aggregates only, even with its check on",
    ),
    Entry(
        "A.1-6",
        "the value of LIMIT counts",
        "",
        Pair(
            DOGS,
            "SELECT seen FROM dogs ORDER BY seen DESC LIMIT 2",
            "SELECT seen FROM dogs ORDER BY seen DESC LIMIT 1",
            REFUTED,
        ),
        "LIMIT is part of the tree",
        "LIMIT may go where it cuts nothing",
        settled_by="comparison",
        predecessor="takes the two for one: the value of LIMIT is not compared, even with value checks on",
    ),
    Entry(
        "A.1-7",
        "IN takes a list of values",
        "",
        Pair(
            DOGS,
            "SELECT name FROM dogs WHERE dog_id IN (1, 2, 3)",
            "SELECT name FROM dogs WHERE dog_id IN (3, 1, 2, 1)",
            PROVED,
        ),
        "a list is a set",
        "none",
        settled_by="comparison",
        predecessor="fails: a list of values after IN is not read",
    ),
    Entry(
        "A.1-8",
        "a column may be called value",
        "",
        Pair(
            DOGS,
            "SELECT value FROM dogs WHERE name = 'value'",
            "SELECT dogs.value FROM dogs WHERE 'value' = name",
            PROVED,
        ),
        "values are never masked",
        "none",
        settled_by="parsing",
        predecessor="fails, in the script of CoSQL with value checks off: it writes 1 for the word",
    ),
)

LIMITATIONS = (
    Entry(
        "7-1",
        "columns of a subquery",
        "",
        Pair(PLAIN, "SELECT c1 FROM (SELECT * FROM t1)", "SELECT c1 FROM t1", PROVED),
        "",
        "",
    ),
    Entry(
        "7-2",
        "precedence of AND over OR",
        "",
        Pair(
            PLAIN,
            "SELECT c1 FROM t1 WHERE c1 = 1 AND (c2 = 2 OR c1 = 3)",
            "SELECT c1 FROM t1 WHERE c1 = 1 AND c2 = 2 OR c1 = 3",
            REFUTED,
        ),
        "",
        "",
    ),
    Entry(
        "7-3",
        "aliases of columns and expressions",
        "",
        Pair(
            PLAIN,
            "SELECT c3 AS k, COUNT(*) AS n FROM t1 GROUP BY k HAVING n > 1 ORDER BY n DESC",
            "SELECT c3, COUNT(*) FROM t1 GROUP BY c3 HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC",
            PROVED,
            "list",
        ),
        "",
        "",
    ),
)
"""Limitations that ESM+ names of itself (its section 7), each a case that is right here."""
