import bisect


def merge_intervals(intervals):
    merged = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def max_overlap(intervals):
    events = []
    for s, e in intervals:
        events.append((s, 1))
        events.append((e, -1))
    events.sort(key=lambda ev: (ev[0], ev[1]))
    depth = best = 0
    at = None
    for t, d in events:
        depth += d
        if depth > best:
            best, at = depth, t
    return best, at


def union_area(rects):
    xs = sorted({x for r in rects for x in (r[0], r[2])})
    area = 0
    for a, b in zip(xs, xs[1:]):
        spans = [(y0, y1) for x0, y0, x1, y1 in rects if x0 <= a and x1 >= b]
        area += (b - a) * sum(e - s for s, e in merge_intervals(spans))
    return area


def free_slot(intervals, length):
    starts = [s for s, _ in intervals]
    for s, e in intervals:
        k = bisect.bisect_right(starts, e)
        if k == len(starts) or starts[k] - e >= length:
            return e
    return None


def main(intervals, rects):
    m = merge_intervals(intervals)
    best, at = max_overlap(intervals)
    a = union_area(rects)
    print(m, best, at, a)
    return m, best, at, a, free_slot(m, 2)


ARGS = [
    (
        [(1, 3), (2, 6), (8, 10), (15, 18), (9, 12), (5, 7)],
        [(0, 0, 4, 4), (2, 2, 6, 6), (8, 0, 9, 1)],
    ),
    ([(5, 1)], []),
]
