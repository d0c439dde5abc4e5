"""Abelian sandpile model: toppling, addition, identity element, avalanches."""

from collections import Counter, deque


def zeros(n):
    return [[0] * n for _ in range(n)]


def stabilize(grid):
    """Topple until stable; returns (number of topplings, grains lost)."""
    n = len(grid)
    work = deque((r, c) for r in range(n) for c in range(n) if grid[r][c] > 3)
    topplings = lost = 0
    while work:
        r, c = work.popleft()
        k = grid[r][c] // 4
        if k == 0:
            continue
        grid[r][c] -= 4 * k
        topplings += k
        for dr, dc in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
            rr, cc = r + dr, c + dc
            if 0 <= rr < n and 0 <= cc < n:
                grid[rr][cc] += k
                if grid[rr][cc] > 3:
                    work.append((rr, cc))
            else:
                lost += k
    return topplings, lost


def add(a, b):
    s = [[x + y for x, y in zip(ra, rb)] for ra, rb in zip(a, b)]
    stabilize(s)
    return s


def identity(n):
    """e = (2m - (2m)°)° where m is the all-threes pile and ° means stabilised."""
    six = [[6] * n for _ in range(n)]
    stable = [row[:] for row in six]
    stabilize(stable)
    e = [[x - y for x, y in zip(ra, rb)] for ra, rb in zip(six, stable)]
    stabilize(e)
    return e


def total(grid):
    return sum(map(sum, grid))


def draw(grid):
    return ["".join(" .o@"[v] for v in row) for row in grid]


def is_recurrent(grid):
    """Burning test: fire from the sink must reach every cell."""
    n = len(grid)
    burnt = set()
    changed = True
    while changed:
        changed = False
        for r in range(n):
            for c in range(n):
                if (r, c) in burnt:
                    continue
                around = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
                unburnt = sum(
                    1 for p in around if 0 <= p[0] < n and 0 <= p[1] < n and p not in burnt
                )
                if grid[r][c] >= unburnt:
                    burnt.add((r, c))
                    changed = True
    return len(burnt) == n * n


def avalanches(n, drops, seed):
    grid = zeros(n)
    sizes = Counter()
    x = seed
    for _ in range(drops):
        x = (x * 69069 + 1) & 0xFFFFFFFF
        pos = (x >> 16) % (n * n)
        grid[pos // n][pos % n] += 1
        size, _ = stabilize(grid)
        bucket = size.bit_length()
        sizes[bucket] += 1
    return grid, dict(sorted(sizes.items()))


def main(n, grains, seed):
    centre = zeros(n)
    centre[n // 2][n // 2] = grains
    topplings, lost = stabilize(centre)
    e = identity(n)
    pile, sizes = avalanches(n, 6 * n * n, seed)
    picture = draw(e)
    print("\n".join(picture))
    print("avalanche sizes:", sizes)
    transposed = [list(col) for col in zip(*centre)]
    return {
        "topplings": topplings,
        "lost": lost,
        "kept": total(centre),
        "conserved": total(centre) + lost == grains,
        "symmetric": transposed == centre and centre == centre[::-1],
        "identity": picture,
        "e+e=e": add(e, e) == e,
        "neutral": add(pile, e) == pile,
        "recurrent": (is_recurrent(e), is_recurrent(zeros(n)), is_recurrent(pile)),
        "sizes": sizes,
        "levels": sorted(Counter(v for row in centre for v in row).items()),
    }


ARGS = [(3, 20, 1), (7, 200, 5), (10, 500, 99)]
