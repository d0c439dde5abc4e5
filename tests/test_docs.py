"""The pages of docs/ say what is so: programs run, their errors read as printed there."""

from __future__ import annotations

import doctest
import importlib.util
import re
import traceback
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.fixture(scope="module")
def fill() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fill", DOCS / "fill.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_program_of_the_page_on_errors_ends_as_the_page_says(fill: ModuleType) -> None:
    page = (DOCS / "errors.md").read_text()
    assert page.count("<!-- BEGIN ERROR -->") >= 9
    assert fill.errors(page) == page  # else: ./dev docs


def test_excerpts_of_the_compiler_are_its_text(fill: ModuleType, tmp_path: Path) -> None:
    page = tmp_path / "add-an-op.md"
    page.write_text(text := (DOCS / "add-an-op.md").read_text())
    fill.fill(page)
    assert text.count("BEGIN SOURCE") == 2 and page.read_text() == text  # else: ./dev docs


@pytest.mark.parametrize("page", [*DOCS.glob("*.md"), DOCS.parent / "README.md"], ids=str)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_what_the_page_on_shapes_prints_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Before Python 3.11.5 doctest takes the last of an exception's notes for its message.
    def whole(kind: Any, error: Any) -> list[str]:
        return ["".join(traceback.format_exception_only(kind, error))]

    with_notes = SimpleNamespace(**{**vars(traceback), "format_exception_only": whole})
    monkeypatch.setattr(doctest, "traceback", with_notes)
    failed, tried = doctest.testfile(
        str(DOCS / "shapes.md"), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert tried > 15 and failed == 0
