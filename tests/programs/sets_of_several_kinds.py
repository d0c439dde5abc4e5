"""Sets whose items are of several kinds, or members of an Enum; made inside, given, and outside."""

from enum import Enum


class Op(Enum):
    ADD = "+"
    SUB = "-"
    NEG = "n"
    END = "."


BINARY = {Op.ADD, Op.SUB}
LAST = frozenset((Op.END,))
ALL = list(Op)


def arities(numbers):
    return [
        (2 if ALL[n] in BINARY else 1, ALL[n] in LAST, ALL[n] not in {Op.NEG, Op.END})
        for n in numbers
    ]


def given(ops, n):
    return ALL[n] in ops, len(ops)


def collected(numbers):
    seen = set()
    for n in numbers:
        seen.add(ALL[n])
    return len(seen), Op.ADD in seen, seen


def mixed(n):
    items = set()
    for i in range(n):
        items.add(i if i % 2 else str(i))
    items.add(None)
    items.discard("0")
    return len(items), 3 in items, "2" in items, None in items, items


def distinct(n):
    seen, order = set(), []
    for item in [1, None, "a", 1, None, n, "a"]:
        if item not in seen:
            seen.add(item)
            order.append(item)
    return order


def combined(n):
    items = {("a", n), ("b", None)}
    more = items | {("c", 4)}
    return (
        len(more),
        items <= more,
        len(more - items),
        len(more & items),
        len(more ^ items),
        items == {("b", None), ("a", n)},
        ("b", None) in items,
    )


def of_others(n):
    return (n,) in BINARY, None in BINARY, "+" in BINARY, n not in LAST


def unhashable(n):
    return [n] in BINARY


def removed(n):
    items = {None, n}
    items.remove("z")
    return items


CASES = [
    (arities, ([0, 1, 2, 3],)),
    *((given, arguments) for arguments in [(BINARY, 1), ({Op.NEG}, 1), ({Op.END, Op.NEG}, 3)]),
    *((collected, (numbers,)) for numbers in ([0, 2, 0], [1], [])),
    *((mixed, (n,)) for n in (1, 5)),
    *((distinct, (n,)) for n in (1, 2)),
    *((combined, (n,)) for n in (1, 3)),
    (of_others, (1,)),
    (unhashable, (1,)),
    (removed, (1,)),
]
