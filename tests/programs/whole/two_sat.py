"""2-SAT through Kosaraju components, with literals parsed from text."""

from __future__ import annotations

from collections import defaultdict
from typing import Dict, List, Optional, Tuple


class Literal:
    __slots__ = ("name", "negated")

    def __init__(self, name: str, negated: bool = False):
        self.name, self.negated = name, negated

    @classmethod
    def parse(cls, text: str) -> Literal:
        text = text.strip()
        return cls(text.lstrip("~!"), text[0] in "~!")

    def __invert__(self) -> Literal:
        return Literal(self.name, not self.negated)

    def __eq__(self, other):
        return isinstance(other, Literal) and (self.name, self.negated) == (
            other.name,
            other.negated,
        )

    def __hash__(self):
        return hash((self.name, self.negated))

    def __repr__(self):
        return "~" * self.negated + self.name


class Formula:
    def __init__(self, text: str):
        self.clauses: List[Tuple[Literal, Literal]] = []
        for clause in text.split("&"):
            parts = [Literal.parse(p) for p in clause.strip(" ()").split("|")]
            a, b = parts if len(parts) == 2 else parts * 2
            self.clauses.append((a, b))
        self.names = sorted({l.name for clause in self.clauses for l in clause})

    def graph(self):
        forward, backward = defaultdict(list), defaultdict(list)
        for a, b in self.clauses:
            for u, v in ((~a, b), (~b, a)):
                forward[u].append(v)
                backward[v].append(u)
        return forward, backward

    def components(self) -> Dict[Literal, int]:
        forward, backward = self.graph()
        literals = [Literal(n, neg) for n in self.names for neg in (False, True)]
        seen, order = set(), []

        def visit(u):
            seen.add(u)
            for v in forward[u]:
                if v not in seen:
                    visit(v)
            order.append(u)

        for u in literals:
            if u not in seen:
                visit(u)
        comp: Dict[Literal, int] = {}
        for k, root in enumerate(reversed(order)):
            stack = [root]
            while stack:
                u = stack.pop()
                if u not in comp:
                    comp[u] = k
                    stack.extend(backward[u])
        return comp

    def solve(self) -> Optional[Dict[str, bool]]:
        comp = self.components()
        result = {}
        for name in self.names:
            p, q = comp[Literal(name)], comp[Literal(name, True)]
            if p == q:
                return None
            result[name] = p > q
        return result

    def holds(self, values):
        return all(
            values[a.name] != a.negated or values[b.name] != b.negated for a, b in self.clauses
        )


def main(texts):
    out = []
    for t in texts:
        f = Formula(t)
        s = f.solve()
        out.append((repr(f.clauses[0]), s, s is not None and f.holds(s)))
    return out


ARGS = [
    (
        [
            "(a | b) & (~a | b) & (~b | c)",
            "(x | y) & (~x | y) & (x | ~y) & (~x | ~y)",
            "(p) & (~p | q) & (~q | r) & (~r | s)",
        ],
    )
]
