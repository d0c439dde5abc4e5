"""Attributes of classes that a jitted function assigns: what it and its caller see of them."""

from __future__ import annotations

import abc
import enum
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest
import shapecast
from shapecast import jit


class Account:
    count = 0
    total = 0.0
    name: Any = "x"
    items: ClassVar[list[Any]] = []
    only: Any = None

    def __init__(self, amount: Any) -> None:
        self.amount = amount
        Account.count += 1
        self.number = Account.count

    @classmethod
    def opened(cls) -> Any:
        cls.count += 10
        return cls.count

    @classmethod
    def first(cls) -> Any:
        if cls.only is None:
            cls.only = 7
        return cls.only

    @staticmethod
    def made(amount: Any) -> Any:
        Account.count += 1
        return Account(amount)

    def deposit(self, amount: Any) -> Any:
        type(self).total += amount
        self.__class__.count += 100
        return self.total, self.count, Account.count

    def closed(self) -> Any:
        self.count = 5
        return self.count, Account.count

    def kept(self) -> Any:
        Account.items.append(self.amount)
        return len(Account.items)

    def __repr__(self) -> str:
        return f"Account({self.amount}, {self.count})"


class Saving(Account):
    rate = 3

    def counts(self) -> Any:
        return Saving.count, self.count, self.rate


class Shape(abc.ABC):
    drawn = 0

    def draw(self) -> Any:
        Shape.drawn += 1
        return self.size() + Shape.drawn

    @abc.abstractmethod
    def size(self) -> Any: ...


class Square(Shape):
    def size(self) -> Any:
        return 10


class Colour(enum.Enum):
    RED = 1


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = [(one, dict(vars(one))) for one in (Account, Saving, Shape, Square)]
    yield
    for one, names in before:
        for name in set(vars(one)) - set(names):
            delattr(one, name)
        for name in ("count", "total", "name", "only", "rate", "drawn"):
            if name in names:
                setattr(one, name, names[name])
    Account.items.clear()


def state() -> Any:
    names = ("count", "total", "name", "only", "added")
    return [getattr(Account, name, None) for name in names] + [
        list(Account.items), Saving.count, Saving.rate, "count" in vars(Saving), Shape.drawn,
        Square.drawn,
    ]  # fmt: skip


def in_a_function(n: Any) -> Any:
    Account.count += n
    return Account.count


def in_init(n: Any) -> Any:
    x, y = Account(n), Account(n)
    return x.number, y.number, x.count, y.count, Account.count


def in_class_methods(n: Any) -> Any:
    return Account.opened(), Account.first(), Account.only, Account.made(n).number


def by_type_of_self(n: Any) -> Any:
    x = Account(n)
    return x.deposit(1.5), x.deposit(n), Account.total


def hidden_by_an_own_one(n: Any) -> Any:
    x = Account(n)
    return x.closed(), x.count, Account(n).count


def of_a_base_class(n: Any) -> Any:
    x = Saving(n)
    return x.counts(), x.number, Saving.count


def of_a_subclass(n: Any) -> Any:
    Saving.opened()
    Saving.rate += n
    return Saving.count, Account.count, Saving.rate


def of_an_abstract_class(n: Any) -> Any:
    return Square().draw(), Square.drawn, Shape.drawn


def texts(n: Any) -> Any:
    Account.name = "y" * n
    return Account.name


def of_several_kinds(n: Any) -> Any:
    Account.name = n if n > 2 else None
    Account.count, x = n, Account.count
    return Account.name, x


def new(n: Any) -> Any:
    Account.added = n  # type: ignore[attr-defined]
    return Account.added  # type: ignore[attr-defined]


def in_loops(n: Any) -> Any:
    for _ in range(n):
        Account.count += 2
    for Account.name in range(n):
        pass
    found = [Account(k) for k in range(n)]
    return [x.number for x in found], found[0].count, str(found[-1])


def in_inner_functions(n: Any) -> Any:
    def inner() -> Any:
        Account.count += 1
        return Account.count

    return inner() + inner(), Account.count


def lists(n: Any) -> Any:
    return Account(n).kept(), Account.items


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize(
    "function",
    [
        in_a_function, in_init, in_class_methods, by_type_of_self, hidden_by_an_own_one,
        of_a_base_class, of_a_subclass, of_an_abstract_class, texts, of_several_kinds, new,
        in_loops, in_inner_functions, lists,
    ],
)  # fmt: skip
def test_what_a_function_assigns_is_seen_afterwards(function: Callable[..., Any], n: int) -> None:
    before = {name: getattr(Account, name) for name in ("count", "total", "name", "only")}
    expected = [(function(n), state()) for _ in range(3)]
    for one in (Account, Saving):
        for name in ("added", "count", "rate"):
            if name in vars(one):
                delattr(one, name)
    for name, value in before.items():
        setattr(Account, name, value)
    Saving.rate = 3
    Shape.drawn = 0
    Account.items.clear()
    compiled = jit(function)
    assert [(compiled(n), state()) for _ in range(3)] == expected
    assert len(compiled.signatures()) <= 3


def test_each_call_reads_it_anew() -> None:
    compiled = jit(in_a_function)
    for count in (5, 100):
        Account.count = count
        assert compiled(1) == count + 1 == Account.count


def test_of_an_object_that_is_passed() -> None:
    def f(account: Any, n: Any) -> Any:
        Account.count += n
        return account.amount, Account.count

    account = Account(3)
    assert jit(f)(account, 2) == (3, 3) and Account.count == 3


REFUSED = {
    "through an object": (lambda a, n: a.deposit(n), "write Account.total"),
    "of a class with a metaclass": (lambda a, n: setattr_of(Colour, n), "its metaclass"),
    "a method": (lambda a, n: replaced(n), "replacing a method or property"),
    "of both classes": (lambda a, n: both(n), "which it inherits"),
}


def setattr_of(colour: Any, n: Any) -> Any:
    colour.RED = n


def replaced(n: Any) -> None:
    Account.closed = n


def both(n: Any) -> Any:
    Account.count += n
    Saving.count += n
    return Saving.count


def tried(n: Any) -> Any:
    try:
        Account.count += n
        return 1 // n
    except ZeroDivisionError:
        return Account.count


def test_changed_in_a_try() -> None:
    before = Account.count
    assert jit(tried)(0) == before
    assert jit(tried)(1) == 1 and Account.count == before + 1


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_why(name: str) -> None:
    function, message = REFUSED[name]
    with pytest.raises(shapecast.UnsupportedError, match=message):
        jit(function)(Account(1), 2)


class Scale:
    def __init__(self, by: int) -> None:
        self.by = by


TWICE = Scale(2)


class Scaled:
    def __init__(self, n: int) -> None:
        self.n = n

    def value(self, scale: Scale = TWICE) -> int:
        return self.n * scale.by


def test_a_default_of_a_method_that_is_an_instance_is_refused() -> None:
    def given(n: int) -> int:
        return Scaled(n).value(Scale(3))

    def left_out(n: int) -> int:
        return Scaled(n).value()

    assert jit(given)(4) == 12
    with pytest.raises(shapecast.UnsupportedError, match="the default of parameter 'scale' is an"):
        jit(left_out)(4)
