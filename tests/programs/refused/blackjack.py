"""Blackjack with strategies as functions and classes, a deck generator and a bankroll."""

import random
from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from typing import Callable, List

SUITS = "SHDC"
RANKS = "23456789TJQKA"


@dataclass(frozen=True)
class Card:
    rank: str
    suit: str

    @property
    def value(self) -> int:
        return 11 if self.rank == "A" else 10 if self.rank in "TJQK" else int(self.rank)

    def __str__(self):
        return self.rank + self.suit


class Hand(list):
    pass


@dataclass
class Cards:
    cards: List[Card] = field(default_factory=list)

    def add(self, card):
        self.cards.append(card)

    @property
    def total(self) -> int:
        total = sum(c.value for c in self.cards)
        aces = sum(c.rank == "A" for c in self.cards)
        while total > 21 and aces:
            total -= 10
            aces -= 1
        return total

    @property
    def natural(self):
        return len(self.cards) == 2 and self.total == 21

    @property
    def soft(self):
        return (
            self.total <= 21
            and any(c.rank == "A" for c in self.cards)
            and sum(1 if c.rank == "A" else c.value for c in self.cards) + 10 == self.total
        )


class Outcome(Enum):
    WIN = 1.0
    LOSE = -1.0
    PUSH = 0.0
    BLACKJACK = 1.5


Strategy = Callable[[Cards, Card], bool]


def cautious(hand, up):
    return hand.total < 12


def mimic_dealer(hand, up):
    return hand.total < 17 or (hand.total == 17 and hand.soft)


class Basic:
    def __init__(self):
        self.asked = 0

    def __call__(self, hand, up):
        self.asked += 1
        if hand.soft:
            return hand.total < 18
        return hand.total < (17 if up.value >= 7 else 12 if up.value >= 4 else 13)


class Table:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.shoe: List[Card] = []

    def deal(self) -> Card:
        if len(self.shoe) < 15:
            self.shoe = [Card(r, s) for r, s in product(RANKS, SUITS)] * 2
            self.rng.shuffle(self.shoe)
        return self.shoe.pop()

    def round(self, strategy: Strategy) -> Outcome:
        player, dealer = Cards(), Cards()
        for _ in range(2):
            player.add(self.deal())
            dealer.add(self.deal())
        if player.natural:
            return Outcome.PUSH if dealer.natural else Outcome.BLACKJACK
        while player.total < 21 and strategy(player, dealer.cards[0]):
            player.add(self.deal())
        if player.total > 21:
            return Outcome.LOSE
        while dealer.total < 17:
            dealer.add(self.deal())
        if dealer.total > 21 or player.total > dealer.total:
            return Outcome.WIN
        return Outcome.PUSH if player.total == dealer.total else Outcome.LOSE


def main(rounds, seed):
    basic = Basic()
    report = {}
    for name, strategy in [("cautious", cautious), ("mimic", mimic_dealer), ("basic", basic)]:
        table = Table(seed)
        results = [table.round(strategy) for _ in range(rounds)]
        tally = Counter(o.name for o in results)
        report[name] = (sum(o.value for o in results), sorted(tally.items()), str(table.shoe[-1]))
    return report, basic.asked


ARGS = [(60, 21)]
