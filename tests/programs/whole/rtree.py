"""R-tree with quadratic split; range queries and nearest neighbour."""

import heapq
import itertools
import random


class Rect:
    __slots__ = ("x1", "x2", "y1", "y2")

    def __init__(self, x1, y1, x2, y2):
        self.x1, self.y1, self.x2, self.y2 = x1, y1, x2, y2

    @property
    def area(self):
        return (self.x2 - self.x1) * (self.y2 - self.y1)

    def __or__(self, other):
        return Rect(
            min(self.x1, other.x1),
            min(self.y1, other.y1),
            max(self.x2, other.x2),
            max(self.y2, other.y2),
        )

    def __and__(self, other):
        return not (
            other.x1 > self.x2 or other.x2 < self.x1 or other.y1 > self.y2 or other.y2 < self.y1
        )

    def growth(self, other):
        return (self | other).area - self.area

    def dist2(self, x, y):
        dx = max(self.x1 - x, 0, x - self.x2)
        dy = max(self.y1 - y, 0, y - self.y2)
        return dx * dx + dy * dy

    def __repr__(self):
        return f"Rect({self.x1}, {self.y1}, {self.x2}, {self.y2})"


class Entry:
    def __init__(self, rect, child=None, item=None):
        self.rect = rect
        self.child = child
        self.item = item


class Node:
    def __init__(self, leaf, entries=None):
        self.leaf = leaf
        self.entries = entries if entries is not None else []

    def bounds(self):
        rect = self.entries[0].rect
        for e in self.entries[1:]:
            rect = rect | e.rect
        return rect


class RTree:
    def __init__(self, max_entries=4):
        self.max_entries = max_entries
        self.root = Node(leaf=True)
        self.size = 0

    def insert(self, rect, item):
        sibling = self._insert(self.root, Entry(rect, item=item))
        if sibling is not None:
            old = self.root
            self.root = Node(
                False, [Entry(old.bounds(), child=old), Entry(sibling.bounds(), child=sibling)]
            )
        self.size += 1

    def _insert(self, node, entry):
        if node.leaf:
            node.entries.append(entry)
        else:
            best = min(node.entries, key=lambda e: (e.rect.growth(entry.rect), e.rect.area))
            sibling = self._insert(best.child, entry)
            best.rect = best.child.bounds()
            if sibling is not None:
                node.entries.append(Entry(sibling.bounds(), child=sibling))
        if len(node.entries) > self.max_entries:
            return self._split(node)
        return None

    def _split(self, node):
        def waste(pair):
            a, b = pair
            return (a.rect | b.rect).area - a.rect.area - b.rect.area

        seed_a, seed_b = max(itertools.combinations(node.entries, 2), key=waste)
        rest = [e for e in node.entries if e is not seed_a and e is not seed_b]
        left, right = [seed_a], [seed_b]
        ra, rb = seed_a.rect, seed_b.rect
        for e in rest:
            if ra.growth(e.rect) < rb.growth(e.rect):
                left.append(e)
                ra |= e.rect
            else:
                right.append(e)
                rb |= e.rect
        node.entries = left
        return Node(node.leaf, right)

    def search(self, rect):
        stack = [self.root]
        while stack:
            node = stack.pop()
            for e in node.entries:
                if e.rect & rect:
                    if node.leaf:
                        yield e.item
                    else:
                        stack.append(e.child)

    def nearest(self, x, y, k):
        counter = itertools.count()
        heap = [(0, next(counter), None, self.root)]
        found = []
        while heap and len(found) < k:
            dist, _, item, node = heapq.heappop(heap)
            if node is None:
                found.append((item, dist))
                continue
            for e in node.entries:
                heapq.heappush(heap, (e.rect.dist2(x, y), next(counter), e.item, e.child))
        return found

    def depth(self):
        d, node = 1, self.root
        while not node.leaf:
            node = node.entries[0].child
            d += 1
        return d


def main(count, seed, query):
    rng = random.Random(seed)
    tree = RTree()
    everything = []
    for i in range(count):
        x, y = rng.randint(0, 100), rng.randint(0, 100)
        rect = Rect(x, y, x + rng.randint(1, 8), y + rng.randint(1, 8))
        everything.append((rect, f"r{i}"))
        tree.insert(rect, f"r{i}")
    window = Rect(*query)
    hits = sorted(tree.search(window), key=lambda s: int(s[1:]))
    assert hits == [name for rect, name in everything if rect & window]
    print(f"{window!r}: {', '.join(hits) or 'nothing'}")
    near = tree.nearest(query[0], query[1], 3)
    return tree.size, tree.depth(), hits, [d for _, d in near], repr(tree.root.bounds())


ARGS = [(30, 1, (10, 10, 40, 40)), (120, 5, (50, 60, 70, 75))]
