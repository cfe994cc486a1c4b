"""Signs in what is counted: rows of one table where the question asks for those of another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from equiv.core.claims.block import aggregates
from equiv.core.model import Table
from equiv.core.printing.trees import to_sql
from equiv.eval.gold.finding import Basis, Finding, Kind
from equiv.eval.gold.query_in_database import QueryInDatabase
from equiv.eval.gold.signs.joins import joins_of, takes_repeats
from equiv.eval.gold.signs.row_identity import JoinedTables
from equiv.eval.gold.signs.words import words_of

_COUNTED = re.compile(
    r"\b(?:how many|how much|number of|percent(?:age)? of|ratio of|proportion of|average of|tally) (?:of )?"
)
_AMONG = re.compile(r"\b(?:among|for|in|of) (?:all )?(?:the|those|these) ")
_ARTICLES = frozenset(["the", "all", "any", "different", "distinct", "unique"])
_PRONOUNS = frozenset(["them", "these", "those", "it"])
_ENDS = re.compile(
    r"who|whom|whose|that|which|what|where|when|ha(?:ve|s|d)|is|are|was|were|be|been|do|does|did|in|with|from|of|at|on|by|for"
    r"|among|t(?:ake|akes|ook)|gets?|got|under|over|above|below|between|as|to|and|or|there|if|can|could|than|belongs?|appears?"
    r"|contains?|used|made|received|located|living|[,?.;:]"
)
"""Words and signs with which the noun that is counted has ended."""
_PHRASE = 8
"""How many words of a phrase are looked at."""


def counts_asked(subject: QueryInDatabase) -> Iterator[Finding]:
    """An aggregate takes rows of the very table that the question counts as often as a join repeats them.

    The noun after "how many", "percentage of" and the like has a word of the repeated table's name, and none
    of a table whose rows stand once.
    No fault: there is but one of the other rows for each.
    Example: "how many customers paid more than 100" by COUNT(*) over customers joined with payments.
    """
    counted = _counted(subject.gold.question)
    for parent, told, rows in _repeats(subject):
        if words_of(parent) & counted and not rows & counted:
            yield Finding(Kind.COUNTS_ASKED, Basis.TEXT, f"{told}, and the question counts {parent}")
            return


def counts_others(subject: QueryInDatabase) -> Iterator[Finding]:
    """An aggregate runs over rows in which something that the question names stands several times.

    Rows of a table whose name the question has are repeated by a join, or stand behind a foreign key of the
    one table that is read, and COUNT, SUM or AVG take them so.
    No fault: the question asks for the other table's rows, and names this one besides; where it says that it
    counts those, nothing is reported.
    Example: "percentage of women among patients" over patients joined with each of their tests.
    """
    question = subject.gold.question
    named, counted = words_of(question), _counted(question)
    for parent, told, rows in _repeats(subject):
        if words_of(parent) & named and not rows & counted:
            yield Finding(Kind.COUNTS_OTHERS, Basis.TEXT, told)
            return


def _repeats(subject: QueryInDatabase) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Tables whose rows an aggregate takes repeatedly: its name, a sentence, the words of the others."""
    for joined in joins_of(subject):
        calls = [call for call in aggregates(joined.select) if takes_repeats(call)]
        once = [table.name for alias, table in joined.tables.items() if not joined.repeaters(alias)]
        rows = words_of(" ".join(once))
        for alias, table in joined.tables.items() if calls else ():
            for parent, other in _repeated(joined, alias, table):
                told = f"{to_sql(calls[0].copy())} takes a row of {parent} once for each row of {other}"
                yield parent, told, rows


def _repeated(joined: JoinedTables, alias: str, table: Table) -> Iterator[tuple[str, str]]:
    """Tables whose rows count repeatedly, with the table that repeats them."""
    if others := joined.repeaters(alias):
        yield table.name, joined.tables[others[0]].name
    read = {own.name.lower() for own in joined.tables.values()}
    for reference in table.foreign_keys:
        if reference.parent.lower() not in read and not joined.context.facts.strict_key(
            table.name, reference.columns
        ):
            yield reference.parent, table.name


def _counted(question: str) -> frozenset[str]:
    """The stems of the nouns that a question counts; "how many of them" counts what stands after "among"."""
    lower = question.lower()
    found: set[str] = set()
    for start in _COUNTED.finditer(lower):
        phrase = _phrase(lower, start.end())
        if not phrase or phrase[0] in _PRONOUNS:
            among = _AMONG.search(lower)
            phrase = _phrase(lower, among.end()) if among else []
        found |= words_of(" ".join(phrase))
    return frozenset(found)


def _phrase(text: str, start: int) -> list[str]:
    """The words from a place up to the end of their noun."""
    words: list[str] = []
    for word in re.findall(r"[a-z]+|[,?.;:]", text[start : start + 120])[: 2 * _PHRASE]:
        if _ENDS.fullmatch(word) or len(words) == _PHRASE:
            break
        if word not in _ARTICLES:
            words.append(word)
    return words
