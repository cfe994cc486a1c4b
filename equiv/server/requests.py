"""The bodies of requests as models, as the OpenAPI document shows them, and the pairs that they ask about.

What is wrong with a body is said in one line. The database of a request is a name below the operator's
folders, or DDL; never a path. Rows of NeMo-Gym's resources servers (https://github.com/NVIDIA-NeMo/Gym)
come in, and rewards go out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeVar, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
    model_validator,
)
from pydantic_core import ErrorDetails, from_json

from equiv.dialects.registry import OWN_NAMES, dialect_named, dialect_of_ddl
from equiv.engine.premises import Premises
from equiv.errors import InputError, did_you_mean
from equiv.options import EFFORTS, TABLE, OptionArguments, Options, dialects_in
from equiv.replies.extract import Prediction
from equiv.rewards.reward import Finding, Outcome, Policy
from equiv.rewards.rewarder import GOLD_FIELDS, first_of, query_of
from equiv.schema.locate import database_names, named_database
from equiv.server.pair_task import Task

_MAX_EFFORT = 100_000


def _without_default(shown: dict[str, Any]) -> None:
    """Show no default where the operator chooses it."""
    shown.pop("default", None)


def _whole(value: object) -> object:
    """A number without a fraction as an integer, which it is in JSON Schema."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Strict(BaseModel):
    """The base of request models: values are not converted, unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=True)


class ComparedOn(Strict):
    """The database of a comparison, by its name, or its schema."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["db"]}, {"required": ["schema"]}]})

    db: str = Field(
        default="",
        min_length=1,
        max_length=200,
        description="The name of a database below a folder that the operator named.",
        json_schema_extra=_without_default,
    )
    ddl: str = Field(
        default="",
        alias="schema",
        min_length=1,
        description="The schema as DDL: CREATE TABLE, CREATE VIEW, CREATE INDEX and ALTER TABLE statements.",
        json_schema_extra=_without_default,
        examples=["CREATE TABLE hero (id INTEGER PRIMARY KEY, name TEXT)"],
    )

    @model_validator(mode="after")
    def _on_one_thing(self) -> Self:
        if bool(self.db) == bool(self.ddl):
            raise ValueError("give either db or schema")
        return self


ASKED: dict[str, Any] = {
    **{name: Literal[told.takes] for name, told in TABLE.items() if told.noun},
    "assume": Annotated[list[str], Field(max_length=100, examples=[[]])],
    "effort": Literal[tuple(EFFORTS)] | Annotated[int, Field(ge=0, le=_MAX_EFFORT), BeforeValidator(_whole)],
    "conditions": bool,
    "dialect": Annotated[str, Field(max_length=40)],
}
"""The options that a request may set, each with the type of its values."""

if TYPE_CHECKING:
    OptionsGiven = ComparedOn
else:
    OptionsGiven = create_model(
        "OptionsGiven",
        __base__=ComparedOn,
        **{
            name: (kind, Field(None, description=TABLE[name].said, json_schema_extra=_without_default))
            for name, kind in ASKED.items()
        },
    )


class Comparison(OptionsGiven):
    """The database and options of a comparison; an option left out is as the service was started."""

    extract: bool = Field(
        default=True,
        description="Extract predictions from prose, tags or code fences of a reply.",
    )
    seconds: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="Time limit for the answer, from the arrival of the request; the operator sets its"
        " default and maximum. A pair that is not decided by then is undecided TIMEOUT.",
    )

    @property
    def given(self) -> OptionArguments:
        """The options that the request sets itself."""
        given = {name: getattr(self, name) for name in ASKED if name in self.model_fields_set}
        if "dialect" in given:
            given |= dialects_in(given["dialect"])
        return cast(OptionArguments, given)


class PairTexts(Strict):
    """Two queries."""

    pred: str = Field(
        description="The predicted query.", examples=["SELECT name FROM hero WHERE id IN (1, 2)"]
    )
    gold: str = Field(
        description="The gold query.", examples=["SELECT name FROM hero WHERE id = 1 OR id = 2"]
    )


