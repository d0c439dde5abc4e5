"""Names that mean something elsewhere: functions, methods, locals and parameters named like
functions of math, C, our runtime, NumPy, Python's builtins, keywords of C++, and names that are
not ASCII. Every name of a program that is its own may become one of them.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import unicodedata
from typing import TYPE_CHECKING, Any

from fuzz.choices import Chooser
from fuzz.expressions import Family, is_array, is_number

if TYPE_CHECKING:
    from fuzz.programs import Body

# With one argument, then with two: a function of this name may call math's.
MATH = """exp sin cos tan log log2 log10 log1p expm1 erf erfc lgamma tanh sinh cosh asin acos atan
cbrt exp2 gamma ceil floor trunc fabs sqrt isnan isfinite degrees""".split()
MATH_OF_TWO = "pow fmod atan2 hypot copysign ldexp remainder nextafter gcd comb dist".split()
NUMPY = """exp sin sqrt abs sign square floor sum mean dot array zeros ones where sort cumsum copy
maximum isnan argmax ravel round prod""".split()
NUMPY_OF_ARRAYS = "sort copy ravel argmax square isnan sign abs floor".split()
ELSEWHERE = {
    "C": """memcpy memset memmove malloc free calloc abort exit printf puts write close signal main
    strlen qsort rand time wait kill poll environ errno stdout sincos j0 y1 rint lrint scalbn
    powf expf fmodf __powidf2 __divti3 __muloti4 memcmp bcmp _init _start _exit
    pthread_create dlopen cblas_dgemm dgemm_ getenv sleep fma fmin fmax logb""",
    "run time": """sc_alloc sc_retain sc_release sc_poll sc_raise sc_catch sc_call_out sc_sort
    sc_reshape sc_move sc_copy sc_fill sc_parallel_loop sc_print entry kernel module llvm arith
    scf memref func
    Py_Main PyErr_Occurred PyInit__core _mlir_ciface_f result error frame lambda_ sc_math_exp""",
    "C++": """new delete this template operator namespace int double float char void auto register
    static const struct union enum typename virtual switch case default goto do extern signed
    unsigned short long volatile inline friend typedef sizeof throw public private bool
    nullptr""",
    "NumPy": """ndarray float64 int64 linalg fft newaxis inf nan pi e dtype shape size T flat real
    imag out axis keepdims self x1 x2 a_min""",
    "builtins": """len range abs min max sum list dict tuple int float bool str print enumerate
    zip sorted reversed map filter any all round divmod pow type id input object slice set hash
    iter next chr ord repr Exception ValueError NotImplemented""",
    "letters": "é ñame λ θ Δx αβ 变量 ﬁn ª 𝐱 ſum _ __ ___ __x __len__ _1 O0 ℌ ıJ Ⅳ café",
}
WORDS = [*MATH, *MATH_OF_TWO, *NUMPY, *(n for text in ELSEWHERE.values() for n in text.split())]
# As Python normalises them: some letters become others.
NAMES = [name for word in WORDS if (name := unicodedata.normalize("NFKC", word)).isidentifier()
         and not keyword.iskeyword(name)]  # fmt: skip

FUNCTIONS = [
    "def {0}(x):\n    return x * 2 + 1",
    "def {0}(n):\n    return n if n < 2 else {0}(n - 1) + {0}(n - 2)",
    "def {0}(n, {1}=1):\n    return {1} if n <= 0 else {0}(n - 1, {1} * 2)",
    "def {0}(x, {1}=2):\n    return x + {1}",
    "def {0}(x):\n    {1} = x + 1\n    return {1} * {1}",
    "def {0}(x):\n    def {1}(y):\n        return y - x\n    return {1}(2.5)",
    "def {0}(x):\n    def {0}(y):\n        return y - 1\n    return {0}(x) * {0}(3)",
    "def {0}(x):\n    {1} = lambda {0}: {0} + 1\n    return {1}(x)",
    "def {0}({0}):\n    return {0} + 1",
    "def {0}(*{1}):\n    return {1}[0] * 3",
    "def {0}(x, **{1}):\n    return x - len({1})",
    "def {0}(x):\n    for {1} in range(3):\n        x = x + {1}\n    return x",
    "def {0}(x):\n    return [{1} * x for {1} in (1, 2)][1]",
    "def {0}(x):\n    {0} = x\n    return {0} + {0}",
    "def {1}(x):\n    return x - 1\n\ndef {0}(x):\n    return {1}({1}(x))",
    "def {1}(x):\n    return x - 1\n\n{0} = {1}",
    "{0} = lambda {1}: {1} * 0.5",
    "{1} = 3\n\ndef {0}(x):\n    return x + {1}",
    "def {0}(x):\n    try:\n        {1} = 1 // (x > 0)\n    except ZeroDivisionError as {0}:\n"
    "        {1} = 7\n    return {1} + x",
    "def {0}(x):\n    ({1}, *{0}) = (x, 2, 3)\n    return {1} + {0}[1]",
]  # fmt: skip
OBJECTS = """\
class Thing:
    {3} = 2

    def __init__(self, {1}):
        self.{1} = {1}

    def {0}(self, x):
        return x * self.{1} + self.{3}

    @staticmethod
    def {2}({0}):
        return {0} + 1


