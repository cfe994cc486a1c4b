"""Invents the rows of ``cards``: designs of one or two faces, each printed in one or more sets."""

from __future__ import annotations

import json

import words
from chance import Chance, Row

PRINTINGS = 2300
"""Printed cards; those with two faces make two rows."""


def cards(rng: Chance, sets: list[Row]) -> list[Row]:
    """The rows of ``cards``: printings of designs; a popular design is printed in several sets."""
    codes = [str(s["code"]) for s in sets]
    rows: list[Row] = []
    printed = 0
    while printed < PRINTINGS:
        design = _design(rng)
        chosen = rng.sample(codes, rng.choices((1, 2, 3, 6), weights=(12, 5, 2, 1))[0])
        for reprint, code in enumerate(chosen):
            listed: Row = {"printings": ",".join(sorted(chosen)), "isReprint": int(reprint > 0)}
            faces = [face | listed | _printing(rng, code) for face in design]
            rows += _linked(rng, faces)
            printed += 1
    return rows


def _design(rng: Chance) -> list[Row]:
    """One card as designed: one face, or two."""
    if rng.random() >= 0.07:
        layout = rng.choices(("normal", "leveler", "vanguard"), weights=(30, 1, 1))[0]
        return [_face(rng, rng.name()) | _player_card(rng, layout)]
    names = [rng.name(), rng.name()]
    layout = rng.choice(("transform", "split", "adventure", "modal_dfc", "flip"))
    both: Row = {"name": " // ".join(names), "asciiName": None, "layout": layout}
    sides = zip("ab", names, strict=True)
    return [_face(rng, name) | both | {"faceName": name, "side": side} for side, name in sides]


def _player_card(rng: Chance, layout: str) -> Row:
    """The layout, and what a vanguard card changes for its player: signed numbers as text."""
    if layout != "vanguard":
        return {"layout": layout}
    return {"layout": layout, "hand": rng.choice(("+1", "-1", "+0")), "life": rng.choice(("+6", "-3", "+0"))}


def _face(rng: Chance, name: str) -> Row:
    kind = rng.choices(tuple(words.SUBTYPES), weights=words.TYPE_WEIGHTS)[0]
    colours = sorted(rng.sample(words.COLOURS, rng.choices((0, 1, 2, 5), weights=(3, 10, 4, 1))[0]))
    generic = rng.randint(0, 6)
    ascii_name = name.translate(words.ACCENTS)
    supertype = rng.maybe(0.15, rng.choice(words.SUPERTYPES))
    subtypes = rng.maybe(0.75, ",".join(rng.sample(words.SUBTYPES[kind], rng.randint(1, 2))))
    line = " ".join(part for part in (supertype, kind) if part)
    keywords = rng.maybe(0.4, ",".join(sorted(rng.sample(words.KEYWORDS, rng.randint(1, 2)))))
    mana = (f"{{{generic}}}" if generic else "") + "".join(f"{{{colour}}}" for colour in colours)
    return {
        "name": name,
        "asciiName": ascii_name if ascii_name != name else None,
        "colorIdentity": ",".join(colours) or None,
        "colorIndicator": rng.maybe(0.02, colours[0]) if colours else None,
        "colors": ",".join(colours) or None,
        "convertedManaCost": 0.0 if kind == "Land" else float(generic + len(colours)),
        "edhrecRank": rng.maybe(0.8, rng.randint(1, 20_000)),
        "hasAlternativeDeckLimit": rng.flag(0.005),
        "keywords": keywords,
        "leadershipSkills": _leadership(rng) if supertype == "Legendary" else None,
        "manaCost": (mana or None) if kind != "Land" else None,
        "scryfallOracleId": rng.uuid(),
        "supertypes": supertype,
        "subtypes": subtypes,
        "types": kind,
        "type": line if subtypes is None else f"{line} — {subtypes.replace(',', ' ')}",
        "text": rng.maybe(0.9, " ".join(rng.sample(words.SENTENCES, rng.randint(1, 2)))),
        **_numbers_on(rng, kind),
    }


def _leadership(rng: Chance) -> str:
    return str({"brawl": rng.random() < 0.2, "commander": True, "oathbreaker": False})


