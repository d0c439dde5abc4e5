"""What a ./dev command imports, one of the extras that it installs names: a bare machine has no
other packages.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Modules that are not named as their distribution is.
DISTRIBUTIONS = {"sklearn": "scikit-learn", "PIL": "pillow"}

# A peer of the bench that is not installed is left out: `./dev bench --with-peers` installs all.
PEERS = {"jax", "torch", "numexpr"}


# ------------------------------------------------------------------------------- commands of ./dev


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@cache
def extras() -> dict[str, set[str]]:
    """Distributions by extra; `package` is what the package itself depends on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = {"package": project["dependencies"], **project["optional-dependencies"]}
    return {
        group: {normal(re.split(r"[^\w.-]", requirement)[0]) for requirement in requirements}
        for group, requirements in groups.items()
    }


def commands() -> dict[str, str]:
    """The text of each command of ./dev that starts Python, by name."""
    text = (ROOT / "dev").read_text()
    branches = re.findall(r"^([a-z]+)\)\n(.*?)^    ;;$", text, re.M | re.S)
    return {name: body for name, body in branches if '"$python"' in body}


def installed(body: str) -> tuple[set[str], set[str]]:
    """Distributions that a command always installs, and those that it installs with some option."""

    def named(kind: str) -> list[set[str]]:
        lines = re.findall(rf"{kind}((?: [a-z-]+)*)(?: ;;)?$", body, re.M)
        return [set().union(extras()["package"], *map(extras().get, x.split())) for x in lines]

    always = set.intersection(*named("setup"))
    return always, always.union(*named("setup"), *named("setup_python"))


def started(body: str) -> tuple[list[Path], set[str]]:
    """The Python files that a command starts, and the installed modules (`-m ruff`)."""
    files, modules = list[Path](), set[str]()
    for is_module, name in re.findall(r'"\$python" (-m )?([\w./]+)', body):
        path = name.replace(".", "/") + ".py" if is_module else name
        own = [file for file in (ROOT / path, ROOT / "python" / path) if file.exists()]
        if own:
            files += own
        elif name == "pytest":
            files += sorted((ROOT / "tests").rglob("*.py"))
        else:
            modules.add(name)
    modules |= set(re.findall(r'"\$venv/bin/([\w-]+)"', body))
    return files, modules - {"pip", "venv"}


# ------------------------------------------------------------------------------- what files import


@cache
def own_modules() -> dict[str, list[Path]]:
    """Files and packages of the repository that can be imported by this name."""
    found: dict[str, list[Path]] = {"shapecast": [ROOT / "python" / "shapecast" / "__init__.py"]}
    for folder in ("bench", "docs", "examples", "tests"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            if not (file.parent / "__init__.py").exists():
                found.setdefault(file.stem, []).append(file)
            elif file.name == "__init__.py" and not (file.parents[1] / "__init__.py").exists():
                found.setdefault(file.parent.name, []).append(file)
    # Folders without __init__.py are packages where no installed one has the name (tests/numpy).
    for folder in sorted((ROOT / "tests").iterdir()):
        if folder.name not in distributions():
            found.setdefault(folder.name, []).extend(sorted(folder.glob("*.py")))
    return found


def optional(node: ast.AST) -> bool:
    """Whether imports in it are optional: a try that an ImportError does not leave, what
    only type checkers read, and the method that rich itself calls.
    """
    match node:
        case ast.Try():
            return any(h.type and "ImportError" in ast.unparse(h.type) for h in node.handlers)
        case ast.If():
            return "TYPE_CHECKING" in ast.unparse(node.test)
        case ast.FunctionDef():
            return node.name == "__rich__"
    return False


@cache
def imports_of(file: Path) -> frozenset[tuple[int, str]]:
    return frozenset(imports(ast.parse(file.read_text())))


def imports(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Level and dotted name of each import that must succeed."""
    match node:
        case ast.Import():
            yield from ((0, alias.name) for alias in node.names)
        case ast.ImportFrom():
            yield node.level, node.module or ""
            start = f"{node.module}." if node.module else ""
            yield from ((node.level, start + alias.name) for alias in node.names)
    for child in [] if optional(node) else ast.iter_child_nodes(node):
        yield from imports(child)


def below(package: Path, names: list[str]) -> list[Path]:
    """The files that importing the dotted `names` from a package's folder runs."""
    files = list[Path]()
    for name in names:
        file = package / f"{name}.py"
        package = package / name
        files += [path for path in (file, package / "__init__.py") if path.exists()]
    return files


def reached(files: list[Path]) -> dict[str, str]:
    """Installed modules that these files import, directly or through others, with one that does."""
    seen, waiting = set[Path](), list(files)
    found: dict[str, str] = {}
    while waiting:
        if (file := waiting.pop()) in seen:
            continue
        seen.add(file)
        for level, dotted in imports_of(file):
            first, *rest = dotted.split(".")
            if level:
                waiting += below(file.parents[level - 1], [first, *rest])
            elif first in sys.stdlib_module_names:
                continue
            elif first in own_modules():
                own = own_modules()[first]
                waiting += [path for path in own if path.stem in (first, "__init__")]
                waiting += below(own[0].parent, rest)
            elif f'ModuleType("{first}")' not in file.read_text():  # else a test makes it
                found.setdefault(first, str(file.relative_to(ROOT)))
    return found


distributions = cache(packages_distributions)


def distribution(module: str) -> str:
    return normal(DISTRIBUTIONS.get(module) or distributions().get(module, [module])[0])


def lacking(there: set[str], found: dict[str, str]) -> list[str]:
    """What is imported and not installed."""
    return [
        f"{file} imports {module}"
        for module, file in sorted(found.items())
        if distribution(module) not in there and module not in PEERS
    ]


# ------------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize("command", commands())
def test_the_extras_of_a_command_name_all_that_it_imports(command: str) -> None:
    body = commands()[command]
    files, modules = started(body)
    always, _ = installed(body)
    assert files or modules or command == "wheel", "what does it start?"
    assert lacking(always, reached(files)) == []
    assert lacking(always, dict.fromkeys(modules, f"./dev {command}")) == []


def test_the_package_imports_its_dependencies_only() -> None:
    files = sorted((ROOT / "python" / "shapecast").rglob("*.py"))
    assert lacking(extras()["package"], reached(files)) == []


def test_all_commands_that_start_python_are_checked() -> None:
    assert {"quickstart", "test", "fuzz", "bench", "docs", "accuracy", "lint"} <= set(commands())
    files, _ = started(commands()["bench"])
    assert files == [ROOT / "bench" / "run.py"]
    assert {"numba", "rich"} | PEERS <= reached(files).keys()
    _, with_peers = installed(commands()["bench"])
    assert PEERS | {"pythran"} <= with_peers
    files, _ = started(commands()["quickstart"])
    assert files == [ROOT / "python" / "shapecast" / "examples" / "quickstart.py"]
    assert {"hypothesis", "mpmath", "scipy"} <= reached(started(commands()["test"])[0]).keys()


def test_an_import_that_no_extra_names_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """./dev quickstart once ended in `No module named 'rich'` on a bare machine."""
    without = {group: names - {"rich"} for group, names in extras().items()}
    monkeypatch.setattr(f"{__name__}.extras", lambda: without)
    files, _ = started(commands()["bench"])
    always, _ = installed(commands()["bench"])
    assert [line.split()[-1] for line in lacking(always, reached(files))] == ["rich"]
