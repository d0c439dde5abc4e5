from dataclasses import dataclass


class Expr:
    def accept(self, visitor):
        raise NotImplementedError


@dataclass
class Num(Expr):
    value: float

    def accept(self, visitor):
        return visitor.visit_num(self)


@dataclass
class Var(Expr):
    name: str

    def accept(self, visitor):
        return visitor.visit_var(self)


@dataclass
class BinOp(Expr):
    op: str
    left: Expr
    right: Expr

    def accept(self, visitor):
        return visitor.visit_binop(self)


class Evaluator:
    def __init__(self, env):
        self.env = env

    def visit_num(self, n):
        return n.value

    def visit_var(self, v):
        return self.env[v.name]

    def visit_binop(self, b):
        x, y = b.left.accept(self), b.right.accept(self)
        if b.op == "+":
            return x + y
        if b.op == "*":
            return x * y
        if b.op == "-":
            return x - y
        raise ValueError(f"unknown operator {b.op}")


class Printer:
    def visit_num(self, n):
        return f"{n.value:g}"

    def visit_var(self, v):
        return v.name

    def visit_binop(self, b):
        return f"({b.left.accept(self)} {b.op} {b.right.accept(self)})"


def from_rpn(text):
    stack = []
    for tok in text.split():
        if tok in ("+", "-", "*", "/"):
            r = stack.pop()
            l = stack.pop()
            stack.append(BinOp(tok, l, r))
        elif tok.isalpha():
            stack.append(Var(tok))
        else:
            stack.append(Num(float(tok)))
    return stack.pop()


def main(text, env):
    tree = from_rpn(text)
    shown = tree.accept(Printer())
    value = tree.accept(Evaluator(env))
    print(shown, "=", value)
    return shown, value


ARGS = [("x 2 * y 3 - +", {"x": 4.0, "y": 10.0}), ("1 2 /", {"a": 0.0})]
