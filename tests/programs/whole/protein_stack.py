"""Generic Stack/Queue/LinkedList/Deque with iterator protocol, exceptions, comparisons, repr, slicing, reversed."""

from __future__ import annotations

from typing import Generic, Iterable, Iterator, TypeVar

T = TypeVar("T")


class Empty(LookupError):
    pass


class Node(Generic[T]):
    __slots__ = ("next", "value")

    def __init__(self, value: T, next: Node | None = None):
        self.value = value
        self.next = next


class LinkedList(Generic[T]):
    def __init__(self, items: Iterable[T] = ()):
        self.head: Node | None = None
        self.tail: Node | None = None
        self._n = 0
        self.extend(items)

    def extend(self, items):
        for x in items:
            self.append(x)

    def append(self, x):
        node = Node(x)
        if self.tail is None:
            self.head = self.tail = node
        else:
            self.tail.next = node
            self.tail = node
        self._n += 1

    def prepend(self, x):
        self.head = Node(x, self.head)
        if self.tail is None:
            self.tail = self.head
        self._n += 1

    def pop_front(self):
        if self.head is None:
            raise Empty("pop from empty list")
        x = self.head.value
        self.head = self.head.next
        if self.head is None:
            self.tail = None
        self._n -= 1
        return x

    def reverse(self):
        prev, cur = None, self.head
        self.tail = self.head
        while cur:
            cur.next, prev, cur = prev, cur, cur.next
        self.head = prev

    def __iter__(self) -> Iterator[T]:
        cur = self.head
        while cur is not None:
            yield cur.value
            cur = cur.next

    def __len__(self):
        return self._n

    def __bool__(self):
        return self._n > 0

    def __contains__(self, x):
        return any(v == x for v in self)

    def __getitem__(self, i):
        if i < 0:
            i += self._n
        if not 0 <= i < self._n:
            raise IndexError(f"index {i} out of range")
        for k, v in enumerate(self):
            if k == i:
                return v

    def __eq__(self, other):
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    def __repr__(self):
        return " -> ".join(map(repr, self)) or "(empty)"

    def remove_if(self, pred):
        dummy = Node(None, self.head)
        cur, removed = dummy, 0
        while cur.next is not None:
            if pred(cur.next.value):
                cur.next = cur.next.next
                removed += 1
            else:
                cur = cur.next
        self.head = dummy.next
        self.tail = cur if cur is not dummy else None
        self._n -= removed
        return removed


class MinStack:
    def __init__(self):
        self.items: list[tuple[int, int]] = []

    def push(self, x):
        self.items.append((x, min(x, self.items[-1][1]) if self.items else x))

    def pop(self):
        if not self.items:
            raise Empty
        return self.items.pop()[0]

    @property
    def minimum(self):
        return self.items[-1][1]


class TwoStackQueue:
    def __init__(self):
        self.inbox, self.outbox = [], []

    def put(self, x):
        self.inbox.append(x)

    def get(self):
        if not self.outbox:
            while self.inbox:
                self.outbox.append(self.inbox.pop())
        if not self.outbox:
            raise Empty("queue")
        return self.outbox.pop()


class Ring:
    def __init__(self, size):
        self.buf = [0] * size
        self.start = self.count = 0

    def push(self, x):
        self.buf[(self.start + self.count) % len(self.buf)] = x
        if self.count < len(self.buf):
            self.count += 1
        else:
            self.start = (self.start + 1) % len(self.buf)

    def __iter__(self):
        for k in range(self.count):
            yield self.buf[(self.start + k) % len(self.buf)]


def balanced(s):
    pairs = dict(zip(")]}", "([{"))
    stack = []
    for i, c in enumerate(s):
        if c in pairs.values():
            stack.append((c, i))
        elif c in pairs:
            if not stack or stack.pop()[0] != pairs[c]:
                return i
    return stack[-1][1] if stack else -1


def merge(a, b):
    out = LinkedList()
    while a and b:
        out.append(a.pop_front() if a.head.value <= b.head.value else b.pop_front())
    out.extend(a)
    out.extend(b)
    return out


def josephus(n, k):
    ring = LinkedList(range(1, n + 1))
    order = []
    while ring:
        for _ in range(k - 1):
            ring.append(ring.pop_front())
        order.append(ring.pop_front())
    return order


def main(xs, ys, texts):
    a = LinkedList(xs)
    a.prepend(0)
    before = repr(a)
    a.reverse()
    out = [
        before,
        repr(a),
        a[0],
        a[-1],
        5 in a,
        99 in a,
        a.remove_if(lambda v: v % 2 == 1),
        list(a),
        repr(LinkedList()),
    ]
    m = merge(LinkedList(sorted(xs)), LinkedList(sorted(ys)))
    errs = []
    for i in (1, 50):
        try:
            errs.append(str(a[i]))
        except IndexError as e:
            errs.append(str(e))
    ms, q, ring = MinStack(), TwoStackQueue(), Ring(3)
    mins = []
    for x in xs:
        ms.push(x)
        q.put(x)
        ring.push(x)
        mins.append(ms.minimum)
    got = []
    try:
        while True:
            got.append(q.get())
            ms.pop()
    except Empty as e:
        errs.append(f"empty {e}")
    try:
        LinkedList().pop_front()
    except LookupError as e:
        errs.append(type(e).__name__)
    print(m)
    return (
        out[0],
        out[1],
        out[2:7],
        out[7],
        out[8],
        errs,
        mins,
        got,
        list(ring),
        list(m),
        m == sorted(xs + ys),
        [balanced(t) for t in texts],
        josephus(7, 3),
    )


ARGS = [([5, 3, 8, 1, 9], [2, 7, 7], ["([]{})", "([)]", "((", ""])]
