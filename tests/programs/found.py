"""What a reviewer's programs found: identity, cycles, names, evaluation once, recursion."""

from collections import deque
from dataclasses import dataclass, field


class P:
    def __init__(self, x):
        self.x = x


class A:
    def __init__(self):
        self.v = 0
        self.p = None


class Parent:
    def __init__(self):
        self.parent = self


class Engine:
    def __init__(self):
        self.hp = 3
        self.system = System(self)


class System:
    def __init__(self, engine):
        self.engine = engine


class Base:
    def __init__(self):
        self.__x = 1

    def base(self):
        return self.__x


class Derived(Base):
    def __init__(self):
        super().__init__()
        self.__x = 2

    def derived(self):
        return self.__x


class Unit:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        if not isinstance(other, Unit):
            return NotImplemented
        return self.v == other.v

    def __add__(self, other):
        if not isinstance(other, Unit):
            return NotImplemented
        return Unit(self.v + other.v)


class Better(Unit):
    def __radd__(self, other):
        return Better(100 + self.v + other.v)


class ReadOnly:
    @property
    def size(self):
        return 3


@dataclass
class Bag:
    name: int
    items: list = field(default_factory=list)


@dataclass(order=True)
class Card:
    rank: int
    suit: int = 0


def base_is_evaluated_once(n):
    items = [P(3), P(4)]
    items.pop().x += n
    queue = deque([P(1), P(2)])
    queue.popleft().x += n
    return len(items), len(queue)


def holds_itself(n):
    a = A()
    a.p = a
    b = Parent()
    return a.p is a, b.parent is b, Engine().system.engine.hp


def ring(n):
    head = A()
    last = head
    for i in range(n):
        last.p = A()
        last = last.p
        last.v = i
    last.p = head
    count = 0
    c = head.p
    while c is not head:
        count += 1
        c = c.p
    return count


def equal_by_identity(n):
    a = [P(1), P(1)]
    b = P(1)
    c = [A(), b, b]
    return [P(1)] == [P(1)], (P(1),) == (P(1),), a.index(a[1]), a.count(a[0]), c.index(b)


def private_names(n):
    d = Derived()
    return d.base(), d.derived(), Base()


def one_of_several_is_returned(n):
    a = P(1)
    b = P(2)
    both = [a, b]
    if n > 4:
        a = b
    return a, both


def permutations(items):
    if len(items) == 0:
        yield []
    else:
        for i in range(len(items)):
            for p in permutations(items[:i] + items[i + 1 :]):
                yield [items[i]] + p


def all_permutations(items):
    return list(permutations(items))


def codes(k):
    if k == 0:
        yield 0
    else:
        for i in range(2):
            for p in codes(k - 1):
                yield i * 10 + p


def all_codes(k):
    return list(codes(k))


class Tree:
    def __init__(self, v, left=None, right=None):
        self.v = v
        self.left = left
        self.right = right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.v
        if self.right is not None:
            yield from self.right


def walks_a_tree(n):
    t = Tree(1, Tree(2, Tree(3)), Tree(n))
    return list(t), sum(t)


def not_implemented(n):
    u = Unit(n)
    return u == 1, u == Unit(n), u != 1, (u + Better(1)).v


def not_implemented_raises(n):
    return Unit(n) + 1.5


def no_setter(n):
    r = ReadOnly()
    r.size = n
    return r


def factories(n):
    a = Bag(n)
    b = Bag(2, [n])
    a.items.append(5)
    return a, b, Bag(3).items, a == Bag(n, [5])


def ordered_cards(n):
    cards = []
    for i in range(n):
        cards.append(Card(i * 5 % n, i % 2))
    cards.sort()
    return cards, max(cards).rank, cards[0] < cards[1], Card(1) == Card(1)


def numbers():
    i = 0
    while True:
        yield i
        i += 1


def first_above(n):
    return next(x for x in numbers() if x > n), next((x for x in numbers() if x * x > n), None)


def lists_before(n):
    rows = [[j for j in range(i)] for i in range(n)]
    rows[1].append(7)
    return [[n]] + rows, [1] + rows[2], [0] < rows[1], rows[1] > [5]


def sorted_lists(n):
    rows = []
    for i in range(n):
        rows.append([i * 3 % n, i])
    rows.sort()
    return rows, sorted(rows, reverse=True), sorted(rows, key=lambda r: r[1])[0], max(rows)


def generator_has_no_length(n):
    return len(numbers())


def union_find(n):
    parent = list(range(n))
    for i in range(n):
        for j in (i * 7 % n, i * 3 % n):
            a, b = i, j
            while parent[a] != a:
                a = parent[a]
            while parent[b] != b:
                b = parent[b]
            parent[b] = a
    return parent


class Settings:
    scale = 3

    def __init__(self, n):
        self.n = n

    @property
    def twice(self):
        return 2 * self.n


def attributes_by_name(n):
    s = Settings(n)
    setattr(s, "m", 5)
    there = hasattr(s, "n"), hasattr(s, "k"), hasattr(s, "scale"), hasattr(s, "twice")
    return getattr(s, "m"), getattr(s, "k", 7), getattr(s, "twice"), s.scale, there


CASES = [
    (attributes_by_name, (4,)),
    (base_is_evaluated_once, (5,)),
    (holds_itself, (1,)),
    (ring, (9,)),
    (equal_by_identity, (1,)),
    (private_names, (1,)),
    (one_of_several_is_returned, (3,)),
    (one_of_several_is_returned, (7,)),
    (all_permutations, ([1, 2, 3],)),
    (all_codes, (3,)),
    (walks_a_tree, (9,)),
    (not_implemented, (4,)),
    (not_implemented_raises, (4,)),
    (no_setter, (4,)),
    (factories, (4,)),
    (ordered_cards, (9,)),
    (first_above, (20,)),
    (lists_before, (5,)),
    (sorted_lists, (7,)),
    (generator_has_no_length, (1,)),
    (union_find, (50,)),
]
