"""Generators as values: passed on, in containers and attributes, taken in turn; recursive ones, of
which a part is taken; with `try`, `with`, throw() and close().
"""

import heapq
import itertools
from collections import deque


def counter(n):
    i = 0
    while True:
        i += n
        yield i


def task(name, k):
    for i in range(k):
        yield f"{name}{i}"


def take(it, k):
    out = []
    for _ in range(k):
        out.append(next(it))
    return out


def passed_on_twice(n):
    c = counter(n)
    a = take(c, 2)
    b = take(c, 3)
    return a, b


def first_and_rest(n):
    g = task("t", n)
    first = next(g, None)
    return first, list(g), list(g)


def in_a_deque(n):
    q = deque([task("a", n), task("b", 2), task("c", 1)])
    out = []
    while q:
        t = q.popleft()
        try:
            out.append(next(t))
        except StopIteration:
            continue
        q.append(t)
    return out


class Scheduler:
    def __init__(self):
        self.heap = []
        self.k = 0
        self.now = 0

    def spawn(self, g, at):
        self.k += 1
        heapq.heappush(self.heap, (at, self.k, g))

    def run(self):
        log = []
        while self.heap:
            self.now, _, g = heapq.heappop(self.heap)
            try:
                delay = next(g)
            except StopIteration:
                log.append((self.now, "end"))
                continue
            log.append((self.now, "step"))
            self.spawn(g, self.now + delay)
        return log


def process(delay, n):
    for _ in range(n):
        yield delay


def other_process(n):
    while n > 0:
        n -= 1
        yield n


def scheduled(n):
    s = Scheduler()
    s.spawn(process(2, n), 0)
    s.spawn(process(3, n), 1)
    return s.run()


def scheduled_of_two_functions(n):
    s = Scheduler()
    s.spawn(process(2, n), 0)
    s.spawn(other_process(n), 1)
    return s.run()


def in_a_list(n):
    gens = [counter(i + 1) for i in range(n)]
    return [next(g) + next(g) for g in gens]


def in_a_dict(n):
    gens = {"x": counter(1), "y": counter(n)}
    return [(k, next(gens[k])) for k in ("x", "y", "x", "y", "y")]


class Stream:
    def __init__(self, n):
        self.source = counter(n)

    def get(self):
        return next(self.source)


def in_an_attribute(n):
    s = Stream(n)
    return [s.get() for _ in range(4)]


def permutations(xs):
    if not xs:
        yield ()
        return
    for i in range(len(xs)):
        for rest in permutations(xs[:i] + xs[i + 1 :]):
            yield (xs[i],) + rest


def all_of_a_recursion(n):
    return [p for p in permutations(list(range(n)))], sum(p[0] for p in permutations([1, n]))


def first_of_a_recursion(n):
    for p in permutations(list(range(n))):
        if p[0] == 1:
            return p
    return None


def counted(n, log):
    log.append(n)
    if n > 0:
        yield from counted(n - 1, log)
        yield n
        yield from counted(n - 1, log)


def part_of_a_recursion(n):
    log = []
    g = counted(n, log)
    return next(g), len(log), next(g), len(log), [*g][-1], len(log)


def changed_on_the_way(n):
    children = {0: [1, 2], 1: [3], 2: [4], 3: [], 4: []}

    def walk(k):
        yield k
        for c in children[k]:
            yield from walk(c)

    seen = []
    for k in walk(0):
        seen.append(k)
        if k == n:
            children[k] = []
    return seen


def upwards(n):
    yield n
    yield from upwards(n + 1)


def endless_recursion(n):
    return [k for k, _ in zip(upwards(n), range(4))]


class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.v
        if self.right is not None:
            yield from self.right

    def insert(self, v):
        if v < self.v:
            if self.left is None:
                self.left = Node(v)
            else:
                self.left.insert(v)
        elif self.right is None:
            self.right = Node(v)
        else:
            self.right.insert(v)


def tree(n):
    root = Node(n)
    for i in range(7):
        root.insert((i * 5) % 7)
    same = all(a == b for a, b in zip(root, sorted(root)))
    for v in root:
        if v > 2:
            return list(root), same, v
    return None


def solutions(names, domain, chosen, tried):
    if len(chosen) == len(names):
        yield dict(chosen)
        return
    name = names[len(chosen)]
    for value in domain:
        tried.append(value)
        chosen[name] = value
        if sum(chosen.values()) < 5:
            yield from solutions(names, domain, chosen, tried)
        del chosen[name]


def backtracking(n):
    tried = []
    first = next(solutions(["a", "b", "c"], range(1, n), {}, tried), None)
    at_first = len(tried)
    every = list(solutions(["a", "b", "c"], range(1, n), {}, tried))
    return first, at_first, every, len(tried)


def numbers(text):
    for word in text.split(";"):
        try:
            yield int(word)
        except ValueError:
            yield -1
        else:
            yield -2


def in_a_try(text):
    return [x for x in numbers(text)], next(numbers(text)), sum(numbers(text))


