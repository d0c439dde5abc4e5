"""Pipeline of generators over a fake web server log."""

import re
from collections import Counter, defaultdict, deque
from itertools import groupby, islice

LINE = re.compile(
    r'(?P<host>\S+) \[(?P<time>\d+):(?P<min>\d\d)\] "(?P<verb>[A-Z]+) (?P<path>\S+)" (?P<status>\d{3}) (?P<size>\d+|-)'
)


def lcg(seed):
    while True:
        seed = (seed * 1664525 + 1013904223) % 2**32
        yield seed >> 8


def fake_log(n, seed):
    rnd = lcg(seed)
    hosts = ["10.0.0.%d" % i for i in (1, 2, 7, 9)]
    paths = ["/", "/about", "/img/logo.png", "/api/items?id=%d", "/admin"]
    minute = 8 * 60
    for _ in range(n):
        minute += next(rnd) % 4
        if next(rnd) % 17 == 0:
            yield "-- corrupted line --"
            continue
        path = paths[next(rnd) % len(paths)]
        if "%d" in path:
            path = path % (next(rnd) % 5)
        status = 403 if path == "/admin" else [200, 200, 200, 304, 404, 500][next(rnd) % 6]
        size = "-" if status == 304 else str(next(rnd) % 5000)
        verb = "POST" if path.startswith("/api") and next(rnd) % 2 else "GET"
        yield f'{hosts[next(rnd) % 4]} [{minute // 60}:{minute % 60:02d}] "{verb} {path}" {status} {size}'


def parse(lines, bad):
    for number, line in enumerate(lines, 1):
        m = LINE.fullmatch(line)
        if not m:
            bad.append(number)
            continue
        rec = m.groupdict()
        rec["status"] = int(rec["status"])
        rec["size"] = 0 if rec["size"] == "-" else int(rec["size"])
        rec["minute"] = int(rec.pop("time")) * 60 + int(rec.pop("min"))
        yield rec


def only(records, **conditions):
    for rec in records:
        if all(
            cond(rec[k]) if callable(cond) else rec[k] == cond for k, cond in conditions.items()
        ):
            yield rec


def tap(records, fn):
    for rec in records:
        fn(rec)
        yield rec


def sliding(iterable, n):
    window = deque(maxlen=n)
    for x in iterable:
        window.append(x)
        if len(window) == n:
            yield tuple(window)


def running_average():
    """Coroutine: send numbers, get the mean so far."""
    total = count = 0
    mean = None
    while True:
        value = yield mean
        total += value
        count += 1
        mean = total / count


def sessions(records, gap):
    """Split each host's records where there's a pause longer than gap."""
    per_host = defaultdict(list)
    for rec in records:
        mine = per_host[rec["host"]]
        if not mine or rec["minute"] - mine[-1][-1] > gap:
            mine.append([])
        mine[-1].append(rec["minute"])
    return {h: [(s[0], s[-1], len(s)) for s in ss] for h, ss in sorted(per_host.items())}


def main(n, seed, gap=15):
    bad = []
    status = Counter()
    records = list(
        tap(parse(fake_log(n, seed), bad), lambda r: status.update([r["status"] // 100]))
    )
    traffic = Counter()
    for r in only(records, verb="GET", status=200):
        traffic[r["path"].split("?")[0]] += r["size"]
    errors = [f"{r['host']} {r['path']}" for r in only(records, status=lambda s: s >= 500)]
    avg = running_average()
    next(avg)
    means = [round(avg.send(r["size"]), 2) for r in islice(only(records, size=lambda s: s > 0), 6)]
    avg.close()
    hourly = {h: sum(1 for _ in g) for h, g in groupby(records, key=lambda r: r["minute"] // 60)}
    busy = max(sliding(records, 5), key=lambda w: w[0]["minute"] - w[-1]["minute"], default=None)
    for code, count in sorted(status.items()):
        print(f"{code}xx {'#' * count}")
    return {
        "bad": bad,
        "status": dict(sorted(status.items())),
        "traffic": traffic.most_common(3),
        "errors": errors[:4],
        "means": means,
        "hourly": hourly,
        "busy": busy and (busy[0]["minute"], busy[-1]["minute"]),
        "sessions": sessions(only(records, host=lambda h: h.endswith(("1", "7"))), gap),
    }


ARGS = [(20, 1), (120, 42), (60, 7, 5), (3, 3)]
