"""Every link between pages leads somewhere, headings follow in order, and the site has every page."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatchcase
from itertools import pairwise

import pytest
from kit.pages import ROOT, all_pages

INDEX = "docs/index.md"


def prose(page: str) -> str:
    """A page without its code."""
    text = (ROOT / page).read_text(encoding="utf-8")
    text = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page: str) -> set[str]:
    """The names of a page's headings, as hosts of repositories and the site make them."""
    text = re.sub(
        r"^(`{3,}).*?^\1$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    titles = re.findall(r"^#{1,4} (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", all_pages())
def test_links_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, anchor = link.partition("#")
        if "://" in path:
            continue
        target = (folder / path).resolve() if path else ROOT / page
        assert target.exists(), f"{page}: {link}"
        if anchor:
            assert anchor in anchors(str(target.relative_to(ROOT))), f"{page}: {link}"


@pytest.mark.parametrize("page", all_pages())
def test_no_level_of_headings_is_left_out(page: str) -> None:
    levels = [len(marks) for marks in re.findall(r"^(#+) ", prose(page), re.MULTILINE)]
    assert all(lower <= upper + 1 for upper, lower in pairwise(levels)), "the site is not made then"


def test_every_page_is_in_the_navigation() -> None:
    index = (ROOT / INDEX).read_text(encoding="utf-8")
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```$", index, re.DOTALL | re.MULTILINE)
    entries = [line for tree in trees for line in tree.splitlines() if line and not line.startswith(":")]
    named = [re.sub(r"^.*<(.+)>$", r"\1", entry) for entry in entries]
    for page in set(all_pages()) - {INDEX}:
        path = f"/{page.removesuffix('.md')}"
        assert any(fnmatchcase(path, name) for name in named), f"{page} is not in {INDEX}"
    pages = {f"/{page.removesuffix('.md')}" for page in all_pages()}
    assert [name for name in named if "*" not in name and name not in pages] == []
    assert len(set(named)) == len(named)


def test_the_site_is_made_of_every_page() -> None:
    assignments = ast.parse((ROOT / "docs" / "conf.py").read_text(encoding="utf-8")).body
    (patterns,) = (
        ast.literal_eval(each.value)
        for each in assignments
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "include_patterns"
    )
    assert [page for page in all_pages() if not any(fnmatchcase(page, one) for one in patterns)] == []
