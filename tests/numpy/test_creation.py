"""zeros ones full empty and _like, arange, linspace, array([...]), copy."""

from __future__ import annotations

import pytest
from support.arrays import DTYPES, IN_PLACE, filled, lay_out
from support.compare import Report, check, make

SHAPED = [
    "np.zeros(n)", "np.zeros((n, m))", "np.zeros((n, m), np.float32)",
    "np.zeros(n, dtype=np.int64)",
    "np.zeros((n,), dtype=bool)", "np.zeros((n, 3, m), dtype=np.complex64)",
    "np.zeros((), dtype=np.int8)",
    "np.zeros(n, dtype='float32')", "np.zeros(n, dtype=int)", "np.zeros(n, dtype=float)",
    "np.zeros((2, 3))",
    "np.ones(n)", "np.ones((n, m), dtype=np.uint8)", "np.ones((m, n), np.float16)", "np.ones(0)",
    "np.full(n, 7)", "np.full((n, m), 2.5)", "np.full(n, True)",
    "np.full((n, 2), 3, dtype=np.float32)",
    "np.full(n, 1 + 2j)", "np.full(n, m)", "np.full((n, m), np.pi)",
    "np.full(n, np.inf, np.float32)",
    "np.empty((n, m)).shape", "np.empty(n, dtype=np.int16).dtype == np.int16",
]  # fmt: skip


@pytest.mark.parametrize("call", SHAPED)
def test_array_of_given_shape(call: str) -> None:
    f = make(f"def f(n, m):\n    return {call}")
    for n, m in ((3, 4), (1, 1), (0, 5), (17, 2)):
        check(f, n, m)


@pytest.mark.parametrize(
    "call", ["np.zeros(n)", "np.ones((2, n))", "np.empty(n)", "np.full(n, 0.5)"]
)
def test_negative_size_raises_value_error(call: str) -> None:
    f = make(f"def f(n):\n    return {call}.sum()")
    check(f, -1)


def test_empty_filled_afterwards() -> None:
    f = make("""
        def f(n, m):
            out = np.empty((n, m), dtype=np.float32)
            out[...] = 1.5
            out[:, 0] = n
            return out
    """)
    check(f, 4, 3)
    check(f, 0, 3)


@pytest.mark.parametrize(
    "call",
    [
        "np.zeros_like(x)", "np.ones_like(x)", "np.full_like(x, 3)",
        "np.zeros_like(x, dtype=np.float32)",
        "np.ones_like(x, dtype=bool)", "np.full_like(x, 2, dtype=np.int64)",
        "np.empty_like(x).shape",
        "np.empty_like(x, dtype=np.int8).dtype", "x.copy()", "np.copy(x)", "np.array(x)",
        "np.zeros(x.shape)",
        "np.zeros(x.shape, dtype=x.dtype)", "np.empty(x.shape, x.dtype).size",
    ],
)  # fmt: skip
def test_array_like_another(call: str) -> None:
    f = make(f"def f(x):\n    return {call}")
    with Report(call) as report:
        for k, dtype in enumerate(DTYPES):
            layout = IN_PLACE[(k * 3 + len(call)) % len(IN_PLACE)]
            with report.case(dtype, layout):
                check(f, lay_out(filled((4, 5), dtype), layout))
        for shape in ((), (0,), (2, 3, 4)):
            with report.case(shape):
                check(f, filled(shape, "float64"))


@pytest.mark.parametrize(
    "call",
    [
        "np.arange(n)", "np.arange(a, n)", "np.arange(a, n, 2)", "np.arange(n, a, -1)",
        "np.arange(n, a, -3)",
        "np.arange(n, dtype=np.float32)", "np.arange(n, dtype=np.int8)", "np.arange(0, n, 1)",
        "np.arange(n) * 0.5",
        "np.arange(n, a)", "np.arange(5)", "np.arange(n, dtype=np.uint64)", "np.arange(float(n))",
    ],
)  # fmt: skip
def test_arange_of_integers(call: str) -> None:
    f = make(f"def f(a, n):\n    return {call}")
    for a, n in ((0, 10), (3, 11), (-4, 5), (5, 0), (7, 7), (0, 1)):
        check(f, a, n)


@pytest.mark.parametrize(
    "call",
    [
        "np.arange(a, b, s)",
        "np.arange(a, b)",
        "np.arange(b)",
        "np.arange(b, a, -s)",
        "np.arange(0, b, s)",
    ],
)
def test_arange_of_floats(call: str) -> None:
    f = make(f"def f(a, b, s):\n    return {call}")
    for a, b, s in (
        (0.0, 1.0, 0.1),
        (-1.5, 2.0, 0.25),
        (0.0, 3.0, 1.0),
        (1.0, 0.0, 0.5),
        (0.1, 100.3, 0.7),
    ):
        check(f, a, b, s)


@pytest.mark.parametrize(
    "call",
    [
        "np.linspace(a, b, n)", "np.linspace(0.0, 1.0, n)", "np.linspace(a, b)",
        "np.linspace(a, b, num=n)",
        "np.linspace(0, 10, n)", "np.linspace(a, b, n, endpoint=False)",
        "np.linspace(a, b, n, dtype=np.float32)",
    ],
)  # fmt: skip
def test_linspace_is_numpys(call: str) -> None:
    f = make(f"def f(a, b, n):\n    return {call}")
    for a, b, n in (
        (0.0, 1.0, 11),
        (-2.5, 7.0, 50),
        (3.0, 3.0, 4),
        (1.0, 0.0, 7),
        (0.0, 1.0, 1),
        (0.0, 1.0, 0),
        (0.1, 0.7, 1001),
    ):
        check(f, a, b, n)


@pytest.mark.parametrize(
    "call",
    [
        "np.array([1, 2, 3])", "np.array([1.0, 2, 3])", "np.array([[1, 2], [3, 4]])",
        "np.array([True, False])",
        "np.array([x, y])", "np.array([x, 2 * y, x + y])", "np.array([[x, y], [y, x]])",
        "np.array([1j, 2])",
        "np.array([1, 2, 3], dtype=np.float32)", "np.array([x, y], dtype=np.complex64)",
        "np.array((x, y, 3))",
        "np.array([n, x])", "np.array([n, n + 1])", "np.array([])", "np.array(x)",
        "np.array([np.float32(1), np.float32(2)])", "np.array([[n], [2], [3]])",
        "np.array([x, y]).sum()",
    ],
)  # fmt: skip
def test_array_of_a_display(call: str) -> None:
    check(make(f"def f(x, y, n):\n    return {call}"), 1.5, -2.25, 7)


def test_array_of_rows_of_arguments() -> None:
    check(
        make("def f(x, y):\n    return np.array([x, y])"),
        filled((5,), "float64"),
        filled((5,), "float64", 1),
    )


def test_created_array_is_owned_aligned_and_writeable() -> None:
    from support.compare import jitted

    f = make("def f(n):\n    return np.ones((n, n)) * 2")
    out = jitted(f)(33)
    assert out.flags.owndata and out.flags.writeable and out.flags.c_contiguous and out.base is None
    out[0, 0] = 5
    out.resize((7, 7), refcheck=False)
    assert out[0, 0] == 5


def test_creation_inside_a_loop_frees_each_array() -> None:
    import shapecast
    from support.compare import jitted

    f = make("""
        def f(n, steps):
            total = 0.0
            for k in range(steps):
                a = np.full(n, 1.0)
                total += a[k % n]
            return total
    """)
    before = shapecast._core.live_allocations()
    assert jitted(f)(1000, 500) == 500.0
    assert shapecast._core.live_allocations() == before
