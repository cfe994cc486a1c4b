"""The bodies of requests, as the OpenAPI document shows them; responses: :mod:`equiv.server.openapi`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from equiv.options import OptionArguments

_OPTIONS = ("relation", "facts", "errors", "assume", "rounding", "effort", "conditions")
_MAX_EFFORT = 100_000


def _without_default(shown: dict[str, Any]) -> None:
    """Show no default where the operator chooses it."""
    shown.pop("default", None)


def _operators(description: str, **limits: Any) -> Any:
    """A field whose default is what the service was started with."""
    return Field(description=description, json_schema_extra=_without_default, **limits)


def _whole(value: object) -> object:
    """A number without a fraction as an integer, which it is in JSON Schema."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Strict(BaseModel):
    """The base of request models: values are not converted, unknown fields are refused."""

    model_config = ConfigDict(strict=True, extra="forbid", populate_by_name=True)


class Comparison(Strict):
    """The database and options of a comparison; an option left out is as the service was started."""

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
    relation: Annotated[
        Literal["sql", "bird", "spider", "rose", "list", "bag", "set"],
        _operators("What counts as the same result."),
    ] = "sql"
    facts: Annotated[
        Literal["declared", "intended", "observed"], _operators("Which promises of the schema hold.")
    ] = "intended"
    errors: Annotated[
        Literal["excused", "strict"], _operators("Whether an error that only some rows raise counts.")
    ] = "excused"
    assume: Annotated[
        list[str], _operators("Further facts, such as not_null(t.c).", max_length=100, examples=[[]])
    ] = []
    rounding: Annotated[
        Literal["ignore", "shown", "strict"], _operators("What rounding counts for; else by the relation.")
    ] = "shown"
    effort: Annotated[
        Literal["quick", "normal", "thorough"]
        | Annotated[int, Field(ge=0, le=_MAX_EFFORT), BeforeValidator(_whole)],
        _operators("How much is tried; a number: generated databases."),
    ] = "normal"
    extract: bool = Field(
        default=True,
        description="Take predictions out of the words, tags or fences of a reply, where there are some.",
    )
    conditions: Annotated[bool, _operators("Look for facts that would make a pair equivalent.")] = False
    seconds: float | None = Field(
        default=None,
        gt=0,
        allow_inf_nan=False,
        description="By when there is an answer, counted from the arrival of the request; at most, and by"
        " default, what the operator allows. What is not settled by then is undecided TIMEOUT.",
    )

    @model_validator(mode="after")
    def _on_one_thing(self) -> Comparison:
        if bool(self.db) == bool(self.ddl):
            raise ValueError("give db or schema, one of the two")
        return self

    @property
    def given(self) -> OptionArguments:
        """The options that the request sets itself."""
        fields: Any = {name: getattr(self, name) for name in _OPTIONS if name in self.model_fields_set}
        if "assume" in fields:
            fields["assume"] = tuple(fields["assume"])
        options: OptionArguments = fields
        return options


class Pair(Strict):
    """Two queries."""

    pred: str = Field(
        description="The predicted query.", examples=["SELECT name FROM hero WHERE id IN (1, 2)"]
    )
    gold: str = Field(
        description="The gold query.", examples=["SELECT name FROM hero WHERE id = 1 OR id = 2"]
    )


class CheckRequest(Comparison, Pair):
    """One pair."""


class BatchRequest(Comparison):
    """Several pairs on one schema."""

    pairs: list[Pair] = Field(min_length=1, description="The pairs; equal ones are looked at once.")


class VerifyRequest(BaseModel):
    """The body that NeMo-Gym posts to ``/verify``: the model's response, and the fields of the row.

    The gold query is the first there is of ``gt_sql``, ``gold_sql``, ``ground_truth``, ``SQL``, ``sql``,
    ``query``, ``answer``, ``solution``; the database is named by ``db_id``, ``db`` or ``database``, or the
    schema is given as DDL in ``sql_context``, ``schema`` or ``ddl``.
    """

    model_config = ConfigDict(extra="allow")

    responses_create_params: dict[str, Any] = Field(default_factory=dict)
    response: dict[str, Any] = Field(description="A response of OpenAI's Responses API.")


class Session(BaseModel):
    """The body that NeMo-Gym posts to ``/seed_session``, and gets back: any object."""

    model_config = ConfigDict(extra="allow")
