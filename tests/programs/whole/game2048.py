class Grid:
    def __init__(self, cells, seed=7):
        self.cells = [list(r) for r in cells]
        self.score = 0
        self.seed = seed

    def rand(self, n):
        self.seed = (self.seed * 1664525 + 1013904223) % 4294967296
        return (self.seed >> 16) % n

    def slide_row(self, row):
        tiles = [t for t in row if t]
        out = []
        i = 0
        while i < len(tiles):
            if i + 1 < len(tiles) and tiles[i] == tiles[i + 1]:
                out.append(tiles[i] * 2)
                self.score += tiles[i] * 2
                i += 2
            else:
                out.append(tiles[i])
                i += 1
        return out + [0] * (len(row) - len(out))

    def move(self, direction):
        before = [r[:] for r in self.cells]
        if direction in "UD":
            self.cells = [list(c) for c in zip(*self.cells)]
        if direction in "RD":
            self.cells = [self.slide_row(r[::-1])[::-1] for r in self.cells]
        else:
            self.cells = [self.slide_row(r) for r in self.cells]
        if direction in "UD":
            self.cells = [list(c) for c in zip(*self.cells)]
        return self.cells != before

    def spawn(self):
        empty = [(r, c) for r, row in enumerate(self.cells) for c, v in enumerate(row) if v == 0]
        if not empty:
            return False
        r, c = empty[self.rand(len(empty))]
        self.cells[r][c] = 4 if self.rand(10) == 0 else 2
        return True


def main(cells, moves):
    g = Grid(cells)
    for m in moves:
        if g.move(m):
            g.spawn()
    for row in g.cells:
        print("".join(f"{v:5d}" if v else "    ." for v in row))
    return g.score, g.cells, max(max(r) for r in g.cells)


ARGS = [
    ([[0, 2, 0, 2], [4, 4, 2, 2], [0, 0, 0, 0], [2, 0, 0, 2]], "LURDLURDLLUURDLU"),
    ([[2, 4], [4, 2]], "LR"),
]
