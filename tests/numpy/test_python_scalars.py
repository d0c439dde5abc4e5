"""Python operators, builtins and math on scalars: values, kinds and errors are Python's."""

import itertools
import math
import operator

import numpy as np
import pytest
from shapecast import _core
from shapecast._host_info import messages, set_host_info
from support.op_kernels import Kernels

from support import annex_g

ops = _core._ops
KINDS = ("pybool", "int", "float", "complex")
PYTHON = {"pybool": bool, "int": int, "float": float, "complex": complex}
DTYPES = {"pybool": np.bool_, "int": np.int64, "float": np.float64, "complex": np.complex128}
OVERFLOW = ("OverflowError", "Python int result does not fit in 64 bits")

OPERATORS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod, "pow": operator.pow, "and": operator.and_, "or": operator.or_, "xor":
    operator.xor,
    "lshift": operator.lshift, "rshift": operator.rshift, "lt": operator.lt, "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge, "eq": operator.eq, "ne": operator.ne, "neg": operator.neg, "pos":
    operator.pos, "invert": operator.invert,
    "abs": abs, "not": operator.not_, "bool": bool, "int": int, "float": float, "complex":
    complex, "round": round, "min": min, "max": max,
}  # fmt: skip
MATH = """acos acosh asin asinh atan atanh cbrt cos fabs log1p sin sqrt tan tanh erf erfc cosh exp
    exp2 expm1 sinh log log2 log10 gamma
    lgamma atan2 copysign hypot nextafter fmod remainder pow ldexp floor ceil trunc isnan isinf
    isfinite degrees radians gcd lcm
    isqrt""".split()
OPERATORS.update({f"math.{name}": getattr(math, name) for name in MATH})
UNARY = {"neg", "pos", "invert", "abs", "not", "bool", "int", "float", "complex", "round"}
BOTH = {"round", "complex", "math.log"}
BINARY_MATH = {
    f"math.{n}" for n in "atan2 copysign hypot nextafter fmod remainder pow ldexp gcd lcm".split()
}

INTS = [0, 1, -1, 2, -2, 3, 7, -7, 10, 62, 63, 64, 100, 2**31, 2**53, 2**53 + 1, -(2**53) - 1,
    2**62, 2**62 + 1, 3**39, 2**63 - 1, -(2**63),
        -(2**63) + 1, 2**61 + 3, 10**18 + 9, -(10**17) - 1]  # fmt: skip
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -3.0, 7.3, 100.0, 1e-300, 1e300,
    5e-324, math.inf, -math.inf, math.nan, 2.0**53,
          2.0**63, -(2.0**63), 9.3e18, 170.5, 172.0, 709.5, 710.5, 2.675, 1e16]  # fmt: skip
PARTS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    -2.5,
    3.0,
    0.5,
    2.0**53,
    1e200,
    -1e-200,
    math.inf,
    -math.inf,
    math.nan,
]
VALUES = {"pybool": [False, True], "int": INTS, "float": FLOATS,
          "complex": [complex(a, b) for a in PARTS for b in PARTS]}  # fmt: skip


def arities(op):
    if op in BOTH:
        return (1, 2)
    if op in ("min", "max"):
        return (2, 3)
    if op in UNARY or (op.startswith("math.") and op not in BINARY_MATH):
        return (1,)
    return (2,)


def feasible(op, values):
    """Python's ints are unbounded: no shifts, powers and roundings that fill the memory."""
    second = values[-1]
    if op == "round" and len(values) == 2:
        return isinstance(second, float | complex) or abs(second) <= 400
    if op in ("lshift", "pow"):
        return isinstance(second, float | complex) or abs(second) <= 1000
    return True


def evaluate(op, values):
    """("value", v), ("error", name, text) or ("large", None) where Python's int has left 64
    bits."""
    try:
        value = OPERATORS[op](*values)
    except Exception as error:
        return "error", type(error).__name__, str(error)
    if type(value) is int and not -(2**63) <= value < 2**63:
        return "large", value
    return "value", value


JOBS, CASES = [], []
for op in OPERATORS:
    for arity in arities(op):
        for kinds in itertools.product(KINDS, repeat=arity):
            result = ops.py_result(op, list(kinds))
            symbol = f"p_{op.replace('.', '_')}_{'_'.join(kinds)}"
            CASES.append((op, kinds, result, symbol))
            if result:
                JOBS.append((symbol, "pyop", op, [*kinds, result]))


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return Kernels(tmp_path_factory.mktemp("python"), JOBS)


def expected_type(op, kinds):
    """The classes of Python's results on VALUES; TypeError if the operation has none."""
    found = set()
    for values in itertools.product(*(VALUES[k] for k in kinds)):
        if not feasible(op, values):
            continue
        outcome = evaluate(op, values)
        if outcome[0] == "error" and outcome[1] == "TypeError":
            return TypeError
        if outcome[0] != "error":
            found.add(type(outcome[1]))
    return found


@pytest.mark.parametrize(("op", "kinds", "result", "symbol"), CASES, ids=[c[3] for c in CASES])
def test_result_types_are_pythons(op, kinds, result, symbol):
    found = expected_type(op, kinds)
    if found is TypeError:
        assert result is None
    elif op in ("min", "max"):
        assert result is None or found <= {PYTHON[k] for k in KINDS[: KINDS.index(result) + 1]}
    elif op == "pow":
        assert PYTHON[result] in found
    elif op.startswith("round") and len(kinds) == 2 and result is None:
        pass
    else:
        assert found <= {PYTHON[result]}


def close(op, got, want):
    if op.endswith("gamma"):  # CPython has its own, less exact ones
        return close("", got, want) or abs(got - want) <= 1e-13 * abs(want)
    if isinstance(want, complex):
        return close_complex(op, got, want)
    if isinstance(want, float):
        return (
            (math.isnan(got) and math.isnan(want))
            or got == want
            or abs(got - want) <= 2 * math.ulp(want)
        )
    return bool(got == want)


