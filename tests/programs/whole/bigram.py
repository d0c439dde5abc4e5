"""Bigram language model with add-k smoothing, perplexity, sampling and beam search."""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter, defaultdict
from typing import Iterable, Iterator

START, END = "<s>", "</s>"


def sentences(text: str) -> Iterator[list[str]]:
    for s in text.lower().split("."):
        words = [w.strip(",;:!?") for w in s.split()]
        if words:
            yield words


class Bigram:
    def __init__(self, k: float = 0.1):
        self.k = k
        self.counts: dict[str, Counter] = defaultdict(Counter)
        self.vocabulary: set[str] = {END}

    def train(self, corpus: Iterable[list[str]]) -> Bigram:
        for words in corpus:
            self.vocabulary.update(words)
            for a, b in zip([START, *words], [*words, END]):
                self.counts[a][b] += 1
        return self

    def prob(self, a: str, b: str) -> float:
        c = self.counts.get(a, Counter())
        return (c[b] + self.k) / (sum(c.values()) + self.k * len(self.vocabulary))

    def log_likelihood(self, words: list[str]) -> float:
        return sum(math.log(self.prob(a, b)) for a, b in zip([START] + words, words + [END]))

    def perplexity(self, corpus: list[list[str]]) -> float:
        n = sum(len(w) + 1 for w in corpus)
        return math.exp(-sum(map(self.log_likelihood, corpus)) / n)

    def sample(self, rng: random.Random, limit: int = 12) -> str:
        out, word = [], START
        while len(out) < limit:
            options = sorted(self.counts[word].items())
            word = rng.choices([w for w, _ in options], weights=[c for _, c in options])[0]
            if word == END:
                break
            out.append(word)
        return " ".join(out)

    def beam(self, start: str, width: int, length: int) -> list[tuple[float, str]]:
        beams = [(0.0, [start])]
        for _ in range(length):
            grown = []
            for score, words in beams:
                if words[-1] == END:
                    grown.append((score, words))
                    continue
                for nxt in self.counts.get(words[-1], ()):
                    grown.append((score + math.log(self.prob(words[-1], nxt)), words + [nxt]))
            beams = heapq.nlargest(width, grown)
        return [(round(s, 6), " ".join(w)) for s, w in beams]


def main(text, test, seed):
    model = Bigram().train(sentences(text))
    rng = random.Random(seed)
    top = {w: c.most_common(2) for w, c in sorted(model.counts.items()) if sum(c.values()) > 2}
    return (
        len(model.vocabulary),
        round(model.perplexity(list(sentences(test))), 8),
        [model.sample(rng) for _ in range(3)],
        model.beam("the", 3, 4),
        top,
    )


ARGS = [
    (
        "The cat sat on the mat. The dog sat on the log. A cat and a dog met on the mat, and the cat ran. The log fell on the dog.",
        "the dog sat on the mat. a cat ran.",
        4,
    )
]