def _numbers_on(rng: Chance, kind: str) -> Row:
    """Power, toughness and loyalty: text, for not all of them are numbers."""
    match kind:
        case "Creature":
            power = rng.choice(("*", "1+*", *"00112233457", "12"))
            return {"power": power, "toughness": rng.choice(("*", *"1123456", "13"))}
        case "Planeswalker":
            return {"loyalty": rng.choice(("3", "4", "5", "X"))}
    return {}


def _printing(rng: Chance, code: str) -> Row:
    """What differs between two printings of one design."""
    promo = rng.random() < 0.12
    old = rng.random() < 0.3
    return {
        "artist": rng.maybe(0.98, f"{rng.choice(words.FIRST_NAMES)} {rng.choice(words.LAST_NAMES)}"),
        "availability": rng.choice(words.AVAILABILITIES),
        "borderColor": rng.choices(words.BORDERS, weights=(40, 8, 4, 2, 1))[0],
        "cardKingdomFoilId": rng.id_text(0.4),
        "cardKingdomId": rng.id_text(),
        "duelDeck": rng.maybe(0.03, rng.choice("ab")),
        "flavorName": rng.maybe(0.01, rng.name()),
        "flavorText": rng.maybe(0.5, rng.choice(words.FLAVOURS)),
        "frameEffects": rng.maybe(0.15, rng.choice(words.FRAME_EFFECTS)),
        "frameVersion": rng.choices(words.FRAMES, weights=(2, 4, 6, 12, 1))[0],
        "hasContentWarning": rng.flag(0.01),
        "hasFoil": rng.flag(0.6),
        "hasNonFoil": rng.flag(0.9),
        "isAlternative": rng.flag(0.1),
        "isFullArt": rng.flag(0.05),
        "isOnlineOnly": rng.flag(0.07),
        "isOversized": rng.flag(0.02),
        "isPromo": int(promo),
        "isReserved": rng.flag(0.04),
        "isStarter": rng.flag(0.03),
        "isStorySpotlight": rng.flag(0.02),
        "isTextless": rng.flag(0.02),
        "isTimeshifted": rng.flag(0.02),
        "mcmId": rng.id_text(),
        "mcmMetaId": rng.id_text(0.5),
        "mtgArenaId": rng.id_text(0.2),
        "mtgjsonV4Id": rng.uuid(),
        "mtgoFoilId": rng.id_text(0.3),
        "mtgoId": rng.id_text(0.5),
        "multiverseId": rng.id_text(),
        "number": f"{rng.randint(1, 320)}{rng.choices(('', 'a', 'p', '★'), weights=(30, 2, 1, 1))[0]}",
        "originalReleaseDate": rng.date(2005) if promo else None,
        "originalText": rng.maybe(0.3, rng.choice(words.SENTENCES)) if old else None,
        "originalType": rng.choice(("Summon — Elf", "Interrupt", "Enchant Land")) if old else None,
        "promoTypes": rng.choice(words.PROMO_TYPES) if promo else None,
        "purchaseUrls": rng.maybe(0.8, json.dumps({"shop": f"item/{rng.randint(1, 90_000)}"})),
        "rarity": rng.choices(words.RARITIES, weights=(10, 8, 6, 2))[0],
        "scryfallId": rng.uuid(),
        "scryfallIllustrationId": rng.uuid(),
        "setCode": code if rng.random() < 0.99 else "ZZZ",
        "tcgplayerProductId": rng.id_text(),
        "uuid": rng.uuid(),
        "watermark": rng.maybe(0.08, rng.choice(words.WATERMARKS)),
    }


def _linked(rng: Chance, faces: list[Row]) -> list[Row]:
    """The faces of one printing share its number and set, and name each other."""
    if len(faces) == 1:
        return faces
    first, second = faces
    cost = first["convertedManaCost"]
    shared = {column: first[column] for column in ("number", "setCode", "rarity", "artist", "isPromo")}
    for face, other in ((first, second), (second, first)):
        own = {"faceConvertedManaCost": face["convertedManaCost"], "otherFaceIds": other["uuid"]}
        face.update(own)
    for face in faces:
        face.update(shared | {"convertedManaCost": cost, "variations": rng.maybe(0.05, rng.uuid())})
    return faces
