"""Globals, modules and classes that change between calls: jitted functions see it as plain
ones do.
"""

from __future__ import annotations

import builtins
import functools
import math
import re
import sys
import types
from collections import namedtuple
from enum import Enum
from typing import Any, NamedTuple

import numpy as np
import pytest
import shapecast
from shapecast import jit
from shapecast.typing import Float64


@pytest.fixture(autouse=True)
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    new = types.ModuleType("changing_module")
    new.__dict__.update(Z=2.0, g=halved)
    monkeypatch.setitem(sys.modules, "changing_module", new)
    return new


def halved(x, *, k=2.0):
    return x / k


def same(f: Any, *arguments: Any) -> None:
    # Code that has not run yet: CPython 3.14 no longer reads a module's class once it has.
    code = f.__code__.replace()
    plain = types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    plain.__kwdefaults__ = f.__kwdefaults__
    got, want = jit_of(f)(*arguments), plain(*arguments)
    assert np.array_equal(got, want), (got, want)
    assert type(got) is type(want)


@functools.cache
def jit_of(f: Any) -> Any:
    return jit(f)


PATCHES = [
    (np, "sin", lambda x: x + 1),
    (np, "sin", np.cos),
    (np, "sin", jit(lambda x: x + 2)),
    (np, "sum", lambda x: x * 2),
    (np, "pi", 3.0),
    (np.linalg, "norm", lambda x: x * 3),
    (np.linalg, "det", np.linalg.matrix_rank),
    (math, "pi", 3.5),
    (math, "floor", math.ceil),
    (builtins, "abs", lambda x: x + 7),
    (builtins, "max", min),
]


def uses(x, m):
    return (
        np.sin(x) + np.sum(x) + np.linalg.norm(x) + math.pi + np.pi + math.floor(2.5)
        + abs(np.linalg.det(m)) + max(2, 3)
    )  # fmt: skip


@pytest.mark.parametrize("patch", PATCHES, ids=lambda p: f"{p[0].__name__}.{p[1]}")
def test_a_replaced_function_or_constant_of_a_library_is_seen(
    monkeypatch: pytest.MonkeyPatch, patch: Any
) -> None:
    x, m = np.arange(3.0), np.array([[2.0, 1.0], [0.0, -3.0]])
    same(uses, x, m)
    with monkeypatch.context() as context:
        context.setattr(*patch)
        got, want = jit_of(uses)(x, m), uses(x, m)
        assert np.allclose(got, want, rtol=1e-14), (got, want)
    same(uses, x, m)


sin, total = np.sin, np.sum


def uses_first(x):
    return sin(x) + total(x)


def test_another_name_keeps_the_original_of_a_patched_function(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(np, "sin", np.cos)
    monkeypatch.setattr(np, "sum", lambda x: x)
    same(uses_first, np.arange(3.0))


def nansum(x):
    return np.nansum(x)


def test_the_library_does_not_use_patches_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "where", lambda c, a, b: b)
    same(nansum, np.array([1.0, np.nan, 2.0]))


def test_a_patch_of_numpy_before_the_import_is_seen(tmp_path: Any) -> None:
    import subprocess

    program = tmp_path / "program.py"
    program.write_text(
        "import numpy as np\n"
        "def sin(x):\n    return x + 100\n"
        "np.sin = sin\n"
        "from shapecast import jit\n"
        "print(jit(lambda x: np.sin(x))(1.0))\n"
    )
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True)
    assert done.stdout == "101.0\n", done.stderr


def calls_halved(x):
    return halved(x)


def test_a_keyword_default_changed_in_place_is_seen() -> None:
    same(calls_halved, 3.0)
    halved.__kwdefaults__["k"] = 4.0
    same(calls_halved, 3.0)
    halved.__kwdefaults__ = {"k": 8.0}
    same(calls_halved, 3.0)
    halved.__kwdefaults__["k"] = 2.0
    same(calls_halved, 3.0)


def imports_a_number(x):
    from changing_module import Z

    return x * Z


def imports_a_module(x):
    import changing_module as c

    return c.g(x) + c.Z


@pytest.mark.parametrize("f", [imports_a_number, imports_a_module])
def test_imports_inside_a_function_are_read_at_each_call(f: Any, module: types.ModuleType) -> None:
    same(f, 3.0)
    module.Z = 5.0
    same(f, 3.0)
    module.g = np.negative
    same(f, 3.0)
    other = types.ModuleType("changing_module")
    other.Z, other.g = 9.0, halved
    sys.modules["changing_module"] = other
    same(f, 3.0)
    other.Z = 7.0
    same(f, 3.0)


def test_a_removed_library_function_is_an_attribute_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x):
        return np.cos(x)

    same(f, 2.0)
    with monkeypatch.context() as context:
        context.delattr(np, "cos")
        with pytest.raises(AttributeError):
            jit_of(f)(2.0)
    same(f, 2.0)


