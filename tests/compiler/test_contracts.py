"""No attribute of the IR is read or written by a name that ODS does not declare."""

import re
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src"
ODS = sorted((SOURCES / "ir").glob("*.td"))
ACCESS = re.compile(
    r"\b(?:(?:get|has|set|remove)(?:Discardable|Inherent)?Attr|getAs|(?:get|has)AttrOfType|getNamedAttr)"
    r"(?:<[\w:]+>)?\(\s*\"([^\"]+)\""
)
# Attributes of other dialects' operations.
FOREIGN = re.compile(r"(llvm|nvvm|gpu)\.\w+|sym_name|sym_visibility|function_type|passthrough")
DECLARED = re.compile(r":\$(\w+)")


def declared() -> set[str]:
    return {name for file in ODS for name in DECLARED.findall(file.read_text())}


def undeclared(text: str, known: set[str]) -> list[str]:
    return [n for n in ACCESS.findall(text) if n not in known and not FOREIGN.fullmatch(n)]


def sources() -> list[Path]:
    return sorted(file for file in SOURCES.rglob("*") if file.suffix in {".cpp", ".h"})


def test_attributes_accessed_by_name_are_declared():
    known = declared()
    found = {
        str(file.relative_to(SOURCES)): names
        for file in sources()
        if (names := undeclared(file.read_text(), known))
    }
    assert not found, "declare them in src/ir/*.td, and use the generated accessors"


def test_dialect_attributes_are_accessed_by_their_helpers():
    attributes = DECLARED.findall((SOURCES / "ir" / "NpDialect.td").read_text())
    names = re.compile('"np\\.(?:' + "|".join(attributes) + ')"')
    found = {
        str(file.relative_to(SOURCES)): names.findall(text)
        for file in sources()
        if names.search(text := file.read_text())
    }
    assert not found, "use NpDialect::XxxAttrHelper"


def test_the_search_finds_undeclared_names():
    text = 'op->setAttr(\n    "made_up", unit); op->getAttrOfType<mlir::StringAttr>("notes");'
    assert undeclared(text, declared()) == ["made_up"]
    assert undeclared('f->setAttr("llvm.linkage", a); f->getAttr("passthrough");', set()) == []
