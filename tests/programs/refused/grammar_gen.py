"""Context-free grammars: parse rules, nullable/first sets, random sentences, CYK, regex->NFA->match, edit by template."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from random import Random
from string import Template
from typing import Iterator


class Grammar:
    def __init__(self, text: str):
        self.rules: dict[str, list[list[str]]] = defaultdict(list)
        self.start = ""
        for line in text.strip().splitlines():
            head, arrow, body = line.partition("->")
            if not arrow:
                raise SyntaxError(f"no arrow in {line!r}")
            head = head.strip()
            self.start = self.start or head
            for alt in body.split("|"):
                self.rules[head].append(alt.split())

    @property
    def terminals(self) -> set[str]:
        return {
            s for alts in self.rules.values() for alt in alts for s in alt if s not in self.rules
        }

    def nullable(self) -> set[str]:
        out: set[str] = set()
        changed = True
        while changed:
            changed = False
            for head, alts in self.rules.items():
                if head not in out and any(all(s in out for s in alt) for alt in alts):
                    out.add(head)
                    changed = True
        return out

    def first(self) -> dict[str, set[str]]:
        null = self.nullable()
        first: dict[str, set[str]] = {h: set() for h in self.rules}
        while True:
            before = sum(map(len, first.values()))
            for head, alts in self.rules.items():
                for alt in alts:
                    for s in alt:
                        if s in self.rules:
                            first[head] |= first[s]
                            if s in null:
                                continue
                        else:
                            first[head].add(s)
                        break
            if sum(map(len, first.values())) == before:
                return first

    def sentence(self, rng: Random, symbol: str | None = None, depth: int = 0) -> Iterator[str]:
        symbol = symbol or self.start
        if symbol not in self.rules:
            yield symbol
            return
        alts = self.rules[symbol]
        alt = min(alts, key=len) if depth > 6 else rng.choice(alts)
        for s in alt:
            yield from self.sentence(rng, s, depth + 1)


def cyk(rules: list[tuple[str, ...]], words: list[str], start: str = "S") -> bool:
    n = len(words)
    if n == 0:
        return False
    unary = defaultdict(set)
    binary = defaultdict(set)
    for head, *body in rules:
        match body:
            case [t]:
                unary[t].add(head)
            case [a, b]:
                binary[a, b].add(head)
            case _:
                raise ValueError(f"not in normal form: {head} -> {' '.join(body)}")
    table = [[set() for _ in range(n)] for _ in range(n)]
    for i, w in enumerate(words):
        table[i][i] |= unary[w]
    for span in range(2, n + 1):
        for i in range(n - span + 1):
            j = i + span - 1
            for k in range(i, j):
                for a, b in product(table[i][k], table[k + 1][j]):
                    table[i][j] |= binary.get((a, b), set())
    return start in table[0][n - 1]


class NFA:
    def __init__(self):
        self.edges: list[dict[str, list[int]]] = []

    def state(self) -> int:
        self.edges.append({})
        return len(self.edges) - 1

    def link(self, a: int, b: int, c: str = "") -> None:
        self.edges[a].setdefault(c, []).append(b)

    def closure(self, states: frozenset[int]) -> frozenset[int]:
        todo, seen = list(states), set(states)
        while todo:
            for t in self.edges[todo.pop()].get("", []):
                if t not in seen:
                    seen.add(t)
                    todo.append(t)
        return frozenset(seen)


def compile_regex(pattern: str) -> tuple[NFA, int, int]:
    nfa = NFA()
    pos = 0

    def peek() -> str:
        return pattern[pos] if pos < len(pattern) else ""

    def alternation() -> tuple[int, int]:
        nonlocal pos
        a, b = sequence()
        while peek() == "|":
            pos += 1
            c, d = sequence()
            s, e = nfa.state(), nfa.state()
            nfa.link(s, a)
            nfa.link(s, c)
            nfa.link(b, e)
            nfa.link(d, e)
            a, b = s, e
        return a, b

    def sequence() -> tuple[int, int]:
        s = e = nfa.state()
        while peek() not in ("", "|", ")"):
            a, b = repeat()
            nfa.link(e, a)
            e = b
        return s, e

    def repeat() -> tuple[int, int]:
        nonlocal pos
        c = peek()
        pos += 1
        if c == "(":
            a, b = alternation()
            if peek() != ")":
                raise SyntaxError(f"missing ) at {pos}")
            pos += 1
        else:
            a, b = nfa.state(), nfa.state()
            nfa.link(a, b, c)
        if peek() in ("*", "?"):
            s, e = nfa.state(), nfa.state()
            nfa.link(s, a)
            nfa.link(s, e)
            nfa.link(b, e)
            if peek() == "*":
                nfa.link(b, a)
            pos += 1
            a, b = s, e
        return a, b

    start, end = alternation()
    return nfa, start, end


def matches(pattern: str, text: str) -> bool:
    nfa, start, end = compile_regex(pattern)
    current = nfa.closure(frozenset([start]))
    for c in text:
        current = nfa.closure(
            frozenset(
                t for s in current for t in nfa.edges[s].get(c, []) + nfa.edges[s].get(".", [])
            )
        )
    return end in current


def main(grammar, seed, cnf, sentences, regexes):
    g = Grammar(grammar)
    rng = Random(seed)
    made = [" ".join(g.sentence(rng)) for _ in range(4)]
    firsts = {k: sorted(v) for k, v in g.first().items()}
    parsed = [cyk(cnf, s.split()) for s in sentences]
    found = []
    for pat, texts in regexes.items():
        try:
            found.append((pat, [t for t in texts if matches(pat, t)]))
        except SyntaxError as e:
            found.append((pat, [str(e)]))
    try:
        Grammar("S = a b")
    except SyntaxError as e:
        print(e)
    return (
        made,
        firsts,
        sorted(g.nullable()),
        sorted(g.terminals),
        parsed,
        found,
        Template("$who said ${what}").substitute(who="ann", what="hi"),
    )


ARGS = [
    (
        "S -> NP VP | S and S\nNP -> Det N | Det Adj N\nVP -> V NP | V\nDet -> the | a\nAdj -> big | red |\nN -> dog | cat\nV -> saw | chased",
        8,
        [
            ("S", "NP", "VP"),
            ("NP", "Det", "N"),
            ("VP", "V", "NP"),
            ("Det", "the"),
            ("N", "dog"),
            ("N", "cat"),
            ("V", "saw"),
        ],
        ["the dog saw the cat", "dog the saw", "the cat saw", ""],
        {"a(b|c)*d": ["ad", "abcbd", "abx", "acd"], "x?y.": ["y1", "xy2", "xxy"], "(a": ["a"]},
    )
]
