"""CPU cache simulator with policies (strategy classes), OrderedDict LRU, deque FIFO, Counter LFU; traces from generators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass
from itertools import chain, repeat
from random import Random


@dataclass
class Stats:
    hits: int = 0
    misses: int = 0
    evictions: int = 0

    @property
    def ratio(self) -> float:
        total = self.hits + self.misses
        return self.hits / total if total else 0.0

    def __iadd__(self, other: Stats) -> Stats:
        self.hits += other.hits
        self.misses += other.misses
        self.evictions += other.evictions
        return self


class Policy(ABC):
    def __init__(self, capacity: int):
        if capacity < 1:
            raise ValueError("capacity must be at least 1")
        self.capacity = capacity
        self.stats = Stats()

    def access(self, key: int) -> bool:
        if self.touch(key):
            self.stats.hits += 1
            return True
        self.stats.misses += 1
        if self.size() >= self.capacity:
            self.evict()
            self.stats.evictions += 1
        self.insert(key)
        return False

    @abstractmethod
    def touch(self, key: int) -> bool: ...
    @abstractmethod
    def insert(self, key: int) -> None: ...
    @abstractmethod
    def evict(self) -> int: ...
    @abstractmethod
    def size(self) -> int: ...


class LRU(Policy):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.data = OrderedDict()

    def touch(self, key):
        if key in self.data:
            self.data.move_to_end(key)
            return True
        return False

    def insert(self, key):
        self.data[key] = True

    def evict(self):
        return self.data.popitem(last=False)[0]

    def size(self):
        return len(self.data)


class FIFO(Policy):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.queue = deque(maxlen=capacity)
        self.members = set()

    def touch(self, key):
        return key in self.members

    def insert(self, key):
        self.queue.append(key)
        self.members.add(key)

    def evict(self):
        k = self.queue.popleft()
        self.members.discard(k)
        return k

    def size(self):
        return len(self.queue)


class LFU(Policy):
    def __init__(self, capacity):
        super().__init__(capacity)
        self.freq = Counter()
        self.age = {}
        self.clock = 0

    def touch(self, key):
        self.clock += 1
        if key in self.age:
            self.freq[key] += 1
            return True
        return False

    def insert(self, key):
        self.freq[key] = 1
        self.age[key] = self.clock

    def evict(self):
        victim = min(self.age, key=lambda k: (self.freq[k], self.age[k]))
        del self.age[victim]
        del self.freq[victim]
        return victim

    def size(self):
        return len(self.age)


def loop_trace(n, rounds):
    for _ in range(rounds):
        yield from range(n)


def zipf_trace(n, length, rng):
    weights = [1 / k for k in range(1, n + 1)]
    yield from rng.choices(range(n), weights=weights, k=length)


def belady(trace, capacity):
    trace = list(trace)
    cache, hits = set(), 0
    for i, key in enumerate(trace):
        if key in cache:
            hits += 1
            continue
        if len(cache) == capacity:

            def next_use(k):
                try:
                    return trace.index(k, i + 1)
                except ValueError:
                    return len(trace)

            cache.remove(max(sorted(cache), key=next_use))
        cache.add(key)
    return hits


def main(capacity, seed):
    rng = Random(seed)
    traces = {
        "loop": list(loop_trace(6, 5)),
        "zipf": list(zipf_trace(20, 120, rng)),
        "mixed": list(chain(repeat(3, 4), loop_trace(4, 3), [9, 9, 3])),
    }
    table = []
    total = Stats()
    for name, trace in traces.items():
        for policy in (LRU(capacity), FIFO(capacity), LFU(capacity)):
            hits = sum(policy.access(k) for k in trace)
            assert hits == policy.stats.hits
            total += policy.stats
            table.append((name, type(policy).__name__, policy.stats.ratio, policy.stats.evictions))
        table.append((name, "OPT", belady(trace, capacity) / len(trace), 0))
    for name, kind, ratio, ev in sorted(table, key=lambda t: (t[0], -t[2])):
        print(f"{name:6}{kind:6}{ratio:7.2%}{ev:5d}")
    try:
        LRU(0)
    except ValueError as e:
        err = str(e)
    return table, total.hits, total.ratio, err


ARGS = [(5, 13)]
