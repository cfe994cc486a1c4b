"""Options are told once: what the library, the command line, the service and rewards take is one table."""

from __future__ import annotations

from dataclasses import fields

from typer.models import OptionInfo

from equiv.commands.document import OPTIONS, page_of_options
from equiv.options import TABLE, ComparisonArguments, OptionArguments, Options
from equiv.rewards.reward import SettingArguments, Settings
from equiv.server.requests import Comparison
from equiv.show.arguments import TakesOptions


def test_each_option_is_told_and_is_one_of_the_command_line() -> None:
    names = [one.name for one in fields(Options)]
    parameters = TakesOptions().parameters()
    assert sorted(names) == sorted(TABLE)
    assert [one.name for one in parameters] == names
    for one in parameters:
        (told,) = one.annotation.__metadata__
        assert isinstance(told, OptionInfo)
        assert told.help is not None
        assert told.help.removesuffix("; repeatable.").rstrip(".") == TABLE[one.name].said.rstrip(".")
    assert sorted(OptionArguments.__annotations__) == sorted(names)


def test_what_a_command_line_leaves_out_is_as_the_library_has_it() -> None:
    taken = TakesOptions()
    assert taken.made({one.name: one.default for one in taken.parameters()}) == Options()


def test_rewards_take_what_compares_a_pair() -> None:
    assert set(SettingArguments.__annotations__) == {one.name for one in fields(Settings)}
    assert set(ComparisonArguments.__annotations__) <= {one.name for one in fields(Settings)}
    assert Settings(matviews="fresh").options.matviews == "fresh"


def test_a_request_sets_how_materialised_views_are_read() -> None:
    asked = Comparison.model_validate({"schema": "CREATE TABLE t (a INT)", "matviews": "fresh"})
    assert asked.given == {"matviews": "fresh"}


def test_the_page_of_options_is_fresh() -> None:
    assert OPTIONS.read_text(encoding="utf-8") == page_of_options(), "run python -m equiv.commands.document"
