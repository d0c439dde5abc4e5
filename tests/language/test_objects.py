"""Methods, functions and other objects as arguments: what is read through them, and when again."""

from __future__ import annotations

import functools
import gc
import re
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import shapecast
from shapecast import jit

X = np.array([1.0, 4.0, 9.0])


def same(plain: Callable[..., Any], jitted: Callable[..., Any], *args: Any) -> None:
    expected, found = plain(*args), jitted(*args)
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert type(found) is type(expected)
    assert np.asarray(found).dtype == np.asarray(expected).dtype


class Grid:
    def __init__(self, n: int, dx: float) -> None:
        self.n = n
        self.dx = dx
        self.x = np.arange(n) * dx

    def laplace(self, u: Any) -> Any:
        return (u[2:] - 2 * u[1:-1] + u[:-2]) / self.dx**2


class Base:
    gravity = 9.81

    def inherited(self, x):
        return x * self.gravity

    def overridden(self, x):
        return x + 1


class Model(Base):
    def __init__(self, k=3, mode="fast"):
        self.k = k
        self.state = np.arange(4.0) * k
        self.grid = Grid(5, 0.5)
        self.mode = mode
        self.function = np.sin
        self.rate = lambda v: v + self.k
        self.layers = [np.arange(3.0)]

    def overridden(self, x):
        return x + self.k

    def attributes(self, x):
        return x * self.k + self.state.sum() * self.gravity

    def methods(self, x):
        return self.inherited(x) + self.overridden(x) + helper(self, x) + helper(model=self, x=x)

    def through(self, x):
        return x * self.grid.dx + self.grid.laplace(self.grid.x)

    @property
    def area(self):
        return self.k * self.grid.dx

    def properties(self, x):
        return self.area * x

    def texts(self, x):
        if self.mode == "fast":
            return x
        return -x

    def numpy_function(self, x):
        return self.function(x)

    def function_attribute(self, x):
        return self.rate(x)

    def stores(self, x):
        self.state[:3] = x
        self.state[0] += 1
        return self.state

    def inner(self, x):
        def scaled(v):
            return v * self.k

        return scaled(x)

    @staticmethod
    def static(x):
        return x + 1

    @classmethod
    def of_class(cls, x):
        return x * cls.gravity

    def both(self, x):
        return self.static(x) + self.of_class(x)

    def tests(self, x):
        if self is None or not isinstance(self, Base) or isinstance(self, (int, Grid)):
            return x
        return self.k if self is not None else x

    def shape(self, x):
        return np.zeros((self.grid.n, 2)) + x[0]

    def __call__(self, x):
        return x - self.k

    def factorial(self, n):
        return 1 if n < 2 else n * self.factorial(n - 1)


def helper(model, x):
    return x + model.k


METHODS = """attributes methods through properties texts numpy_function function_attribute stores
inner both tests shape""".split()


@pytest.mark.parametrize("name", METHODS)
def test_a_bound_method_passed_to_jit(name: str) -> None:
    model, other = Model(), Model()
    jitted = jit(getattr(model, name))
    same(getattr(other, name), jitted, X)
    same(getattr(other, name), jitted, X)
    model.k = other.k = 2.5
    same(getattr(other, name), jitted, X)


@pytest.mark.parametrize("name", METHODS)
def test_one_function_serves_all_objects_of_a_class(name: str) -> None:
    jitted = jit(getattr(Model, name))
    for k, mode in [(3, "fast"), (5, "slow"), (2.5, "slow"), (3, "fast")]:
        expected = getattr(Model, name)(Model(k, mode), X)
        np.testing.assert_allclose(jitted(Model(k, mode), X), expected, rtol=1e-14)


def test_no_compilation_for_another_object() -> None:
    jitted = jit(Model.attributes)
    for k in range(5):
        jitted(Model(k), X)
    assert len(jitted.signatures()) == 1
    assert "self.k: int" in jitted.signatures()[0]


class Decorated:
    def __init__(self, k):
        self.k = k

    @jit
    def scale(self, x):
        """Scales."""
        return x * self.k

    @jit
    def twice(self, x):
        return self.scale(self.scale(x))


