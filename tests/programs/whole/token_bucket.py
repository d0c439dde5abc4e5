"""A simulated API gateway: rate limiting, caching with TTL, retries with backoff, circuit breaker."""

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Callable, Optional


class Clock:
    def __init__(self):
        self.now = 0.0

    def advance(self, dt: float):
        self.now += dt


class RateLimited(Exception):
    def __init__(self, retry_after: float):
        super().__init__(f"retry in {retry_after:.2f}")
        self.retry_after = retry_after


class CircuitOpen(Exception):
    pass


class BackendError(Exception):
    pass


class TokenBucket:
    def __init__(self, clock: Clock, rate: float, burst: int):
        self.clock, self.rate, self.burst = clock, rate, burst
        self.tokens, self.last = float(burst), clock.now

    def take(self):
        self.tokens = min(self.burst, self.tokens + (self.clock.now - self.last) * self.rate)
        self.last = self.clock.now
        if self.tokens < 1:
            raise RateLimited((1 - self.tokens) / self.rate)
        self.tokens -= 1


class TTLCache:
    def __init__(self, clock, ttl, capacity):
        self.clock, self.ttl, self.capacity = clock, ttl, capacity
        self.data = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key) -> Optional[str]:
        if key in self.data:
            value, expires = self.data[key]
            if expires > self.clock.now:
                self.hits += 1
                self.data.move_to_end(key)
                return value
            del self.data[key]
        self.misses += 1
        return None

    def put(self, key, value):
        self.data[key] = (value, self.clock.now + self.ttl)
        if len(self.data) > self.capacity:
            self.data.popitem(last=False)


class State(Enum):
    CLOSED = auto()
    OPEN = auto()
    HALF_OPEN = auto()


@dataclass
class Breaker:
    clock: Clock
    threshold: int = 3
    cooldown: float = 5.0
    state: State = State.CLOSED
    failures: int = 0
    opened: float = 0.0
    history: list = field(default_factory=list)

    def _go(self, state):
        self.state = state
        self.history.append((round(self.clock.now, 2), state.name))

    def call(self, f: Callable[[], str]) -> str:
        if self.state is State.OPEN:
            if self.clock.now - self.opened < self.cooldown:
                raise CircuitOpen()
            self._go(State.HALF_OPEN)
        try:
            result = f()
        except BackendError:
            self.failures += 1
            if self.failures >= self.threshold or self.state is State.HALF_OPEN:
                self.opened = self.clock.now
                self._go(State.OPEN)
            raise
        self.failures = 0
        if self.state is State.HALF_OPEN:
            self._go(State.CLOSED)
        return result


class Gateway:
    def __init__(self, clock, backend):
        self.clock, self.backend = clock, backend
        self.bucket = TokenBucket(clock, 2.0, 4)
        self.cache = TTLCache(clock, 3.0, 3)
        self.breaker = Breaker(clock)
        self.stats = Counter()

    def get(self, key):
        try:
            self.bucket.take()
            value = self.cache.get(key)
            if value is None:
                value = self.breaker.call(lambda: self.backend(key, self.clock.now))
                self.cache.put(key, value)
            self.stats["ok"] += 1
            return value
        except RateLimited as e:
            self.stats["limited"] += 1
            self.clock.advance(e.retry_after / 4)
            return "429"
        except (CircuitOpen, BackendError) as e:
            self.stats[type(e).__name__] += 1
            return "503"


def flaky(key, now):
    if 4 <= now < 9 and key != "c":
        raise BackendError(key)
    return f"{key}@{now:.1f}"


def main(pattern, dt, rounds):
    clock = Clock()
    gate = Gateway(clock, flaky)
    answers = []
    for key in pattern * rounds:
        answers.append(gate.get(key))
        clock.advance(dt)
    return (
        answers[:6] + answers[-4:],
        sorted(gate.stats.items()),
        gate.breaker.history,
        (gate.cache.hits, gate.cache.misses),
    )


ARGS = [("abacadb", 0.37, 6)]
