class Node:
    def __init__(self, key=None, value=None):
        self.key = key
        self.value = value
        self.prev = None
        self.next = None


class LRUCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.map = {}
        self.head = Node()
        self.tail = Node()
        self.head.next = self.tail
        self.tail.prev = self.head
        self.hits = self.misses = 0

    def _remove(self, node):
        node.prev.next = node.next
        node.next.prev = node.prev

    def _push_front(self, node):
        node.next = self.head.next
        node.prev = self.head
        self.head.next.prev = node
        self.head.next = node

    def get(self, key):
        if key not in self.map:
            self.misses += 1
            return -1
        self.hits += 1
        node = self.map[key]
        self._remove(node)
        self._push_front(node)
        return node.value

    def put(self, key, value):
        if key in self.map:
            self._remove(self.map[key])
        elif len(self.map) >= self.capacity:
            last = self.tail.prev
            self._remove(last)
            del self.map[last.key]
        node = Node(key, value)
        self.map[key] = node
        self._push_front(node)

    def keys(self):
        node = self.head.next
        while node is not self.tail:
            yield node.key
            node = node.next


def main(capacity, ops):
    cache = LRUCache(capacity)
    results = []
    for op in ops:
        if op[0] == "put":
            cache.put(op[1], op[2])
        else:
            results.append(cache.get(op[1]))
    print(f"hits={cache.hits} misses={cache.misses}")
    return results, list(cache.keys())


ARGS = [
    (
        2,
        [
            ("put", 1, 1),
            ("put", 2, 2),
            ("get", 1),
            ("put", 3, 3),
            ("get", 2),
            ("put", 4, 4),
            ("get", 1),
            ("get", 3),
            ("get", 4),
        ],
    ),
    (1, [("get", 5)]),
]
