"""Mutable arguments: attributes that a function assigns, lists and dicts that it stores to, objects
in lists.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from shapecast import UnsupportedError, jit
from support.compare import case_id, jitted, make
from support.pictures import picture


def frozen(value: Any, names: dict[int, int] | None = None) -> Any:
    """What can be observed of a value: types, contents, and which objects are the same."""
    names = {} if names is None else names
    if isinstance(value, list | dict | np.ndarray) or hasattr(value, "__dict__"):
        if id(value) in names:
            return ("again", names[id(value)])
        names[id(value)] = len(names)
    if isinstance(value, np.ndarray):
        return (value.dtype, value.shape, value.tolist())
    if isinstance(value, list | tuple):
        return (type(value), [frozen(item, names) for item in value])
    if isinstance(value, dict):
        return [(key, frozen(item, names)) for key, item in value.items()]
    if hasattr(value, "__dict__"):
        return (type(value).__name__, frozen(vars(value), names))
    return (type(value), repr(value))


def outcome(f: Callable[..., Any], arguments: tuple[Any, ...], calls: int) -> Any:
    results = []
    for _ in range(calls):
        try:
            results.append(f(*arguments))
        except Exception as error:
            results.append((type(error), str(error).split("\n")[0]))
    return frozen((results, arguments))


def check(f: Callable[..., Any], *arguments: Any, calls: int = 3) -> None:
    """Results and arguments are those of plain execution, over several calls."""
    expected = outcome(f, copy.deepcopy(arguments), calls)
    assert outcome(jitted(f), copy.deepcopy(arguments), calls) == expected


def function(body: str, parameters: str = "a") -> Any:
    return make(f"def f({parameters}):\n    " + body.replace("\n", "\n    "))


LISTS = [
    "a[0] = a[1]",
    "a[-1] += 1\nreturn a[-1]",
    "a.append(a[0])\nreturn len(a)",
    "a.append(3)\nreturn a",
    "a += [a[0], a[1]]",
    "a.extend([a[0]] * 2)\nreturn a[-1]",
    "a[0], a[1] = a[1], a[0]",
    "a.insert(1, a[0])\nreturn a.pop()",
    "a.reverse()\nreturn a[0]",
    "a.pop(0)\na.append(a[0])",
    "b = a\nb.append(a[0])\nreturn len(a), b is a",
    "b = list(a)\nb.append(a[0])\nreturn b",
    "a.clear()\na.append(2.5)",
    "del a[0]\na.append(a[0])",
    "for i in range(len(a)):\n    a[i] = a[i] * 2",
    "for i, v in enumerate(a):\n    a[i] = v * 2",
    "for v in a:\n    a[0] = v",
    "for v in a:\n    if len(a) < 6:\n        a.append(v * 2)",
    "for i in range(3):\n    a.append(a[-1] * i)\nreturn sum(a)",
    "if a[0] > 1:\n    a.append(a[0])\nreturn len(a)",
    "a[0] = a[0] if a[0] > 1 else a[1]",
]


@pytest.mark.parametrize("body", LISTS, ids=case_id)
@pytest.mark.parametrize(
    "numbers",
    [[1, 2, 3], [1.5, 2.5], [np.float32(1.5), np.float32(2)], [2, 2.5, np.int64(3)]],
    ids=["ints", "floats", "float32", "mixed"],
)
def test_changes_of_lists_of_numbers_reach_the_caller(body: str, numbers: list[Any]) -> None:
    check(function(body), numbers)


@pytest.mark.parametrize(
    "body",
    [
        "a[0] = a[1]",
        "a[0] = a[0] * 2\nreturn a[0]",
        "a[0] += 1\na[1] *= a[0].sum()",
        "a[0], a[1] = a[1], a[0]",
        "for i in range(len(a)):\n    a[i] = a[i] - 0.1 * i",
        "a.append(a[0] + 1)\nreturn a",
        "a.append(a[0])\na[0][0] = 7",
        "a[1] = a[0][::-1]\na[0][0] = 5",
        "x = a.pop()\nreturn x, x.sum()",
    ],
    ids=case_id,
)
def test_changes_of_lists_of_arrays_reach_the_caller(body: str) -> None:
    check(function(body), [np.arange(3.0), np.ones(3)])
    check(function(body), [np.arange(3, dtype=np.float32), np.ones((2, 3))[0]])
    shared = np.arange(3.0)
    check(function(body), [shared, shared])


DICTS = [
    "d['w'] = d['w'] * 2",
    "d['b'] += 1\nreturn d['b']",
    "d['w'] -= 0.5\nreturn d['w'].sum()",
    "d['new'] = d['w'] + 1\nreturn len(d)",
    "d.setdefault('n', 3)\nd['n'] += 1",
    "d.update(b=2, c=3)\nreturn list(d)",
    "del d['b']\nd['z'] = 1\nd['b'] = 3\nreturn list(d)",
    "return d.pop('b', -1.0)",
    "d.clear()\nd['k'] = 1",
    "for k in d:\n    d[k] = d[k] * 2",
    "for k in d:\n    d[k] -= 0.1",
    "for k, v in d.items():\n    d[k] = v + 1",
    "s = 0.0\nfor v in d.values():\n    d['b'] = 5.0\n    s = s + np.sum(v)\nreturn s",
    "s = 0.0\nfor k, v in d.items():\n    d['b'] = 5.0\n    s = s + np.sum(v)\nreturn s",
    "for i in range(10):\n    d['b'] = d['b'] * 1.5\n    if d['b'] > 20:\n"
    "        d['w'] = d['w'] + 1",
    "e = d\ne['b'] = 7.0\nreturn d is e, d['b']",
    "if d['b'] > 2:\n    d['b'] = 0.5\nreturn d",
]


@pytest.mark.parametrize("body", DICTS, ids=case_id)
def test_stores_to_dicts_reach_the_caller(body: str) -> None:
    check(function(body, "d"), {"w": np.arange(3.0), "b": 1.5})


def test_local_dicts_change_while_a_loop_iterates_over_them() -> None:
    check(
        make("""
        def f(x):
            d = {"a": x, "b": 2.0}
            s = 0.0
            for k, v in d.items():
                d["b"] = 5.0
                s = s + np.sum(v)
            return s
    """),
        np.arange(3.0),
    )


def test_changes_of_nested_containers_reach_the_caller() -> None:
    check(function("a[0].append(4)\nreturn a"), [[1, 2], [3]])
    check(function("d['n']['x'] += 1\nd['l'][0] = d['l'][1]", "d"), {"n": {"x": 1}, "l": [1, 2]})
    check(function("p[0].append(p[1])\nreturn p", "p"), ([1, 2], 3))
    check(function("a[0] = a[1]\na[0].append(1)\nreturn len(a[1])"), [[1], [2]])
    check(function("a.append([1, 2.5])\nreturn a[-1]"), [[0, 1.0]])
    check(function("d['k'] = [1, 2]\nd['k'].append(3)\nreturn d", "d"), {"a": 1})
    check(
        function("d['k'] = {'m': [1]}\nd['k']['m'].append(3)\nd['k']['n'] = d['a']", "d"), {"a": 1}
    )


def test_one_list_passed_twice_is_one_object() -> None:
    f = function("a.append(1)\nb.append(2)\nreturn len(a), len(b), a is b", "a, b")
    one = [1, 2]
    check(lambda a: f(a, a), one)  # the jitted lambda
    g, values = jit(f), [1, 2]
    assert g(values, values) == (4, 4, True)
    assert values == [1, 2, 1, 2]
    assert g(values, [1, 2]) == (5, 3, False)
    nested = [[1], 2]
    nested[1] = nested[0]
    check(function("a[0].append(5)\nreturn len(a[1]), a[0] is a[1]"), nested)


def test_a_list_whose_length_must_be_static() -> None:
    f = jit(make("def f(shape):\n    return np.zeros(shape).ndim"))
    for rank in range(1, 9):  # a static structure for each
        assert f([2] * rank) == rank
    unpacks = make(f"def f(a):\n    {', '.join(f'x{k}' for k in range(20))} = a\n    return x19")
    assert jit(unpacks)(list(range(20))) == 19
    star = make("def f(a):\n    first, *rest = a\n    return first, rest")
    check(star, [float(k) for k in range(30)])


def test_aliased_lists_of_which_one_changes_are_refused() -> None:
    f = jit(function("s.w.append(1)\na.append(2)\nreturn len(a)", "s, a"))
    solver = Solver()
    assert f(solver, [1]) == 2
    for argument in (solver.w, [solver.w]):
        before = len(solver.w)
        with pytest.raises(UnsupportedError, match=r"is, or holds, s\.w"):
            f(solver, argument)
        assert len(solver.w) == before
    outside = [1, 2]
    g = jit(make("def f(a):\n    a.append(1)\n    return len(OUTSIDE)", OUTSIDE=outside))
    assert g([1]) == 2
    with pytest.raises(UnsupportedError, match="from outside the function"):
        g(outside)
    reads = jit(make("def f(a):\n    return len(a) + len(OUTSIDE)", OUTSIDE=outside))
    assert reads(outside) == 4


def test_a_returned_list_is_the_argument_itself() -> None:
    values, array = [np.ones(2), np.zeros(2)], np.ones(2)
    f = jit(function("a[0] = x\na.append(x)\nreturn a", "a, x"))
    assert f(values, array) is values
    assert values[0] is array and values[2] is array
    d = {"k": values}
    assert jit(function("d['k'].append(1)\nreturn d['k']", "d"))(d) is values


def test_a_list_that_holds_itself_is_refused() -> None:
    values: list[Any] = [1]
    values.append(values)
    with pytest.raises(UnsupportedError, match="holds itself"):
        jit(function("a.append(1)"))(values)


def test_changes_before_an_error_are_kept() -> None:
    values = [1, 2]
    f = jit(function("a.append(1)\nreturn x[n]", "a, x, n"))
    with pytest.raises(IndexError):
        f(values, np.ones(2), 3)
    assert values == [1, 2, 1]
    assert f(values, np.ones(2), 1) == 1.0
    assert values == [1, 2, 1, 1]
    state = Particle(1.0)
    with pytest.raises(ValueError):
        jit(function("p.x = 2.0\nraise ValueError('no')", "p"))(state)
    assert state.x == 2.0


def test_a_list_that_a_try_changes() -> None:
    values = [1]
    jit(function("try:\n    a.append(1)\nexcept ValueError:\n    pass"))(values)
    assert values == [1, 1]


@dataclass
class Particle:
    x: float
    v: float = 1.0
    n: int = 0

    def step(self, dt: float) -> float:
        self.x += self.v * dt
        self.n += 1
        return self.x


@dataclass
class Solver:
    u: Any = field(default_factory=lambda: np.arange(4.0))
    t: float = 0.0
    k: int = 2
    best: Any = None
    name: str = "a"
    p: Particle = field(default_factory=lambda: Particle(1.0))
    w: Any = field(default_factory=lambda: [np.ones((2, 2)), np.ones(2)])
    d: Any = field(default_factory=lambda: {"a": np.zeros(2), "l": [1.0, 2.0]})
    both: Any = field(default_factory=lambda: (np.arange(3.0), 2))

    def advance(self, dt: float) -> None:
        self.u = self.u + dt * self.p.step(dt)
        self.t += dt

    def rename(self) -> Any:
        self.name = "b"
        return self.u.sum()


ATTRIBUTES = [
    "s.t += 0.5\ns.k = s.k + 1\nreturn s.t",
    "s.u = s.u * 2 + s.t\nreturn s.u.sum()",
    "s.u += 1\nreturn s.u",
    "s.u *= s.u",
    "for i in range(10):\n    s.k += i\n    if s.k > 20:\n        s.t = 3.0\nreturn s.k",
    "if s.k > 3:\n    s.t = 1.5\nelse:\n    s.k += 1",
    "s.new = 3\nreturn s.new + 1",
    "if s.k > 0:\n    s.late = s.u * 2",
    "if s.k > 5:\n    s.late = s.u * 2",
    "s.u, s.t = s.u[::-1], s.u[0]\nreturn s.t",
    "s.u[1:] += 1\ns.u = s.u[:-1]\nreturn len(s.u)",
    "s.best = s.u + 1 if s.best is None else s.best * 2\nreturn s.best",
    "s.name = 'other'",
    "s.p.x = 5.0\ns.p.step(1.0)\nreturn s.p.x",
    "for i in range(5):\n    s.advance(0.1)\nreturn s.t",
    "return s.rename() + s.t",
    "t = s\nt.k += 1\nreturn t.k + s.k",
    "p = s.p\np.x += 1\nreturn p.x, s.p.x",
    "for i in range(len(s.w)):\n    s.w[i] = s.w[i] * 0.5\nreturn s.w[0].sum()",
    "s.w[1] -= 0.5\nreturn s.w[1]",
    "s.w = s.w + [np.zeros(1)]\nreturn len(s.w)",
    "s.w.append(s.u)\nreturn len(s.w)",
    "s.d['a'] += 1\ns.d['l'].append(2.0)\ns.d['new'] = s.d['a'] * 2\nreturn len(s.d['l'])",
    "a, b = s.both\nreturn a.sum() * b",
    "s.w = (s.u, s.t)\nreturn s.w[0]",
    "s.t = np.float32(s.t)",
    "s.d = {'a': 1}\ns.d['b'] = s.k\ns.d['l'] = [s.t]\ns.d['l'].append(2)\nreturn len(s.d)",
    "s.w = []\ns.w.append(s.k)\ns.w.append(2)\nreturn s.w",
    "old = s.k\ns.k = 5\nnew = s.k + old\ns.k = old\nreturn new",
    "s.t = s.t",
    "def g():\n    s.t += 1\ng()\ng()\nreturn s.t",
    "return s.missing",
    "s.k, s.t = s.t, s.k",
]


@pytest.mark.parametrize("body", ATTRIBUTES, ids=case_id)
def test_stores_to_attributes_reach_the_object(body: str) -> None:
    check(function(body, "s"), Solver())


def test_methods_assign_attributes_of_their_object() -> None:
    check(lambda p, q: (p.step(0.1), q.step(0.3), p.x + q.x), Particle(1.0), Particle(2.0))

    class Jitted:
        total = 0.0

        def __init__(self) -> None:
            self.count = 0

        @jit
        def add(self, x: Any) -> Any:
            self.count += 1
            self.total += x.sum()
            return self.total

        @jit
        def maybe(self, x: Any) -> Any:
            if x[0] > 100:
                self.total = 0.0
            return self.count

    plain = Jitted()
    assert plain.add(np.ones(3)) == 3.0
    assert plain.add(np.ones(2)) == 5.0
    assert vars(plain) == {"count": 2, "total": 5.0}
    assert Jitted.total == 0.0
    other = Jitted()
    assert other.maybe(np.ones(1)) == 0
    assert vars(other) == {"count": 0}  # the class's is not made the instance's
    assert add_many(Particle(0.0), 1000) == pytest.approx(1.0)


@jit
def add_many(p: Particle, n: int) -> float:
    for _ in range(n):
        p.step(1 / n)
    return p.x


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("type_of.__init__ = 3", "replacing a method"),
    ],
    ids=case_id,
)
def test_unsupported_stores_are_refused(body: str, message: str) -> None:
    f = make(f"def f(s):\n    {body}", type_of=Particle)
    with pytest.raises(UnsupportedError, match=message):
        jit(f)(Solver())


def test_a_setter_an_object_and_one_under_two_names() -> None:
    class WithProperty(Solver):
        @property
        def real_part(self) -> float:
            return 1.0

        @real_part.setter
        def real_part(self, value: float) -> None:
            self.t = value

    for body in ("s.real_part = 3", "q.x = 1\n    s.p.x = 2", "s.p = q", "s.p = 3", "q.x = s.t"):
        got, want = WithProperty(), WithProperty()
        f = make(f"def f(s, q):\n    {body}")
        f(want, want.p)
        jit(f)(got, got.p)
        assert picture((got.t, got.p)) == picture((want.t, want.p)), body


class Layer:
    def __init__(self, inputs: int, outputs: int) -> None:
        self.w = np.random.default_rng(inputs).normal(size=(inputs, outputs))
        self.b = np.zeros(outputs)
        self.x: Any = None
        self.calls = 0

    def forward(self, x: Any) -> Any:
        self.x = x
        self.calls += 1
        return np.tanh(x @ self.w + self.b)

    def backward(self, g: Any) -> Any:
        self.gradient = self.x.T @ g
        self.w -= 0.1 * self.gradient
        return g @ self.w.T


class Net:
    def __init__(self, *sizes: int) -> None:
        self.layers = [Layer(a, b) for a, b in itertools.pairwise(sizes)]
        self.named = {"first": self.layers[0], "last": self.layers[-1]}

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, g: Any) -> Any:
        for layer in reversed(self.layers):
            g = layer.backward(g)
        return g


def train(net: Net, x: Any, y: Any) -> Any:
    out = net.forward(x)
    net.backward(out - y)
    return np.mean((out - y) ** 2)


def test_a_net_of_layers_trains_as_in_python() -> None:
    x = np.random.default_rng(0).normal(size=(5, 4))
    f, plain, net = jit(train), Net(4, 3, 2, 3), Net(4, 3, 2, 3)
    for _ in range(4):
        assert f(net, x, 1.0) == pytest.approx(train(plain, x, 1.0), rel=1e-12)
    for layer, other in zip(net.layers, plain.layers, strict=True):
        np.testing.assert_allclose(layer.w, other.w, rtol=1e-12)
        np.testing.assert_allclose(layer.gradient, other.gradient, rtol=1e-12)
        assert layer.calls == other.calls == 4


OBJECTS = [
    "return sum(np.sum(layer.w) for layer in n.layers)",
    "return [layer.calls for layer in n.layers if layer.calls >= 0]",
    "return len(n.layers), n.layers[0].w[0, 0], n.layers[-1].calls",
    "s = 0.0\nfor i, layer in enumerate(n.layers):\n    if i == 1:\n        continue\n"
    "    s += i * layer.w[0, 0]\n    if s > 1000:\n        break\nelse:\n    s -= 1\nreturn s",
    "for layer, g in zip(n.layers, [1.0, np.ones(2), 3.0]):\n    layer.b = layer.b + g",
    "first = n.layers[0]\nfirst.calls += 10\nreturn n.layers[0].calls",
    "for layer in n.layers:\n    if layer.calls >= k:\n        return layer.w[0, 0]\nreturn -1.0",
    "s = 0\nfor layer in n.layers[1:]:\n    s += layer.calls\nreturn s",
    "s = 0\nfor layer in n.layers[::-1]:\n    for other in n.layers:\n"
    "        s = s * 3 + layer.calls * other.w.size\nreturn s",
    "for i in range(3):\n    for layer in n.layers:\n        layer.calls += i\n"
    "        if layer.calls > 2:\n            break",
    "s = 0\nfor layer in n.layers:\n    def g():\n        return layer.w.size\n    s += g()\n"
    "return s",
]


@pytest.mark.parametrize("body", OBJECTS, ids=case_id)
def test_changes_of_lists_of_objects_reach_the_caller(body: str) -> None:
    f = function(body, "n, k")
    for k in (0, 1):
        net = Net(4, 3, 2, 3)
        del net.named
        check(f, net, k)


def test_lists_of_objects_as_arguments() -> None:
    f = make("""
        def f(bodies, dt):
            for b in bodies:
                b.x += b.v * dt
                b.n += 1
            e = 0.0
            for i, b in enumerate(bodies):
                for c in bodies[1:]:
                    e += (b.x - c.x) ** 2 * i
            return e, len(bodies)
    """)
    check(f, [Particle(1.0), Particle(0.0, 2.0)], 0.5)
    check(f, (Particle(1.0), Particle(0.0, 2.0), Particle(3.0)), 0.5)
    check(
        make(
            "def f(d):\n    s = 0.0\n    for b in d.values():\n        s += b.step(0.5)\n"
            "    return s + d['a'].x"
        ),
        {"a": Particle(1.0), "b": Particle(2.0)},
    )
    check(make("def f(ps):\n    for p in ps:\n        pass\n    return p.x"), [Particle(1.0)])
    check(
        make("def f(ps):\n    p = ps[0]\n    for q in ps:\n        p = q\n    return p.x"),
        [Particle(1.0), Particle(2.0)],
    )


def test_assumptions_are_checked_at_each_call() -> None:
    f = jit(function("s.new = s.k\nreturn len(s.w)", "s"))
    s = Solver()
    for _ in range(3):
        assert f(s) == 2
        s.k += 1
    assert s.new == 4
    s.w.append(np.ones(1))
    assert f(s) == 3
    s.k = 2.5
    assert f(s) == 3
    assert s.new == 2.5
    g = jit(function("return [p.x for p in ps]", "ps"))
    assert g([Particle(1.0), Particle(2)]) == [1.0, 2]
    assert g([Particle(1.0)]) == [1.0]


@pytest.mark.parametrize(
    "body",
    [
        "s['a'] += 1\ntry:\n    return t\nexcept KeyError:\n    pass",
        "s['a'] += 1\ntry:\n    return t\nexcept KeyError:\n    pass\nfinally:\n    'x'",
        "try:\n    r = s\nexcept KeyError:\n    r = s\nr['b'] = 3\nreturn r, t",
        "try:\n    r, q = t, s\nfinally:\n    s['c'] = 2.5\nreturn q, r",
        "try:\n    r = [s, 2]\nexcept KeyError:\n    r = [s, 3]\ns['a'] = 4\nreturn r, t",
    ],
    ids=case_id,
)
def test_lists_and_dicts_keep_their_identity_through_a_try(body: str) -> None:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    f = make(f"def f(s, t):\n{lines}")
    g, outcomes = jitted(f), []
    for call in (f, g):
        for other in (False, True):  # the dict in the list is not the argument
            s = {"a": np.int64(4)}
            t = [np.float64(5.5), np.arange(4), copy.copy(s) if other else s]
            result = call(s, t)
            parts = result if isinstance(result, tuple) else (result,)
            outcomes.append(([[r is s, r is t] for r in parts], repr((result, s, t))))
    assert outcomes[:2] == outcomes[2:]


def test_a_class_attribute_that_gets_its_own_value_again_stays_the_class_s() -> None:
    class Counter:
        limit = np.float64(2.5)
        flag = np.True_

    f = jitted(
        make("""
        def f(c, x):
            c.limit = c.limit
            c.flag = c.flag
            c.total = x.sum()
            return c.limit
    """)
    )
    counter = Counter()
    assert f(counter, np.arange(3.0)) == 2.5
    assert vars(counter) == {"total": 3.0}


def test_a_list_of_any_length_is_a_shape() -> None:
    f = make("def f(l, x):\n    return np.zeros(l), x.reshape(l)")
    check(f, [1] * 60, np.zeros(1))
    check(f, [1] * 50, np.zeros(1))
