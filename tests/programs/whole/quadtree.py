class Rect:
    def __init__(self, x, y, w, h):
        self.x, self.y, self.w, self.h = x, y, w, h

    def contains(self, p):
        return self.x <= p[0] < self.x + self.w and self.y <= p[1] < self.y + self.h

    def intersects(self, o):
        return not (
            o.x >= self.x + self.w
            or o.x + o.w <= self.x
            or o.y >= self.y + self.h
            or o.y + o.h <= self.y
        )


class QuadTree:
    CAPACITY = 4

    def __init__(self, boundary):
        self.boundary = boundary
        self.points = []
        self.children = []

    def subdivide(self):
        b = self.boundary
        hw, hh = b.w / 2, b.h / 2
        for dx in (0, hw):
            for dy in (0, hh):
                self.children.append(QuadTree(Rect(b.x + dx, b.y + dy, hw, hh)))

    def insert(self, p):
        if not self.boundary.contains(p):
            return False
        if len(self.points) < self.CAPACITY and not self.children:
            self.points.append(p)
            return True
        if not self.children:
            self.subdivide()
        return any(c.insert(p) for c in self.children)

    def query(self, rect, found=None):
        if found is None:
            found = []
        if not self.boundary.intersects(rect):
            return found
        for p in self.points:
            if rect.contains(p):
                found.append(p)
        for c in self.children:
            c.query(rect, found)
        return found

    def __len__(self):
        return len(self.points) + sum(len(c) for c in self.children)


def main(n, seed):
    tree = QuadTree(Rect(0.0, 0.0, 100.0, 100.0))
    x = seed
    for _ in range(n):
        x = (x * 16807) % 2147483647
        px = x % 10000 / 100
        x = (x * 16807) % 2147483647
        tree.insert((px, x % 10000 / 100))
    hits = tree.query(Rect(25.0, 25.0, 30.0, 20.0))
    print(len(tree), "points,", len(hits), "hits")
    return len(tree), sorted(hits)


ARGS = [(200, 12345), (3, 1)]
