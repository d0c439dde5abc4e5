"""Markov chains and random walks: transition dict of dicts, text generator, stationary distribution, gambler's ruin."""

from __future__ import annotations

import random
from bisect import bisect
from collections import Counter, defaultdict
from itertools import accumulate, pairwise


class Chain:
    def __init__(self):
        self.counts: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def feed(self, seq) -> Chain:
        for a, b in pairwise(seq):
            self.counts[a][b] += 1
        return self

    def prob(self, a, b):
        total = sum(self.counts[a].values())
        return self.counts[a][b] / total if total else 0.0

    def step(self, state, rng):
        options = self.counts.get(state)
        if not options:
            raise StopIteration(state)
        keys = sorted(options)
        cum = list(accumulate(options[k] for k in keys))
        return keys[bisect(cum, rng.random() * cum[-1])]

    def walk(self, start, n, rng):
        out = [start]
        for _ in range(n):
            try:
                out.append(self.step(out[-1], rng))
            except StopIteration:
                out.append("<end>")
                break
        return out


def stationary(states, p, rounds=200, eps=1e-12):
    pi = {s: 1 / len(states) for s in states}
    for k in range(rounds):
        new = {t: sum(pi[s] * p(s, t) for s in states) for t in states}
        if max(abs(new[s] - pi[s]) for s in states) < eps:
            return new, k
        pi = new
    return pi, rounds


def ruin(start, goal, p, trials, rng):
    wins, steps = 0, 0
    for _ in range(trials):
        money = start
        while 0 < money < goal:
            money += 1 if rng.random() < p else -1
            steps += 1
        wins += money == goal
    return wins / trials, steps / trials


def ruin_exact(start, goal, p):
    if p == 0.5:
        return start / goal
    r = (1 - p) / p
    return (1 - r**start) / (1 - r**goal)


def weather(days, rng):
    table = {
        "sun": [("sun", 0.8), ("rain", 0.2)],
        "rain": [("sun", 0.4), ("rain", 0.5), ("fog", 0.1)],
        "fog": [("rain", 1.0)],
    }
    state = "sun"
    for _ in range(days):
        yield state
        names, weights = zip(*table[state])
        state = rng.choices(names, weights)[0]


def longest_run(seq):
    best, cur, prev = (None, 0), 0, None
    for s in seq:
        cur = cur + 1 if s == prev else 1
        prev = s
        best = max(best, (s, cur), key=lambda t: t[1])
    return best


def main(text, seed):
    rng = random.Random(seed)
    chain = Chain().feed(text.split())
    print(" ".join(chain.walk("the", 8, rng)))
    letters = Chain().feed("abacabadabacaba")
    states = sorted(letters.counts)
    pi, rounds = stationary(states, letters.prob)
    days = list(weather(60, rng))
    est, length = ruin(4, 10, 0.45, 300, rng)
    return (
        {s: round(v, 6) for s, v in pi.items()},
        rounds,
        Counter(days),
        longest_run(days),
        est,
        round(length, 3),
        round(ruin_exact(4, 10, 0.45), 6),
        ruin_exact(1, 4, 0.5),
        chain.prob("the", "dog"),
        chain.walk("end", 3, rng),
    )


ARGS = [("the dog saw the cat and the cat saw the bird so the dog ran to the end", 42)]
