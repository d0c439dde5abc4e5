"""A plugin registry with decorators, memoisation, validation, timing counters and partials."""

from functools import lru_cache, partial, reduce, wraps
from operator import add, mul
from typing import Callable, Dict, TypeVar

F = TypeVar("F", bound=Callable)
REGISTRY: Dict[str, Callable] = {}


def register(name: str = None):
    def decorate(f: F) -> F:
        REGISTRY[name or f.__name__] = f
        return f

    return decorate


def validate(**rules):
    def decorate(f):
        @wraps(f)
        def wrapper(*args, **kwargs):
            names = f.__code__.co_varnames[: f.__code__.co_argcount]
            for name, value in list(zip(names, args)) + list(kwargs.items()):
                if name in rules and not rules[name](value):
                    raise ValueError(f"{f.__name__}: bad {name}={value!r}")
            return f(*args, **kwargs)

        return wrapper

    return decorate


def traced(log):
    def decorate(f):
        @wraps(f)
        def wrapper(*args):
            result = f(*args)
            log.append(f"{f.__name__}{args} -> {result}")
            return result

        return wrapper

    return decorate


def compose(*fs):
    return reduce(lambda f, g: lambda x: g(f(x)), fs)


def memo(f):
    cache = {}

    @wraps(f)
    def wrapper(n):
        if n not in cache:
            cache[n] = f(n)
        return cache[n]

    return wrapper


@register()
@validate(n=lambda n: n >= 0)
def triangle(n):
    return n * (n + 1) // 2


@register("pow2")
@memo
def power_of_two(n):
    return 1 if n == 0 else 2 * power_of_two(n - 1)


@register()
@lru_cache(maxsize=128)
def catalan(n):
    return 1 if n < 2 else sum(catalan(i) * catalan(n - 1 - i) for i in range(n))


@register()
@validate(n=lambda n: isinstance(n, int), k=lambda k: k > 0)
def steps(n, k=2):
    """How often n can be divided by k."""
    count = 0
    while n and n % k == 0:
        n //= k
        count += 1
    return count


def main(values):
    log = []
    out = {}
    for name in sorted(REGISTRY):
        f = traced(log)(REGISTRY[name])
        row = []
        for v in values:
            try:
                row.append(f(v))
            except ValueError as e:
                row.append(str(e))
            except RecursionError:
                row.append("too deep")
        out[name] = row
    pipeline = compose(triangle, partial(add, 3), partial(mul, 2), str, lambda s: s[::-1], int)
    out["pipeline"] = [pipeline(v) for v in values if v >= 0]
    out["docs"] = [f.__doc__ for _, f in sorted(REGISTRY.items())]
    return out, log[:4], steps(n=81, k=3)


ARGS = [([0, 1, 4, 9, 12],)]