def test_a_decorated_method() -> None:
    for k in (2, 3.5):
        np.testing.assert_array_equal(Decorated(k).scale(X), X * k)
        np.testing.assert_array_equal(Decorated(k).twice(X), X * k * k)
        np.testing.assert_array_equal(Decorated.scale(Decorated(k), X), X * k)
    assert Decorated.scale.__doc__ == "Scales."


def test_a_class_method_a_static_method_and_recursion() -> None:
    same(Model.of_class, jit(Model.of_class), X)
    same(Model.static, jit(Model.static), X)
    same(Model().factorial, jit(Model().factorial), 5)


def test_attributes_are_those_of_the_call() -> None:
    model = Model()
    f = jit(lambda m, x: x * m.k + m.grid.dx)
    for k, dx in [(1, 0.5), (2, 0.25), (2.5, 1), (np.arange(3.0), 0.5)]:
        model.k = k
        model.grid = Grid(5, dx)
        np.testing.assert_array_equal(f(model, X), X * k + dx)


def test_a_method_that_is_replaced() -> None:
    class Here:
        def step(self, x):
            return x + 1

    def f(object, x):
        return object.step(x)

    here, jitted = Here(), jit(f)
    same(f, jitted, here, X)
    Here.step = lambda self, x: x * 3  # type: ignore[method-assign]
    same(f, jitted, here, X)
    here.step = lambda x: x - 7  # type: ignore[method-assign]
    same(f, jitted, here, X)
    same(f, jitted, Here(), X)
    other = Here()
    other.step = Model(4).overridden  # type: ignore[method-assign]
    same(f, jitted, other, X)
    other.step = Model(6).overridden  # type: ignore[method-assign]
    same(f, jitted, other, X)


def test_a_method_that_is_another_objects() -> None:
    class Linked:
        def __init__(self, k):
            self.k = k

        def of(self, x):
            return x * self.k

    def f(object, x):
        return object.of(x)

    jitted = jit(f)
    same(f, jitted, Linked(2), X)
    odd = Linked(3)
    odd.of = Linked(100).of  # type: ignore[method-assign]
    same(f, jitted, odd, X)
    same(f, jitted, Linked(2), X)


@dataclass(slots=True)
class Pair:
    a: float
    b: np.ndarray


def test_objects_with_slots_and_the_same_object_twice() -> None:
    def f(p, q, x):
        return x * p.a + q.b.sum() + q.a

    jitted = jit(f)
    first, second = Pair(1.0, np.ones(3)), Pair(2.0, np.arange(3.0))
    for p, q in [(first, second), (second, first), (first, first), (first, second)]:
        same(f, jitted, p, q, X)
    assert len(jitted.signatures()) == 2


def test_arrays_of_two_objects_that_are_one() -> None:
    def f(p, q, x):
        p.b[0] = x
        return q.b[0]

    jitted = jit(f)
    shared = np.zeros(3)
    for p, q in [
        (Pair(1.0, np.ones(3)), Pair(2.0, np.ones(3))),
        (Pair(1.0, shared), Pair(2.0, shared)),
        (Pair(1.0, shared), Pair(2.0, shared[::-1])),
    ]:
        same(f, jitted, p, q, 5.0)


# ------------------------------------------------------------------------------- functions


def apply(g, x):
    return g(x) + 1


def test_lambdas_as_arguments() -> None:
    jitted = jit(apply)
    for g in (lambda v: v * 2, lambda v: v * 3, np.cos, helper_plain, jit(helper_plain)):
        same(apply, jitted, g, X)


def helper_plain(x):
    return x - 2


def test_a_closure_made_anew_for_each_call_is_compiled_once() -> None:
    jitted = jit(apply)

    def closure(k):
        return lambda v: v * k

    for k in (1.0, 2.5, 7.0):
        same(apply, jitted, closure(k), X)
    assert len(jitted.signatures()) == 1
    same(apply, jitted, closure(np.arange(3.0)), X)
    same(apply, jitted, closure(1), X)
    assert len(jitted.signatures()) == 3


def test_closures_in_closures() -> None:
    jitted = jit(apply)

    def made(k, g):
        return lambda v: g(v) * k

    for k in (1.0, 2.5):
        same(apply, jitted, made(k, lambda v: v + 1), X)
        same(apply, jitted, made(k, lambda v: v - k), X)
        same(apply, jitted, made(k, np.sin), X)
        same(apply, jitted, made(k, Model(k).overridden), X)


