"""Mastermind, Knuth's minimax strategy, over product() of colours."""

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import NamedTuple

COLOURS = "RGBYO"


class Feedback(NamedTuple):
    black: int
    white: int

    def __str__(self):
        return "*" * self.black + "o" * self.white or "-"


@lru_cache(maxsize=None)
def feedback(guess: str, secret: str) -> Feedback:
    black = sum(g == s for g, s in zip(guess, secret))
    common = sum((Counter(guess) & Counter(secret)).values())
    return Feedback(black, common - black)


def best_guess(candidates, pool):
    def worst(guess):
        return max(Counter(feedback(guess, c) for c in candidates).values())

    return min(pool, key=lambda g: (worst(g), g not in candidates, g))


def play(secret, first, length):
    everything = ["".join(p) for p in product(COLOURS, repeat=length)]
    candidates = set(everything)
    guess, log = first, []
    while True:
        fb = feedback(guess, secret)
        log.append(f"{guess}{fb}")
        if fb.black == length:
            return log
        candidates = {c for c in candidates if feedback(guess, c) == fb}
        guess = best_guess(sorted(candidates), sorted(candidates)[:20])


def main(secrets, first):
    games = {s: play(s, first, len(first)) for s in secrets}
    histogram = Counter(len(log) for log in games.values())
    return games, sorted(histogram.items()), max(games, key=lambda s: (len(games[s]), s))


ARGS = [(["BRO", "YYG", "ORB", "RRR"], "RRG")]