def test_a_module_whose_class_gets_a_property_is_seen(module: types.ModuleType) -> None:
    def f(x):
        return x * module.Z

    same(f, 3.0)

    class Own(types.ModuleType):
        Z = property(lambda self: 11.0)

    module.__class__ = Own
    same(f, 3.0)
    Own.Z = property(lambda self: 12.0)
    same(f, 3.0)
    module.__class__ = types.ModuleType
    same(f, 3.0)


def test_a_modules_getattr_is_called_at_each_call(module: types.ModuleType) -> None:
    counted = [1.0]
    module.__getattr__ = lambda name: counted[0]

    def f(x):
        return x * module.made_up

    for counted[0] in (2.0, 3.0):
        same(f, 3.0)


def test_a_named_tuple_with_a_replaced_field_is_refused() -> None:
    class P(NamedTuple):
        a: float
        b: float

    def f(p):
        return p.a + p.b

    def made(x):
        p = P(x, 1.0)
        return p.a

    same(f, P(2.0, 3.0))
    same(made, 2.0)
    P.a = property(lambda self: 50.0)
    for function, argument in ((f, P(2.0, 3.0)), (made, 2.0)):
        with pytest.raises(shapecast.UnsupportedError, match="not supported"):
            jit_of(function)(argument)
    Q = namedtuple("Q", "a b")
    same(f, Q(2.0, 3.0))


def test_a_replaced_value_of_an_enum_member_is_seen() -> None:
    class Kind(Enum):
        one = 1

    def f(x):
        return x + Kind.one.value

    same(f, 3)
    Kind.one._value_ = 5
    same(f, 3)


CODES = {
    "another body": lambda x, y=1.0: x * 7 + y,
    "one parameter more": lambda x, y, z=4.0: x + y * z,
    "one parameter": lambda x: -x,
    "other names": lambda a, b=3.0: a - b,
    "any number": lambda *all: len(all),
    "by name": lambda x, *, y=5.0: x + y,
}


@pytest.mark.parametrize("name", CODES)
def test_a_replaced_code_object_is_seen(name: str) -> None:
    def f(x, y=2.0):
        return x + y

    def calls(x):
        return f(x)

    compiled, caller = jit(f), jit(calls)
    assert compiled(1.0) == 3.0 and compiled(1.0, y=4.0) == 5.0 and caller(1.0) == 3.0
    f.__code__ = CODES[name].__code__
    f.__defaults__, f.__kwdefaults__ = CODES[name].__defaults__, CODES[name].__kwdefaults__
    for ours, plain, arguments, named in (
        (compiled, f, (1.0,), {}),
        (compiled, f, (1.0, 2.0), {}),
        (compiled, f, (1.0,), {"y": 3.0}),
        (compiled, f, (1, 2, 3), {}),
        (caller, calls, (1.0,), {}),
    ):
        try:
            want = plain(*arguments, **named)
        except TypeError:
            with pytest.raises(TypeError):
                ours(*arguments, **named)
        else:
            assert ours(*arguments, **named) == want


def test_static_arguments_stay_static_with_another_code_object() -> None:
    def f(x, how):
        return x.sum() if how == "sum" else x.max()

    compiled = jit(f, static_argnames="how")
    x = np.arange(3.0)
    assert compiled(x, "sum") == 3.0
    f.__code__ = (lambda x, k, how: x.sum() * k if how == "sum" else x.max()).__code__
    assert compiled(x, 2.0, "sum") == 6.0 and compiled(x, 2.0, how="max") == 2.0


def test_infer_sees_a_replaced_code_object() -> None:
    def f(x, y=2.0):
        return x + y

    compiled = jit(f)
    compiled(1.0)
    f.__code__ = (lambda x, y, z: x + y + z).__code__
    assert str(compiled.infer(1.0, 2.0, 3.0))


def test_a_replaced_base_class_is_seen() -> None:
    class First:
        def go(self, x):
            return x + 1

        @property
        def size(self):
            return 10

    class Second:
        def go(self, x):
            return x + 100

        @property
        def size(self):
            return 1000

    class Own(First):
        def go(self, x):
            return super().go(x) * 2 + self.size

    own = Own()

    def f(x):
        return own.go(x)

    same(f, 3)
    Own.__bases__ = (Second,)
    same(f, 3)


def test_replaced_annotations_are_seen() -> None:
    @jit
    def f(x: Float64["n n"]):  # noqa: F722
        return x * 2

    x = np.ones((2, 3))
    with pytest.raises(shapecast.ShapeError):
        f(x)
    f.__wrapped__.__annotations__["x"] = Float64["n m"]
    assert np.array_equal(f(x), x * 2)


def made_classes() -> tuple[Any, Any, Any]:
    """A class, one derived from it, and a function that makes instances of the latter."""

    class Base:
        k = 3

        def area(self):
            return self.x * self.k

        @property
        def double(self):
            return 2 * self.x

    class P(Base):
        def __init__(self, x):
            self.x = x

        def __add__(self, o):
            return self.x + o

    def f(n):
        return [(P(i).area(), P(i) + 1, P(i).double, P(i).k) for i in range(n)]

    return Base, P, f