def test_defaults_are_part_of_a_function() -> None:
    jitted = jit(apply)
    for k in (1, 2.5, 3):
        same(apply, jitted, lambda v, k=k: v * k, X)
        same(apply, jitted, lambda v, *, k=k: v * k, X)


def test_methods_and_callable_objects_as_arguments() -> None:
    jitted = jit(apply)
    for k in (3, 5):
        same(apply, jitted, Model(k).overridden, X)
        same(apply, jitted, Model(k), X)
        same(apply, jitted, Model(k).grid.laplace, np.arange(5.0))


def test_functions_that_take_functions() -> None:
    def compose(f, g, x):
        return f(g(x))

    def optional(x, callback=None):
        if callback is not None:
            x = callback(x)
        return x

    def rk4(f, t, y, h):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    for f, g in [(np.sin, lambda v: v + 1), (lambda v: v * 2, lambda v: v + 1)]:
        same(compose, jit(compose), f, g, X)
    twice = lambda v: v * 2
    same(compose, jit(compose), twice, twice, X)
    same(optional, jit(optional), X)
    same(optional, jit(optional), X, lambda v: v + 1)
    jitted = jit(rk4)
    for rate in (1.0, 2.0):
        np.testing.assert_allclose(
            jitted(lambda t, y: -y * t * rate, 0.5, X, 0.1),
            rk4(lambda t, y: -y * t * rate, 0.5, X, 0.1),
            rtol=1e-14,
        )
    assert len(jitted.signatures()) == 1


def test_hundreds_of_functions_leak_nothing() -> None:
    jitted = jit(apply)
    first = None
    for k in range(200):
        space: dict[str, Any] = {}
        exec(f"def g(v, k={k}):\n    return v", space)
        with pytest.raises(shapecast.UnsupportedError):  # its source is not known
            jitted(space["g"], X)
        first = first or weakref.ref(space["g"])
        if k == 130:
            del space
            gc.collect()
            assert first() is None


# ------------------------------------------------------------------------ objects outside


class Settings:
    dt = 0.5
    steps = 3


model = Model()


def test_a_global_object() -> None:
    global model

    def f(x):
        return x * model.k + model.grid.x[1] + helper(model, x) + model.overridden(x)

    jitted = jit(f)
    same(f, jitted, X)
    model.k = 11
    same(f, jitted, X)
    model.grid = Grid(4, 3.0)
    same(f, jitted, X)
    model = Model(2)
    same(f, jitted, X)


def test_the_attributes_of_a_class() -> None:
    def f(x):
        for _ in range(Settings.steps):
            x = x * Settings.dt
        return x

    jitted = jit(f)
    same(f, jitted, X)
    Settings.dt = 0.25
    same(f, jitted, X)
    Settings.steps = 5
    same(f, jitted, X)


# ------------------------------------------------------------------------------- errors


def test_attribute_errors_are_pythons() -> None:
    def f(p):
        return p.missing

    for object in (Model(), Settings):
        with pytest.raises(AttributeError) as found:
            jit(f)(object)
        with pytest.raises(AttributeError) as expected:
            f(object)
        assert str(found.value).split("\n")[0] == str(expected.value)


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (lambda p: np.sin(p), (Grid(3, 1.0),), "an object of class 'Grid' as a value"),
        (lambda p: p.rate, (Model(),), "returning a function"),
    ],
    ids=["in a ufunc", "returned function"],
)
def test_unsupported_uses_of_objects(function: Any, arguments: Any, message: str) -> None:
    with pytest.raises(shapecast.UnsupportedError, match=re.escape(message)):
        jit(function)(*arguments)


def test_assigning_to_the_parameter() -> None:
    def replaces(p, x):
        p = x
        return p

    assert jit(replaces)(Model(), 2) == 2


def test_an_object_as_a_value() -> None:
    grid, models = Grid(3, 1.0), [Model(), Model()]
    models[1].k = 7
    (same_one,) = jit(lambda p: [p])(grid)
    assert same_one is grid
    assert jit(lambda p, n: p[n].k)(models, 1) == 7
    assert jit(lambda p, n: p[n])(models, 1) is models[1]


