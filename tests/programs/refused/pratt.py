"""A Pratt parser that yields S-expressions, values and errors."""

import math
import re
from dataclasses import dataclass
from typing import Union

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|([A-Za-z_]\w*)|(\*\*|[-+*/()^!,=<>?:]))")


@dataclass(frozen=True)
class Num:
    value: float


@dataclass(frozen=True)
class Name:
    id: str


@dataclass(frozen=True)
class Op:
    op: str
    args: tuple


Expr = Union[Num, Name, Op]
INFIX = {
    "?": (2, 1),
    "<": (3, 4),
    ">": (3, 4),
    "+": (5, 6),
    "-": (5, 6),
    "*": (7, 8),
    "/": (7, 8),
    "**": (12, 11),
}


class ParseError(ValueError):
    pass


def tokenize(text):
    pos = 0
    text = text.rstrip()
    while pos < len(text):
        m = TOKEN.match(text, pos)
        if not m:
            raise ParseError(f"bad character {text[pos]!r} at {pos}")
        pos = m.end()
        number, name, op = m.groups()
        if number:
            yield "num", number
        elif name:
            yield "name", name
        else:
            yield "op", op
    yield "end", ""


class Parser:
    def __init__(self, text):
        self.tokens = list(tokenize(text))
        self.i = 0

    def peek(self):
        return self.tokens[self.i]

    def advance(self):
        self.i += 1
        return self.tokens[self.i - 1]

    def expect(self, op):
        kind, text = self.advance()
        if text != op:
            raise ParseError(f"expected {op!r}, got {text or 'end'!r}")

    def parse(self, min_bp=0):
        kind, text = self.advance()
        if kind == "num":
            left = Num(float(text))
        elif kind == "name":
            left = Name(text)
        elif text == "(":
            left = self.parse()
            self.expect(")")
        elif text == "-":
            left = Op("neg", (self.parse(9),))
        else:
            raise ParseError(f"unexpected {text or 'end'!r}")
        while True:
            kind, op = self.peek()
            if op == "!":
                self.advance()
                left = Op("!", (left,))
                continue
            if op not in INFIX:
                return left
            lbp, rbp = INFIX[op]
            if lbp < min_bp:
                return left
            self.advance()
            if op == "?":
                mid = self.parse()
                self.expect(":")
                left = Op("?:", (left, mid, self.parse(rbp)))
            else:
                left = Op(op, (left, self.parse(rbp)))


def show(e):
    if isinstance(e, Num):
        return f"{e.value:g}"
    if isinstance(e, Name):
        return e.id
    return "(" + " ".join([e.op] + [show(a) for a in e.args]) + ")"


def evaluate(e, env):
    if isinstance(e, Num):
        return e.value
    if isinstance(e, Name):
        return env[e.id]
    if e.op == "?:":
        return evaluate(e.args[1] if evaluate(e.args[0], env) else e.args[2], env)
    args = [evaluate(a, env) for a in e.args]
    if e.op == "neg":
        return -args[0]
    if e.op == "!":
        return float(math.factorial(int(args[0])))
    a, b = args
    return {
        "+": a + b,
        "-": a - b,
        "*": a * b,
        "/": a / b if b else math.nan,
        "**": a**b if abs(b) < 50 else 0.0,
        "<": float(a < b),
        ">": float(a > b),
    }[e.op]


def main(sources, env):
    out = []
    for text in sources:
        try:
            tree = Parser(text).parse()
            out.append((show(tree), round(evaluate(tree, env), 6)))
        except ParseError as e:
            out.append(("error", str(e)))
        except KeyError as e:
            out.append(("unknown", e.args[0]))
    return out


ARGS = [
    (
        [
            "1 + 2 * x",
            "2 ** 3 ** 2 - 1",
            "-(x - y) * 4!",
            "x < y ? x : y / 2",
            "3 +",
            "(1 + 2",
            "a * 2",
            "3 $ 4",
        ],
        {"x": 1.5, "y": 4.0},
    )
]
