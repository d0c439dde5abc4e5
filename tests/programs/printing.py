"""`print(...)` inside an expression, and `print` as a value."""

import sys


class P:
    def __init__(self, x):
        self.x = x

    def __str__(self):
        return f"P<{self.x}>"


def by_a_lambda(n):
    say = lambda x: print("hi", x)
    for k in range(n):
        say(k)
    return say(n)


def after_and(n, verbose):
    verbose and print("n is", n, sep="=")
    r = verbose or print("quiet")
    return r


def items_of_a_list(n):
    r = [print(k, end=";") for k in range(n)]
    return r


def in_conditional_expressions(n):
    x = print("pos") if n > 0 else print("neg", n, 2.5)
    return x is None, (print("a"), 1, print("b"))


def as_arguments(n):
    def f(a, b):
        return (a, b)

    return f(print("first"), print("second", n))


def starred_in_a_lambda(xs):
    return list(map(lambda x: print(*x, sep="-"), xs))


def an_instance(n):
    p = P(n)
    ok = n > 2 and print(p, [1, n], (n,), {"a": n}, None, True)
    return ok


def returned(n):
    return print("no newline", n)


def to_stderr(xs):
    for x in xs:
        x > 1 and print(x, file=sys.stderr)
    list(map(print, xs))
    return len(xs)


def each(xs, do):
    for x in xs:
        do(x)


def print_as_an_argument(xs):
    each(xs, print)
    each(xs, lambda x: print("-", x))
    return 1


def in_a_table_of_functions(n):
    table = {"a": lambda: print("A"), "b": lambda: print("B", n)}
    table["a"]()
    table["b"]()
    return n


def where_it_raises(n):
    try:
        return print("x", 1 // n)
    except ZeroDivisionError as e:
        return (print("caught", e), str(e))


def listeners(n):
    acts = []
    acts.append(lambda old, new: print(f"{old:>9} => {new}"))
    acts.append(lambda old, new: print(new))
    for a in acts:
        a("x" * n, "new")
    return len(acts)


def assigned(n):
    y = print()
    z = print(*range(n)) if n else None
    return y, z


def as_a_message(n):
    assert n > 0, print("bad")  # noqa: RUF030
    if print("t") is None:
        return 1
    return 2


def in_a_condition(n):
    while n > 0 and not print("left", n):
        n -= 1
    return n


def computed_separators(xs, s, e):
    print(*xs, sep=s, end=e)
    print("a", 1, sep=s)
    print("b", end=e)
    print(1, *xs, 2.5, sep=None, end="|")
    return [print(*xs, x, sep=s, end=e) for x in xs]


def print_as_a_value(n):
    f = print if n else (lambda *a: None)
    f("x", n)
    return n


def by_a_logger(n):
    def log(*a, **k):
        return n and print("[log]", *a)

    return log("a"), log(1, 2)


CASES = [
    (computed_separators, ([1, 2], "+", "!\n")),
    (computed_separators, ([], "+", "!\n")),
    (print_as_a_value, (1,)),
    (print_as_a_value, (0,)),
    (by_a_logger, (1,)),
    (by_a_lambda, (3,)),
    (after_and, (4, True)),
    (after_and, (4, False)),
    (items_of_a_list, (3,)),
    (in_conditional_expressions, (1,)),
    (in_conditional_expressions, (-1,)),
    (as_arguments, (2,)),
    (starred_in_a_lambda, ([(1, 2), (3, 4)],)),
    (an_instance, (5,)),
    (an_instance, (1,)),
    (returned, (1,)),
    (to_stderr, ([1, 2, 3],)),
    (print_as_an_argument, ([1, 2],)),
    (in_a_table_of_functions, (2,)),
    (where_it_raises, (0,)),
    (where_it_raises, (2,)),
    (listeners, (3,)),
    (assigned, (3,)),
    (assigned, (0,)),
    (as_a_message, (1,)),
    (as_a_message, (0,)),
    (in_a_condition, (3,)),
]
