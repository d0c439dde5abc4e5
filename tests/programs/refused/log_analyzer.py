"""Access-log analysis: regex-free parsing, sessions, top URLs, percentiles, status classes via Enum, sliding-window rate limiter."""

from __future__ import annotations

import heapq
import re
from bisect import bisect_left, insort
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby, pairwise


class StatusClass(Enum):
    OK = 2
    REDIRECT = 3
    CLIENT = 4
    SERVER = 5

    @classmethod
    def of(cls, code: int) -> StatusClass:
        return cls(code // 100)


@dataclass(slots=True)
class Hit:
    ip: str
    t: int
    method: str
    path: str
    status: int
    size: int

    @property
    def resource(self) -> str:
        path, _, _query = self.path.partition("?")
        return path.rstrip("/") or "/"

    @property
    def query(self) -> dict[str, str]:
        _, _, q = self.path.partition("?")
        return dict(p.split("=", 1) for p in q.split("&") if "=" in p)


def clock(text: str) -> int:
    h, m, s = (int(p) for p in text.split(":"))
    return (h * 60 + m) * 60 + s


def parse_line(line: str) -> Hit:
    ip, t, *rest = line.split()
    request = " ".join(rest[:-2]).strip('"')
    method, path = request.split(" ")[:2]
    status, size = rest[-2:]
    return Hit(ip, clock(t.strip("[]")), method, path, int(status), 0 if size == "-" else int(size))


def parse(text):
    for n, line in enumerate(text.splitlines()):
        try:
            yield n, parse_line(line), ""
        except (ValueError, IndexError) as e:
            yield n, None, type(e).__name__


class RateLimiter:
    def __init__(self, limit: int, window: int):
        self.limit, self.window = limit, window
        self.seen: defaultdict[str, deque[int]] = defaultdict(deque)
        self.blocked = Counter()

    def allow(self, key: str, now: int) -> bool:
        q = self.seen[key]
        while q and q[0] <= now - self.window:
            q.popleft()
        if len(q) >= self.limit:
            self.blocked[key] += 1
            return False
        q.append(now)
        return True


@dataclass
class Summary:
    hits: int = 0
    bytes: int = 0
    by_class: Counter = field(default_factory=Counter)
    sizes: list[int] = field(default_factory=list)

    def add(self, h: Hit) -> None:
        self.hits += 1
        self.bytes += h.size
        self.by_class[StatusClass.of(h.status).name] += 1
        insort(self.sizes, h.size)

    def percentile(self, p: float) -> float:
        if not self.sizes:
            return 0.0
        k = (len(self.sizes) - 1) * p
        lo = int(k)
        hi = min(lo + 1, len(self.sizes) - 1)
        return self.sizes[lo] + (self.sizes[hi] - self.sizes[lo]) * (k - lo)


def human(n: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if n < 1024:
            return f"{n:.4g} {unit}"
        n /= 1024
    return f"{n:.4g} GiB"


def sessions(hits, gap):
    for ip, group in groupby(sorted(hits, key=lambda h: (h.ip, h.t)), key=lambda h: h.ip):
        times = [h.t for h in group]
        count = 1 + sum(b - a > gap for a, b in pairwise(times))
        yield ip, count, times[-1] - times[0]


def mask(ip: str) -> str:
    return re.sub(r"\.\d+$", ".x", ip)


def main(text, limit):
    hits, bad = [], Counter()
    for n, h, err in parse(text):
        if h is None:
            bad[err] += 1
        else:
            hits.append(h)
    s = Summary()
    limiter = RateLimiter(limit, 60)
    allowed = [limiter.allow(h.ip, h.t) for h in hits]
    for h in hits:
        s.add(h)
    top = heapq.nlargest(
        2, Counter(h.resource for h in hits).items(), key=lambda kv: (kv[1], kv[0])
    )
    for ip, n, length in sessions(hits, 300):
        print(f"{mask(ip):<15}|{n:^5}|{length:>6}s")
    params = defaultdict(list)
    for h in hits:
        for k, v in h.query.items():
            params[k].append(v)
    below = bisect_left(s.sizes, 1000)
    try:
        StatusClass.of(999)
        err = ""
    except ValueError as e:
        err = str(e)
    return (
        s.hits,
        human(s.bytes),
        dict(s.by_class),
        [s.percentile(p) for p in (0.0, 0.5, 0.9)],
        top,
        allowed,
        dict(bad),
        dict(params),
        below,
        dict(limiter.blocked),
        err,
    )


ARGS = [
    (
        """10.0.0.1 [10:00:01] "GET /index.html HTTP/1.1" 200 5120
10.0.0.2 [10:00:02] "GET /search?q=cat&page=2 HTTP/1.1" 200 812
10.0.0.1 [10:00:07] "GET /img/logo.png HTTP/1.1" 304 -
broken
10.0.0.1 [10:00:09] "POST /login HTTP/1.1" 500 90
10.0.0.2 [10:x:09] "GET / HTTP/1.1" 200 1
10.0.0.1 [10:20:00] "GET /search/?q=dog HTTP/1.1" 404 1777
10.0.0.3 [10:21:00] "GET / HTTP/1.1" 200 2000345""",
        2,
    )
]
