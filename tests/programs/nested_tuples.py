"""Tuples of ever new kinds: trees of tuples, chains, paths that grow; tuples sliced, or looked up
as keys, at lengths known only at run time.
"""

import re
from collections import deque

EXPRESSION = ("+", ("*", "x", "x"), ("*", 3, ("+", "x", 1)))


def simplified(e):
    if isinstance(e, (int, str)):
        return e
    op, a, b = e
    a, b = simplified(a), simplified(b)
    if isinstance(a, int) and isinstance(b, int):
        return a + b if op == "+" else a * b
    if op == "*" and (a == 0 or b == 0):
        return 0
    if op == "*" and a == 1:
        return b
    if op == "+" and a == 0:
        return b
    return (op, a, b)


def derived(e, x):
    if isinstance(e, int):
        return 0
    if isinstance(e, str):
        return 1 if e == x else 0
    op, a, b = e
    if op == "+":
        return ("+", derived(a, x), derived(b, x))
    return ("+", ("*", derived(a, x), b), ("*", a, derived(b, x)))


def shown(e):
    if isinstance(e, tuple):
        return "(" + shown(e[1]) + " " + e[0] + " " + shown(e[2]) + ")"
    return str(e)


def evaluated(e, x):
    if isinstance(e, int):
        return e
    if isinstance(e, str):
        return x
    op, a, b = e
    return evaluated(a, x) + evaluated(b, x) if op == "+" else evaluated(a, x) * evaluated(b, x)


def derivatives(order):
    e, lines = EXPRESSION, []
    for _ in range(order):
        e = simplified(derived(e, "x"))
        lines.append(shown(e))
    return e, lines


def at(e, x):
    return evaluated(derived(e, "x"), x), derived(e, "x")


def power(n):
    return "x" if n == 1 else ("*", "x", power(n - 1))


def powers(n):
    return power(n), shown(power(n)), evaluated(power(n), 2)


def chained(n):
    chain = None
    for i in range(n):
        chain = (i, chain)
    total = 0
    while chain is not None:
        total, chain = total * 10 + chain[0], chain[1]
    return total


def grown(n):
    path = ()
    for i in range(n):
        path = path + (i * i,)
    return path, len(path), path == (0, 1, 4)


def combinations(items, k):
    if k == 0:
        return [()]
    if not items:
        return []
    head, tail = items[0], items[1:]
    return [(head,) + rest for rest in combinations(tail, k - 1)] + combinations(tail, k)


def chosen(n):
    return combinations(list("abcd"), 2), combinations(list(range(n)), 3)


def parsed(tokens):
    token = tokens.pop(0)
    if token == "(":
        op = tokens.pop(0)
        left, right = parsed(tokens), parsed(tokens)
        tokens.pop(0)
        return (op, left, right)
    return int(token)


def read(text):
    tree = parsed(text.replace("(", " ( ").replace(")", " ) ").split())
    return tree, evaluated(tree, 0)


def printed(n):
    lines = []
    for i in range(n):
        if i % 3 == 0:
            lines.append((str(i), [1, 2]))
        elif i % 3 == 1:
            lines.append((str(i), [1, i], 0.5))
        else:
            lines.append((str(i),))
        print(*lines[-1], sep="-")
    return lines


def windows(n):
    known = (1, 5, 7, 8, 9)
    total = 0
    for i in range(n):
        x, y = known[i : i + 2]
        total += x * y
    return total, known[n:], known[:n], known[n - 1 :: -1], known[-n:]


def rule(number):
    return {(a, b): number >> (2 * a + b) & 1 for a in (0, 1) for b in (0, 1)}


class Cells:
    def __init__(self, number, cells):
        self.table = rule(number)
        self.cells = cells

    def step(self):
        row = tuple(self.cells)
        padded = row + (row[0],)
        self.cells = [self.table[padded[i : i + 2]] for i in range(len(row))]
        return row


def generations(number, n):
    cells = Cells(number, [0, 1, 1, 0, 1])
    return [cells.step() for _ in range(n)]


def looked_up(n):
    table = {(1, 2): "two", (1, 2, 3): "three", (): "none", 7: "seven"}
    key = tuple([i + 1 for i in range(n)])
    found = table[key] if key in table else None
    return key in table, table.get(key), table.get(key, "no"), found, key in {(1, 2), (n, 2)}


def of_numbers(n):
    key = tuple([i for i in range(n)])
    return key in {1: 2}, key in {("a", 1): 2}


LINE = re.compile(r"(?P<host>\w+) (?P<minute>\d+) (?P<mark>x)?")


def records(n):
    for i in range(n):
        match = LINE.match(f"h{i} {i * i % 7} " + "x" * (i % 2))
        record = match.groupdict()
        record["minute"] = int(record["minute"])
        yield record


def sliding(items, n):
    window = deque(maxlen=n)
    for item in items:
        window.append(item)
        if len(window) == n:
            yield tuple(window)


def busiest(n):
    """Windows of dicts beside plain tuples, of which one is carried as the other."""
    found = list(records(n))
    busy = max(sliding(found, 3), key=lambda w: w[0]["minute"] - w[-1]["minute"], default=None)
    first = tuple(found[:2]) if n > 2 else None
    return busy and (busy[0]["minute"], busy[-1]["host"]), first and (5,)


def of_texts(n):
    words = tuple(["a" * i for i in range(n)])
    x = None if n > 50 else n + 1 if n > 3 else "q"
    return (x, 4) if n > 2 else words


CASES = [
    *((derivatives, (n,)) for n in (1, 2, 3)),
    (at, (EXPRESSION, 3)),
    *((powers, (n,)) for n in (1, 5)),
    *((chained, (n,)) for n in (0, 1, 5)),
    *((grown, (n,)) for n in (0, 3, 4)),
    (chosen, (4,)),
    (read, ("(+ 1 (* 2 3))",)),
    (read, ("7",)),
    (printed, (5,)),
    *((windows, (n,)) for n in (0, 2, 4)),
    *((generations, arguments) for arguments in [(6, 4), (9, 7)]),
    *((looked_up, (n,)) for n in (0, 1, 2, 3, 5)),
    (of_numbers, (3,)),
    *((busiest, (n,)) for n in (0, 2, 8)),
    *((of_texts, (n,)) for n in (2, 3, 8)),
]
