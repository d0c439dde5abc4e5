from dataclasses import dataclass, field


@dataclass
class Bin:
    capacity: int
    items: list = field(default_factory=list)

    @property
    def used(self):
        return sum(self.items)

    def fits(self, item):
        return self.used + item <= self.capacity

    def add(self, item):
        self.items.append(item)


def first_fit(items, capacity):
    bins = []
    for it in items:
        if it > capacity:
            raise ValueError(f"item {it} exceeds capacity {capacity}")
        for b in bins:
            if b.fits(it):
                b.add(it)
                break
        else:
            b = Bin(capacity)
            b.add(it)
            bins.append(b)
    return bins


def best_fit(items, capacity):
    bins = []
    for it in items:
        candidates = [b for b in bins if b.fits(it)]
        if candidates:
            min(candidates, key=lambda b: capacity - b.used).add(it)
        else:
            bins.append(Bin(capacity, [it]))
    return bins


def main(items, capacity):
    ff = first_fit(items, capacity)
    ffd = first_fit(sorted(items, reverse=True), capacity)
    bf = best_fit(items, capacity)
    for i, b in enumerate(ffd):
        print(f"bin {i}: {b.items} ({b.used}/{b.capacity})")
    waste = sum(b.capacity - b.used for b in ffd)
    return len(ff), len(ffd), len(bf), waste, [b.items for b in ffd]


ARGS = [([4, 8, 1, 4, 2, 1, 7, 3, 6, 5], 10), ([11], 10)]