class CheckRequest(Comparison, PairTexts):
    """One pair."""


class BatchRequest(Comparison):
    """Several pairs on one schema."""

    pairs: list[PairTexts] = Field(min_length=1, description="The pairs; repeated ones are decided once.")


class VerifyRequest(BaseModel):
    """The body that NeMo-Gym posts to ``/verify``: the model's response, and the fields of the row.

    The gold query is the first there is of ``gt_sql``, ``gold_sql``, ``ground_truth``, ``SQL``, ``sql``,
    ``query``, ``answer``, ``solution``, ``gold``, ``target``; the database is named by ``db_id``, ``db`` or
    ``database``, or the schema is given as DDL in ``sql_context``, ``schema`` or ``ddl``.
    """

    model_config = ConfigDict(extra="allow")

    responses_create_params: dict[str, Any] = Field(default_factory=dict)
    response: dict[str, Any] = Field(description="A response of OpenAI's Responses API.")


class SessionRequest(BaseModel):
    """The body that NeMo-Gym posts to ``/seed_session``, and gets back: any object."""

    model_config = ConfigDict(extra="allow")


_SHOWN, _LONGEST = 5, 1_000
"""How many faults of a request are named, and in how many characters."""

Model = TypeVar("Model", bound=BaseModel)


class MalformedError(InputError):
    """The body of a request is not what it should be."""


def read(model: type[Model], body: bytes) -> Model:
    """The model of a request's body.

    Raises:
        MalformedError: it is no such JSON; the message is one line, and repeats nothing of its values.
    """
    return _valid(model, lambda: from_json(body, allow_inf_nan=False))


def read_row(body: bytes) -> dict[str, Any]:
    """The body of a :class:`VerifyRequest`; its texts may have lone surrogates, as models write them.

    Raises:
        MalformedError: as :func:`read`.
    """
    row: dict[str, Any] = {}

    def loaded() -> Any:
        parsed = json.loads(body, parse_constant=_refuse)
        row.update(parsed if isinstance(parsed, dict) else {})
        return parsed

    _valid(VerifyRequest, loaded)
    return row


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