thing = Thing(1.5)
"""


def _free(choose: Chooser, count: int, taken: set[str]) -> list[str]:
    """Different names that are none of those taken."""
    found: list[str] = []
    for _ in range(count):
        pool = NAMES if choose.percent(70) else [*MATH, *MATH_OF_TWO]
        free = [name for name in pool if name not in taken and name not in found]
        found.append(choose.pick(free or [f"x{len(found)}_"]))
    return found


def _function(choose: Chooser, taken: set[str]) -> tuple[str, str]:
    """A function's name and text; the function takes one number, or an array."""
    kind = choose.weighted([(3, "math"), (2, "two"), (2, "numpy"), (7, "own"), (1, "from")])
    if kind == "own":
        name, other = _free(choose, 2, taken | {"x", "y", "n"})  # the texts' own
        return name, choose.pick(FUNCTIONS).format(name, other)
    pool = {"math": MATH, "two": MATH_OF_TWO[:8], "numpy": NUMPY_OF_ARRAYS, "from": MATH}[kind]
    pool = [name for name in pool if name not in taken]
    name = choose.pick(pool)
    if kind == "from":
        inner = choose.pick(MATH)
        return name, f"from math import {inner} as {name}"
    texts = {
        "math": [
            f"return {_rounded(name)}math.{name}(x))",
            f"return {_rounded(name)}math.{name}(x + 1)) + 1",
        ],
        "two": [f"return math.{name}(x, 2)", f"return math.{name}(1.5, int(x))"],
        "numpy": [f"return np.rint(17 * np.{name}(x))", f"return np.{name}(np.asarray(x) + 1)"],
    }[kind]
    return name, f"def {name}(x):\n    {choose.pick(texts)}"


def _rounded(name: str) -> str:
    """Python's own gamma is not the C library's to the last bit (README, limits)."""
    return "round(1000 * " if name in ("gamma", "lgamma") else "("


def header(choose: Chooser) -> str:
    taken = {"np", "math", "f", "range", "len", "int", "ZeroDivisionError", "print"}
    texts, names = ["import math\nimport math as module"], []
    for _ in range(choose.integer(1, 4)):
        name, text = _function(choose, taken)
        taken |= {node for node in _defined(text)}
        names.append(name)
        texts.append(text)
    members = _free(choose, 4, {"__init__", "self", "x"})
    texts.append(OBJECTS.format(*members))
    methods = [f"thing.{members[0]}", f"thing.{members[2]}", f"Thing.{members[2]}"]
    return "\n\n".join([*texts, f"CALLED = {[*names, *methods]!r}"])


def _defined(text: str) -> set[str]:
    """The names that a text binds at its outermost level."""
    found = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def statement(body: Body) -> list[str]:
    kinds = [(8, _call), (3, _local), (2, _inner), (2, _passed), (1, _attribute)]
    return body.choose.weighted(kinds)(body)


def _argument(body: Body) -> str:
    arrays = body.names(is_array)
    if arrays and body.choose.percent(50):
        return body.choose.pick(arrays)
    numbers = body.names(lambda v: is_number(v) and -9 < v < 9)
    return body.choose.pick([*numbers, "0.5", "2", "1.25"])


def _call(body: Body) -> list[str]:
    choose = body.choose

    def text() -> str:
        function = choose.pick(body.env["CALLED"])
        inside = f"{choose.pick(body.env['CALLED'])}({_argument(body)})"
        return f"{function}({choose.pick([_argument(body), _argument(body), inside])})"

    made = body.attempt(text, lambda v: is_array(v) or is_number(v))
    if made is None:
        return []
    return body.bind(body.target(made.value, is_array if is_array(made.value) else is_number), made)


