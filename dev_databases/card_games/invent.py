"""Invents the rows of the six tables: plausible, seeded, and awkward where real data is.

Names repeat across printings, two-faced cards come as two rows, optional
columns hold NULL, some cards belong to no catalogued set, and a few
translations, rulings and legalities hang on nothing.  Every declared key,
NOT NULL and foreign key holds.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import cards
import words
from chance import Chance, Row

SETS = 80


def tables(seed: int) -> Iterator[tuple[str, list[Row]]]:
    """Each table's name and rows, parents before children, the same for the same seed."""
    rng = Chance(seed)
    sets = _sets(rng)
    yield "sets", _numbered(sets)
    yield "set_translations", _numbered(_set_translations(rng, sets))
    printed = cards.cards(rng, sets)
    yield "cards", _numbered(printed)
    yield "foreign_data", _numbered(_foreign_data(rng, printed))
    yield "legalities", _numbered(_legalities(rng, printed))
    yield "rulings", _numbered(_rulings(rng, printed))


def _numbered(rows: list[Row]) -> list[Row]:
    return [{"id": number, **row} for number, row in enumerate(rows, start=1)]


def _sets(rng: Chance) -> list[Row]:
    codes = rng.sample([a + b + c for a in "ABCDEQX" for b in "AELOT" for c in "12HMNRT"], SETS)
    return [_set(rng, code, codes[:number]) for number, code in enumerate(codes)]


def _set(rng: Chance, code: str, earlier: list[str]) -> Row:
    base = rng.choice((0, 1, 15, 60, 180, 264, 302))
    kind = rng.choices(words.SET_TYPES, weights=(8, 3, 3, 2, 5, 1, 1, 1))[0]
    return {
        "baseSetSize": base,
        "block": rng.maybe(0.4, rng.choice(words.BLOCKS)),
        "booster": rng.maybe(0.3, json.dumps({"default": {"common": 10, "uncommon": 3, "rare": 1}})),
        "code": code,
        "isFoilOnly": rng.flag(0.15),
        "isForeignOnly": rng.flag(0.06),
        "isNonFoilOnly": rng.flag(0.25),
        "isOnlineOnly": rng.flag(0.1),
        "isPartialPreview": rng.flag(0.02),
        "keyruneCode": code,
        "mcmId": (market := rng.maybe(0.6, rng.randint(1, 4000))),
        "mcmIdExtras": rng.maybe(0.1, rng.randint(1, 4000)),
        "mcmName": market and f"{code}: Extras",
        "mtgoCode": rng.maybe(0.5, code),
        "name": f"{rng.choice(words.OPENERS)} {rng.choice(words.PLACES)}",
        "parentCode": rng.maybe(0.3, rng.choice(earlier)) if earlier else None,
        "releaseDate": rng.date(),
        "tcgplayerGroupId": rng.maybe(0.7, rng.randint(1, 2900)),
        "totalSetSize": base + rng.choice((0, 0, 5, 40)),
        "type": kind,
    }


def _set_translations(rng: Chance, sets: list[Row]) -> list[Row]:
    """Some languages per set; a translation may be missing, and two name no set."""
    rows: list[Row] = []
    for code in (*(s["code"] for s in sets if rng.random() < 0.6), None, None):
        for language in rng.sample(sorted(words.LANGUAGES), 2 if code is None else rng.randint(3, 9)):
            name = rng.maybe(0.75, rng.foreign_name(language))
            rows.append({"language": language, "setCode": code, "translation": name})
    return rows


def _foreign_data(rng: Chance, printed: list[Row]) -> list[Row]:
    rows: list[Row] = []
    for card in rng.sample(printed, 650):
        for language in rng.sample(sorted(words.LANGUAGES), rng.randint(1, 6)):
            row: Row = {
                "flavorText": rng.maybe(0.4, rng.choice(words.FLAVOURS)),
                "language": language,
                "multiverseid": rng.maybe(0.7, rng.randint(1, 500_000)),
                "name": rng.foreign_name(language),
                "text": rng.maybe(0.9, rng.foreign_name(language)),
                "type": rng.foreign_name(language),
                "uuid": rng.maybe(0.998, card["uuid"]),
            }
            rows.append(row)
    return rows


def _legalities(rng: Chance, printed: list[Row]) -> list[Row]:
    """Some formats per card, and a few rows that name no card (none of them a ban)."""
    rows: list[Row] = [
        {"format": game, "status": rng.choices(words.STATUSES, weights=(40, 3, 1))[0], "uuid": card["uuid"]}
        for card in printed
        for game in rng.sample(words.FORMATS, rng.randint(0, 5))
    ]
    return rows + [{"format": game, "status": "Legal", "uuid": None} for game in rng.sample(words.FORMATS, 4)]


def _rulings(rng: Chance, printed: list[Row]) -> list[Row]:
    """Notes on some cards; the same note may stand twice on one card."""
    return [
        {
            "date": rng.date(2004),
            "text": rng.choice(words.RULES_NOTES),
            "uuid": rng.maybe(0.998, card["uuid"]),
        }
        for card in rng.sample(printed, 500)
        for _ in range(rng.choice((1, 2, 3, 6)))
    ]
