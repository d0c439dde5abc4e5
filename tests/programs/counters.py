"""Counters and bests in globals, classes and objects from outside, which functions that call
themselves and bodies of `try` change.
"""

import enum

total = 0
best = None
log = ""


def reset():
    global total, best, log
    total, best, log = 0, None, ""


def walk(n):
    global total, best
    total += n
    if best is None or n > best:
        best = n
    if n == 3 and total > 1000:
        raise ValueError(total)
    return 0 if n == 0 else walk(n - 1) + 1


def largest_and_sum(n):
    reset()
    r = walk(n)
    return r, total, best


def caught_here(n):
    global total
    total = 990
    try:
        return walk(n), total
    except ValueError as e:
        total += 1
        return str(e), total, best


def raised(n):
    global total
    total = 990
    return walk(n)


def caught_after(n):
    r = 0
    try:
        raised(n)
    except ValueError as e:
        r = 1
    return total, r


class Node:
    made = 0
    deepest = 0.0
    names = "x"

    def __init__(self, depth):
        Node.made += 1
        Node.deepest = max(Node.deepest, depth * 1.0)
        self.kids = [Node(depth - 1) for _ in range(2)] if depth else []

    def count(self):
        return 1 + sum(k.count() for k in self.kids)


def instances_made(n):
    Node.made = 0
    t = Node(n)
    return t.count(), Node.made, Node.deepest


class Tracer:
    level = 0

    @classmethod
    def enter(cls, n):
        cls.level += 1
        try:
            if n == 0:
                raise KeyError("deep")
            return cls.enter(n - 1)
        finally:
            cls.level -= 1


def level_of_a_class(n):
    try:
        Tracer.enter(n)
    except KeyError as e:
        return repr(e), Tracer.level


def add(s):
    global log
    log += s
    return log


def text_in_a_try(xs):
    global log
    log = ""
    for x in xs:
        try:
            add(x)
            if x == "c":
                raise ValueError
        except ValueError:
            add("!")
    return log


flag = False


def search(grid, i, j):
    global flag
    if i < 0 or j < 0 or i >= len(grid) or j >= len(grid[0]) or grid[i][j]:
        return
    grid[i][j] = 1
    if i == len(grid) - 1:
        flag = True
    search(grid, i + 1, j)
    search(grid, i - 1, j)
    search(grid, i, j + 1)
    search(grid, i, j - 1)


def flood_fill(grid):
    global flag
    flag = False
    search(grid, 0, 0)
    return flag, grid


memo = {}
hits = 0


def f(n):
    global hits
    if n in memo:
        hits += 1
        return memo[n]
    memo[n] = n if n < 2 else f(n - 1) + f(n - 2)
    return memo[n]


def memo_with_hits(n):
    global hits
    memo.clear()
    hits = 0
    return f(n), hits, len(memo)


class Conf:
    def __init__(self):
        self.depth = 0
        self.best = (0, 0)
        self.tag = None


CONF = Conf()


def dfs(n):
    CONF.depth += 1
    CONF.best = max(CONF.best, (CONF.depth, n))
    CONF.tag = f"t{n}"
    if n:
        dfs(n - 1)
    CONF.depth -= 1


def of_an_object(n):
    dfs(n)
    return CONF.depth, CONF.best, CONF.tag


def of_an_object_in_a_try(n):
    try:
        dfs(n)
        raise RuntimeError(CONF.tag)
    except RuntimeError as e:
        CONF.tag = "caught " + str(e)
    return CONF.tag


def in_a_generator(n):
    def gen(d):
        global total
        total += 1
        yield d
        if d:
            yield from gen(d - 1)

    reset()
    return list(gen(n)), total


class Counted:
    compared = 0

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        Counted.compared += 1
        return self.value < other.value


def merged(items):
    if len(items) < 2:
        return items
    middle = len(items) // 2
    left, right = merged(items[:middle]), merged(items[middle:])
    out = []
    while left and right:
        out.append(right.pop(0) if right[0] < left[0] else left.pop(0))
    return out + left + right


def comparisons(values):
    Counted.compared = 0
    items = merged([Counted(v) for v in values])
    return [one.value for one in items], Counted.compared


class Plan(enum.Enum):
    HOURLY = ("hourly", 2.5)


class Full(Exception):
    def __init__(self, size):
        self.size = size


class Garage:
    tickets = 0


def beside_members(names):
    Garage.tickets = 0
    out = []
    for name in names:
        try:
            out.append(Plan[name].value[1])
            Garage.tickets += 1
        except Full as e:
            out.append(f"{e.size.value}")
        except KeyError:
            out.append("unknown")
    return out, Garage.tickets


CASES = [
    (beside_members, (["HOURLY", "X"],)),
    (largest_and_sum, (5,)),
    (largest_and_sum, (3,)),
    (caught_here, (5,)),
    (raised, (5,)),
    (caught_after, (5,)),
    (instances_made, (3,)),
    (instances_made, (2,)),
    (level_of_a_class, (4,)),
    (text_in_a_try, (["a", "c", "b"],)),
    (flood_fill, ([[0, 1], [0, 0]],)),
    (flood_fill, ([[0, 1], [1, 0]],)),
    (memo_with_hits, (10,)),
    (of_an_object, (3,)),
    (of_an_object_in_a_try, (2,)),
    (in_a_generator, (3,)),
    (comparisons, ([5, 3, 8, 1, 9, 2],)),
]
