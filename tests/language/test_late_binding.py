"""Inner functions find their variables when they are called: Python's value or a refusal."""

import copy

import numpy as np
import pytest
from shapecast import UnsupportedError, jit


def appended_in_a_loop(n):
    fs = []
    for k in range(n):
        fs.append(lambda x: x * k)
    return [h(10) for h in fs]


def one_of_those_appended():
    fs = []
    for k in range(3):
        fs.append(lambda x: x * k)
    return fs[0](10)


def called_at_once(n):
    s = 0
    for k in range(n):
        s += (lambda x: x * k)(10)
    return s


def call(f, x):
    return f(x)


def passed_on(n):
    s = 0
    for k in range(n):
        s += call(lambda x: x * k, 10)
    return s


def in_a_list_comprehension():
    fs = [lambda x: x * k for k in range(3)]
    return [f(1) for f in fs]


def passed_on_in_a_comprehension():
    return [call(lambda x: x * k, 3) for k in range(3)]


def in_a_tuple_before_an_assignment():
    k = 1

    def h():
        return k

    t = (h,)
    k = 2
    return t[0]()


def in_a_list_before_an_assignment():
    k = 1

    def h():
        return k

    l = []
    l.append(h)
    k = 2
    return l[0]()


def keep(l, f):
    l.append(f)


def kept_by_a_helper():
    k = 1

    def h():
        return k

    l = []
    keep(l, h)
    k = 2
    return l[0]()


def wrap(f):
    return lambda x: f(x) + 1


def wrapped_by_a_helper():
    k = 1

    def h(x):
        return k * x

    g = wrap(h)
    k = 2
    return g(10)


def made_by_a_function_of_the_loop(n):
    fs = []
    for k in range(n):

        def b():
            return lambda: k

        fs.append(b())
    return [f() for f in fs]


def as_a_key(xs):
    s = 0.0
    for k in range(3):
        s += sorted(xs, key=lambda v: v * (1 - k))[0]
    return s


def passed_on_before_an_assignment():
    k = 1
    s = call(lambda x: x * k, 10)
    k = 2
    return s + call(lambda x: x * k, 10)


def appended_in_a_while_loop(n):
    k = 0
    fs = []
    while k < n:
        fs.append(lambda: k)
        k += 1
    return [f() for f in fs]


def in_a_dict():
    d = {}
    for name in ("a", "b"):
        d[name] = lambda: name
    return d["a"]()


def with_a_default():
    fs = []
    for k in range(3):
        fs.append(lambda x, k=k: x * k)
    return [h(10) for h in fs]


def in_a_tuple_extended_in_a_loop():
    fs = ()
    for k in (1, 2, 3):
        fs += (lambda x: x * k,)
    return [h(10) for h in fs]


def make(k):
    return lambda x: x * k


def made_by_a_helper_in_a_comprehension():
    fs = [make(k) for k in range(3)]
    return [h(10) for h in fs]


def made_by_a_helper():
    fs = []
    for k in range(3):
        fs.append(make(k))
    return [h(10) for h in fs]


def of_one_iteration(n):
    g = lambda: -1
    for k in range(n):
        if k == 1:
            g = lambda: k
    return g()


def in_a_map():
    k = 1
    m = map(lambda x: x * k, (1, 2))
    k = 2
    return list(m)


def under_another_name():
    k = 1
    f = lambda x: x * k
    g = f
    k = 2
    return g(1), f(1)


def defined_in_a_loop_and_called_after_it(n):
    out = np.zeros(n)
    for i in range(n):

        def g(x):
            return x * i

        out[i] = g(2.0)
    return out, g(1.0)


def in_nested_loops():
    fs = []
    for k in range(2):
        for j in range(2):
            fs.append(lambda: k * 10 + j)
    return [f() for f in fs]


def in_a_list_of_this_iteration():
    s = 0
    for k in range(3):
        fs = [lambda x: x * k, lambda x: x + k]
        for f in fs:
            s += f(2)
    return s


def called_in_a_nested_comprehension():
    r = []
    for k in range(3):
        r.append([(lambda: k + j)() for j in range(2)])
    return r


def a_def_appended():
    fs = []
    for k in range(3):

        def h():
            return k

        fs.append(h)
    return [f() for f in fs]


def of_a_variable_that_stays():
    fs = []
    x = 5
    for k in range(3):
        fs.append(lambda: x)
    return [f() for f in fs]


def in_a_generator():
    return [f() for f in (lambda: k for k in range(3))]


def as_keys_of_indices(a):
    best = max(range(len(a)), key=lambda i: a[i])
    for k in range(2):
        best += min(range(len(a)), key=lambda i: (a[i] - k) ** 2)
    return best


class Layer:
    def __init__(self, k):
        self.k = k

    def f(self, x):
        return self.k * x


layers = [Layer(1), Layer(2), Layer(3)]


def of_an_object_appended():
    fs = []
    for l in layers:
        fs.append(lambda x: l.f(x))
    return [f(10) for f in fs]


def of_an_object_passed_on():
    s = 0
    for l in layers:
        s = s * 10 + call(lambda x: l.f(x), 1)
    return s


def of_an_object_in_a_comprehension():
    return [call(lambda x: l.f(x), 1) for l in layers]


def of_an_object_in_a_list_comprehension():
    return [f(1) for f in [lambda x: l.f(x) for l in layers]]


COMPILED = [
    (called_at_once, 3),
    (passed_on, 3),
    (passed_on_in_a_comprehension,),
    (as_a_key, [1.0, 2.0]),
    (passed_on_before_an_assignment,),
    (with_a_default,),
    (made_by_a_helper_in_a_comprehension,),
    (made_by_a_helper,),
    (defined_in_a_loop_and_called_after_it, 3),
    (in_a_list_of_this_iteration,),
    (called_in_a_nested_comprehension,),
    (of_a_variable_that_stays,),
    (as_keys_of_indices, np.array([3.0, 1, 2])),
    (of_an_object_passed_on,),
    (of_an_object_in_a_comprehension,),
]
REFUSED = [
    (appended_in_a_loop, 3),
    (one_of_those_appended,),
    (in_a_list_comprehension,),
    (in_a_tuple_before_an_assignment,),
    (in_a_list_before_an_assignment,),
    (kept_by_a_helper,),
    (wrapped_by_a_helper,),
    (made_by_a_function_of_the_loop, 3),
    (appended_in_a_while_loop, 3),
    (in_a_dict,),
    (in_a_tuple_extended_in_a_loop,),
    (of_one_iteration, 3),
    (in_a_map,),
    (under_another_name,),
    (in_nested_loops,),
    (a_def_appended,),
    (in_a_generator,),
    (of_an_object_appended,),
    (of_an_object_in_a_list_comprehension,),
]


def name_of(case):
    return case[0].__name__ if isinstance(case, tuple) else None


@pytest.mark.parametrize("case", COMPILED, ids=name_of)
def test_a_function_called_before_its_variables_change_is_compiled(case):
    function, *arguments = case
    expected = function(*copy.deepcopy(arguments))
    np.testing.assert_equal(jit(function)(*arguments), expected)


@pytest.mark.parametrize("case", REFUSED, ids=name_of)
def test_a_function_that_would_see_another_value_is_refused(case):
    function, *arguments = case
    with pytest.raises(UnsupportedError, match="assigned again") as raised:
        jit(function)(*arguments)
    assert "default" in str(raised.value) or "another name" in str(raised.value)
