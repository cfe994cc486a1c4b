"""What evaluation scripts do to queries before they compare them, put to the test.

    python examples/rewriters/evaluation_scripts.py

Published scripts take DISTINCT out of both queries, cut comments and mend operators, all on the text, before
they run it.  The functions here do the same, written anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from equiv.testing import UnsoundRewriteError, assert_rewrite_sound
from equiv.testing.schema_facts import SHOP

QUERIES = (
    "SELECT id FROM shop WHERE city <> 'a -- b'",
    "SELECT id FROM shop -- all of them\nWHERE open = 1",
    "SELECT COUNT(DISTINCT city) FROM shop",
    "SELECT DISTINCT id, city FROM shop",
    "SELECT code FROM shop WHERE city = 'distinct'",
    "SELECT id FROM shop WHERE open > = 1",
    "SELECT id FROM shop WHERE city = '> ='",
    "SELECT id FROM shop WHERE open >= 1 /* open */ AND city IS NOT NULL",
)


def remove_distinct(sql: str) -> str:
    """Take out the word, wherever it stands."""
    return re.sub(r"\bdistinct\b\s*", "", sql, flags=re.IGNORECASE)


def cut_comments(sql: str) -> str:
    """Cut each line behind two hyphens."""
    return "\n".join(line.partition("--")[0] for line in sql.split("\n"))


def mend_operators(sql: str) -> str:
    """Join an operator that a tokeniser has split."""
    return sql.replace("> =", ">=").replace("< =", "<=").replace("! =", "!=")


def in_one_line(sql: str) -> str:
    """Put the query on one line, as files of predictions have it."""
    return " ".join(sql.split())


REWRITERS: tuple[Callable[[str], str], ...] = (remove_distinct, cut_comments, mend_operators, in_one_line)


def main() -> None:
    """Put each to the queries, under the relation that forgives most: sets of rows."""
    for rewrite in REWRITERS:
        try:
            report = assert_rewrite_sound(rewrite, schema=SHOP, queries=QUERIES, relation="set")
        except UnsoundRewriteError as error:
            print(f"{error}\n")
        else:
            print(f"{report.summary}\n")


if __name__ == "__main__":
    main()
