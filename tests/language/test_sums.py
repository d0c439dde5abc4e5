"""sum() of floats adds as the running Python does, where that compensates for rounding too."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from shapecast import _core, jit, library
from shapecast._host_info import messages, set_host_info
from shapecast.library import sums
from support.compare import case_id, check, make

SUMS = [
    "sum(x)",
    "sum(x, 0.0)",
    "sum(x, 3)",
    "sum(x, 1j)",
    "sum([v * 0.3 for v in x])",
    "sum(v * 0.3 for v in x)",
    "sum([v for v in x if v == v])",
    "sum(v * 1j for v in x)",
    "sum((x[0], 1, 0.1, True, 2.0, 1e-9))",
    "sum((x[0], 1j, 0.1, True, 2.0, 1e-9, 3j))",
    "sum(map(abs, x))",
    "sum(a * b for a, b in zip(x, x))",
    "sum(x[1:]), sum(sorted(x))",
    "sum({1: 0.1, 2: 0.2, 3: 0.3}.values()), sum(range(len(x)))",
    "sum(v > 0 for v in x)",
]
ITEMS = [
    [0.1] * 10,
    [1e16, 1.0, -1e16],
    [1e16, 1.0, -1e16, 3.0] * 20,
    (0.1, 0.2, 0.3),
    [1, 2, 3],
    [0.1],
    [math.inf, 1.0, 1.0],
    [1e308, 1e308, -1e308],
    [-0.0],
    [-0.0, -0.0],
    [math.nan, 1.0],
    np.arange(5) * 0.1,
    [1e16, 1, -1e16],
    [1, 1e16, 1, -1e16],
    [1e16 + 1e16j, 1 + 1j, -1e16 - 1e16j],
]


@pytest.mark.parametrize("expression", SUMS)
def test_sums_are_those_of_python(expression: str) -> None:
    f = make(f"def f(x):\n    return {expression}", math=math)
    for items in ITEMS:
        check(f, items)


def test_the_type_of_an_empty_sum() -> None:
    f = make("def f(x, start):\n    return sum([v for v in x if v > 5], start)")
    for start in (0, 1.5, 2):
        check(f, [0.5, 1.5], start)
        check(f, [0.5, 7.5], start)


@pytest.fixture
def compensating(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The sums of Python 3.14, on each Python that has none of its own between these and 3.11's."""
    if sums.WITH_FLOATS and not sums.WITH_INTS:
        pytest.skip("a process captures the library once, with what Python 3.12 and 3.13 do")
    for name in ("WITH_FLOATS", "WITH_INTS", "WITH_COMPLEX", "WITH_REALS"):
        monkeypatch.setattr(sums, name, True)
    monkeypatch.setattr(library, "stored", lambda name: None)  # as this Python has them
    _core._set_host_info(messages(), "ValueError", sum_is_compensated=True)
    yield
    set_host_info()


@pytest.mark.usefixtures("compensating")
@pytest.mark.parametrize(
    ("expression", "argument", "result"),
    [
        ("sum([1e16, x, -1e16])", 1.0, 1.0),
        ("sum([x] * 10)", 0.1, 1.0),
        ("sum([1e16, 1, x])", -1e16, 1.0),
        ("sum([1e16, True, x])", -1e16, 1.0),
        ("sum([1e16 + 1e16j, 1 + 1j, x])", -1e16 - 1e16j, 1 + 1j),
        ("sum([1e16 + 0j, 1.0, 1, x])", -1e16, 2 + 0j),
        ("sum(x)", [1e16, 1.0, -1e16], 1.0),
        ("sum(x)", [1e16, 1, -1e16], 1.0),
        ("sum(v for v in x)", [1e16, 1.0, -1e16], 1.0),
        ("sum(v for v in x)", [1e16 + 0j, 1j, -1e16], 1j),
        ("sum(x, 1j)", [1e16, 1.0, -1e16], 1 + 1j),
        ("sum(x, 1e16)", [1.0, -1e16], 1.0),
        ("sum(x, 1e16)", [1, -(10**16)], 1.0),
        ("sum([v for v in x if v], 1e16)", [1, -(10**16)], 1.0),
        ("sum(range(x), 1e16)", 3, 1e16 + 4),
        ("sum(x, 0)", np.array([1e16, 1.0, -1e16]), np.float64(0.0)),
        ("sum([v for v in x if v])", [1e16, 1.0, -1e16], 1.0),
        ("sum([v for v in x if v])", [3, 1e16, 1, -1e16], 5.0),
        ("sum([v for v in x if not v])", [3.0], 0),
        ("sum(x)", [math.inf, 1.0, 1e300], math.inf),
        ("sum(x)", [], 0),
    ],
    ids=case_id,
)
def test_sums_are_compensated(expression: str, argument: object, result: object) -> None:
    f = jit(make(f"def f(x):\n    return {expression}"))
    got = f(argument)
    assert repr(got) == repr(result)


EXACT = [
    *ITEMS,
    [],
    (0.1,) * 20,
    [math.inf, -math.inf],
    [1e308] * 3,
    [True, 2, 3.5],
    np.arange(10),
    np.array([0.1] * 10, np.float32),
    "abc",
    3,
    None,
    np.ones((2, 2)),
]


@pytest.mark.parametrize(
    "expression", ["math.fsum(x)", "math.fsum(v for v in x)", "math.fsum(map(abs, x))"]
)
def test_fsum_rounds_once(expression: str) -> None:
    f = make(f"def f(x):\n    return {expression}", math=math)
    for items in EXACT:
        check(f, items)
    generator = np.random.default_rng(0)
    for _ in range(100):
        size = generator.integers(1, 40)
        check(
            f, (generator.normal(size=size) * 2.0 ** generator.integers(-1000, 1000, size)).tolist()
        )


@pytest.mark.usefixtures("compensating")
def test_sums_of_pythons_numbers_and_numpys() -> None:
    f = make("""
        def f(x, n):
            mixed = [v if v > 1 else n for v in x]
            return sum(mixed), sum(mixed, 1), sum([v for v in mixed if v > 1])
    """)
    for dtype in (np.float32, np.float64, np.int16):
        check(f, np.arange(4).astype(dtype), 2)