def _attribute(body: Body) -> list[str]:
    """What a module has or has not under some name."""
    choose, new = body.choose, body.fresh()
    name = choose.pick(["pi", "e", "tau", "R", "nowhere", "inf"])
    module = choose.pick(["module", "math", "np", "thing"])
    lines = choose.pick([
        [f"{new} = getattr({module}, {name!r}, 3)"], [f"{new} = hasattr({module}, {name!r})"],
        ["try:", f"    {new} = {module}.{name}", "except AttributeError:", f"    {new} = 2.5"],
        [f"{new} = {module}.{name}"],
    ])  # fmt: skip
    if body.depth or not body.perform(lines):
        return []
    body.live.append(new)
    return lines


def _local(body: Body) -> list[str]:
    """A local variable whose name hides a function, a module's or a builtin."""
    choose = body.choose
    name = choose.pick([n for n in NAMES if n not in ("range", "len", "int")])
    made = body.attempt(lambda: choose.pick([_argument(body), body.number(1)]))
    if made is None or name in body.env.get("CALLED", []) or name in body.live:
        return []
    used = choose.pick([f"{name} * 2", f"{name} + {name}", name])
    new = body.fresh()
    if not body.perform([f"{name} = {made.text}", f"{new} = {used}"]):
        return []
    body.live.append(new)
    body.env.pop(name)  # what is written afterwards does not use it
    body.laid -= {new}
    return [f"{name} = {made.text}", f"{new} = {used}"]


def _inner(body: Body) -> list[str]:
    """A function of its own inside, with such a name, that may call itself."""
    choose = body.choose
    name, other = _free(choose, 2, {"np", "math", "range", "len", "int", *body.live})
    if name in body.env or other in body.env or body.depth:
        return []
    lines = choose.pick([
        [f"def {name}(n):", f"    return n if n < 2 else {name}(n - 1) + {name}(n - 2)"],
        [f"def {name}({other}=1.5):", f"    return {other} * 2"],
        [f"{name} = lambda {other}: {other} + 1"],
        [f"def {name}(*{other}):", f"    return len({other}) + {other}[0]"],
        [f"def {name}({other}):", f"    def {other}_():", f"        return {other}",
         f"    return {other}_() + 1"],
    ])  # fmt: skip
    new = body.fresh()
    lines += [f"{new} = {name}({choose.integer(0, 6)})"]
    if not body.perform(lines):
        return []
    body.env.pop(name)
    body.live.append(new)
    return lines


def _passed(body: Body) -> list[str]:
    """A function as a value."""
    choose = body.choose
    function, new = choose.pick(body.env["CALLED"]), body.fresh()
    arrays = body.names(lambda v: is_array(v) and v.ndim == 1)
    items = choose.pick([*arrays, "(1.5, 2, 3)", "range(3)"])
    text = choose.pick([
        f"list(map({function}, {items}))", f"[{function}(e) for e in {items}]",
        f"max(({function}(e) for e in {items}), default=1)", f"sorted({items}, key={function})",
        f"(lambda g: g(g(1.5)))({function})", f"({function},)[0](2)",
    ])  # fmt: skip
    made = body.evaluate(text)
    if made is None or not body.perform([f"{new} = {text}"]):
        return []
    body.live.append(new)
    return [f"{new} = {text}"]


# ------------------------------------------------------------------------------------- other names


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> Any:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> Any:
        node.arg = self.names.get(node.arg, node.arg)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        node.name = self.names.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> Any:
        node.name = self.names.get(node.name or "", node.name)
        return self.generic_visit(node)


def rewrite(choose: Chooser, source: str) -> str:
    """Other names for the functions and variables that the generator numbers, and for f."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not _is_list_of_names(node)]
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    used |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    numbered = sorted(n for n in used if n[1:].isdigit() and n[0] in "vhpg")
    own = [n for n in numbered if choose.percent(50)] + (["f"] if choose.percent(70) else [])
    taken = used | {"np", "math", "Thing", "thing", *dir(builtins)[:75]}
    new = _free(choose, len(own), taken)
    tree = _Renamed(dict(zip(own, new, strict=True))).visit(tree)
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _is_list_of_names(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and (node.targets[0].id == "CALLED")
    )


FAMILY = Family(simple=[(60, statement)], header=header, rewrite=rewrite)
