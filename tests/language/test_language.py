"""The language of jitted functions: every item of the list, each against Python itself."""

from __future__ import annotations

import math
import math as m

import numpy
import numpy as np
import numpy as xp
import pytest
from numpy import cos, sqrt
from shapecast import jit
from support.compare import Report, check, check_or_refused, jitted, make

X = np.array([0.5, 1.5, -2.0, 4.0])
FACTOR = 2.5
COUNT = 3
TABLE = (1.0, 2.0, 4.0)
STEP = np.float32(0.5)


# --------------------------------------------------------------------------------------- assignment


def chained(x):
    a = b = x + 1
    a = a * 2
    return a, b


def chained_arrays(x):
    a = b = x * 1
    a[0] = 99
    return a, b


def unpacking(x, y):
    a, b = x, y
    a, b = b, a
    (c, d), e = (a, b), a
    [g, h] = e, c
    a, b, c = c, a, b
    return a, b, c, d, e, g, h


def swap_elements(x):
    x[0], x[1] = x[1], x[0]
    return x


def tuple_of_shape(x):
    n, m = x.shape
    (rows,) = x[0].shape
    return n * m + rows


def unpack_array(x):
    a, b, c, d = x
    return a + b * c - d


def annotated(x):
    y: float = x * 2
    return y


def walrus(x):
    if (y := x * 2) > 1:
        return y
    return y - 1


def test_assignments() -> None:
    check(chained, 2.5)
    check(chained_arrays, X)
    check(unpacking, 1, 2.5)
    check(unpacking, X, X)
    check(swap_elements, X)
    check(tuple_of_shape, np.ones((3, 4)))


def test_starred_annotated_and_walrus_assignments() -> None:
    check(unpack_array, X)
    check(annotated, 1.5)
    check(walrus, 1.5)
    check(walrus, 0.25)


def test_unpacking_the_wrong_number_is_an_error() -> None:
    check(make("def f(x):\n    a, b = x, x, x\n    return a"), 1.0)
    check(make("def f(x):\n    n, m = x.shape\n    return n"), X)


# ----------------------------------------------------------------------- arithmetic and comparisons


def arithmetic(a, b):
    return a + b, a - b, a * b, a / b, a // b, a % b, a**2, -a, +b, abs(a)


def comparisons(a, b):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


def chained_comparison(a, b, c):
    return a < b < c, a <= b > c, a == b == c, 0 < a < b < c < 10, not a < b


def once(a, log):
    log[0] += 1
    return a


def chained_comparison_evaluates_once(a, b, c, log):
    return once(a, log) < once(b, log) < once(c, log)


@pytest.mark.parametrize(
    ("a", "b"), [(7, 3), (-7, 3), (7, -3), (7.5, 2), (-7.5, 2.0), (True, 2), (2, 0.5), (-8, 3)]
)
def test_arithmetic_and_comparison_of_python_scalars(a, b) -> None:
    check(arithmetic, a, b)
    check(comparisons, a, b)
    check(chained_comparison, a, b, 4)


def test_arithmetic_of_numpy_scalars_and_arrays() -> None:
    with Report("arithmetic") as report:
        values = [
            np.int8(7),
            np.uint16(3),
            np.float32(2.5),
            np.int64(-9),
            np.float64(0.3),
            2,
            1.5,
            np.arange(1, 5),
        ]
        for a in values:
            for b in values:
                with report.case(repr(a), repr(b)):
                    check(arithmetic, a, b)
                    check(comparisons, a, b)


def test_chained_comparison_evaluates_its_middle_once_and_stops_early() -> None:
    for a, b, c in ((1, 2, 3), (3, 2, 1), (1, 1, 1)):
        check(chained_comparison_evaluates_once, a, b, c, np.zeros(1, np.int64))


def logic(a, b, c):
    return a and b, a or b, not a, (a and b) or c, a or (b and c), not (a or b), (a and b) == c


def test_and_or_not_give_the_operand_as_python_does() -> None:
    for a in (True, False):
        for b in (True, False):
            check(logic, a, b, a)
    check(logic, 1.5, 2.5, 0.0)
    check(logic, 0, 3, 5)


def short_circuit(x, n):
    return n > 0 and x[n - 1] > 0, n <= 0 or x[n - 1] > 0


def test_and_or_do_not_evaluate_the_second_operand_needlessly() -> None:
    for n in (0, 1, 4, 5):
        check(short_circuit, X, n)


def conditional(x, n):
    a = x if n > 0 else x + 1
    b = n if n > 5 else 5 if n > 2 else 2
    c = x[n] if n < len(x) else 0.0
    return a, b, c


