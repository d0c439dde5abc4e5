"""Calculator: tokenizer + recursive descent parser, with variables and functions."""

import math
import re
from collections import namedtuple

Token = namedtuple("Token", "kind text pos")

TOKEN_RE = re.compile(
    r"""
    (?P<num>\d+(\.\d*)?([eE][+-]?\d+)?)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op>\*\*|//|[-+*/%(),=])
  | (?P<ws>\s+)
""",
    re.VERBOSE,
)


class CalcError(Exception):
    def __init__(self, msg, pos=None):
        super().__init__(msg)
        self.pos = pos


def tokenize(text):
    pos = 0
    tokens = []
    while pos < len(text):
        m = TOKEN_RE.match(text, pos)
        if m is None:
            raise CalcError(f"unexpected {text[pos]!r}", pos)
        if m.lastgroup != "ws":
            tokens.append(Token(m.lastgroup, m.group(), pos))
        pos = m.end()
    tokens.append(Token("end", "", pos))
    return tokens


class Calculator:
    functions = {
        "sqrt": math.sqrt,
        "abs": abs,
        "max": max,
        "min": min,
        "hyp": lambda a, b: math.sqrt(a * a + b * b),
    }

    def __init__(self):
        self.vars = {"pi": math.pi, "ans": 0}
        self.tokens = []
        self.i = 0

    @property
    def tok(self):
        return self.tokens[self.i]

    def accept(self, *texts):
        if self.tok.kind == "op" and self.tok.text in texts:
            self.i += 1
            return self.tokens[self.i - 1].text

    def expect(self, text):
        if not self.accept(text):
            raise CalcError(f"expected {text!r}", self.tok.pos)

    def run(self, line):
        self.tokens, self.i, target = tokenize(line), 0, None
        if self.tok.kind == "name" and self.tokens[1].text == "=":
            target = self.tok.text
            self.i = 2
        value = self.expr()
        if self.tok.kind != "end":
            raise CalcError(f"unexpected {self.tok.text!r}", self.tok.pos)
        self.vars["ans"] = value
        if target:
            self.vars[target] = value
        return value

    def expr(self):
        value = self.term()
        while op := self.accept("+", "-"):
            rhs = self.term()
            value = value + rhs if op == "+" else value - rhs
        return value

    def term(self):
        value = self.unary()
        while op := self.accept("*", "/", "//", "%"):
            pos = self.tok.pos
            rhs = self.unary()
            if op != "*" and rhs == 0:
                raise CalcError("division by zero", pos)
            if op == "*":
                value *= rhs
            elif op == "/":
                value /= rhs
            elif op == "//":
                value //= rhs
            else:
                value %= rhs
        return value

    def unary(self):
        return -self.unary() if self.accept("-") else self.power()

    def power(self):
        base = self.atom()
        return base ** self.unary() if self.accept("**") else base

    def atom(self):
        tok = self.tok
        self.i += 1
        if tok.kind == "num":
            return int(tok.text) if tok.text.isdigit() else float(tok.text)
        if tok.kind == "name":
            if self.accept("("):
                args = [self.expr()]
                while self.accept(","):
                    args.append(self.expr())
                self.expect(")")
                if tok.text not in self.functions:
                    raise CalcError(f"no function {tok.text}", tok.pos)
                return self.functions[tok.text](*args)
            if tok.text not in self.vars:
                raise CalcError(f"undefined {tok.text}", tok.pos)
            return self.vars[tok.text]
        if tok.text == "(":
            value = self.expr()
            self.expect(")")
            return value
        raise CalcError(f"unexpected {tok.text or 'end'!r}", tok.pos)


def main(*lines):
    calc = Calculator()
    results = []
    for line in lines:
        try:
            value = calc.run(line)
        except CalcError as e:
            print(line)
            print(" " * e.pos + "^ " + str(e))
            results.append((str(e), e.pos))
        else:
            print(f"{line} => {value}")
            results.append(value)
    return results


ARGS = [
    ("1 + 2 * 3", "-2 ** 2", "2 ** 3 ** 2", "(1 + 2) * -3 % 5", "7 // 2 / 2", "max(3, 10) * 2"),
    (
        "r = 2.5",
        "area = pi * r ** 2",
        "hyp(3, 4) + max(ans, 10, r)",
        "2 ** 100 // 3 ** 20",
        "sqrt(16) - abs(-9)",
    ),
    ("1 +", "2 $ 3", "4 / (2 - 2)", "foo + 1", "bar(2)", "(1, 2)"),
]
