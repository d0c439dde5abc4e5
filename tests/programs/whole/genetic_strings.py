"""A genetic algorithm that evolves a sentence; uses random.Random, choices, key functions."""

import random
import string
from dataclasses import dataclass
from typing import List

ALPHABET = string.ascii_lowercase + " "


@dataclass(order=True)
class Individual:
    fitness: int
    genes: str

    @classmethod
    def make(cls, genes: str, target: str) -> "Individual":
        return cls(sum(a == b for a, b in zip(genes, target)), genes)


class Evolution:
    def __init__(self, target: str, size: int, mutation: float, seed: int):
        self.target = target
        self.rng = random.Random(seed)
        self.mutation = mutation
        self.population = [Individual.make(self._random(), target) for _ in range(size)]
        self.history: List[int] = []

    def _random(self) -> str:
        return "".join(self.rng.choice(ALPHABET) for _ in self.target)

    def tournament(self, k: int = 3) -> Individual:
        return max(self.rng.sample(self.population, k))

    def crossover(self, a: Individual, b: Individual) -> str:
        cut = self.rng.randrange(len(self.target))
        return a.genes[:cut] + b.genes[cut:]

    def mutate(self, genes: str) -> str:
        return "".join(
            self.rng.choice(ALPHABET) if self.rng.random() < self.mutation else g for g in genes
        )

    def step(self):
        elite = sorted(self.population, reverse=True)[:2]
        children = list(elite)
        while len(children) < len(self.population):
            child = self.mutate(self.crossover(self.tournament(), self.tournament()))
            children.append(Individual.make(child, self.target))
        self.population = children
        self.history.append(max(self.population).fitness)

    @property
    def best(self) -> Individual:
        return max(self.population)


def main(target, size, generations, seed):
    ev = Evolution(target, size, 0.03, seed)
    for g in range(generations):
        ev.step()
        if ev.best.fitness == len(target):
            break
    return ev.best.genes, ev.best.fitness, ev.history, g


ARGS = [("to be or not", 40, 25, 5)]
