"""A small Lisp in the spirit of lis.py."""

import math
import operator as op
from functools import reduce


class LispError(Exception):
    pass


class Symbol(str):
    pass


class Env(dict):
    def __init__(self, params=(), args=(), outer=None):
        super().__init__(zip(params, args))
        self.outer = outer

    def find(self, name):
        env = self
        while env is not None:
            if name in env:
                return env
            env = env.outer
        raise LispError(f"unbound symbol {name}")


class Lambda:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env

    def __call__(self, *args):
        if len(args) != len(self.params):
            raise LispError(f"expected {len(self.params)} arguments, got {len(args)}")
        env = Env(self.params, args, self.env)
        return [evaluate(form, env) for form in self.body][-1]


def read_all(src):
    tokens = src.replace("(", " ( ").replace(")", " ) ").replace("'", " ' ").split()[::-1]
    while tokens:
        yield read(tokens)


def read(tokens):
    if not tokens:
        raise LispError("unexpected end of input")
    tok = tokens.pop()
    if tok == "(":
        out = []
        while tokens and tokens[-1] != ")":
            out.append(read(tokens))
        if not tokens:
            raise LispError("missing )")
        tokens.pop()
        return out
    if tok == ")":
        raise LispError("unexpected )")
    if tok == "'":
        return [Symbol("quote"), read(tokens)]
    if tok in ("#t", "#f"):
        return tok == "#t"
    try:
        return float(tok) if "." in tok else int(tok)
    except ValueError:
        return Symbol(tok)


def show(x):
    if isinstance(x, bool):
        return "#t" if x else "#f"
    if isinstance(x, list):
        return "(" + " ".join(map(show, x)) + ")"
    if isinstance(x, Lambda):
        return f"<lambda {' '.join(x.params)}>"
    return str(x)


def divide(a, b):
    if b == 0:
        raise LispError("division by zero")
    return a // b if isinstance(a, int) and isinstance(b, int) and a % b == 0 else a / b


def global_env():
    return {
        "+": lambda *a: sum(a),
        "*": lambda *a: reduce(op.mul, a, 1),
        "-": lambda a, *r: -a if not r else a - sum(r),
        "/": divide,
        "<": op.lt,
        ">": op.gt,
        "<=": op.le,
        "=": op.eq,
        "mod": op.mod,
        "car": lambda x: x[0],
        "cdr": lambda x: x[1:],
        "cons": lambda a, b: [a] + b,
        "list": lambda *a: list(a),
        "null?": lambda x: x == [],
        "length": len,
        "map": lambda f, xs: [f(x) for x in xs],
        "sqrt": math.sqrt,
        "not": op.not_,
    }


def evaluate(x, env):
    if isinstance(x, Symbol):
        return env.find(x)[x]
    if not isinstance(x, list) or not x:
        return x
    head = x[0]
    if head == "quote":
        return x[1]
    if head == "if":
        branch = x[2] if evaluate(x[1], env) is not False else (x[3] if len(x) > 3 else None)
        return evaluate(branch, env)
    if head == "define":
        if isinstance(x[1], list):
            env[x[1][0]] = Lambda(x[1][1:], x[2:], env)
        else:
            env[x[1]] = evaluate(x[2], env)
        return None
    if head == "set!":
        env.find(x[1])[x[1]] = evaluate(x[2], env)
        return
    if head == "lambda":
        return Lambda(x[1], x[2:], env)
    if head == "let":
        return Lambda([b[0] for b in x[1]], x[2:], env)(*[evaluate(b[1], env) for b in x[1]])
    fn, *args = [evaluate(e, env) for e in x]
    if not callable(fn):
        raise LispError(f"{show(fn)} is not callable")
    return fn(*args)


def main(program):
    env = Env()
    env.update(global_env())
    out = []
    try:
        for form in read_all(program):
            value = evaluate(form, env)
            if value is not None:
                out.append(show(value))
    except LispError as e:
        out.append("error: " + str(e))
    print("\n".join(out))
    return out


ARGS = [
    (
        "(define (fact n) (if (< n 2) 1 (* n (fact (- n 1))))) (fact 5) (fact 30) (map fact '(1 2 3 4)) fact",
    ),
    (
        "(define (counter) (let ((n 0)) (lambda () (set! n (+ n 1)) n))) (define c (counter)) (c) (c) (define d (counter)) (list (c) (d)) (/ 7 2) (/ 8 2)",
    ),
    (
        "(define (filter p xs) (if (null? xs) '() (if (p (car xs)) (cons (car xs) (filter p (cdr xs))) (filter p (cdr xs)))))"
        " (filter (lambda (x) (= 1 (mod x 2))) '(1 2 3 4 5 6 7)) (let ((x 3) (y (sqrt 16))) (+ x y 0.5)) '(a (b #t) ()) (foo 1)",
    ),
    ("(+ 1 (* 2 3)) (/ 1 0) (car '(1))",),
]
