"""Exceptions that are made of instances, of which their attributes are numbers and strings."""

from dataclasses import dataclass
from typing import NamedTuple


class Account:
    def __init__(self, owner, balance):
        self.owner = owner
        self.balance = balance
        self.log = []

    def withdraw(self, n):
        if n > self.balance:
            raise Short(self, n)
        self.balance -= n


class Short(Exception):
    def __init__(self, account, amount):
        self.account = account
        self.shortfall = amount - account.balance
        self.owner = account.owner
        super().__init__(f"{account.owner} is short by {self.shortfall}")


def short_of_money(ns):
    a = Account("ann", 10)
    out = []
    for n in ns:
        try:
            a.withdraw(n)
        except Short as e:
            out.append((str(e), e.shortfall, e.owner))
    return out, a.balance


@dataclass
class Pos:
    row: int
    col: int


class At(Exception):
    def __init__(self, msg, pos):
        super().__init__(msg)
        self.pos = pos
        self.line = pos.row


def with_a_position(n):
    try:
        if n > 2:
            raise At("deep", Pos(n, 3))
    except At as e:
        return e.line, e.args[0], str(e)


class Tok(NamedTuple):
    kind: str
    at: int


class Bad(ValueError):
    def __init__(self, tok):
        super().__init__(f"bad {tok.kind!r} at {tok.at}")
        self.at = tok.at
        self.kind = tok.kind


def with_a_token(ks):
    out = []
    toks = [Tok(k, i) for i, k in enumerate(ks)]
    for t in toks:
        try:
            if t.kind == "x":
                raise Bad(t)
            out.append(t.kind)
        except Bad as e:
            out.append(f"{e} {e.at} {e.kind}")
    return out


def not_caught(n):
    Account("bob", 1).withdraw(n)


class Deep(Exception):
    def __init__(self, node):
        self.size = len(node.items)
        super().__init__(node.name)


class Node:
    def __init__(self, name):
        self.name = name
        self.items = []


def with_a_list(n):
    t = Node("root")
    for i in range(n):
        t.items.append(i)
    try:
        if n > 1:
            raise Deep(t)
    except Deep as e:
        return e.size, str(e)


CASES = [
    (short_of_money, ([3, 20, 5, 9],)),
    (with_a_position, (5,)),
    (with_a_position, (1,)),
    (with_a_token, (["a", "x", "b"],)),
    (not_caught, (5,)),
    (with_a_list, (3,)),
    (with_a_list, (1,)),
]
