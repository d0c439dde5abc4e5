# Knight's tour with Warnsdorff's rule, falling back to backtracking.

MOVES = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


class NoTour(Exception):
    def __init__(self, size, start, tried):
        Exception.__init__(self, f"no tour on {size}x{size} from {start}")
        self.tried = tried


def square_name(pos):
    col, row = pos
    return "abcdefghijklmnop"[col] + str(row + 1)


def parse_square(name):
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def make_board(n):
    return [[-1 for _ in range(n)] for _ in range(n)]


def knights_tour(n, start, limit=20000):
    board = make_board(n)
    tried = 0

    def free_neighbours(x, y):
        return [
            (x + dx, y + dy)
            for dx, dy in MOVES
            if 0 <= x + dx < n and 0 <= y + dy < n and board[y + dy][x + dx] < 0
        ]

    def solve(x, y, step):
        nonlocal tried
        tried += 1
        if tried > limit:
            return False
        board[y][x] = step
        if step == n * n - 1:
            return True
        options = free_neighbours(x, y)
        options.sort(key=lambda p: len(free_neighbours(*p)))
        for nx, ny in options:
            if solve(nx, ny, step + 1):
                return True
        board[y][x] = -1
        return False

    if not solve(start[0], start[1], 0):
        raise NoTour(n, start, tried)
    return board, tried


def to_path(board):
    where = {}
    for y, row in enumerate(board):
        for x, step in enumerate(row):
            where[step] = (x, y)
    return [where[k] for k in range(len(where))]


def is_valid(path):
    if len(set(path)) != len(path):
        return False
    for (x1, y1), (x2, y2) in zip(path, path[1:]):
        if sorted((abs(x1 - x2), abs(y1 - y2))) != [1, 2]:
            return False
    return True


def min_moves(n, start):
    dist = {start: 0}
    frontier = [start]
    while frontier:
        nxt = []
        for x, y in frontier:
            for dx, dy in MOVES:
                p = (x + dx, y + dy)
                if p not in dist and 0 <= p[0] < n and 0 <= p[1] < n:
                    dist[p] = dist[(x, y)] + 1
                    nxt.append(p)
        frontier = nxt
    return dist


def main(n, start):
    pos = parse_square(start)
    reach = min_moves(n, pos)
    furthest = max(reach.values())
    corners = [square_name(p) for p in sorted(reach) if reach[p] == furthest]
    try:
        board, tried = knights_tour(n, pos)
    except NoTour as e:
        print(e)
        return {"error": str(e), "tried": e.tried, "furthest": furthest, "squares": corners}
    path = to_path(board)
    width = len(str(n * n))
    for row in reversed(board):
        print(" ".join(f"{v:>{width}}" for v in row))
    names = [square_name(p) for p in path]
    closed = sorted((abs(path[0][0] - path[-1][0]), abs(path[0][1] - path[-1][1]))) == [1, 2]
    return {
        "path": "-".join(names[:10]),
        "end": names[-1],
        "valid": is_valid(path),
        "closed": closed,
        "tried": tried,
        "furthest": furthest,
        "squares": corners,
    }


ARGS = [(5, "a1"), (8, "d4"), (3, "a1"), (12, "b7")]
