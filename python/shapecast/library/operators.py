"""Python's `operator` and `functools`: operators as functions, and higher-order functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import implements
from ._shared import pool


@implements("operator.add", "operator.concat")
def add(a: Any, b: Any, /) -> Any:
    return a + b


@implements("operator.sub")
def sub(a: Any, b: Any, /) -> Any:
    return a - b


@implements("operator.mul")
def mul(a: Any, b: Any, /) -> Any:
    return a * b


@implements("operator.truediv")
def truediv(a: Any, b: Any, /) -> Any:
    return a / b


@implements("operator.floordiv")
def floordiv(a: Any, b: Any, /) -> Any:
    return a // b


@implements("operator.mod")
def mod(a: Any, b: Any, /) -> Any:
    return a % b


@implements("operator.pow")
def power(a: Any, b: Any, /) -> Any:
    return a**b


@implements("operator.matmul")
def matmul(a: Any, b: Any, /) -> Any:
    return a @ b


@implements("operator.and_")
def and_(a: Any, b: Any, /) -> Any:
    return a & b


@implements("operator.or_")
def or_(a: Any, b: Any, /) -> Any:
    return a | b


@implements("operator.xor")
def xor(a: Any, b: Any, /) -> Any:
    return a ^ b


@implements("operator.lshift")
def lshift(a: Any, b: Any, /) -> Any:
    return a << b


@implements("operator.rshift")
def rshift(a: Any, b: Any, /) -> Any:
    return a >> b


@implements("operator.neg")
def neg(a: Any, /) -> Any:
    return -a


@implements("operator.pos")
def pos(a: Any, /) -> Any:
    return +a


@implements("operator.invert", "operator.inv")
def invert(a: Any, /) -> Any:
    return ~a


@implements("operator.abs")
def absolute(a: Any, /) -> Any:
    return abs(a)


@implements("operator.index")
def index(a: Any, /) -> Any:
    if isinstance(a, int) or isinstance(a, np.integer):
        return int(a)
    if isinstance(a, np.ndarray) and a.ndim == 0 and np.issubdtype(a.dtype, np.integer):
        return int(a)
    raise TypeError(f"'{type(a).__name__}' object cannot be interpreted as an integer")


@implements("operator.not_")
def not_(a: Any, /) -> Any:
    return not a


@implements("operator.truth")
def truth(a: Any, /) -> Any:
    return bool(a)


@implements("operator.lt")
def lt(a: Any, b: Any, /) -> Any:
    return a < b


@implements("operator.le")
def le(a: Any, b: Any, /) -> Any:
    return a <= b


@implements("operator.gt")
def gt(a: Any, b: Any, /) -> Any:
    return a > b


@implements("operator.ge")
def ge(a: Any, b: Any, /) -> Any:
    return a >= b


@implements("operator.eq")
def eq(a: Any, b: Any, /) -> Any:
    return a == b


@implements("operator.ne")
def ne(a: Any, b: Any, /) -> Any:
    return a != b


@implements("operator.is_")
def is_(a: Any, b: Any, /) -> Any:
    return a is b


@implements("operator.is_not")
def is_not(a: Any, b: Any, /) -> Any:
    return a is not b


@implements("operator.contains")
def contains(a: Any, b: Any, /) -> Any:
    return b in a


@implements("operator.getitem")
def getitem(a: Any, b: Any, /) -> Any:
    return a[b]


@implements("operator.setitem")
def setitem(a: Any, b: Any, c: Any, /) -> None:
    a[b] = c


@implements("operator.iadd", "operator.iconcat")
def iadd(a: Any, b: Any, /) -> Any:
    a += b
    return a


@implements("operator.isub")
def isub(a: Any, b: Any, /) -> Any:
    a -= b
    return a


@implements("operator.imul")
def imul(a: Any, b: Any, /) -> Any:
    a *= b
    return a


@implements("operator.itruediv")
def itruediv(a: Any, b: Any, /) -> Any:
    a /= b
    return a


@implements("operator.ifloordiv")
def ifloordiv(a: Any, b: Any, /) -> Any:
    a //= b
    return a


@implements("operator.imod")
def imod(a: Any, b: Any, /) -> Any:
    a %= b
    return a


@implements("operator.ipow")
def ipow(a: Any, b: Any, /) -> Any:
    a **= b
    return a


@implements("operator.imatmul")
def imatmul(a: Any, b: Any, /) -> Any:
    a @= b
    return a


@implements("operator.iand")
def iand(a: Any, b: Any, /) -> Any:
    a &= b
    return a


@implements("operator.ior")
def ior(a: Any, b: Any, /) -> Any:
    a |= b
    return a


@implements("operator.ixor")
def ixor(a: Any, b: Any, /) -> Any:
    a ^= b
    return a


@implements("operator.ilshift")
def ilshift(a: Any, b: Any, /) -> Any:
    a <<= b
    return a


@implements("operator.irshift")
def irshift(a: Any, b: Any, /) -> Any:
    a >>= b
    return a


@implements("operator.delitem")
def delitem(a: Any, b: Any, /) -> None:
    del a[b]


@implements("operator.call")
def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    return function(*args, **kwargs)


@implements("operator.countOf")
def count_of(a: Any, b: Any, /) -> int:
    found = 0
    for item in a:
        if item == b:
            found += 1
    return found


@implements("operator.indexOf")
def index_of(a: Any, b: Any, /) -> int:
    at = 0
    for item in a:
        if item == b:
            return at
        at += 1
    raise ValueError("sequence.index(x): x not in sequence")


@implements("operator.itemgetter")
def itemgetter(item: Any, /, *items: Any) -> Any:
    def one(thing: Any) -> Any:
        return thing[item]

    def several(thing: Any) -> Any:
        return tuple([thing[key] for key in (item, *items)])

    return several if items else one


@implements("functools.partial")
def partial(function: Any, /, *given: Any, **named: Any) -> Any:
    def called(*more: Any, **others: Any) -> Any:
        return function(*given, *more, **{**named, **others})

    return called


@implements("functools.cache", "shapecast.jit")
def cache(function: Any, /) -> Any:
    return function


@implements("functools.lru_cache")
def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    return maxsize if callable(maxsize) else cache


@implements("functools.wraps")
def wraps(wrapped: Any, assigned: Any = (), updated: Any = ()) -> Any:
    return cache


@implements("functools.reduce")
def reduce(function: Any, iterable: Any, /, *initial: Any) -> Any:
    if len(initial) > 1:
        raise TypeError(f"reduce expected at most 3 arguments, got {len(initial) + 2}")
    if initial:
        result = initial[0]
        for item in iterable:
            result = function(result, item)
        return result
    items = pool(iterable)
    if len(items) == 0:
        raise TypeError("reduce() of empty iterable with no initial value")
    last = items[0]
    for i in range(1, len(items)):
        last = function(last, items[i])
    return last
