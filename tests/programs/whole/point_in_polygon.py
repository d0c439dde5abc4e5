def point_in_polygon(x, y, polygon):
    inside = False
    j = len(polygon) - 1
    for i in range(len(polygon)):
        xi, yi = polygon[i]
        xj, yj = polygon[j]
        if (yi > y) != (yj > y) and x < (xj - xi) * (y - yi) / (yj - yi) + xi:
            inside = not inside
        j = i
    return inside


def centroid(polygon):
    a = cx = cy = 0.0
    n = len(polygon)
    for i, (x0, y0) in enumerate(polygon):
        x1, y1 = polygon[(i + 1) % n]
        c = x0 * y1 - x1 * y0
        a += c
        cx += (x0 + x1) * c
        cy += (y0 + y1) * c
    a *= 0.5
    return cx / (6 * a), cy / (6 * a)


def bbox(polygon):
    xs, ys = zip(*polygon)
    return min(xs), min(ys), max(xs), max(ys)


def main(polygon, step):
    x0, y0, x1, y1 = bbox(polygon)
    rows = []
    inside = 0
    y = y1 - step / 2
    while y > y0:
        row = []
        x = x0 + step / 2
        while x < x1:
            hit = point_in_polygon(x, y, polygon)
            inside += hit
            row.append("*" if hit else " ")
            x += step
        rows.append("".join(row).rstrip())
        y -= step
    print("\n".join(rows))
    return inside * step**2, centroid(polygon), (x0, y0, x1, y1)


ARGS = [([(0, 0), (6, 1), (8, 5), (4, 3), (1, 6)], 0.25), ([(0, 0), (1, 0), (2, 0)], 0.5)]
