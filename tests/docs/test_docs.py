"""README.md and the pages of docs/ are true: programs run and print what is printed there,
links lead somewhere, and every public name is documented with an example that runs.
"""

from __future__ import annotations

import ast
import doctest
import importlib.util
import re
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import shapecast
import shapecast.typing

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("user/*.md")), *sorted(DOCS.glob("internals/*.md"))]


def names(pages: list[Path]) -> list[str]:
    return [str(page.relative_to(ROOT)) for page in pages]


@pytest.fixture(scope="module")
def fill() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fill", DOCS / "fill.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def full_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    # Before Python 3.11.5 doctest compares the last of an exception's notes instead of its message.
    def message_only(kind: Any, error: Any) -> list[str]:
        return ["".join(traceback.format_exception_only(kind, error))]

    with_notes = SimpleNamespace(**{**vars(traceback), "format_exception_only": message_only})
    monkeypatch.setattr(doctest, "traceback", with_notes)


# ------------------------------------------------------------------------------------------- pages


WITH_PROGRAMS = [page for page in PAGES if "```python\n" in page.read_text()]
WITH_SESSIONS = [page for page in PAGES if "\n>>> " in page.read_text()]


def test_the_pages_are_there() -> None:
    assert {"README.md", "docs/user/errors.md", "docs/user/threads.md"} <= {*names(WITH_PROGRAMS)}
    assert names(WITH_SESSIONS) == ["docs/user/shapes.md"]
    assert (DOCS / "user" / "errors.md").read_text().count("<!-- BEGIN ERROR -->") >= 8
    assert any("<!-- BEGIN SOURCE" in page.read_text() for page in PAGES)
    assert any("<!-- BEGIN PIPELINE" in page.read_text() for page in PAGES)


def test_the_site_has_every_page() -> None:
    listed = re.findall(r"^ +- ((?:user|internals)/\S+)$", (ROOT / "mkdocs.yml").read_text(), re.M)
    assert {DOCS / page for page in listed} == {*PAGES} - {ROOT / "README.md"}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("page", WITH_PROGRAMS, ids=names(WITH_PROGRAMS))
def test_programs_print_and_end_in_what_the_page_says(page: Path, fill: ModuleType) -> None:
    text = page.read_text()
    made = fill.examples(text, fill.runs_every_program(page))
    assert made == text, f"else: ./dev docs {page.relative_to(ROOT)}"


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_excerpts_of_the_compiler_are_its_text(
    page: Path, fill: ModuleType, tmp_path: Path
) -> None:
    (copy := tmp_path / "page.md").write_text(text := page.read_text())
    fill.fill(copy, kinds=("SOURCE", "PIPELINE"))
    assert copy.read_text() == text  # else: ./dev docs


@pytest.mark.parametrize("page", WITH_SESSIONS, ids=names(WITH_SESSIONS))
def test_what_a_session_prints_is_printed(page: Path, full_errors: None) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > 15 and failed == 0


# ------------------------------------------------------------------------------------------- links

LINKING = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


def anchors(page: Path) -> set[str]:
    """The ids that headings get, by GitHub and by mkdocs; `::: name` is one of mkdocstrings."""
    text = page.read_text()
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return made | set(re.findall(r"^::: (\S+)", text, re.M))


@pytest.mark.parametrize("page", LINKING, ids=names(LINKING))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    dead = []
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for file, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", text):
        target = page.parent / file if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(f"{file}#{anchor}")
    assert dead == []


# -------------------------------------------------------------------------------------- docstrings


def public() -> Iterator[tuple[str, str]]:
    """Every public name with its docstring; methods of jitted functions are those of the stub."""
    for module in (shapecast, shapecast.typing):
        for name in module.__all__:
            if name != "__version__":
                of = getattr(module, name)
                yield f"{module.__name__}.{name}", vars(of).get("__doc__") or of.__doc__ or ""
    stub = Path(shapecast.__file__).with_name("_core.pyi")
    tree = ast.parse(stub.read_text())
    (jitted,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Jit")
    for node in ast.walk(jitted):  # the last definition of a name is the documented one
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield f"Jit.{node.name}", ast.get_docstring(node) or ""


PUBLIC = dict(public())


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_documented_with_an_example_that_runs(
    name: str, full_errors: None
) -> None:
    space = {"np": np, "shapecast": shapecast, "jit": shapecast.jit}
    session = doctest.DocTestParser().get_doctest(PUBLIC[name], space, name, None, 0)
    assert session.examples, "no example"
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session)
    assert failed == 0


def test_the_reference_names_all_that_is_public() -> None:
    page = (DOCS / "user" / "api.md").read_text()
    missing = {f"shapecast.{name}" for name in shapecast.__all__ if name != "__version__"}
    assert missing <= set(re.findall(r"^::: (\S+)", page, re.M))
    members = re.search(r"members: \[(compile.*?)\]", page)
    assert members is not None
    methods = {name.removeprefix("Jit.") for name in PUBLIC if name.startswith("Jit.")}
    assert set(members[1].split(", ")) == methods
    for name in shapecast.typing.__all__:
        assert f"`{name}`" in (shapecast.typing.__doc__ or "")