def moved(self, x):
    self.x = x + 10


# (which class, the name, what it gets; absent: it loses it)
CHANGED_CLASSES = {
    "a constructor": ("P", "__init__", moved),
    "a method": ("Base", "area", lambda self: -self.x),
    "a method overridden": ("P", "area", lambda self: 5 * self.x),
    "a class attribute": ("Base", "k", 7),
    "a class attribute overridden": ("P", "k", 8.5),
    "a property overridden": ("P", "double", property(lambda self: 9)),
    "a property replaced by a value": ("Base", "double", 5),
    "an operator": ("P", "__add__", lambda self, o: o * 2),
    "no operator": ("P", "__add__"),
    "no method": ("Base", "area"),
    "a static method": ("Base", "area", staticmethod(lambda: 5)),
    "other base classes": (
        "P",
        "__bases__",
        (type("Other", (), {"area": lambda self: 77, "double": 1, "k": 2}),),
    ),
}


@pytest.mark.parametrize("name", CHANGED_CLASSES)
def test_a_changed_class_of_which_instances_are_made_is_seen(name: str) -> None:
    base, derived, f = made_classes()
    compiled = jit(f)
    assert compiled(3) == f(3)
    which, attribute, *new = CHANGED_CLASSES[name]
    changed = base if which == "Base" else derived
    setattr(changed, attribute, *new) if new else delattr(changed, attribute)
    try:
        expected = f(3)
    except (AttributeError, TypeError) as error:
        with pytest.raises(type(error), match=f"^{re.escape(str(error))}"):
            compiled(3)
    else:
        assert compiled(3) == expected


@pytest.mark.parametrize("of_base", [False, True])
@pytest.mark.parametrize(
    "name",
    ["__new__", "__getattribute__", "__setattr__", "__delattr__", "__getattr__", "__del__"],
)
def test_a_class_that_makes_instances_in_its_own_way_later_is_refused(
    name: str, of_base: bool
) -> None:
    base, derived, f = made_classes()
    compiled = jit(f)
    assert compiled(3) == f(3)
    setattr(base if of_base else derived, name, getattr(object, name, lambda self, *_: None))
    own = name in vars(object)
    if own:  # object's own again: nothing changes
        assert compiled(3) == f(3)
        setattr(derived, name, lambda self, *rest: getattr(object, name)(self, *rest))
    with pytest.raises(shapecast.UnsupportedError, match=f"since it has a {name}"):
        compiled(3)


def shared(x, steps=[1, 2], *, names={"a": 1}):
    return [x + one for one in steps], names["a"]


class Shared:
    def moved(self, x, steps=[1, 2]):
        return [x + one for one in steps]


def test_defaults_that_are_lists_and_dicts_change():
    @jit
    def f(x):
        return shared(x), Shared().moved(x)

    def changed():
        assert f(1) == (shared(1), Shared().moved(1))

    changed()
    shared.__defaults__[0].append(5)
    Shared.moved.__defaults__[0][0] = 7
    changed()
    shared.__defaults__, Shared.moved.__defaults__ = ([3],), ([4, 5],)
    changed()
    shared.__kwdefaults__["names"]["a"] = 2
    changed()
    shared.__kwdefaults__ = {"names": {"a": 9}}
    changed()


STEPS = {"a": 1}
VIEW = types.MappingProxyType(STEPS)


def test_the_dict_of_a_view_changes(monkeypatch):
    @jit
    def f(name):
        return VIEW.get(name, 0), len(VIEW)

    assert f("b") == (0, 1)
    monkeypatch.setitem(STEPS, "b", 3)
    assert f("b") == (3, 2)
    monkeypatch.setitem(globals(), "VIEW", types.MappingProxyType({"b": 9}))
    assert f("b") == (9, 1)


def kept(x, found=[]):
    found.append(x)
    return found


def test_a_default_that_its_function_changes_is_refused():
    with pytest.raises(shapecast.UnsupportedError, match="write found=None, and make a new one"):
        jit(lambda x: len(kept(x)))(1)


def marked(x):
    return x


marked.factor, marked.table = 2.5, [1, 2]


def test_attributes_of_functions_change():
    @jit
    def f(x):
        return marked.factor * marked(x), marked.table

    assert f(2) == (5.0, [1, 2])
    marked.factor = 3
    marked.table.append(5)
    assert f(2) == (6, [1, 2, 5])
    marked.table = [9]
    assert f(2) == (6, [9])
    del marked.factor
    with pytest.raises(AttributeError, match="'function' object has no attribute 'factor'"):
        f(2)


@jit
def counted(x):
    counted.calls += 1
    return x + counted.calls


counted.calls = 0


def test_a_function_counts_its_calls():
    assert [counted(5), counted(5), counted.calls] == [6, 7, 2]


def test_a_list_of_a_function_is_not_changed():
    def f(x):
        marked.table = [x]

    with pytest.raises(shapecast.UnsupportedError, match="give it a name in the function"):
        jit(f)(1)
