"""A small expression language: regex tokenizer, Pratt parser, AST dataclasses, evaluator with scopes."""

from __future__ import annotations

import math
import re
from collections import ChainMap
from dataclasses import dataclass
from typing import Callable, Iterator, NamedTuple, Union


class Token(NamedTuple):
    kind: str
    text: str
    pos: int


SPEC = [
    ("NUM", r"\d+(?:\.\d*)?"),
    ("NAME", r"[A-Za-z_]\w*"),
    ("OP", r"\*\*|[-+*/%^(),=]"),
    ("WS", r"\s+"),
    ("BAD", r"."),
]
TOKEN_RE = re.compile("|".join(f"(?P<{n}>{p})" for n, p in SPEC))


class ParseError(Exception):
    def __init__(self, msg: str, pos: int):
        super().__init__(f"{msg} at {pos}")
        self.pos = pos


def tokenize(src: str) -> Iterator[Token]:
    for m in TOKEN_RE.finditer(src):
        kind = m.lastgroup
        if kind == "WS":
            continue
        if kind == "BAD":
            raise ParseError(f"unexpected {m.group()!r}", m.start())
        yield Token(kind, m.group(), m.start())
    yield Token("END", "", len(src))


@dataclass(frozen=True)
class Num:
    value: float


@dataclass(frozen=True)
class Var:
    name: str


@dataclass(frozen=True)
class Bin:
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Call:
    name: str
    args: tuple


@dataclass(frozen=True)
class Assign:
    name: str
    expr: Expr


Expr = Union[Num, Var, Bin, Call, Assign]
PREC = {
    "=": (1, True),
    "+": (2, False),
    "-": (2, False),
    "*": (3, False),
    "/": (3, False),
    "%": (3, False),
    "**": (5, True),
}
FUNCS: dict[str, Callable] = {"sqrt": math.sqrt, "max": max, "min": min, "hypot": math.hypot}


class Parser:
    def __init__(self, src: str):
        self.toks = list(tokenize(src))
        self.i = 0

    @property
    def cur(self) -> Token:
        return self.toks[self.i]

    def take(self, text: str | None = None) -> Token:
        t = self.cur
        if text is not None and t.text != text:
            raise ParseError(f"expected {text!r}, got {t.text or 'end'!r}", t.pos)
        self.i += 1
        return t

    def parse(self) -> Expr:
        e = self.expr(0)
        if self.cur.kind != "END":
            raise ParseError(f"trailing {self.cur.text!r}", self.cur.pos)
        return e

    def expr(self, rbp: int) -> Expr:
        left = self.atom()
        while self.cur.kind == "OP" and self.cur.text in PREC:
            prec, right_assoc = PREC[self.cur.text]
            if prec <= rbp:
                break
            op = self.take().text
            right = self.expr(prec - 1 if right_assoc else prec)
            if op == "=":
                if not isinstance(left, Var):
                    raise ParseError("cannot assign", 0)
                left = Assign(left.name, right)
            else:
                left = Bin(op, left, right)
        return left

    def atom(self) -> Expr:
        t = self.take()
        match t:
            case Token("NUM", text, _):
                return Num(float(text))
            case Token("NAME", name, _):
                if self.cur.text == "(":
                    self.take("(")
                    args = []
                    while self.cur.text != ")":
                        args.append(self.expr(0))
                        if self.cur.text == ",":
                            self.take()
                    self.take(")")
                    return Call(name, tuple(args))
                return Var(name)
            case Token(text="("):
                e = self.expr(0)
                self.take(")")
                return e
            case Token(text="-"):
                return Bin("-", Num(0.0), self.expr(4))
        raise ParseError(f"unexpected {t.text or 'end'!r}", t.pos)


def evaluate(e: Expr, env: ChainMap) -> float:
    match e:
        case Num(v):
            return v
        case Var(name):
            try:
                return env[name]
            except KeyError:
                raise NameError(f"unknown name {name}") from None
        case Bin("+", l, r):
            return evaluate(l, env) + evaluate(r, env)
        case Bin("-", l, r):
            return evaluate(l, env) - evaluate(r, env)
        case Bin("*", l, r):
            return evaluate(l, env) * evaluate(r, env)
        case Bin("/", l, r):
            return evaluate(l, env) / evaluate(r, env)
        case Bin("%", l, r):
            return evaluate(l, env) % evaluate(r, env)
        case Bin("**", l, r):
            return evaluate(l, env) ** evaluate(r, env)
        case Call(name, args) if name in FUNCS:
            return FUNCS[name](*(evaluate(a, env) for a in args))
        case Assign(name, expr):
            env[name] = evaluate(expr, env)
            return env[name]
    raise TypeError(f"cannot evaluate {type(e).__name__}")


def main(lines):
    env = ChainMap({}, {"pi": math.pi, "e": math.e})
    out = []
    for line in lines:
        try:
            v = evaluate(Parser(line).parse(), env)
            out.append((line, f"{v:g}"))
        except ParseError as ex:
            out.append((line, f"parse error: {ex} [{ex.pos}]"))
        except (NameError, ZeroDivisionError, TypeError, ValueError) as ex:
            out.append((line, f"{type(ex).__name__}: {ex}"))
    return out, dict(env.maps[0])


ARGS = [
    (
        [
            "1 + 2 * 3",
            "-2 ** 2",
            "2 ** 3 ** 2",
            "x = y = 4",
            "x * (y - 1) / 5",
            "sqrt(x) + max(1, 7, 3)",
            "1 / 0",
            "foo + 1",
            "3 $ 4",
            "(1 + 2",
            "pi * 2",
            "1 2",
            "nope(3)",
            "3 = 4",
            "10 % 4 - -3",
            "sqrt(0-1)",
            "hypot(3,4)",
        ],
    )
]
