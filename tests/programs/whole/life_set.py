from collections import Counter
from itertools import product


def neighbours(cell):
    x, y = cell
    return [(x + dx, y + dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)]


def step(live):
    counts = Counter(n for c in live for n in neighbours(c))
    return {c for c, k in counts.items() if k == 3 or (k == 2 and c in live)}


def parse(text):
    return {
        (x, y) for y, row in enumerate(text.splitlines()) for x, ch in enumerate(row) if ch == "#"
    }


def render(live):
    if not live:
        return "(empty)"
    xs = [x for x, _ in live]
    ys = [y for _, y in live]
    return "\n".join(
        "".join("#" if (x, y) in live else "." for x in range(min(xs), max(xs) + 1))
        for y in range(min(ys), max(ys) + 1)
    )


def main(text, generations):
    live = parse(text)
    seen = {}
    for g in range(generations):
        key = frozenset(live)
        if key in seen:
            print(f"cycle of length {g - seen[key]} from generation {seen[key]}")
            break
        seen[key] = g
        live = step(live)
    print(render(live))
    return sorted(live), len(seen)


ARGS = [(".#.\n..#\n###", 20), ("###", 10)]
