"""What older systems got wrong with the first example, each a test (design, part 1)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from shapecast import jit
from support.compare import check, jitted, make


def root(x):
    return np.sqrt(x)


def test_the_first_example_prints_and_returns_the_root_of_twenty(capsys) -> None:
    def main():
        x = 20.0
        b = root(x)
        print(b)

    assert jit(main)() is None
    assert capsys.readouterr().out == "4.47213595499958\n"


def test_first_example_called_with_a_python_float_gives_a_numpy_float64() -> None:
    check(root, 20.0)


def twice(x):
    return root(x) + root(x + 1)


def test_callee_called_twice() -> None:
    check(twice, 20.0)
    check(twice, np.arange(5.0))


def two_signatures(x, n):
    return root(x), root(n), root(3)


def test_callee_called_twice_gets_two_specializations() -> None:
    check(two_signatures, np.arange(4, dtype=np.float32), np.arange(3, dtype=np.int16))


def same(x):
    return x


def calls_same(x):
    y = same(x)
    return y, same(y)


def test_empty_body_returns_the_argument_itself() -> None:
    for value in (20.0, 3, True, np.float32(1.5), np.arange(3), 1 + 2j, None, "text"):
        check(same, value)
    check(calls_same, np.arange(3))


def earlier(x):
    a = x + 1
    b = a * 2
    a + b
    c = b - x
    return a


def test_value_returned_is_the_named_one_not_the_last_computed() -> None:
    check(earlier, 20.0)
    check(earlier, np.arange(4.0))


def inner(x):
    return x * 2


def middle(x):
    return inner(x) + 1


def outer(x):
    return middle(x) - middle(x + 1)


def other_caller(x):
    return inner(x) * inner(1.5)


def test_nested_calls_and_a_callee_with_two_callers() -> None:
    check(outer, 3.0)
    check(other_caller, 3.0)
    check(outer, np.arange(3))
    check(other_caller, np.arange(3))


def with_defaults(x, scale=2.0, *, shift=1):
    return x * scale + shift


def uses_defaults(x):
    return (
        with_defaults(x),
        with_defaults(x, 3.0),
        with_defaults(x, shift=5),
        with_defaults(scale=0.5, x=x),
        with_defaults(x, shift=x, scale=4),
    )


def test_keyword_and_default_arguments_in_a_user_call() -> None:
    check(uses_defaults, 2.5)
    check(uses_defaults, np.arange(3.0))


def test_keyword_and_default_arguments_of_the_jitted_function() -> None:
    x = np.arange(3.0)
    check(with_defaults, x)
    check(with_defaults, x, 3.0)
    check(with_defaults, x, shift=4)
    check(with_defaults, x=x, scale=2, shift=1)
    check(with_defaults)
    check(with_defaults, x, 1, 2)
    check(with_defaults, x, wrong=1)
    check(with_defaults, x, x=x)


def pair(x):
    return x + 1, x - 1


def nested_tuples(x):
    a, b = pair(x)
    (c, d), e = pair(a), b
    return (a, (b, c)), d, (e,), ()


def test_tuple_and_multiple_returns() -> None:
    check(pair, 1.5)
    check(nested_tuples, np.arange(3))


def tuple_index(x):
    t = pair(x)
    u = (x, 2, t)
    return t[0] * t[1], t[-1], u[2][0], u[1], len(u)


def test_tuple_index() -> None:
    check(tuple_index, 1.5)
    check(tuple_index, np.arange(3.0))


def no_return(a):
    a[0] = 1.0


def bare_return(a):
    if a[0] > 0:
        return
    a[0] = 1.0


def uses_none(a):
    r = no_return(a)
    return r


def test_function_without_return_gives_none() -> None:
    check(no_return, np.zeros(3))
    check(bare_return, np.zeros(3))
    check(uses_none, np.zeros(3))


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def test_recursion_is_compiled() -> None:
    assert jit(factorial)(5) == 120


def lexed(x):
    return x-1, x -1, x- 1, -x, - -x, -x**2, (-x)**2, 1e-5, x*1e-5, 2-1e-5-x, +x, ~3, -1, x+-1, 1_000, 0x1F, .5, 5.  # fmt: skip  # noqa: E501


def test_minus_exponents_and_unary_operators() -> None:
    check(lexed, 3.0)
    check(lexed, np.arange(3.0))


def augmented(x):
    y = 1
    y += 2
    y -= x
    y *= 3
    y /= 2
    y **= 2
    y //= 1.5
    y %= 7
    return y


def test_augmented_assignments_of_scalars() -> None:
    check(augmented, 1.25)
    check(augmented, np.float32(2))
    check(augmented, 4)


def augmented_bits(n):
    n <<= 3
    n |= 1
    n ^= 6
    n &= 0xFF
    n >>= 1
    return n


def test_augmented_assignments_of_integers() -> None:
    check(augmented_bits, 11)
    check(augmented_bits, np.int32(11))
    check(augmented_bits, np.arange(5, dtype=np.uint8))


def on_compiled_values(x, n):
    total = 0.0
    for k in range(n):
        if x > k:
            total += math.sqrt(k)
        else:
            total -= 1
    while total > 2:
        total /= 2
    return total


def test_for_while_and_if_on_compiled_values() -> None:
    for n in (0, 1, 10, 50):
        check(on_compiled_values, 20.0, n)


@pytest.mark.parametrize(
    "value",
    [20.0, 20, np.float32(20), np.array(20.0), np.full((2, 2), 20), True],
    ids=["float", "int", "float32", "0-d", "2-d", "bool"],
)
def test_first_example_on_every_kind_of_argument(value) -> None:
    check(root, value)


def test_function_from_text_gives_the_same(capsys) -> None:
    f = make("""
        def foo(x):
            return np.sqrt(x)

        def main():
            x = 20.0
            b = foo(x)
            print(b)
    """)
    jitted(f)()
    assert capsys.readouterr().out == "4.47213595499958\n"