def held(log):
    try:
        for i in range(5):
            yield i
    finally:
        log.append("closed")


class Holder:
    def __init__(self):
        self.log = []

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, kind, error, traceback):
        self.log.append("out" if kind is None else kind.__name__)

    def items(self, n):
        with self:
            for i in range(n):
                yield i


def left_early(n):
    log = []
    for x in held(log):
        if x == n:
            break
        log.append(str(x))
    return log


def left_by_return(n):
    holder = Holder()

    def find():
        for x in holder.items(5):
            if x == n:
                return x
        return -1

    return find(), holder.log


def left_by_an_error(n):
    log = []
    try:
        for x in held(log):
            if x == n:
                raise KeyError(x)
    except KeyError:
        log.append("caught")
    return log


def closed_by_hand(n):
    log = []
    g = held(log)
    found = next(g), next(g)
    g.close()
    return found, log, next(g, n)


def fails(n):
    for i in range(n):
        yield 10 // (2 - i)


def ended_by_an_error(n):
    g = fails(n)
    found = [next(g), next(g)]
    try:
        next(g)
    except ZeroDivisionError as e:
        found.append(str(e))
    return found, next(g, "over")


def receiving(log):
    while True:
        try:
            log.append((yield len(log)))
        except ValueError as e:
            log.append(str(e))


def thrown(n):
    log = []
    g = receiving(log)
    next(g)
    g.send("a" * n)
    k = g.throw(ValueError("v"))
    g.send("b")
    return k, log


def thrown_at_the_start(n):
    g = held([])
    g.throw(KeyError(n))


def inside(n):
    step = n

    def up(k):
        while k < 20:
            yield k
            k += step

    a, b = up(0), up(1)
    return next(a), next(b), next(a), list(b), next(a)


def zipped(n):
    return list(zip(counter(1), task("t", n), [1.5, 2.5, 3.5])), [
        x - y for x, y in zip(counter(n), itertools.islice(counter(1), 3))
    ]


def noting(log):
    for i in range(4):
        log.append(i)
        yield i


def no_more_than_zip_gives(n):
    first, second = [], []
    pairs = list(zip("ab", noting(first)))
    triples = [t for t in zip(range(n), "abcd", noting(second))]
    return pairs, first, triples, second


def outer(log):
    try:
        yield from held(log)
    finally:
        log.append("outer")


def closed_inside(n):
    log = []
    g = outer(log)
    found = [next(g) for _ in range(n)]
    g.close()
    return found, log


def thrown_inside(n):
    log = []
    g = outer(log)
    next(g)
    try:
        g.throw(KeyError(n))
    except KeyError as e:
        log.append(e.args[0])
    return log


def one_more(it):
    while True:
        yield next(it) + 1


def stopped(n):
    it = one_more(iter(range(n)))
    found = []
    try:
        for _ in range(n + 1):
            found.append(next(it))
    except StopIteration:
        return found, "stop"
    except RuntimeError as e:
        return found, str(e)
    return found, ""


class Options:
    def __init__(self, given=None):
        self.given = given

    def all(self):
        here = {} if self.given is None else self.given
        self.kept = here
        return dict(self.kept)


def copies_of_what_may_be_none(n):
    o = Options()
    found = []
    for i in range(n):
        if i > 0:
            o = Options(o.kept)
        found.append(o.all())
        o.kept[str(i)] = i
    return found


def kept_ranges(n):
    rs = [range(i, n, 2) for i in range(n)]

    def total(k, r):
        return 0 if k < 0 else r[k] + total(k - 1, r)

    return [sum(r) for r in rs], [r[-1] for r in rs if r], total(n - 1, range(3, n + 3))


CASES = [
    (no_more_than_zip_gives, (3,)),
    (closed_inside, (2,)),
    (thrown_inside, (4,)),
    (stopped, (3,)),
    (copies_of_what_may_be_none, (3,)),
    (kept_ranges, (4,)),
    (passed_on_twice, (3,)),
    (first_and_rest, (3,)),
    (first_and_rest, (0,)),
    (in_a_deque, (3,)),
    (scheduled, (3,)),
    (scheduled_of_two_functions, (3,)),
    (in_a_list, (3,)),
    (in_a_dict, (5,)),
    (in_an_attribute, (2,)),
    (all_of_a_recursion, (3,)),
    (first_of_a_recursion, (3,)),
    (part_of_a_recursion, (3,)),
    (changed_on_the_way, (1,)),
    (endless_recursion, (5,)),
    (tree, (3,)),
    (backtracking, (4,)),
    (in_a_try, ("1;x;3",)),
    (left_early, (2,)),
    (left_by_return, (3,)),
    (left_by_an_error, (1,)),
    (closed_by_hand, (7,)),
    (ended_by_an_error, (5,)),
    (thrown, (2,)),
    (thrown_at_the_start, (1,)),
    (inside, (4,)),
    (zipped, (3,)),
]
