class Board:
    def __init__(self, width, height, mines):
        self.width = width
        self.height = height
        self.mines = set(mines)
        self.revealed = set()
        self.flags = set()

    def neighbours(self, x, y):
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx == dy == 0:
                    continue
                nx, ny = x + dx, y + dy
                if 0 <= nx < self.width and 0 <= ny < self.height:
                    yield nx, ny

    def count(self, x, y):
        return sum((n in self.mines) for n in self.neighbours(x, y))

    def reveal(self, x, y):
        if (x, y) in self.flags:
            return True
        if (x, y) in self.mines:
            return False
        todo = [(x, y)]
        while todo:
            cell = todo.pop()
            if cell in self.revealed:
                continue
            self.revealed.add(cell)
            if self.count(*cell) == 0:
                todo.extend(n for n in self.neighbours(*cell) if n not in self.revealed)
        return True

    @property
    def won(self):
        return len(self.revealed) == self.width * self.height - len(self.mines)

    def __str__(self):
        lines = []
        for y in range(self.height):
            line = ""
            for x in range(self.width):
                if (x, y) in self.flags:
                    line += "F"
                elif (x, y) in self.revealed:
                    n = self.count(x, y)
                    line += str(n) if n else " "
                else:
                    line += "#"
            lines.append(line)
        return "\n".join(lines)


def main(width, height, mines, moves):
    b = Board(width, height, mines)
    for kind, x, y in moves:
        if kind == "flag":
            b.flags ^= {(x, y)}
        elif not b.reveal(x, y):
            print("boom!")
            break
    print(b)
    return b.won, len(b.revealed), str(b)


ARGS = [
    (6, 5, [(0, 0), (3, 2), (5, 4)], [("flag", 0, 0), ("open", 5, 0), ("open", 0, 4)]),
    (2, 2, [(1, 1)], [("open", 1, 1)]),
]
