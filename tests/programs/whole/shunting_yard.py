"""Tokenizer, shunting-yard and a small evaluator with variables and functions."""

import math
from typing import NamedTuple


class Token(NamedTuple):
    kind: str
    text: str
    pos: int


class Op(NamedTuple):
    prec: int
    right: bool
    arity: int


class SyntaxProblem(Exception):
    def __init__(self, message, pos):
        super().__init__(f"{message} at {pos}")
        self.pos = pos


OPS = {
    "=": Op(0, True, 2),
    "+": Op(1, False, 2),
    "-": Op(1, False, 2),
    "*": Op(2, False, 2),
    "/": Op(2, False, 2),
    "%": Op(2, False, 2),
    "neg": Op(3, True, 1),
    "^": Op(4, True, 2),
}

FUNCS = {
    "sqrt": (1, math.sqrt),
    "sin": (1, math.sin),
    "max": (2, max),
    "min": (2, min),
    "hyp": (2, lambda a, b: (a * a + b * b) ** 0.5),
}


def tokenize(src):
    i = 0
    while i < len(src):
        c = src[i]
        if c.isspace():
            i += 1
        elif c.isdigit() or c == ".":
            j = i
            while j < len(src) and (src[j].isdigit() or src[j] == "."):
                j += 1
            yield Token("num", src[i:j], i)
            i = j
        elif c.isalpha() or c == "_":
            j = i
            while j < len(src) and (src[j].isalnum() or src[j] == "_"):
                j += 1
            name = src[i:j]
            yield Token("func" if name in FUNCS else "name", name, i)
            i = j
        elif c in "(),":
            yield Token(c, c, i)
            i += 1
        elif c in OPS:
            yield Token("op", c, i)
            i += 1
        else:
            raise SyntaxProblem(f"unexpected {c!r}", i)


def to_rpn(tokens):
    out, stack = [], []
    previous = None
    for tok in tokens:
        if tok.kind in ("num", "name"):
            out.append(tok)
        elif tok.kind == "func":
            stack.append(tok)
        elif tok.kind == "op":
            if tok.text == "-" and (previous is None or previous.kind in ("op", "(", ",")):
                tok = tok._replace(text="neg")
            mine = OPS[tok.text]
            while stack and stack[-1].kind == "op" and mine.arity == 2:
                top = OPS[stack[-1].text]
                if top.prec > mine.prec or (top.prec == mine.prec and not mine.right):
                    out.append(stack.pop())
                else:
                    break
            stack.append(tok)
        elif tok.kind == "(":
            stack.append(tok)
        else:
            while stack and stack[-1].kind != "(":
                out.append(stack.pop())
            if not stack:
                raise SyntaxProblem("unbalanced " + tok.text, tok.pos)
            if tok.kind == ")":
                stack.pop()
                if stack and stack[-1].kind == "func":
                    out.append(stack.pop())
        previous = tok
    while stack:
        tok = stack.pop()
        if tok.kind == "(":
            raise SyntaxProblem("unclosed parenthesis", tok.pos)
        out.append(tok)
    return out


def evaluate(rpn, env):
    stack = []
    for tok in rpn:
        if tok.kind == "num":
            stack.append(float(tok.text))
        elif tok.kind == "name":
            stack.append(env.get(tok.text, 0.0))
        elif tok.kind == "func":
            arity, fn = FUNCS[tok.text]
            args = stack[-arity:]
            del stack[-arity:]
            stack.append(fn(*args))
        elif tok.text == "neg":
            stack.append(-stack.pop())
        else:
            b = stack.pop()
            a = stack.pop()
            if tok.text == "+":
                stack.append(a + b)
            elif tok.text == "-":
                stack.append(a - b)
            elif tok.text == "*":
                stack.append(a * b)
            elif tok.text == "/":
                stack.append(a / b)
            elif tok.text == "%":
                stack.append(a % b)
            else:
                stack.append(a**b)
    (result,) = stack
    return result


def main(lines):
    env = {"pi": math.pi}
    results = []
    for line in lines:
        target, eq, expr = line.partition("=")
        if not eq:
            target, expr = "ans", line
        try:
            rpn = to_rpn(tokenize(expr))
            value = evaluate(rpn, env)
            env[target.strip()] = value
            results.append((" ".join(t.text for t in rpn), round(value, 6)))
        except SyntaxProblem as e:
            results.append((f"error: {e}", float(e.pos)))
        except ZeroDivisionError:
            results.append(("error: division by zero", -1.0))
    for text, value in results:
        print(f"{value:>12.4f}  {text}")
    return results, sorted(env)


ARGS = [
    (["1 + 2 * 3", "x = 2 ^ 3 ^ 2", "-x / 4", "(1 + 2", "ans - 1"],),
    (
        [
            "r = hyp(3, 4)",
            "pi * r ^ 2",
            "max(1, -2) + min(3, sqrt(16))",
            "5 / (r - 5)",
            "3 $ 4",
            "7 % 4",
        ],
    ),
]
