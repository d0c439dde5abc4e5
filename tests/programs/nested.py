"""deque, Counter, defaultdict and OrderedDict in containers and attributes."""

from collections import Counter, OrderedDict, defaultdict, deque


def queues(n):
    d = {i: deque() for i in range(n)}
    for i in range(n):
        d[i % 2].append(i)
    return d


def counters_by_letter(s):
    d = defaultdict(Counter)
    for c in s:
        d[c][c] += 1
    return sorted((k, v["a"]) for k, v in d.items())


def counts_in_counts(s):
    d = defaultdict(lambda: defaultdict(int))
    for i, c in enumerate(s):
        d[c][i % 2] += 1
    return {k: dict(v) for k, v in d.items()}


def words_by_length(s):
    d = {}
    for w in s.split():
        d.setdefault(len(w), Counter())[w] += 1
    return d


def short_queues(n):
    qs = [deque(maxlen=3) for _ in range(n)]
    for i in range(20):
        qs[i % n].append(i)
    return qs


def lists_made(n):
    d = defaultdict(lambda: [0, 0])
    for i in range(n):
        d[i % 3][i % 2] += i
    return dict(d)


def queues_made(n):
    d = defaultdict(deque)
    for i in range(n):
        d[i % 3].appendleft(i)
    return {k: list(v) for k, v in d.items()}


def edges(edges):
    g = defaultdict(set)
    for a, b in edges:
        g[a].add(b)
        g[b].add(a)
    return {k: sorted(v) for k, v in sorted(g.items())}


def ordered_counters(n):
    d = OrderedDict()
    for i in range(n):
        d[str(i)] = Counter([i, i])
    d.move_to_end("0")
    return d


class Group:
    def __init__(s):
        s.q = deque()
        s.c = Counter()
        s.d = defaultdict(list)

    def add(s, x):
        s.q.append(x)
        s.c[x] += 1
        s.d[x % 2].append(x)


def attributes(n):
    g = Group()
    for i in range(n):
        g.add(i % 4)
    return list(g.q), dict(g.c), dict(g.d)


def attributes_of_many(n):
    gs = [Group() for i in range(n)]
    for i in range(10):
        gs[i % n].add(i)
    return [g.c for g in gs], [g.q for g in gs]


def lists_in_dicts(n):
    d = defaultdict(lambda: defaultdict(list))
    for i in range(n):
        d[i % 2][i % 3].append(i)
    return sum(len(v) for x in d.values() for v in x.values())


def three_deep(n):
    t = defaultdict(lambda: defaultdict(lambda: defaultdict(int)))
    for i in range(n):
        t[i % 2][i % 3][i % 5] += 1
    return t[0][0][0], len(t)


CASES = [
    (queues, (4,)),
    (counters_by_letter, ("abca",)),
    (counts_in_counts, ("abca",)),
    (words_by_length, ("aa b cc aa",)),
    (short_queues, (2,)),
    (lists_made, (10,)),
    (queues_made, (10,)),
    (edges, ([(1, 2), (2, 3), (1, 3)],)),
    (ordered_counters, (3,)),
    (attributes, (9,)),
    (attributes_of_many, (3,)),
    (lists_in_dicts, (9,)),
    (three_deep, (90,)),
]
