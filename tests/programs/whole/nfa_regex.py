"""Thompson construction: regex to postfix to NFA, simulated with sets of states."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional, Set


@dataclass
class State:
    id: int
    char: Optional[str] = None
    out: List[int] = field(default_factory=list)


@dataclass
class Fragment:
    start: int
    ends: List[int]


PRECEDENCE = {"|": 1, ".": 2, "?": 3, "*": 3, "+": 3}


def to_postfix(pattern: str) -> str:
    explicit = []
    for i, ch in enumerate(pattern):
        explicit.append(ch)
        if i + 1 < len(pattern) and ch not in "(|" and pattern[i + 1] not in ")|?*+":
            explicit.append(".")
    output, stack = [], []
    for ch in explicit:
        if ch == "(":
            stack.append(ch)
        elif ch == ")":
            while stack[-1] != "(":
                output.append(stack.pop())
            stack.pop()
        elif ch in PRECEDENCE:
            while stack and stack[-1] != "(" and PRECEDENCE[stack[-1]] >= PRECEDENCE[ch]:
                output.append(stack.pop())
            stack.append(ch)
        else:
            output.append(ch)
    return "".join(output + stack[::-1])


class Regex:
    def __init__(self, pattern: str):
        self.states: List[State] = []
        stack: List[Fragment] = []
        for ch in to_postfix(pattern):
            if ch == ".":
                b, a = stack.pop(), stack.pop()
                self.patch(a.ends, b.start)
                stack.append(Fragment(a.start, b.ends))
            elif ch == "|":
                b, a = stack.pop(), stack.pop()
                s = self.new(None, [a.start, b.start])
                stack.append(Fragment(s, a.ends + b.ends))
            elif ch in "?*+":
                a = stack.pop()
                s = self.new(None, [a.start])
                if ch == "?":
                    stack.append(Fragment(s, a.ends + [s]))
                else:
                    self.patch(a.ends, s)
                    stack.append(Fragment(s if ch == "*" else a.start, [s]))
            else:
                s = self.new(ch, [])
                stack.append(Fragment(s, [s]))
        frag = stack.pop()
        self.accept = self.new(None, [])
        self.patch(frag.ends, self.accept)
        self.start = frag.start

    def new(self, char, out) -> int:
        self.states.append(State(len(self.states), char, out))
        return len(self.states) - 1

    def patch(self, ends, target):
        for e in ends:
            self.states[e].out.append(target)

    def closure(self, ids) -> Set[int]:
        seen, todo = set(), list(ids)
        while todo:
            s = todo.pop()
            if s in seen:
                continue
            seen.add(s)
            if self.states[s].char is None:
                todo.extend(self.states[s].out)
        return seen

    def fullmatch(self, text: str) -> bool:
        current = self.closure({self.start})
        for ch in text:
            current = self.closure(
                {t for s in current if self.states[s].char == ch for t in self.states[s].out}
            )
            if not current:
                return False
        return self.accept in current


def main(patterns, texts):
    return {
        p: ("".join("01"[Regex(p).fullmatch(t)] for t in texts), to_postfix(p)) for p in patterns
    }


ARGS = [
    (
        ["a(b|c)*d", "(ab)+|c?d", "x*y*z*", "(a|b)(a|b)?c+"],
        ["abcbd", "ad", "abab", "cd", "d", "xxyzz", "", "bacc", "acb"],
    )
]
