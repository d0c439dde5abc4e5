from typing import NamedTuple


class Item(NamedTuple):
    name: str
    weight: int
    value: int


def knapsack(items, capacity):
    best = [[0] * (capacity + 1) for _ in range(len(items) + 1)]
    for i, item in enumerate(items, 1):
        for w in range(capacity + 1):
            best[i][w] = best[i - 1][w]
            if item.weight <= w:
                best[i][w] = max(best[i][w], best[i - 1][w - item.weight] + item.value)
    chosen = []
    w = capacity
    for i in range(len(items), 0, -1):
        if best[i][w] != best[i - 1][w]:
            chosen.append(items[i - 1])
            w -= items[i - 1].weight
    return best[-1][-1], chosen


def greedy(items, capacity):
    total = 0
    for it in sorted(items, key=lambda it: it.value / it.weight, reverse=True):
        if it.weight <= capacity:
            capacity -= it.weight
            total += it.value
    return total


def main(raw, capacity):
    items = [Item(*r) for r in raw]
    value, chosen = knapsack(items, capacity)
    for it in chosen:
        print(f"{it.name:<10}{it.weight:>5}{it.value:>6}")
    return value, [it.name for it in chosen], greedy(items, capacity), chosen[0]


ARGS = [
    (
        [
            ("map", 9, 150),
            ("compass", 13, 35),
            ("water", 153, 200),
            ("sandwich", 50, 160),
            ("glucose", 15, 60),
            ("tin", 68, 45),
            ("banana", 27, 60),
            ("apple", 39, 40),
            ("cheese", 23, 30),
            ("camera", 32, 30),
        ],
        250,
    ),
    ([("gold", 5, 100)], 3),
]