def test_conditional_expressions() -> None:
    for n in (0, 1, 3, 4, 8):
        check(conditional, X, n)


def compare_identity(x, y=None):
    if y is None:
        return x
    if y is not None and x is not y:
        return x + y
    return x * 2


def test_is_none() -> None:
    check(compare_identity, 2.0)
    check_or_refused(compare_identity, 2.0, 3.0, refused=True)  # whether two floats are one object
    check(compare_identity, X, None)


def truth(x, n, z):
    out = 0
    if n:
        out += 1
    if not z:
        out += 2
    if x[0]:
        out += 4
    while n:
        n -= 1
        out += 8
    return out


def test_truth_of_numbers_and_elements() -> None:
    for n in (0, 1, 3):
        for z in (0.0, 2.5, math.nan):
            check(truth, X, n, z)
            check(truth, np.zeros(2, np.int8), n, z)


def test_truth_of_an_array_is_numpys_error() -> None:
    f = make("def f(x):\n    if x > 0:\n        return 1\n    return 0")
    check(f, X)
    check(f, np.ones(1))
    check(f, np.ones((1, 1)))


# ----------------------------------------------------------------------------- attributes, builtins


def attributes(x):
    return x.shape, x.ndim, x.size, x.T, len(x), x.dtype, x.shape[0] * 2, x.T.shape


def test_attributes_of_arrays() -> None:
    check(attributes, np.arange(6).reshape(2, 3))
    check(attributes, X)


def builtins(a, b, n):
    return (
        abs(a), min(a, b), max(a, b), min(a, b, 1), max(1.5, a, b), int(a), float(n), bool(n),
        bool(a), int(b),
        float(a), int(True), len((a, b)), abs(n), min(n, 2), max(n, n), int(n), bool(0.0),
    )  # fmt: skip


def test_builtins_on_scalars() -> None:
    for a, b, n in ((1.5, -2.5, 3), (-0.5, 7.0, 0), (2.0, 2.0, -4), (1e10, -0.0, 2)):
        check(builtins, a, b, n)
    check(builtins, np.float64(1.5), np.float64(3), np.int16(4))
    check(builtins, np.float32(1.5), np.float64(3), np.int16(4))


def test_min_and_max_keep_the_first_of_equals_and_nans_as_python_does() -> None:
    f = make("def f(a, b):\n    return min(a, b), max(a, b)")
    for a, b in ((0.0, -0.0), (-0.0, 0.0), (math.nan, 1.0), (1.0, math.nan), (1, 1.0), (1.0, 1)):
        if type(a) is type(b):
            check(f, a, b)


MATH = (
    "sqrt exp log log2 log10 log1p expm1 sin cos tan asin acos atan sinh cosh tanh asinh atanh "
    "fabs floor ceil trunc "
    "isnan isinf isfinite degrees radians cbrt exp2"
).split()


@pytest.mark.parametrize("name", MATH)
def test_math_function_on_scalars(name: str) -> None:
    from support.ulp import within

    f = make(f"import math\ndef f(x):\n    return math.{name}(x)", name="f")
    for x in (0.5, 0.25, 1, np.float32(0.75), np.int16(1), np.float64(0.125)):
        if name in ("atanh",) and x == 1:
            continue
        check(f, x, tol=within(4))


@pytest.mark.parametrize("name", ["atan2", "pow", "hypot", "copysign", "fmod"])
def test_math_function_of_two_scalars(name: str) -> None:
    from support.ulp import within

    f = make(f"import math\ndef f(x, y):\n    return math.{name}(x, y)", name="f")
    for x, y in ((0.5, 2.0), (3, 2), (-1.5, 3.0), (np.float32(2), 0.5)):
        check(f, x, y, tol=within(4))


@pytest.mark.parametrize(
    ("call", "x"), [("sqrt", -1.0), ("log", 0.0), ("acos", 2.0), ("exp", 1e5), ("fmod", 1.0)]
)
def test_math_function_raises_pythons_error(call: str, x: float) -> None:
    arguments = "x, 0.0" if call == "fmod" else "x"
    check(make(f"import math\ndef f(x):\n    return math.{call}({arguments})", name="f"), x)


def math_constants(x):
    return (
        math.pi * x,
        m.e,
        np.pi,
        math.inf,
        np.inf,
        math.tau,
        np.e,
        -np.inf,
        math.nan,
        np.nan,
        numpy.newaxis is None,
    )


def test_constants_of_math_and_numpy() -> None:
    check(math_constants, 2.0)


def import_names(x):
    return np.sin(x), numpy.sin(x), xp.sin(x), cos(x), sqrt(4.0), m.sin(0.5), math.sin(0.5)


