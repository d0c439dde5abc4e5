"""A consistent hash ring with virtual nodes, bisect, and rebalancing statistics."""

import bisect
from collections import Counter
from typing import Dict, List


def fnv1a(text: str) -> int:
    h = 0x811C9DC5
    for byte in text.encode("utf-8"):
        h ^= byte
        h = (h * 0x01000193) & 0xFFFFFFFF
    h ^= h >> 15
    return h


class EmptyRing(LookupError):
    pass


class HashRing:
    def __init__(self, replicas: int = 16):
        self.replicas = replicas
        self._keys: List[int] = []
        self._owner: Dict[int, str] = {}

    def add(self, node: str, weight: int = 1) -> None:
        for i in range(self.replicas * weight):
            h = fnv1a(f"{node}#{i}")
            if h in self._owner:
                continue
            bisect.insort(self._keys, h)
            self._owner[h] = node

    def remove(self, node: str) -> int:
        gone = [h for h, n in self._owner.items() if n == node]
        for h in gone:
            del self._owner[h]
            index = bisect.bisect_left(self._keys, h)
            assert self._keys[index] == h
            self._keys.pop(index)
        return len(gone)

    def lookup(self, key: str, n: int = 1) -> List[str]:
        if not self._keys:
            raise EmptyRing(key)
        start = bisect.bisect(self._keys, fnv1a(key))
        found: List[str] = []
        for step in range(len(self._keys)):
            node = self._owner[self._keys[(start + step) % len(self._keys)]]
            if node not in found:
                found.append(node)
                if len(found) == n:
                    break
        return found

    def spread(self, keys) -> Counter:
        return Counter(self.lookup(k)[0] for k in keys)

    @property
    def nodes(self):
        return sorted(set(self._owner.values()))


def moved(before: Dict[str, str], after: Dict[str, str]) -> float:
    return sum(before[k] != after[k] for k in before) / len(before)


def main(nodes, n_keys):
    ring = HashRing()
    try:
        ring.lookup("x")
    except EmptyRing as e:
        first = f"empty: {e}"
    for name, weight in nodes.items():
        ring.add(name, weight)
    keys = [f"user:{i}" for i in range(n_keys)]
    before = {k: ring.lookup(k)[0] for k in keys}
    spread = ring.spread(keys)
    ring.add("delta")
    grown = {k: ring.lookup(k)[0] for k in keys}
    removed = ring.remove("alpha")
    shrunk = {k: ring.lookup(k)[0] for k in keys}
    return (
        first,
        sorted(spread.items()),
        round(moved(before, grown), 4),
        removed,
        round(moved(grown, shrunk), 4),
        ring.lookup("user:7", 3),
        ring.nodes,
        {k: v for k, v in list(before.items())[:3]},
    )


ARGS = [({"alpha": 1, "beta": 2, "gamma": 1}, 120)]
