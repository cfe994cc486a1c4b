"""Sphinx: how ``make docs`` makes the site of README, docs/ and what they link to.

The root of the checkout is the source folder, so that one relative link serves the site and whatever else
shows the files.
"""

from __future__ import annotations

import contextlib
import io
import os
from enum import Enum
from pathlib import Path

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from equiv import cli
from equiv.records.record import versions

project = "equiv"
author = "the authors of equiv"
version = release = versions()["equiv"]

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "benchmarks/*.md",
    "benchmarks/judging/*.md",
    "benchmarks/outcomes/*.md",
    "dev_databases/README.md",
    "examples/README.md",
    "tests/README.md",
]
exclude_patterns = [".*", "build", "equiv", "judge", "rules", "results"]
suppress_warnings = ["config.cache"]

myst_heading_anchors = 4
highlight_language = "none"

autodoc_default_options = {"members": True, "undoc-members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88

html_theme = "furo"
html_title = f"equiv {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}

FRONT = """<!doctype html><meta charset="utf-8"><title>equiv</title>
<meta http-equiv="refresh" content="0; url=docs/index.html"><a href="docs/index.html">equiv</a>
"""
"""The page at the top of the site, which leads to the front page: its pages lie where their sources do."""


class Help(SphinxDirective):
    """``{help} check``: what ``equiv check --help`` prints, from the command itself."""

    has_content = False
    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """A block with the text."""
        text = help_of(self.arguments[0].split())
        return [nodes.literal_block(text, text, language="none")]


def help_of(words: list[str]) -> str:
    """What a command says of itself, 100 columns wide."""
    os.environ.update(COLUMNS="100", TERMINAL_WIDTH="100", NO_COLOR="1")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = cli.run([*words, "--help"])
    if code != 0:
        raise ValueError(f"equiv {' '.join(words)} --help ends with {code}")
    return printed.getvalue().strip()


def add_help(_app: Sphinx, page: str, text: list[str]) -> None:
    """Let the page of commands end with the help of each."""
    if page == "docs/commands":
        names = typer.main.get_command(cli.app_of(cli.COMMANDS)).commands  # type: ignore[attr-defined]
        text[0] += "".join(f"\n## equiv {name}\n\n```{{help}} {name}\n```\n" for name in names)


def write_front(app: Sphinx, error: Exception | None) -> None:
    """Lead from the top of the site to its front page."""
    if error is None and app.builder.format == "html":
        (Path(app.outdir) / "index.html").write_text(FRONT, encoding="utf-8")


def hide_call(
    _app: Sphinx, _what: str, _name: str, thing: object, _options: object, signature: str, returns: str
) -> tuple[str, str]:
    """An enumeration is not called, and so has no signature."""
    is_enumeration = isinstance(thing, type) and issubclass(thing, Enum)
    return ("", "") if is_enumeration else (signature, returns)


def setup(app: Sphinx) -> None:
    """What this configuration adds to Sphinx."""
    app.add_directive("help", Help)
    app.connect("source-read", add_help)
    app.connect("autodoc-process-signature", hide_call)
    app.connect("build-finished", write_front)