def test_jit_refuses_what_is_no_function() -> None:
    for thing in (3, len, functools.partial(len)):
        with pytest.raises(TypeError, match="jit takes a Python function"):
            jit(thing)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        ("float64(float64)", "not 'float64(float64)'; types come from a call's arguments"),
        (np.sin, "not sin, a ufunc; call it inside a jitted function"),
        (len, "not len, a builtin_function_or_method; call it inside a jitted function"),
        (Model, "not Model, a type; decorate its methods"),
        (3, "not an int; it cannot be called"),
    ],
    ids=["signature", "ufunc", "builtin", "class", "number"],
)
def test_jit_says_what_to_decorate_instead(thing: Any, message: str) -> None:
    with pytest.raises(TypeError, match=re.escape("jit takes a Python function, " + message)):
        jit(thing)


@pytest.mark.parametrize("name", ["nopython", "cache", "parallel", "static_argnums"])
def test_options_of_other_compilers(name: str) -> None:
    message = f"jit() got an unexpected keyword argument '{name}': "
    with pytest.raises(TypeError, match=re.escape(message)):
        jit(**{name: True})  # type: ignore[call-overload]


# ------------------------------------------------------------------------- found in review


class Bag:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


def test_methods_with_closures() -> None:
    def made(c):
        class Local:
            def method(self, x):
                return x + c

            @classmethod
            def of_class(cls, x):
                return x - c

            @jit
            def decorated(self, x):
                return x * c

        return Local()

    for c in (2.0, 3.0):
        local = made(c)
        same(
            lambda o, x: o.method(x) + o.of_class(x),
            jit(lambda o, x: o.method(x) + o.of_class(x)),
            local,
            X,
        )
        np.testing.assert_array_equal(local.decorated(X), X * c)
        same(lambda g, x: g(x), jit(lambda g, x: g(x)), local.method, X)
        same(apply, jit(apply), jit(lambda v: v * c), X)


def test_reading_an_attribute_may_have_the_function_captured_again() -> None:
    factor = 1.0

    class Descriptor:
        def __get__(self, object, owner=None):
            nonlocal factor
            if object is not None and object.again:
                object.again = False
                factor += 1.0
                assert f(WithDescriptor(False), 1.0) == 2.0 + factor
            return 2.0

    class WithDescriptor:
        d = Descriptor()

        def __init__(self, again):
            self.again = again

    @jit
    def f(o, x):
        return o.d * x + factor

    for again in (False, True, True):
        assert f(WithDescriptor(again), 3.0) == 6.0 + factor


