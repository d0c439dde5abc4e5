"""Discrete event simulation: customers queueing at bank tellers."""

import heapq
import random
from collections import deque
from dataclasses import dataclass
from typing import Optional


@dataclass
class Customer:
    number: int
    arrived: float
    patience: float
    started: Optional[float] = None
    finished: Optional[float] = None

    @property
    def waited(self):
        return None if self.started is None else self.started - self.arrived


class Simulation:
    def __init__(self, tellers, rate, service, seed):
        self.rng = random.Random(seed)
        self.free = tellers
        self.tellers = tellers
        self.rate = rate
        self.service = service
        self.now = 0.0
        self.events = []
        self.sequence = 0
        self.queue = deque()
        self.served = []
        self.gave_up = []
        self.busy_time = 0.0
        self.longest = 0

    def schedule(self, delay, action, *args):
        self.sequence += 1
        heapq.heappush(self.events, (self.now + delay, self.sequence, action, args))

    def arrive(self, number):
        c = Customer(number, self.now, self.rng.uniform(2, 12))
        self.queue.append(c)
        self.longest = max(self.longest, len(self.queue))
        self.schedule(c.patience, self.lose_patience, c)
        self.schedule(self.rng.expovariate(self.rate), self.arrive, number + 1)
        self.try_start()

    def try_start(self):
        while self.free and self.queue:
            c = self.queue.popleft()
            self.free -= 1
            c.started = self.now
            duration = self.rng.expovariate(1 / self.service)
            self.busy_time += duration
            self.schedule(duration, self.finish, c)

    def finish(self, c):
        c.finished = self.now
        self.served.append(c)
        self.free += 1
        self.try_start()

    def lose_patience(self, c):
        if c.started is None:
            self.queue.remove(c)
            self.gave_up.append(c)

    def run(self, until):
        self.schedule(0, self.arrive, 1)
        handled = 0
        while self.events:
            when, _, action, args = heapq.heappop(self.events)
            if when > until:
                break
            self.now = when
            action(*args)
            handled += 1
        return handled


def percentile(values, p):
    values = sorted(values)
    if not values:
        return 0.0
    index = min(len(values) - 1, int(len(values) * p / 100))
    return values[index]


def bar_chart(waits):
    buckets = {}
    for w in waits:
        buckets[int(w)] = buckets.get(int(w), 0) + 1
    return [f"{k:>2} min {'#' * v}" for k, v in sorted(buckets.items())]


def main(tellers, hours, seed):
    sim = Simulation(tellers, rate=0.8, service=3.0, seed=seed)
    handled = sim.run(until=hours * 60)
    waits = [c.waited for c in sim.served]
    chart = bar_chart(waits)
    print("\n".join(chart))
    mean = sum(waits) / len(waits) if waits else 0.0
    print(f"{len(sim.served)} served, {len(sim.gave_up)} left, mean wait {mean:.2f} min")
    return {
        "events": handled,
        "served": len(sim.served),
        "lost": len(sim.gave_up),
        "lost_first": [c.number for c in sim.gave_up[:5]],
        "mean": round(mean, 6),
        "p90": round(percentile(waits, 90), 6),
        "longest": sim.longest,
        "use": round(sim.busy_time / (sim.tellers * hours * 60), 4),
        "chart": chart,
    }


ARGS = [(2, 2, 1), (3, 8, 5), (1, 1, 2024)]
