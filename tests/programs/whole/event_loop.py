"""Cooperative tasks with generators: send, yield, priorities, timers."""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass, field
from itertools import count


class Sleep:
    def __init__(self, ticks):
        self.ticks = ticks


def counter(name, upto, log):
    for i in range(1, upto + 1):
        log.append(f"{name}:{i}")
        yield i % 3
    log.append(f"{name} done")


def running_mean():
    total, n = 0.0, 0
    mean = None
    while True:
        x = yield mean
        if x is None:
            continue
        total += x
        n += 1
        mean = total / n


def fib_gen():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


@dataclass(order=True)
class Timer:
    when: int
    seq: int
    name: str = field(compare=False)
    repeat: int = field(default=0, compare=False)


class Loop:
    def __init__(self):
        self.now = 0
        self.timers: list[Timer] = []
        self.seq = count()
        self.fired: list[tuple[int, str]] = []

    def at(self, delay, name, repeat=0):
        heapq.heappush(self.timers, Timer(self.now + delay, next(self.seq), name, repeat))

    def run(self, until):
        while self.timers and self.timers[0].when <= until:
            t = heapq.heappop(self.timers)
            self.now = t.when
            self.fired.append((t.when, t.name))
            if t.repeat:
                self.at(t.repeat, t.name, t.repeat)
        self.now = until


def round_robin(jobs, quantum):
    q = deque(jobs)
    clock, finished = 0, []
    while q:
        name, left = q.popleft()
        used = min(quantum, left)
        clock += used
        if left > used:
            q.append((name, left - used))
        else:
            finished.append((name, clock))
    return finished


def main(xs, jobs):
    log = []
    tasks = [counter("a", 3, log), counter("b", 5, log)]
    rounds = 0
    total = 0
    for v in tasks[0]:
        total += v
        rounds += 1
    for v in tasks[1]:
        total += v
    m = running_mean()
    next(m)
    means = [m.send(x) for x in xs]
    m.close()
    try:
        m.send(1.0)
    except StopIteration:
        log.append("closed")
    fibs = []
    for f in fib_gen():
        if f > 100:
            break
        fibs.append(f)
    loop = Loop()
    loop.at(5, "once")
    loop.at(2, "tick", repeat=3)
    loop.at(5, "again")
    loop.run(12)
    return log, means, total, rounds, fibs, loop.fired, loop.now, round_robin(jobs, 3)


ARGS = [([4.0, 8.0, 3.0], [("x", 5), ("y", 2), ("z", 9)])]
