"""A spreadsheet with formulas, ranges, dependency order and error cells."""

import re
from enum import Enum


class CellError(Enum):
    CYCLE = "#CYCLE!"
    DIV0 = "#DIV/0!"
    NAME = "#NAME?"

    def __str__(self):
        return self.value


class Trouble(Exception):
    def __init__(self, kind):
        super().__init__(str(kind))
        self.kind = kind


TOKEN = re.compile(r"\s*(\d+\.?\d*|[A-Z]+\d+|[A-Z]+|[-+*/():,])")

FUNCTIONS = {
    "SUM": sum,
    "AVG": lambda xs: sum(xs) / len(xs),
    "MAX": max,
    "MIN": min,
    "COUNT": len,
}


class Parser:
    """Recursive descent; evaluates as it goes."""

    def __init__(self, sheet, source):
        self.sheet = sheet
        self.tokens = TOKEN.findall(source)
        self.i = 0

    def peek(self):
        return self.tokens[self.i] if self.i < len(self.tokens) else None

    def take(self, expected=None):
        tok = self.peek()
        if tok is None or (expected and tok != expected):
            raise Trouble(CellError.NAME)
        self.i += 1
        return tok

    def expression(self):
        value = self.term()
        while self.peek() in ("+", "-"):
            if self.take() == "+":
                value += self.term()
            else:
                value -= self.term()
        return value

    def term(self):
        value = self.factor()
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                value *= self.factor()
            else:
                try:
                    value /= self.factor()
                except ZeroDivisionError:
                    raise Trouble(CellError.DIV0)
        return value

    def factor(self):
        tok = self.take()
        if tok == "-":
            return -self.factor()
        if tok == "(":
            value = self.expression()
            self.take(")")
            return value
        if tok[0].isdigit():
            return float(tok)
        if tok in FUNCTIONS:
            self.take("(")
            values = list(self.arguments())
            return float(FUNCTIONS[tok](values))
        if tok[-1].isdigit():
            return self.sheet.value(tok)
        raise Trouble(CellError.NAME)

    def arguments(self):
        while True:
            if self.i + 1 < len(self.tokens) and self.tokens[self.i + 1] == ":":
                first, _, last = self.take(), self.take(), self.take()
                for name in self.sheet.cells_between(first, last):
                    if name in self.sheet.source:
                        yield self.sheet.value(name)
            else:
                yield self.expression()
            if self.take() == ")":
                return


class Sheet:
    def __init__(self):
        self.source = {}
        self.cache = {}
        self.active = []
        self.evaluations = 0

    def __setitem__(self, name, text):
        self.source[name] = text
        self.cache.clear()

    def cells_between(self, first, last):
        for row in range(int(first[1:]), int(last[1:]) + 1):
            for col in range(ord(first[0]), ord(last[0]) + 1):
                yield chr(col) + str(row)

    def value(self, name):
        if name in self.cache:
            result = self.cache[name]
        else:
            if name in self.active:
                raise Trouble(CellError.CYCLE)
            self.active.append(name)
            try:
                result = self.compute(self.source.get(name, "0"))
            except Trouble as t:
                result = t.kind
            finally:
                self.active.pop()
            self.cache[name] = result
        if isinstance(result, CellError):
            raise Trouble(result)
        return result

    def compute(self, text):
        self.evaluations += 1
        if not text.startswith("="):
            return float(text)
        parser = Parser(self, text[1:].upper())
        value = parser.expression()
        if parser.peek() is not None:
            raise Trouble(CellError.NAME)
        return value

    def shown(self, name):
        try:
            return f"{self.value(name):.2f}"
        except Trouble as t:
            return str(t)


def main(cells, changes):
    sheet = Sheet()
    for name, text in cells.items():
        sheet[name] = text
    before = {n: sheet.shown(n) for n in sorted(cells)}
    for name, text in changes:
        sheet[name] = text
    after = {n: sheet.shown(n) for n in sorted(sheet.source)}
    for n in after:
        mark = " " if before.get(n) == after[n] else "*"
        print(f"{mark}{n:>3}{after[n]:>12}  {sheet.source[n]}")
    changed = [n for n in after if before.get(n) != after[n]]
    return before, after, changed, sheet.evaluations


ARGS = [
    (
        {"A1": "3", "A2": "4.5", "B1": "=a1*2", "B2": "=SUM(A1:B1, 10)", "C1": "=-(B2-A2)/B1"},
        [("A1", "7"), ("D1", "=AVG(A1:C2)")],
    ),
    (
        {
            "A1": "=B1+1",
            "B1": "=A1",
            "C1": "=5/(2-2)",
            "C2": "=C1*2",
            "D1": "=FOO(1)",
            "D2": "=COUNT(Z9)",
        },
        [("B1", "8"), ("C2", "=MAX(A1:B2)"), ("D1", "=MIN(A1, B1) 3")],
    ),
]