def test_numpy_and_math_under_any_import_name() -> None:
    from support.ulp import within

    check(import_names, X, tol=within(4))


def module_constants(x):
    return x * FACTOR + COUNT, TABLE[1], len(TABLE), x * STEP, TABLE


def test_module_level_constants() -> None:
    check(module_constants, X)
    check(module_constants, 3)


def dtype_calls(n):
    return (
        np.float32(n),
        np.int64(3),
        np.uint8(7) + n,
        np.float64(n) / 3,
        np.complex64(n),
        np.bool_(n),
        np.int8(n) * 2,
    )


def test_numpy_scalar_constructors() -> None:
    check(dtype_calls, 5)


# -------------------------------------------------------------------------------------------- calls


def plain(x, k=2):
    return x * k


@jit
def compiled(x, k=2):
    return x + k


def calls(x):
    return plain(x), compiled(x), plain(compiled(x), k=3), compiled(k=plain(1), x=x)


def test_calls_of_plain_and_of_jitted_functions() -> None:
    check(calls, X)
    check(calls, 2)


def mutate(a):
    a[0] += 1
    a = a * 2
    return a


def calls_a_function_that_mutates(x):
    y = mutate(x)
    return x, y, mutate(y[1:])


def test_called_function_mutates_its_argument_but_not_the_callers_name() -> None:
    check(calls_a_function_that_mutates, X)


def test_local_functions_and_lambdas() -> None:
    f = make("""
        def f(x):
            def g(y):
                return y * 2
            h = lambda z: z + x
            return g(x), h(1), g(h(2))
    """)
    check(f, 2.5)
    check(f, X)


def apply(g, x):
    return g(x)


def passes_functions(x):
    return apply(np.sin, x), apply(plain, x)


def test_functions_as_arguments_of_inlined_functions() -> None:
    from support.ulp import within

    check(passes_functions, X, tol=within(4))


def test_closure_variables() -> None:
    def maker(k, table):
        def f(x):
            return x * k + table[0]

        return f

    check(maker(2, (1.0, 2.0)), X)
    check(maker(np.float32(3), (4, 5)), 1)
    check(maker(2.5, np.ones(3, np.int8)), X)


def statements(x):
    """A docstring."""
    pass
    x + 1
    ...
    assert x > 0
    assert x > 1, "x must be greater than one"
    return x


def test_docstring_pass_expression_statements_and_assert() -> None:
    check(statements, 2.0)
    check(statements, 1.0)
    with pytest.raises(AssertionError):  # the message that Python has here is pytest's
        jitted(statements)(0.0)


def raising(x):
    if x < 0:
        raise ValueError("x must not be negative")
    return x**0.5


def test_raise_of_a_builtin_exception() -> None:
    check(raising, 4.0)
    check(raising, -4.0)


def test_print_shows_what_python_shows(capsys) -> None:
    f = make("""
        def f(x, n, a):
            print(x, n, True, None, "text", n / 2)
            print(a)
            print()
            print(x, n, sep="-", end="!")
    """)
    f(2.5, 3, np.arange(4.0))
    want = capsys.readouterr().out
    jitted(f)(2.5, 3, np.arange(4.0))
    assert capsys.readouterr().out == want


@pytest.mark.parametrize(
    "value",
    [None, True, 3, 2.5, 1j, "text", (1, 2.5), np.float32(1), (), (1, (2.0, None))],
    ids=repr,
)
def test_arguments_and_results_of_every_kind(value) -> None:
    check(make("def f(x):\n    return x, (x, 1)"), value)


def test_static_arguments_choose_code() -> None:
    f = make("""
        def f(x, kind, flag=True):
            if kind == "sum":
                return x.sum()
            if kind is None:
                return x.shape
            return x.max() if flag else x.min()
    """)
    for kind in ("sum", None, "max"):
        check(f, X, kind)
        check(f, X, kind, flag=False)


def test_dead_arm_is_never_typed() -> None:
    f = make("""
        def f(x, y=None):
            if y is None:
                return x * 2
            return x * y.shape[0]
    """)
    check(f, X)
    check(f, X, X)


def test_axis_from_an_argument() -> None:
    f = make("def f(x, axis):\n    return x.sum(axis=axis), x.max(axis)")
    for axis in (0, 1, -1, 2):
        check(f, np.arange(6.0).reshape(2, 3), axis)


class Scale:
    @jit
    def method(self_factor, x):
        return x * self_factor


def test_jitted_function_in_a_class_binds_like_a_function() -> None:
    assert callable(Scale.method)
    assert np.array_equal(Scale.method(2.0, X), X * 2)
    bound = Scale().method
    assert bound.__self__.__class__ is Scale
