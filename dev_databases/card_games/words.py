"""The vocabulary of the invented rows: closed lists of the domain, and syllables for all that has a name."""

COLOURS = ("B", "G", "R", "U", "W")
RARITIES = ("common", "uncommon", "rare", "mythic")
BORDERS = ("black", "white", "borderless", "silver", "gold")
FRAMES = ("1993", "1997", "2003", "2015", "future")
AVAILABILITIES = ("paper", "mtgo,paper", "arena,mtgo,paper", "mtgo", "arena", "arena,paper")
PROMO_TYPES = (
    "boxtopper,boosterfun",
    "prerelease,datestamped",
    "datestamped",
    "buyabox",
    "boosterfun",
    "planeswalkerstamped",
    "judgegift",
)
FRAME_EFFECTS = ("legendary", "extendedart", "inverted", "showcase,legendary", "nyxtouched")
WATERMARKS = ("ember", "tide", "briar", "lantern", "set (QAT)")
SET_TYPES = ("expansion", "core", "commander", "masters", "promo", "duel_deck", "funny", "archenemy")
BLOCKS = ("Ashen Road", "Hollow Tide", "Twelve Lanterns", "Salt and Iron")
FORMATS = ("commander", "duel", "legacy", "modern", "pauper", "vintage", "gladiator", "premodern")
STATUSES = ("Legal", "Banned", "Restricted")
KEYWORDS = ("Flying", "Haste", "Trample", "Vigilance", "Defender", "Scry", "First strike", "Annihilator")
SUPERTYPES = ("Legendary", "Basic", "Snow", "World")
SUBTYPES = {
    "Creature": ("Elf", "Goblin", "Human", "Angel", "Zombie", "Merfolk", "Dragon", "Warrior", "Wizard"),
    "Artifact": ("Equipment", "Vehicle", "Food"),
    "Enchantment": ("Aura", "Saga", "Curse"),
    "Planeswalker": ("Orsa", "Veld", "Marrow"),
    "Land": ("Gate", "Desert", "Lair"),
    "Instant": ("Arcane", "Trap"),
    "Sorcery": ("Lesson", "Arcane"),
}
TYPE_WEIGHTS = (9, 3, 3, 1, 2, 4, 4)

OPENERS = ("Ash", "Bram", "Cinder", "Dusk", "Ember", "Frost", "Grim", "Hollow", "Iron", "Jade", "Kelp")
CLOSERS = ("bane", "caller", "drake", "fang", "garden", "herald", "keep", "singer", "tide", "ward", "weaver")
PLACES = ("Orsk", "Valmere", "Tethys Gap", "the Nine Wells", "Qarth Hollow", "Þorn", "Lûn", "Æther Quay")
FIRST_NAMES = ("Mira", "Tomas", "Ilse", "Bruno", "Ayo", "Keiko", "Ravi", "Noor", "Élise", "Jonas", "Otto")
LAST_NAMES = ("Vantor", "Quill", "Harrow", "Okabe", "Lindqvist", "Serrano", "O'Dell", "Marsh", "Zapolska")
SENTENCES = (
    "Draw a card, then discard a card.",
    "Target creature gets +1/+1 until end of turn.",
    "When this enters play, each player loses 2 life.",
    "Sacrifice this: add one mana of any colour.",
    "This can't be blocked except by two or more creatures.",
    "At the end of your turn, look at the top card of your library.",
)
FLAVOURS = (
    "The road remembers every foot that broke upon it.",
    '"Count the lanterns twice," said the ferryman.',
    "It was quiet for a year; then it was not.",
    "No map of the marsh has ever been finished.",
)
RULES_NOTES = (
    "If the target is gone when this resolves, nothing happens.",
    "You choose the order in which the cards are put back.",
    "The cost is paid once, however many copies are made.",
    "An ability that triggers at the same time waits for the active player's.",
)
ACCENTS = str.maketrans({"Þ": "Th", "û": "u", "Æ": "Ae", "É": "E"})
"""How the ASCII form of a name spells its letters."""

LANGUAGES = {
    "German": ("ber", "stein", "wald", "licht", "dorn"),
    "French": ("ma", "lune", "cour", "é", "vent"),
    "Italian": ("sol", "fiume", "ombra", "vi", "nto"),
    "Spanish": ("río", "som", "bra", "luz", "ña"),
    "Portuguese (Brazil)": ("ção", "mar", "pe", "lu", "fogo"),
    "Japanese": ("カ", "ゲ", "ノ", "ミ", "ツ"),
    "Korean": ("가", "람", "솔", "빛", "들"),
    "Russian": ("зор", "лес", "ту", "ман", "ка"),
    "Chinese Simplified": ("山", "影", "火", "林", "月"),
}
