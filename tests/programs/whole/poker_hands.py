"""Rank and compare poker hands, find the best five of seven, and count odds."""

import random
from collections import Counter, namedtuple
from enum import IntEnum
from functools import total_ordering
from itertools import combinations

Card = namedtuple("Card", "rank suit")
RANKS = "23456789TJQKA"
SUITS = "cdhs"


class Category(IntEnum):
    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8


class BadHand(ValueError):
    def __init__(self, reason, text):
        super().__init__(f"{reason}: {text!r}")
        self.text = text


def parse(text):
    cards = []
    for token in text.split():
        if len(token) != 2 or token[0] not in RANKS or token[1] not in SUITS:
            raise BadHand("unknown card", token)
        card = Card(RANKS.index(token[0]) + 2, token[1])
        if card in cards:
            raise BadHand("duplicate card", token)
        cards.append(card)
    return cards


def card_name(card):
    return RANKS[card.rank - 2] + card.suit


@total_ordering
class Hand:
    def __init__(self, cards):
        if len(cards) != 5:
            raise BadHand("need five cards", " ".join(map(card_name, cards)))
        self.cards = sorted(cards, reverse=True)
        self.category, self.ranks = self._classify()

    def _classify(self):
        counts = Counter(c.rank for c in self.cards)
        # biggest groups first, ties by rank
        groups = sorted(counts.items(), key=lambda rc: (rc[1], rc[0]), reverse=True)
        ranks = tuple(r for r, _ in groups)
        shape = tuple(n for _, n in groups)
        flush = len({c.suit for c in self.cards}) == 1
        straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
        if ranks == (14, 5, 4, 3, 2):
            straight, ranks = True, (5, 4, 3, 2, 1)
        if straight and flush:
            return Category.STRAIGHT_FLUSH, ranks
        by_shape = {
            (4, 1): Category.FOUR_OF_A_KIND,
            (3, 2): Category.FULL_HOUSE,
            (3, 1, 1): Category.THREE_OF_A_KIND,
            (2, 2, 1): Category.TWO_PAIR,
            (2, 1, 1, 1): Category.PAIR,
        }
        if shape in by_shape:
            return by_shape[shape], ranks
        if flush:
            return Category.FLUSH, ranks
        return (Category.STRAIGHT if straight else Category.HIGH_CARD), ranks

    @property
    def key(self):
        return (self.category, self.ranks)

    def __eq__(self, other):
        return self.key == other.key

    def __lt__(self, other):
        return self.key < other.key

    def __str__(self):
        return (
            " ".join(map(card_name, self.cards))
            + f" ({self.category.name.lower().replace('_', ' ')})"
        )


def best_of(cards):
    return max(map(Hand, combinations(cards, 5)))


def showdown(board, holes):
    table = {}
    for name, hole in holes.items():
        table[name] = best_of(parse(board + " " + hole))
    top = max(table.values())
    winners = sorted(n for n, h in table.items() if h == top)
    return winners, table


def sample_odds(n, seed):
    rng = random.Random(seed)
    deck = [Card(r, s) for r in range(2, 15) for s in SUITS]
    tally = Counter(Hand(rng.sample(deck, 5)).category for _ in range(n))
    return {c.name: tally[c] for c in Category if tally[c]}


def main(board, holes, n):
    try:
        winners, table = showdown(board, holes)
    except BadHand as e:
        print("error:", e)
        return str(e), e.text, sample_odds(n, 1)
    for name, hand in sorted(table.items(), key=lambda kv: kv[1], reverse=True):
        print(f"{name:<6} {hand}")
    order = [
        name for name, _ in sorted(table.items(), key=lambda kv: (kv[1].key, kv[0]), reverse=True)
    ]
    return winners, order, {k: str(h) for k, h in table.items()}, sample_odds(n, 42)


ARGS = [
    ("Ah Kh Qh 2c 2d", {"amy": "Jh Th", "bob": "2h 2s", "cy": "Ac Ad"}, 300),
    ("5c 4d 3h 9s 9c", {"amy": "Ac 2d", "bob": "9h Kd", "cy": "As 2h", "di": "6d 7d"}, 500),
    ("5c 4d 3h 9s 9c", {"amy": "5c 2d"}, 50),
]