def test_one_function_with_objects_of_many_kinds_in_threads() -> None:
    import threading

    p, q, r = 1.0, 2.0, 3.0
    functions = [lambda v: v, lambda v: v + p, lambda v: v + p + q + r]
    expected = [6.0, 7.0, 12.0]
    jitted = jit(lambda o, x: o.g(x) + x)
    wrong: list[Any] = []

    def work(k: int) -> None:
        for _ in range(6):
            try:
                if jitted(Bag(g=functions[k]), 3.0) != expected[k]:
                    wrong.append(k)
            except RuntimeError as error:  # two threads may change it alternately
                wrong.extend([] if "faster than it compiles" in str(error) else [error])

    threads = [threading.Thread(target=work, args=(k % 3,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_list_that_loses_its_items_meanwhile() -> None:
    class Clears:
        def __init__(self, items):
            self.items = items

        @functools.cached_property
        def d(self):
            self.items.clear()
            return 1.0

    items = [np.full(1000, 2.0)]
    assert jit(lambda list, o: list[0].sum() * o.d)(items, Clears(items)) == 2000.0


def test_cyclic_objects() -> None:
    class Node:
        def __init__(self):
            self.k = 1.0
            self.next = self

        def depth(self, n):
            return self.k if n == 0 else self.next.depth(n - 1)

    jitted = jit(Node.depth)
    assert jitted(Node(), 3) == 1.0
    assert jitted(Node(), 1000) == 1.0


def test_properties_of_subclasses() -> None:
    class A:
        area = property(lambda self: 1.0)

    class B(A):
        pass

    class Twice(property):
        def __get__(self, object, owner=None):
            return 2 * super().__get__(object, owner)

    class C(A):
        area = Twice(lambda self: 3.0)

    def f(p):
        return p.area * 2.0

    jitted = jit(f)
    same(f, jitted, B())
    B.area = property(lambda self: 5.0)
    same(f, jitted, B())
    same(f, jitted, C())


def test_a_global_object_that_changes_its_class() -> None:
    class A:
        area = property(lambda self: 1.0)

    class B(A):
        area = property(lambda self: 2.0)

    thing = A()

    def f(x):
        return thing.area + x if isinstance(thing, B) else thing.area - x

    jitted = jit(f)
    same(f, jitted, 1.0)
    thing.__class__ = B
    same(f, jitted, 1.0)


def test_names_that_shadow_objects_and_private_names() -> None:
    class Private:
        def __init__(self):
            self.__k = 3.0

        def method(self, x):
            return x * self.__k

    def f(p, x):
        t = [p.real for p in (x, x + 1.0)]
        return t[0] + p.k + [p * 2.0 for p in (x, 1.0)][1]

    same(f, jit(f), Bag(k=1.0, real=100.0), 2.0)
    same(Private().method, jit(Private().method), X)


def test_call_is_looked_up_on_the_class() -> None:
    class Callable:
        def __call__(self, x):
            return x + 1

    odd = Callable()
    odd.__call__ = lambda x: x + 100  # type: ignore[method-assign]
    assert jit(apply)(odd, 1.0) == apply(odd, 1.0)


def test_an_object_among_variadic_arguments() -> None:
    def g(x, *rest):
        return x if rest[0] is None else x + 1

    assert jit(lambda m, x: g(x, m))(Bag(k=1), 1.0) == 2.0


def test_a_tuple_of_an_object_beside_other_structures() -> None:
    settings = Bag(shape=(2, 3))

    def f(x, callback=None):
        y = np.zeros(settings.shape)
        return y + x if callback is None else y + callback(x)

    jitted = jit(f)
    same(f, jitted, 1.0)
    same(f, jitted, 1.0, lambda v: v + 1)
    settings.shape = [2, 3]
    with pytest.raises(shapecast.UnsupportedError, match="make it a tuple of numbers"):
        jitted(1.0)


def test_another_function_of_numpy_in_an_attribute() -> None:
    def f(o, x):
        return o.op(x, 2.0)

    jitted = jit(f)
    for op in (np.add, np.multiply, lambda a, b: a - b):
        same(f, jitted, Bag(op=op), X)


def test_errors_of_attributes_are_their_own() -> None:
    class Raises:
        @functools.cached_property
        def d(self):
            raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        jit(lambda o: o.d)(Raises())


class Later:
    def __init__(self) -> None:
        self.v = 1.5


def test_a_missing_attribute_raises_where_it_is_read() -> None:
    thing, other = Later(), Later()

    def f(k):
        try:
            return thing.q
        except AttributeError:
            return thing.v + k

    def g(o, k):
        return o.q if k > 3 else k

    jitted, taking = jit(f), jit(g)
    for attribute in (7, np.ones(2)):
        same(f, jitted, 1)
        thing.q = attribute
        same(f, jitted, 1)
        same(g, taking, thing, 5)
        same(g, taking, other, 1)
        with pytest.raises(AttributeError, match="'Later' object has no attribute 'q'"):
            taking(other, 5)
        del thing.q
    Later.q = 9
    same(f, jitted, 1)
    same(g, taking, other, 5)
    del Later.q
    same(f, jitted, 1)


class Private:
    __shared = 5

    def __init__(self) -> None:
        self.__x = 2.0
        self._Other__x = 7.0
        self.__ = 1.0

    def of_methods(self, k):
        def inner(y):
            return self.__x * y

        return [self.__x * i for i in range(3)], inner(k), (lambda y: self.__x + y)(k)

    def of_another(self):
        return self._Other__x + self.__x + self.__

    def __hidden(self, k):
        return k + self.__shared

    def called(self, k):
        return self.__hidden(k)

    def of_module(self):
        return __global + 1  # noqa: F821


class Other(Private):
    def own(self):
        return self.__x  # type: ignore[attr-defined]


_Private__global = 8


def test_private_names() -> None:
    """`__x` in a class is `_Private__x` (the language reference, 6.2.1), in its functions too."""
    p, q = Private(), Other()

    def f(k):
        return p.of_methods(k), p.of_another(), p.called(k), p.of_module(), q.of_another()

    assert jit(f)(3.0) == f(3.0)
    assert jit(lambda k: q.own() * k)(3.0) == 21.0  # Private.__init__ sets _Other__x