def _valid(model: type[Model], load: Callable[[], Any]) -> Model:
    try:
        return model.model_validate(load())
    except ValidationError as error:
        found = [
            f"{'.'.join(map(str, each['loc'])) or 'body'}: {each['msg']}{_meant(model, each)}"
            for each in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        raise MalformedError("; ".join(found[:_SHOWN])[:_LONGEST]) from None
    except (ValueError, RecursionError) as error:
        raise MalformedError(f"not JSON: {error}") from None


def _meant(model: type[BaseModel], error: ErrorDetails) -> str:
    """The nearest name that a request may have, where it has an unknown one."""
    is_unknown = error["type"] == "extra_forbidden" and len(error["loc"]) == 1
    return did_you_mean(str(error["loc"][0]), model.model_fields) if is_unknown else ""


class NoDatabaseError(InputError):
    """No folder of the operator's has a database of that name."""


@dataclass(frozen=True, slots=True)
class Places:
    """The databases and options that the operator offers to requests.

    Attributes:
        roots: the operator's folders.
        options: the operator's options.
    """

    roots: tuple[Path, ...]
    options: Options

    def tasks(
        self, pairs: Iterable[tuple[Prediction, str]], db: str, ddl: str, given: OptionArguments
    ) -> list[Task]:
        """The pairs as a worker takes them.

        Args:
            pairs: predictions and gold queries.
            db: the name of a database; or
            ddl: a schema.
            given: the options that the request sets itself.

        Raises:
            NoDatabaseError: there is no database of that name.
            InputError: an option has no such value.
        """
        options = replace(self.options, **given)
        if ddl and not options.pair_dialect:
            options = replace(options, dialect=dialect_of_ddl(ddl))
        dialect_named(options.pair_dialect)
        premises = b"" if ddl else Premises.of(None, self._database(db, options), options).pickled
        return [Task(pred.query, gold, ddl, db, premises, options, pred.remark) for pred, gold in pairs]

    def names(self) -> list[str]:
        """The names of the databases that requests may name."""
        tried = _tried(self.options)
        return sorted({name for dialect in tried for name in database_names(self.roots, dialect)})

    def has(self, name: str) -> bool:
        """Whether there is a database of that name."""
        return self._found(name, self.options) is not None

    def without_paths(self, text: str) -> str:
        """A message without the places of the operator's folders."""
        for root in self.roots:
            for shown in {str(root), str(root.absolute()), str(root.resolve())}:
                text = text.replace(f"{shown}/", "")
        return text

    def _database(self, name: str, options: Options) -> Path:
        if not self.roots:
            raise NoDatabaseError("this service offers no databases: send the schema as DDL")
        found = self._found(name, options)
        if found is None:
            near = did_you_mean(name, self.names())
            raise NoDatabaseError(f"unknown database{near}")
        return found

    def _found(self, name: str, options: Options) -> Path | None:
        files = (named_database(name, self.roots, dialect) for dialect in _tried(options))
        return next((file for file in files if file is not None), None)


def _tried(options: Options) -> tuple[str, ...]:
    """The dialects whose files a name may mean: where nobody names one, each of ours."""
    return (options.given_dialect,) if options.pair_dialect else OWN_NAMES


GOLD = ("gt_sql", *GOLD_FIELDS)
NAMES = ("db_id", "db", "database")
SCHEMAS = ("sql_context", "schema", "ddl")

_POLICY = Policy()


def asked(row: Mapping[str, Any], places: Places) -> tuple[str, Task | Finding]:
    """The query of a model's response, and the pair that it makes, or what is plain without asking.

    Args:
        row: the fields of the row, and ``response``.
        places: where databases are.

    Raises:
        InputError: an option of the operator has no such value.
    """
    query = query_of("\n".join(_texts(row["response"])))
    gold = first_of(row, GOLD)
    if not isinstance(gold, str) or not gold.strip():
        return query, Finding(Outcome.TROUBLE, reason="GOLD_INVALID", detail="the row has no gold query")
    if not query:
        return query, Finding(Outcome.NO_QUERY, "invalid", "parse", failure_code="PRED_EMPTY")
    name, ddl = first_of(row, NAMES), first_of(row, SCHEMAS)
    if isinstance(name, str) and places.has(name):
        return query, places.tasks([(Prediction(query), gold)], name, "", {})[0]
    if isinstance(ddl, str) and ddl.strip():
        return query, places.tasks([(Prediction(query), gold)], "", ddl, {})[0]
    return query, trouble("the row names no database of this service and has no schema")


def trouble(why: str) -> Finding:
    """The finding on a row or set-up that is wrong: no prediction's fault, and rewarded as such."""
    return Finding(Outcome.TROUBLE, reason="INTERNAL", detail=why)


def rewarded(row: Mapping[str, Any], query: str, found: Finding) -> dict[str, Any]:
    """The row with its reward and why, as NeMo-Gym wants it back."""
    told = asdict(found) | {"outcome": found.outcome.value}
    return {**row, "reward": _POLICY.worth(found.outcome), "extracted_sql": query, **told}


def _texts(response: Mapping[str, Any]) -> Iterator[str]:
    """What a response of the Responses API says: the texts of its messages, not its reasoning."""
    match response:
        case {"output": list(items)}:
            for item in items:
                match item:
                    case {"type": "message", "content": list(parts)}:
                        yield from (part["text"] for part in parts if _is_text(part))
                    case {"type": "message", "content": str(text)}:
                        yield text
        case {"output_text": str(text)}:
            yield text


def _is_text(part: object) -> bool:
    match part:
        case {"type": "output_text", "text": str()}:
            return True
    return False
