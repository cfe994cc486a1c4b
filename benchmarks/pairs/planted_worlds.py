"""The schemas of planted near misses: a parent and a child each, with keys, with few and with none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class World:
    """A schema of a parent and a child, and the columns that conditions may read, by kind."""

    name: str
    ddl: str
    parent: str
    key: str
    label: str
    child: str
    child_key: str
    reference: str
    tag: str
    columns: dict[str, dict[str, list[str]]]
    """For each table its columns: ``whole``, ``text``, ``day``, ``clock``."""


WORLDS = (
    World(
        "clinic",
        "CREATE TABLE patient (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT, born DATE,"
        " weight INTEGER, ward INTEGER);\n"
        "CREATE TABLE visit (id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patient(id),"
        " day DATE, clock TEXT, cost INTEGER, units INTEGER, code TEXT, room TEXT NOT NULL)",
        "patient",
        "id",
        "name",
        "visit",
        "id",
        "patient_id",
        "room",
        {
            "patient": {"whole": ["weight", "ward"], "text": ["name", "town"], "day": ["born"], "clock": []},
            "visit": {"whole": ["cost", "units"], "text": ["code"], "day": ["day"], "clock": ["clock"]},
        },
    ),
    World(
        "works",
        "CREATE TABLE machine (serial TEXT PRIMARY KEY, model TEXT NOT NULL UNIQUE, power INTEGER NOT NULL,"
        " bought TEXT, size INTEGER, maker TEXT);\n"
        "CREATE TABLE run (run_no INTEGER PRIMARY KEY, machine TEXT REFERENCES machine(serial), began TEXT,"
        " at TEXT, pieces INTEGER, waste INTEGER, note TEXT, shift TEXT)",
        "machine",
        "serial",
        "model",
        "run",
        "run_no",
        "machine",
        "shift",
        {
            "machine": {
                "whole": ["power", "size"],
                "text": ["model", "maker"],
                "day": ["bought"],
                "clock": [],
            },
            "run": {"whole": ["pieces", "waste"], "text": ["note"], "day": ["began"], "clock": ["at"]},
        },
    ),
    World(
        "loose",
        "CREATE TABLE station (code INTEGER, title TEXT, height INTEGER, level INTEGER, opened DATE,"
        " region TEXT);\n"
        "CREATE TABLE reading (no INTEGER, station INTEGER, amount INTEGER, step INTEGER, taken DATE,"
        " hour TEXT, mark TEXT, sort TEXT)",
        "station",
        "code",
        "title",
        "reading",
        "no",
        "station",
        "sort",
        {
            "station": {
                "whole": ["height", "level"],
                "text": ["title", "region"],
                "day": ["opened"],
                "clock": [],
            },
            "reading": {"whole": ["amount", "step"], "text": ["mark"], "day": ["taken"], "clock": ["hour"]},
        },
    ),
)
