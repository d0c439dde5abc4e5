"""Symbolic differentiation with nested tuples.

An expression is a number, a variable name, or a tuple (op, left, right)
or (func, arg).
"""

import math
import operator


def is_num(e):
    return isinstance(e, (int, float))


def simplify(e):
    if not isinstance(e, tuple):
        return e
    if len(e) == 2:
        fn, a = e[0], simplify(e[1])
        if fn == "neg" and is_num(a):
            return -a
        if fn == "ln" and a == 1:
            return 0
        return (fn, a)
    op, a, b = e
    a = simplify(a)
    b = simplify(b)
    if is_num(a) and is_num(b):
        if op == "+":
            return a + b
        if op == "-":
            return a - b
        if op == "*":
            return a * b
        if op == "^":
            return a**b
    if op == "+":
        if a == 0:
            return b
        if b == 0:
            return a
    elif op == "-":
        if b == 0:
            return a
        if a == b:
            return 0
    elif op == "*":
        if a == 0 or b == 0:
            return 0
        if a == 1:
            return b
        if b == 1:
            return a
        if is_num(b):
            return simplify(("*", b, a))
        if is_num(a) and isinstance(b, tuple) and b[0] == "*" and is_num(b[1]):
            return simplify(("*", a * b[1], b[2]))
    elif op == "/":
        if a == 0:
            return 0
        if b == 1:
            return a
    elif op == "^":
        if b == 0:
            return 1
        if b == 1:
            return a
    return (op, a, b)


def derive(e, x):
    if is_num(e):
        return 0
    if isinstance(e, str):
        return 1 if e == x else 0
    if len(e) == 2:
        fn, u = e
        du = derive(u, x)
        rules = {
            "sin": lambda: ("cos", u),
            "cos": lambda: ("neg", ("sin", u)),
            "exp": lambda: ("exp", u),
            "ln": lambda: ("/", 1, u),
            "neg": lambda: -1,
        }
        return ("*", rules[fn](), du)
    op, a, b = e
    if op in "+-":
        return (op, derive(a, x), derive(b, x))
    if op == "*":
        return ("+", ("*", derive(a, x), b), ("*", a, derive(b, x)))
    if op == "/":
        top = ("-", ("*", derive(a, x), b), ("*", a, derive(b, x)))
        return ("/", top, ("^", b, 2))
    if op == "^" and is_num(b):
        return ("*", ("*", b, ("^", a, b - 1)), derive(a, x))
    raise NotImplementedError(f"cannot differentiate {op}")


PREC = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}


def show(e, outer=0):
    if not isinstance(e, tuple):
        return str(e)
    if len(e) == 2:
        if e[0] == "neg":
            return "-" + show(e[1], 3)
        return f"{e[0]}({show(e[1])})"
    op, a, b = e
    p = PREC[op]
    text = f"{show(a, p)} {op} {show(b, p + 1)}" if p < 3 else f"{show(a, 4)}^{show(b, 4)}"
    return f"({text})" if p < outer else text


def evaluate(e, env):
    if is_num(e):
        return float(e)
    if isinstance(e, str):
        return env[e]
    if len(e) == 2:
        v = evaluate(e[1], env)
        return {
            "sin": math.sin,
            "cos": math.cos,
            "exp": math.exp,
            "ln": math.log,
            "neg": lambda t: -t,
        }[e[0]](v)
    a, b = evaluate(e[1], env), evaluate(e[2], env)
    return {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": operator.truediv,
        "^": operator.pow,
    }[e[0]](a, b)


def main(expr, at, order=2):
    results = [show(expr)]
    current = expr
    for n in range(order):
        current = simplify(derive(current, "x"))
        value = evaluate(current, {"x": at, "k": 2.0})
        print("d" + "'" * (n + 1), show(current), round(value, 6))
        results.append((show(current), round(value, 6)))
    return results


ARGS = [
    (("+", ("^", "x", 3), ("*", 2, "x")), 1.5),
    (("*", ("sin", "x"), ("exp", ("*", "k", "x"))), 0.5),
    (("/", ("ln", "x"), ("-", "x", 7)), 2.0),
    (("^", ("cos", "x"), 4), 0.3, 3),
]
