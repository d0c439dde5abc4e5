"""Discrete event simulation with generator processes: a coffee shop."""

import heapq
import random
import statistics
from collections import deque


class Timeout:
    def __init__(self, delay):
        self.delay = delay


class Request:
    def __init__(self, resource):
        self.resource = resource


class Resource:
    def __init__(self, name, capacity):
        self.name = name
        self.capacity = capacity
        self.users = 0
        self.queue = deque()
        self.longest = 0

    def request(self):
        return Request(self)


class Environment:
    def __init__(self):
        self.now = 0.0
        self._heap = []
        self._counter = 0
        self.finished = 0

    def process(self, generator):
        self._schedule(0.0, generator, None)

    def _schedule(self, delay, generator, value):
        self._counter += 1
        heapq.heappush(self._heap, (self.now + delay, self._counter, generator, value))

    def release(self, resource):
        if resource.queue:
            waiting, since = resource.queue.popleft()
            self._schedule(0.0, waiting, self.now - since)
        else:
            resource.users -= 1

    def run(self, until):
        while self._heap and self._heap[0][0] <= until:
            self.now, _, generator, value = heapq.heappop(self._heap)
            try:
                command = generator.send(value)
            except StopIteration:
                self.finished += 1
                continue
            if isinstance(command, Timeout):
                self._schedule(command.delay, generator, None)
            elif isinstance(command, Request):
                r = command.resource
                if r.users < r.capacity:
                    r.users += 1
                    self._schedule(0.0, generator, 0.0)
                else:
                    r.queue.append((generator, self.now))
                    r.longest = max(r.longest, len(r.queue))
            else:
                raise TypeError(f"cannot handle {command!r}")
        self.now = until


MENU = {"espresso": (1.0, 220), "latte": (2.5, 380), "tea": (1.5, 250)}


class Shop:
    def __init__(self, env, rng, baristas):
        self.env = env
        self.rng = rng
        self.till = Resource("till", 1)
        self.baristas = Resource("baristas", baristas)
        self.waits = []
        self.income = 0
        self.log = []

    def say(self, who, what):
        self.log.append(f"{self.env.now:7.2f} {who} {what}")

    def customer(self, name, patience):
        order = self.rng.choice(list(MENU))
        minutes, price = MENU[order]
        waited = yield self.till.request()
        if waited > patience:
            self.say(name, "leaves angrily")
            self.env.release(self.till)
            return
        yield Timeout(self.rng.uniform(0.3, 0.9))
        self.income += price
        self.env.release(self.till)
        waited += yield self.baristas.request()
        yield Timeout(minutes * self.rng.uniform(0.8, 1.3))
        self.env.release(self.baristas)
        self.waits.append(waited)
        self.say(name, f"gets {order} after waiting {waited:.2f}")

    def arrivals(self, mean, patience):
        number = 0
        while True:
            yield Timeout(self.rng.expovariate(1 / mean))
            number += 1
            self.env.process(self.customer(f"c{number:02d}", patience))


def main(seed, baristas, minutes):
    env = Environment()
    shop = Shop(env, random.Random(seed), baristas)
    env.process(shop.arrivals(1.1, 2.0))
    env.run(until=minutes)
    for line in shop.log[:6]:
        print(line)
    left = [line.split()[1] for line in shop.log if line.endswith("angrily")]
    if shop.waits:
        print(
            f"mean wait {statistics.mean(shop.waits):.3f}, median {statistics.median(shop.waits):.3f}"
        )
    return {
        "served": len(shop.waits),
        "left": left,
        "income": shop.income / 100,
        "queues": {r.name: r.longest for r in (shop.till, shop.baristas)},
        "finished": env.finished,
        "worst": round(max(shop.waits, default=0.0), 4),
    }


ARGS = [(8, 1, 30.0), (15, 2, 45.0)]
