"""ASCII Mandelbrot and Julia sets using complex numbers."""

PALETTE = " .:-=+*#%@"


def escape_time(c, limit, z=0j):
    for n in range(limit):
        if abs(z) > 2:
            return n
        z = z * z + c
    return limit


def in_main_bulbs(c):
    x, y2 = c.real, c.imag * c.imag
    q = (x - 0.25) ** 2 + y2
    return q * (q + (x - 0.25)) <= 0.25 * y2 or (x + 1) ** 2 + y2 <= 0.0625


class View:
    def __init__(self, centre, width, cols, rows):
        self.centre = centre
        self.width = width
        self.cols = cols
        self.rows = rows

    def points(self):
        step = self.width / self.cols
        for row in range(self.rows):
            # characters are about twice as tall as they are wide
            im = self.centre.imag + (self.rows / 2 - row - 0.5) * step * 2
            yield [
                complex(self.centre.real + (col - self.cols / 2 + 0.5) * step, im)
                for col in range(self.cols)
            ]

    def zoom(self, factor):
        return View(self.centre, self.width / factor, self.cols, self.rows)


def shade(n, limit):
    if n >= limit:
        return PALETTE[-1]
    return PALETTE[n * (len(PALETTE) - 1) // limit]


def render(view, limit, julia=None):
    rows = []
    total = 0
    for line in view.points():
        counts = []
        for p in line:
            if julia is not None:
                n = escape_time(julia, limit, p)
            elif in_main_bulbs(p):
                n = limit
            else:
                n = escape_time(p, limit)
            counts.append(n)
        total += sum(counts)
        rows.append("".join(shade(n, limit) for n in counts))
    return rows, total


def orbit(c, n):
    z, out = 0j, []
    for _ in range(n):
        z = z * z + c
        if abs(z) > 1e6:
            out.append("escaped")
            break
        out.append(complex(round(z.real, 6), round(z.imag, 6)))
    return out


def symmetric(rows):
    return rows == rows[::-1]


def main(centre, width, limit, julia=None):
    view = View(centre, width, 48, 16)
    images = []
    for factor in (1, 4):
        rows, total = render(view.zoom(factor), limit, julia)
        print("\n".join(rows))
        print("-" * 48)
        inside = sum(r.count("@") for r in rows)
        images.append((inside, total, symmetric(rows), rows[3], rows[8]))
    c = julia if julia is not None else centre
    return images, orbit(c, 6), abs(c)


ARGS = [
    (-0.5 + 0j, 3.0, 40),
    (-0.745 + 0.11j, 0.2, 60),
    (0j, 3.2, 30, -0.8 + 0.156j),
]
