"""Tokens: which characters make a name, and what is kept of the last texts."""

from __future__ import annotations

import re

from equiv.core.lexer import _FIRST, _LATER, TokenKind, tokens


def test_names_are_made_of_letters_digits_dollars_and_whatever_is_not_ascii() -> None:
    ends = [0x7FF, 0x800, 0xD800, 0xDFFF, 0xFFFF, 0x10000, 0x10FFFF]
    for code in [*range(0x400), *ends]:
        character = chr(code)
        begins = character == "_" or (character.isascii() and character.isalpha()) or code >= 0x80
        assert bool(re.fullmatch(_FIRST, character)) == begins, code
        assert bool(re.fullmatch(_LATER, character)) == (begins or character in "0123456789$"), code


def test_who_changes_the_tokens_of_a_text_changes_them_for_itself_alone() -> None:
    found = tokens("SELECT a -- b")
    found.pop(0)
    assert [token.word for token in tokens("SELECT a -- b")] == ["SELECT", "A", ""]
    assert [token.kind for token in tokens("SELECT a -- b")] == [
        TokenKind.NAME,
        TokenKind.NAME,
        TokenKind.END,
    ]
