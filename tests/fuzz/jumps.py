"""Random programs of loops, branches and jumps: captured IR against Python itself."""

from __future__ import annotations

import random


class Maker:
    """Makes the text of a function f(a, b) that always ends."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.budget = self.random.randint(3, 16)
        self.names = ["a", "b", "c", "d", "e"]
        self.counters = 0

    def expression(self) -> str:
        r = self.random
        name = r.choice(self.names)
        return r.choice([
            name, f"{name} + 1", f"{name} * 2 % 7", f"{r.choice(self.names)} - {name}",
            str(r.randint(-2, 5)), f"({name} and {r.randint(0, 3)})",
            f"({name} if {name} > 1 else {r.choice(self.names)})",
        ])  # fmt: skip

    def condition(self) -> str:
        r = self.random
        left = f"{r.choice(self.names)} {r.choice(['<', '>', '==', '%2=='])} {r.randint(0, 3)}"
        return r.choice(
            [
                left,
                left,
                f"not {left}",
                f"{left} or {r.choice(self.names)} > 2",
                f"0 < {r.choice(self.names)} < 3",
            ]
        )

    def block(self, depth: int, loops: int) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth, loops)
        return ["    " + line for line in lines]

    def statement(self, depth: int, loops: int) -> list[str]:
        r = self.random
        self.budget -= 1
        kinds = ["assign", "assign", "aug", "swap", "log"]
        if depth < 4 and self.budget > 0:
            kinds += ["if", "if", "ifelse", "ifelse", "for", "while", "forelse", "elif"]
        if depth:
            kinds += ["return"]
        if loops:
            kinds += ["break", "continue", "break", "continue"]
        kind = r.choice(kinds)
        if kind == "assign":
            return [f"{r.choice(self.names)} = {self.expression()}"]
        if kind == "aug":
            return [f"{r.choice(self.names)} {r.choice(['+=', '-='])} {self.expression()}"]
        if kind == "swap":
            targets = f"{r.choice(self.names)}, {r.choice(self.names)}"
            return [f"{targets} = {self.expression()}, {self.expression()}"]
        if kind == "log":
            return [f"print({r.choice(self.names)})"]
        if kind == "if":
            return [f"if {self.condition()}:", *self.block(depth + 1, loops)]
        if kind in ("ifelse", "elif"):
            middle = (
                [f"elif {self.condition()}:", *self.block(depth + 1, loops)]
                if kind == "elif"
                else []
            )
            return [
                f"if {self.condition()}:", *self.block(depth + 1, loops), *middle,
                "else:", *self.block(depth + 1, loops),
            ]  # fmt: skip
        if kind in ("for", "forelse"):
            tail = ["else:", *self.block(depth + 1, loops)] if kind == "forelse" else []
            return [
                f"for {r.choice(self.names)} in range({r.randint(0, 4)}):",
                *self.block(depth + 1, loops + 1),
                *tail,
            ]
        if kind == "while":
            k = f"k{self.counters}"
            self.counters += 1
            test = r.choice([f"{k} < 4 and ({self.condition()})", "True", f"{k} < 3"])
            stop = (
                [f"    if {k} > 5:", r.choice(["        break", "        return 77"])]
                if test == "True"
                else []
            )
            tail = (
                ["else:", *self.block(depth + 1, loops)]
                if test != "True" and r.random() < 0.3
                else []
            )
            return [
                f"{k} = 0",
                f"while {test}:",
                f"    {k} += 1",
                *stop,
                *self.block(depth + 1, loops + 1),
                *tail,
            ]
        if kind == "return":
            return [
                r.choice(
                    ["return", f"return {self.expression()}", f"return a, {self.expression()}"]
                )
            ]
        return [kind]

    def make(self) -> str:
        body = ["    if a > 100:", "        c = d = e = 0"]  # locals, all of them
        start = self.random.sample(self.names[2:], self.random.randint(0, 3))
        for name in start:
            body.append(f"    {name} = {self.random.randint(0, 4)}")
        while self.budget > 0:
            body += ["    " + line for line in self.statement(0, 0)]
        if self.random.random() < 0.8:
            body.append(f"    return {', '.join(self.random.sample(self.names, 3))}")
        return "\n".join(["def f(a, b):", *body, ""])