def close_complex(op, got, want):
    """Signs of zeros too, but for those of powers: some are those of rounding errors."""
    parts = [(got.real, want.real), (got.imag, want.imag)]
    if all(g == w or (g != g and w != w) for g, w in parts):
        return op == "pow" or all(math.copysign(1, g) == math.copysign(1, w) or g for g, w in parts)
    size, distance = (math.hypot(z.real, z.imag) for z in (want, got - want))
    return op in ("pow", "truediv") and math.isfinite(distance) and distance <= 1e-13 * size


def tolerated(op, kinds, values, outcome, error):
    """The documented differences: ints have 64 bits, and results one type."""
    if outcome[0] == "large":
        return error == OVERFLOW
    if error == OVERFLOW:  # a huge int in Python
        return False
    if op == "pow" and error and error[0] == "shapecast.UnsupportedError":
        return (outcome[0] == "value" and type(outcome[1]) in (float, complex)) or outcome[
            0
        ] == "error"
    return False


@pytest.mark.parametrize(
    ("op", "kinds", "result", "symbol"),
    [c for c in CASES if c[2]],
    ids=[c[3] for c in CASES if c[2]],
)
def test_values_and_errors_are_pythons(kernels, op, kinds, result, symbol):
    cases = [v for v in itertools.product(*(VALUES[k] for k in kinds)) if feasible(op, v)]
    arrays = [np.array([v[i] for v in cases], DTYPES[k]) for i, k in enumerate(kinds)]
    got, traps = kernels.call(symbol, DTYPES[result], *arrays)
    wrong = []
    for values, value, error in zip(
        cases, got.tolist(), kernels.errors(symbol, traps), strict=True
    ):
        outcome = evaluate(op, values)
        if tolerated(op, kinds, values, outcome, error):
            continue
        if outcome[0] == "error":
            if error and "{0:f}" in error[1]:  # the last one is the base of a logarithm
                of = values[0] if values[0] <= 0 else values[-1]
                error = (error[0], error[1].replace("{0:f}", repr(float(of))))
            if error != outcome[1:]:
                wrong.append((values, error, outcome))
        elif outcome[0] == "large" or error or not close(op, value, PYTHON[result](outcome[1])):
            wrong.append((values, error or value, outcome))
    assert wrong == [], (len(wrong), wrong[:6])


def test_true_division_of_ints_is_correctly_rounded(kernels):
    rng = np.random.default_rng(0)
    bits = rng.integers(1, 64, (2, 20000))
    a, b = (rng.integers(-(2**62), 2**62, 20000) >> (63 - k) | 1 for k in bits)
    got, _ = kernels.call("p_truediv_int_int", np.float64, a, b)
    assert got.tolist() == [x / y for x, y in zip(a.tolist(), b.tolist(), strict=True)]


def test_comparison_of_int_and_float_is_exact(kernels):
    rng = np.random.default_rng(0)
    a = np.concatenate([2**62 + rng.integers(-2000, 2000, 5000), 2**53 + rng.integers(-9, 9, 5000)])
    b = a.astype(float)
    for op in ("lt", "le", "gt", "ge", "eq", "ne"):
        got, _ = kernels.call(f"p_{op}_int_float", np.bool_, a, b)
        assert got.tolist() == [
            OPERATORS[op](x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)
        ]


COMPLEX_CASES = [
    (op, kinds, result, symbol)
    for op, kinds, result, symbol in CASES
    if op in annex_g.OPERATORS and "complex" in kinds
]
IS_ANNEX_G = math.copysign(1, (1.0 + complex(0, -0.0)).imag) < 0  # Python 3.14 and later


def by_annex_g(op, values):
    try:
        numbers = (v if isinstance(v, complex) else float(v) for v in values)
        return "value", annex_g.OPERATORS[op](*numbers)
    except (ZeroDivisionError, OverflowError) as error:
        return "error", type(error).__name__, str(error)


@pytest.fixture(scope="module")
def annex_g_kernels(tmp_path_factory):
    _core._set_host_info(messages(), "ValueError", complex_by_annex_g=True)
    jobs = [(symbol, "pyop", op, [*kinds, r]) for op, kinds, r, symbol in COMPLEX_CASES]
    yield Kernels(tmp_path_factory.mktemp("annex_g"), jobs)
    set_host_info()


@pytest.mark.parametrize(
    ("op", "kinds", "result", "symbol"), COMPLEX_CASES, ids=[c[3] for c in COMPLEX_CASES]
)
def test_complex_numbers_by_annex_g(annex_g_kernels, op, kinds, result, symbol):
    """What Python does since 3.14, on each Python."""
    cases = list(itertools.product(*(VALUES[k] for k in kinds)))
    arrays = [np.array([v[i] for v in cases], DTYPES[k]) for i, k in enumerate(kinds)]
    got, traps = annex_g_kernels.call(symbol, DTYPES[result], *arrays)
    errors = annex_g_kernels.errors(symbol, traps)
    wrong = []
    for values, value, error in zip(cases, got.tolist(), errors, strict=True):
        outcome = by_annex_g(op, values)
        if IS_ANNEX_G and not same_outcome(op, outcome, evaluate(op, values)):
            wrong.append((values, "reference", outcome))
        if not same_outcome(op, outcome, ("error", *error) if error else ("value", value)):
            wrong.append((values, error or value, outcome))
    assert wrong == [], (len(wrong), wrong[:6])


def same_outcome(op, outcome, other):
    if outcome[0] == "error" or other[0] == "error":
        return outcome == other
    return close_complex(op, other[1], outcome[1])
