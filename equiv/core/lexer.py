"""SQLite's lexical grammar: the tokens of a text, and a cursor over them.

After https://sqlite.org/src/file/src/tokenize.c: what starts a comment, which
characters make a name, that four kinds of quotes stand for names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NoReturn


class TokenKind(StrEnum):
    """The kind of a token."""

    NAME = "name"
    """A bare word: a keyword or a name, which only the grammar can tell."""
    QUOTED = "quoted"
    """A name in double quotes, back quotes or square brackets."""
    STRING = "string"
    NUMBER = "number"
    BLOB = "blob"
    PARAMETER = "parameter"
    """``?``, ``?1``, ``:x``, ``@x`` or ``$x``; the forms ``$x::y`` and ``$x(y)`` are not read."""
    SIGN = "sign"
    """An operator or a punctuation mark."""
    ILLEGAL = "illegal"
    """An unclosed quote, a stray character."""
    END = "end"


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, its text in upper case (for matching), and where it stands in the text."""

    kind: TokenKind
    word: str
    start: int
    end: int


_FIRST = r"[^\x00-@\[-^`{-\x7f]"
r"""A character that may begin a name: a letter, ``_``, and whatever is not ASCII.

The complement compiles in a hundredth of the time that ``\x80-\U0010ffff`` takes, as does that of the next.
"""

_LATER = r"[^\x00-#%-/:-@\[-^`{-\x7f]"
"""A character that may go on with one: a digit or ``$`` too."""

_TOKEN = re.compile(
    rf"""(?P<skipped>[ \t\n\f\r\ufeff]+|--[^\n]*|/\*(?:.*?\*/|.*\Z))
    |(?P<blob>[xX]'(?:[0-9a-fA-F]{{2}})*')
    |(?P<string>'[^']*(?:''[^']*)*')
    |(?P<quoted>"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`|\[[^\]]*\])
    |(?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    |(?P<name>{_FIRST}{_LATER}*)
    |(?P<parameter>\?[0-9]*|(?<!:)[:@$]{_LATER}++(?!{_LATER}|\(|::))
    |(?P<sign>->>|->|\|\||<<|>>|<=|>=|==|!=|<>|[-+*/%&|~<>=(),.;])
    |(?P<illegal>['"`\[].*|(?<!:)[:@$]{_LATER}++|.)""",
    re.VERBOSE | re.DOTALL,
)

_KINDS: dict[str | None, TokenKind] = {kind.value: kind for kind in TokenKind}


def tokens(text: str) -> list[Token]:
    """The tokens of a text, without comments and white space, closed by one END token."""
    return list(_tokens(text))


@lru_cache(maxsize=8)
def _tokens(text: str) -> tuple[Token, ...]:
    """Those of the last few texts are kept: the two of a pair are asked for three times each."""
    found = []
    for match in _TOKEN.finditer(text):
        kind = _KINDS.get(match.lastgroup)
        if kind is not None:
            found.append(Token(kind, _upper(match.group()), *match.span()))
    found.append(Token(TokenKind.END, "", len(text), len(text)))
    return tuple(found)


def lexemes(text: str) -> list[str]:
    """The texts of tokens, comments and runs of white space: one after the other they are the text."""
    return [match.group() for match in _TOKEN.finditer(text)]


def _upper(text: str) -> str:
    """ASCII only: SQLite does not take U+017F for an S."""
    return text.upper() if text.isascii() else text


class GrammarError(Exception):
    """The text is outside the part of SQLite's grammar that is read here.

    Attributes:
        node: the construct that is not read, in one word.
        why: one line.
    """

    def __init__(self, node: str, why: str) -> None:
        super().__init__(f"{node}: {why}")
        self.node = node
        self.why = why


_LOOK_AHEAD = 3


class Cursor:
    """A position in a list of tokens, with a few to look ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.index = 0
        bare = (TokenKind.NAME, TokenKind.SIGN)
        self._words = [token.word if token.kind in bare else "" for token in self.tokens]
        self._words += [""] * _LOOK_AHEAD

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.index]

    @property
    def word(self) -> str:
        """The next token's text in upper case, or '' if it is quoted (so that it is not a keyword)."""
        return self._words[self.index]

    def ahead(self, count: int) -> str:
        """The text of the token ``count`` places further, as :attr:`word` gives it."""
        return self._words[self.index + count]

    def at(self, *words: str) -> bool:
        """Whether the next tokens are these."""
        first = self.index
        return self._words[first] == words[0] and self._words[first : first + len(words)] == [*words]

    def advance(self) -> Token:
        """Take the next token."""
        token = self.tokens[self.index]
        if token.kind is TokenKind.END:
            self.fail("Query", "the text ends here")
        self.index += 1
        return token

    def take(self, *words: str) -> bool:
        """Take the next tokens if they are these."""
        if not self.at(*words):
            return False
        self.index += len(words)
        return True

    def expect(self, word: str) -> None:
        """Take the next token, which must be this.

        Raises:
            GrammarError: it is another.
        """
        if not self.take(word):
            self.fail("Query", f"{word!r} expected")

    def fail(self, node: str, why: str) -> NoReturn:
        """Raise a :class:`GrammarError` that says where."""
        raise GrammarError(node, f"{why} (at character {self.token.start + 1})")

    def source(self, token: Token) -> str:
        """A token as written."""
        return self.text[token.start : token.end]

    def span(self, first: int) -> str:
        """The text from the token of index ``first`` up to the token taken last."""
        return self.text[self.tokens[first].start : self.tokens[self.index - 1].end]


def unquoted(source: str) -> str:
    """The name or string within quotes: the outer quotes removed, doubled ones halved."""
    quote = source[0]
    if quote == "[":
        return source[1:-1]
    return source[1:-1].replace(quote * 2, quote)


def strip_comments(sql: str) -> str:
    """The text with a blank for each comment, and nothing before its first token or after its last."""
    parts = []
    for token, following in pairwise(tokens(sql)):
        gap = sql[token.end : following.start]
        parts += [sql[token.start : token.end], gap if not gap or gap.isspace() else " "]
    return "".join(parts).strip()


def bare(statement: str) -> str:
    """A statement without comments and without the semicolon at its end."""
    return strip_comments(statement).rstrip("; \t\r\n")


def name_of(sql: str, token: Token) -> str:
    """The name that a token of the text means."""
    source = sql[token.start : token.end]
    return unquoted(source) if token.kind in (TokenKind.QUOTED, TokenKind.STRING) else source


def depths(found: Iterable[Token]) -> Iterator[int]:
    """How many parentheses are open behind each token."""
    return accumulate({"(": 1, ")": -1}.get(token.word, 0) for token in found)


def closing_index(found: Sequence[Token], opening: int) -> int:
    """The index of the parenthesis that closes the one at ``opening``, or of the last token."""
    behind = depths(found[at] for at in range(opening, len(found)))
    return next((at for at, depth in enumerate(behind, opening) if depth == 0), len(found) - 1)


def parts_between_commas(found: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """What the commas outside all parentheses separate."""
    start = 0
    for at, depth in enumerate(depths(found)):
        if found[at].word == "," and depth == 0:
            yield found[start:at]
            start = at + 1
    yield found[start:]
