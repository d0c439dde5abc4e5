"""Programs that random ones, and those of the table in docs/user/python.md, found wrong."""


def memoised(n):
    memo = {}

    def go(i):
        if i == 0:
            return 1
        if i in memo:
            return memo[i]
        memo[i] = go(i - 1) * 2
        return memo[i]

    return go(n)


def memo_in_a_condition(n):
    for e in [1]:
        if memoised(8):
            pass
    e, _ = divmod(7, 3)
    return e


def memo_in_a_loop(n):
    for e in [1]:
        n += memoised(8)
    return n, 1


class Same:
    def __init__(self, s):
        self.s = s

    def __eq__(self, o):
        return self.s == o.s


def count_of_instances(n):
    return [Same([1]), Same([3]), Same([n])].count(Same([2]))


def inserted_text(a):
    del a[0]
    a.insert(3, "3.5")
    return a


def gen(p):
    for i in range(4):
        t = ["".join(reversed(e)) for e in "".join("e")]
        yield 1


def job4(ops):
    for op in ops:
        try:
            pass
        except IndexError as e:
            w = [max(gen(1), default=1) for k in gen(1)]


def generators_beside_try(n):
    for e in f"<{n:^6}>":
        job4(e.rsplit(" ", 1))


class Ordered:
    def __init__(self, v):
        self.v = v

    def __lt__(self, o):
        return self.v < o.v

    def __iter__(self):
        return iter([1])


def largest_instance(n):
    return max(Ordered(1), Ordered(n)).v


def slice_of_empty(a0):
    a0[1:2] = []


def g9(p):
    yield 1
    yield int(p)


def any_ends_early(a):
    return any(x == 1 for x in g9(a))


class Node:
    def __init__(self, v):
        self.v = v
        self.left = None


def ins(node, v):
    if node is None:
        return Node(v)
    node.left = ins(node.left, v)
    return node


def tree_or_nothing(x, early):
    if early:
        return 0
    root = None
    for v in x:
        root = ins(root, v)
    return root.v


def chain(n):
    if n > 5:
        return 0
    root = Node(n)
    for v in range(2):
        root = ins(root, v)
    return root.v


def popped(x):
    return x.pop()


def popped_by_key(d):
    return d.pop(3)


def split_at_most(s):
    return s.split(None, 1), s.rsplit(None, 1), s.split(maxsplit=1)


def slices_stored(x, n):
    x[1:3] = [n, n, n]
    y = [1, 2, 3, 4, 5]
    y[::2] = [9, 9, 9]
    y[n:] = []
    del x[4:]
    return x, y


def slice_of_itself(n):
    x = list(range(n))
    x[2:4] = x
    x[:0] = [7]
    x[-1:] = (1, 2)
    return x


def any_and_all(xs):
    return (
        any(x > 3 for x in xs),
        all(x > 3 for x in xs),
        all(y for x in xs for y in [x, x + 1] if x != 2),
        any(()),
    )


def problem():
    return None


def value():
    return None


class Coded(Exception):
    def __init__(self, code):
        self.code = code


def names_of_functions(n):
    """Names of handlers and patterns that are global functions' too."""
    match (n, 2):
        case (value, 2):
            total = value + 1
    try:
        raise Coded(n)
    except Coded as problem:
        return total, problem.code


CASES = [
    (memo_in_a_condition, (5,)),
    (memo_in_a_loop, (5,)),
    (count_of_instances, (2,)),
    (inserted_text, ([("a", 4)],)),
    (generators_beside_try, (4,)),
    (largest_instance, (2,)),
    (slice_of_empty, ([],)),
    (any_ends_early, ("ab",)),
    (tree_or_nothing, ([4, 5], False)),
    (chain, (3,)),
    (popped, ([[k] for k in range(60)],)),
    (popped_by_key, ({k: [k] for k in range(60)},)),
    (split_at_most, ("  ab cd ef \n" * 40,)),
    (slices_stored, ([1, 2, 3, 4, 5], 3)),
    (slice_of_itself, (6,)),
    (any_and_all, ([1, 2, 3, 4],)),
    (names_of_functions, (3,)),
]
