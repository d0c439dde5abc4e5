"""The loop that a ufunc chooses, and its type errors, are NumPy's for all dtypes and scalars."""

import itertools

import numpy as np
import pytest
from shapecast import _core

ops = _core._ops
CHARS = "?bhilBHILefdFD"
WEAK = {"int": int, "float": float, "complex": complex}
SAMPLES = {"int": 1, "float": 1.0, "complex": 1j, "pybool": True}
EVERYTHING = [*CHARS, *WEAK]
COMPARISONS = {"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"}
OURS_ONLY = {
    "erf",
    "erfc",
    "gammaln",
    "real",
    "imag",
    "angle",
    "where",
    "clip",
    "multiply_add",
    "bits",
}


def numpy_loops(ufunc, output):
    seen = []
    for text in ufunc.types:
        ins, outs = text.replace("q", "l").replace("Q", "L").split("->")
        loop = f"{ins}->{outs[output]}"
        if all(c in CHARS for c in ins + outs) and loop not in seen:
            seen.append(loop)
    return seen


def split(name):
    base, _, output = name.partition(".")
    return getattr(np, base), int(output or 0)


TABLE = {row[0]: row for row in ops.ufunc_table()}
UFUNCS = sorted(set(TABLE) - OURS_ONLY)


def test_every_ufunc_of_numpy_is_here():
    known = {name.partition(".")[0] for name in TABLE}
    known |= {alias for row in TABLE.values() for alias in row[1].split()}
    missing = []
    for name in dir(np):
        ufunc = getattr(np, name)
        if (
            isinstance(ufunc, np.ufunc)
            and ufunc.signature is None
            and name != "isnat"
            and name not in known
        ):
            missing.append(name)
    assert missing == []


@pytest.mark.parametrize("name", UFUNCS)
def test_loops_are_numpys(name):
    ufunc, output = split(name)
    assert sorted(TABLE[name][4]) == sorted(numpy_loops(ufunc, output))


def dtype_or_type(operand):
    return WEAK.get(operand) or np.dtype(operand)


def expected(ufunc, output, operands):
    try:
        found = ufunc.resolve_dtypes(tuple(map(dtype_or_type, operands)) + (None,) * ufunc.nout)
    except TypeError as error:
        return type(error).__name__, str(error)
    chars = "".join(d.char for d in found).replace("q", "l").replace("Q", "L")
    return f"{chars[: ufunc.nin]}->{chars[ufunc.nin + output]}"


def ours(name, operands):
    found = ops.resolve_ufunc(name, list(operands))
    return found if isinstance(found, str) else (found[0].rpartition(".")[2], found[1])


@pytest.mark.parametrize("name", UFUNCS)
def test_every_pair_of_operands_chooses_numpys_loop(name):
    ufunc, output = split(name)
    wrong = []
    for operands in itertools.product(EVERYTHING, repeat=ufunc.nin):
        want, got = expected(ufunc, output, operands), ours(name, operands)
        exact = (
            name in COMPARISONS
            and "int" in operands
            and all(o == "int" or o in "?bhilBHIL" for o in operands)
        )
        if exact:  # Python ints are compared exactly: see test_python_ints_compare_exactly
            assert got in ("ll->?", "lL->?", "Ll->?")
        elif want != got:
            wrong.append((operands, want, got))
    assert wrong == []


@pytest.mark.parametrize("name", UFUNCS)
def test_python_bool_is_a_strong_bool(name):
    for operands in itertools.product([*CHARS, "pybool"], repeat=TABLE[name][2]):
        if "pybool" in operands:
            assert ours(name, operands) == ours(
                name, ["?" if o == "pybool" else o for o in operands]
            )


@pytest.mark.parametrize("second", EVERYTHING)
def test_result_type_is_numpys(second):
    for first in EVERYTHING:
        args = [SAMPLES.get(o, np.empty(1, o) if o in CHARS else None) for o in (first, second)]
        assert ops.result_type([first, second]) == np.result_type(*args).char, (first, second)
        where = np.where([True], args[0], args[1]).dtype.char
        assert ours("where", ["?", first, second])[-1] == where


def test_result_type_of_three():
    for operands in itertools.product(
        ["b", "L", "e", "f", "int", "float", "complex", "?"], repeat=3
    ):
        args = [SAMPLES.get(o, np.empty(1, o) if o in CHARS else None) for o in operands]
        assert ops.result_type(list(operands)) == np.result_type(*args).char, operands


def test_promote_and_can_cast():
    for a, b in itertools.product(CHARS, repeat=2):
        assert ops.promote(a, b) == np.promote_types(a, b).char
        for casting in ("no", "equiv", "safe", "same_kind", "unsafe"):
            assert ops.can_cast(a, b, casting) == np.can_cast(a, b, casting), (a, b, casting)


def test_names_of_dtypes_are_numpys():
    for c in CHARS:
        dtype = np.dtype(c)
        for name in (dtype.name, dtype.str[1:], dtype.char, dtype.str):
            assert ops.dtype_from_name(name) == dtype.name, name
    for name in (
        "float",
        "int",
        "complex",
        "half",
        "single",
        "double",
        "intp",
        "uintp",
        "bool_",
        "longlong",
    ):
        dtype = {"float": float, "int": int, "complex": complex}.get(name) or getattr(np, name)
        assert ops.dtype_from_name(name) == np.dtype(dtype).name
    assert ops.dtype_from_name("datetime64") is None


@pytest.mark.parametrize(
    "name", ["add", "sqrt", "divide", "maximum", "power", "bitwise_and", "floor"]
)
def test_requested_dtypes_choose_numpys_loop(name):
    ufunc = getattr(np, name)
    for operands in itertools.product(CHARS, repeat=ufunc.nin):
        for dtype in CHARS:
            try:
                with np.errstate(all="ignore"):
                    want = ufunc(*[np.ones(1, o) for o in operands], dtype=dtype).dtype.char
            except TypeError:
                want = None
            found = ops.resolve_ufunc(name, list(operands), dtype)
            got = found.rpartition(">")[2] if isinstance(found, str) else None
            assert got == want, (operands, dtype)


def test_operators_on_arrays_name_numpys_ufuncs():
    for base in "bBlefdFD":
        for kind, value in (("int", 2), ("int", -1), ("int", 3), ("float", 0.5), ("float", 2.0)):
            name = ops.scalar_power(base, kind, value)
            if base in "bBl" and value == -1:
                continue
            x = np.array([2, 3, 7], base)
            args = (x,) if name != "power" else (x, value)
            np.testing.assert_array_equal(getattr(np, name)(*args), x**value)
