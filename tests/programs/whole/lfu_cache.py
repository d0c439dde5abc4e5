"""Compare LFU, LRU and FIFO eviction on a synthetic request trace."""

import random
from abc import ABC, abstractmethod
from collections import OrderedDict, defaultdict, deque


class Cache(ABC):
    name = "?"

    def __init__(self, capacity):
        if capacity <= 0:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self.hits = 0
        self.misses = 0

    def request(self, key):
        value = self.get(key)
        if value is None:
            self.misses += 1
            self.put(key, f"page-{key}")
        else:
            self.hits += 1

    @abstractmethod
    def get(self, key): ...

    @abstractmethod
    def put(self, key, value): ...

    @property
    def ratio(self):
        total = self.hits + self.misses
        return self.hits / total if total else 0.0


class FIFOCache(Cache):
    name = "FIFO"

    def __init__(self, capacity):
        super().__init__(capacity)
        self.data = {}
        self.order = deque()

    def get(self, key):
        return self.data.get(key)

    def put(self, key, value):
        if len(self.data) >= self.capacity:
            oldest = self.order.popleft()
            del self.data[oldest]
        self.data[key] = value
        self.order.append(key)


class LRUCache(Cache):
    name = "LRU"

    def __init__(self, capacity):
        super().__init__(capacity)
        self.data = OrderedDict()

    def get(self, key):
        if key not in self.data:
            return None
        self.data.move_to_end(key)
        return self.data[key]

    def put(self, key, value):
        if len(self.data) >= self.capacity:
            self.data.popitem(last=False)
        self.data[key] = value


class LFUCache(Cache):
    name = "LFU"

    def __init__(self, capacity):
        super().__init__(capacity)
        self.values = {}
        self.freq = {}
        self.buckets = defaultdict(OrderedDict)
        self.min_freq = 0

    def _touch(self, key):
        f = self.freq[key]
        del self.buckets[f][key]
        if not self.buckets[f]:
            del self.buckets[f]
            if self.min_freq == f:
                self.min_freq += 1
        self.freq[key] = f + 1
        self.buckets[f + 1][key] = True

    def get(self, key):
        if key not in self.values:
            return None
        self._touch(key)
        return self.values[key]

    def put(self, key, value):
        if len(self.values) >= self.capacity:
            victim, _ = self.buckets[self.min_freq].popitem(last=False)
            del self.values[victim]
            del self.freq[victim]
        self.values[key] = value
        self.freq[key] = 1
        self.buckets[1][key] = True
        self.min_freq = 1


def make_trace(seed, length, pages):
    rng = random.Random(seed)
    hot = list(range(pages // 5))
    trace = []
    for _ in range(length):
        if rng.random() < 0.6:
            trace.append(rng.choice(hot))
        else:
            trace.append(rng.randrange(pages))
    return trace


def main(seed, length, capacity):
    trace = make_trace(seed, length, 50)
    caches = [FIFOCache(capacity), LRUCache(capacity), LFUCache(capacity)]
    for page in trace:
        for cache in caches:
            cache.request(page)
    caches.sort(key=lambda c: (-c.hits, c.name))
    for rank, c in enumerate(caches, 1):
        print(f"{rank}. {c.name:<5}{c.hits:>6}/{len(trace)} ({c.ratio:.1%})")
    return {c.name: (c.hits, c.misses) for c in caches}


ARGS = [(7, 400, 8), (42, 1000, 15)]
