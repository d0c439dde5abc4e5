"""A backtracking regular expression matcher supporting
literals . * + ? | ( ) [a-z] ^ $ and \\d \\w \\s."""

from collections import namedtuple
from string import ascii_letters, digits


class RegexSyntaxError(Exception):
    pass


Char = namedtuple("Char", "c")
AnyChar = namedtuple("AnyChar", "")
CharSet = namedtuple("CharSet", "chars negated")
Anchor = namedtuple("Anchor", "kind")
Seq = namedtuple("Seq", "items")
Alt = namedtuple("Alt", "options")
Repeat = namedtuple("Repeat", "node low high")

CLASSES = {"d": digits, "s": " \t\n", "w": ascii_letters + digits + "_"}


class Compiler:
    def __init__(self, pattern):
        self.p = pattern
        self.i = 0

    def more(self):
        return self.i < len(self.p)

    def next(self):
        c = self.p[self.i]
        self.i += 1
        return c

    def compile(self):
        node = self.alt()
        if self.more():
            raise RegexSyntaxError(f"unbalanced ) at {self.i}")
        return node

    def alt(self):
        options = [self.seq()]
        while self.more() and self.p[self.i] == "|":
            self.i += 1
            options.append(self.seq())
        return Alt(tuple(options))

    def seq(self):
        items = []
        while self.more() and self.p[self.i] not in "|)":
            node = self.atom()
            if self.more() and self.p[self.i] in "*+?":
                low, high = {"*": (0, float("inf")), "+": (1, float("inf")), "?": (0, 1)}[
                    self.next()
                ]
                node = Repeat(node, low, high)
            items.append(node)
        return Seq(tuple(items))

    def atom(self):
        c = self.next()
        if c == "(":
            node = self.alt()
            if not self.more():
                raise RegexSyntaxError("missing )")
            self.i += 1
            return node
        if c == "[":
            return self.charset()
        if c in ".^$":
            return AnyChar() if c == "." else Anchor(c)
        if c in "*+?":
            raise RegexSyntaxError(f"nothing to repeat at {self.i - 1}")
        if c == "\\":
            e = self.next()
            return CharSet(frozenset(CLASSES[e]), False) if e in CLASSES else Char(e)
        return Char(c)

    def charset(self):
        negated = self.p[self.i] == "^"
        self.i += negated
        chars = set()
        while self.more():
            c = self.next()
            if c == "]":
                return CharSet(frozenset(chars), negated)
            if self.p[self.i : self.i + 1] == "-" and self.p[self.i + 1 : self.i + 2] not in (
                "]",
                "",
            ):
                hi = self.p[self.i + 1]
                self.i += 2
                chars.update(chr(k) for k in range(ord(c), ord(hi) + 1))
            else:
                chars.add(c)
        raise RegexSyntaxError("missing ]")


def match(node, s, i, k):
    """Try to match node at s[i:], then call continuation k with the new position."""
    if isinstance(node, Char):
        return k(i + 1) if i < len(s) and s[i] == node.c else None
    if isinstance(node, AnyChar):
        return k(i + 1) if i < len(s) else None
    if isinstance(node, CharSet):
        return k(i + 1) if i < len(s) and (s[i] in node.chars) != node.negated else None
    if isinstance(node, Anchor):
        return k(i) if i == (0 if node.kind == "^" else len(s)) else None
    if isinstance(node, Alt):
        results = (match(o, s, i, k) for o in node.options)
        return next((r for r in results if r is not None), None)
    if isinstance(node, Seq):

        def step(n, j):
            if n == len(node.items):
                return k(j)
            return match(node.items[n], s, j, lambda m: step(n + 1, m))

        return step(0, i)

    def loop(count, j):
        if count < node.high:
            r = match(node.node, s, j, lambda m: loop(count + 1, m) if m > j else None)
            if r is not None:
                return r
        return k(j) if count >= node.low else None

    return loop(0, i)


def find_all(pattern, text):
    node = Compiler(pattern).compile()
    out, i = [], 0
    while i <= len(text):
        end = match(node, text, i, lambda j: j)
        if end is not None:
            out.append((i, text[i:end]))
        i = end if end is not None and end > i else i + 1
    return out


def main(text, patterns):
    results = {}
    for p in patterns:
        try:
            results[p] = find_all(p, text)
        except RegexSyntaxError as e:
            results[p] = f"error: {e}"
        print(f"{p:<20} {results[p]}")
    return results


ARGS = [
    ("cat hat bat rat at scat", ["[chb]at", "s?cat", "^cat|scat$", "(c|r)at", "[^ ]+"]),
    ("call 555-1234 or 555-98765 now_ok", [r"\d+-\d+", r"\w+", r"(\d)+-?", "5(5|-)*1"]),
    ("aaaab(b)", ["(a|aa)*b", "a*(", "*a", "[ab", r"\(b\)", "a)"]),
]
