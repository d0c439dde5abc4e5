"""Nim and relatives through Sprague-Grundy numbers; players as strategy functions."""

import random
from functools import lru_cache, reduce
from operator import xor


class IllegalMove(Exception):
    def __init__(self, player, move, heaps):
        super().__init__(f"{player} tried {move} on {heaps}")
        self.player = player
        self.move = move


def mex(values):
    values = set(values)
    n = 0
    while n in values:
        n += 1
    return n


@lru_cache(maxsize=None)
def grundy_kayles(n):
    """Kayles: knock down one or two adjacent pins of a row of n."""
    options = set()
    for take in (1, 2):
        for left in range(n - take + 1):
            options.add(grundy_kayles(left) ^ grundy_kayles(n - take - left))
    return mex(options)


def grundy_subtraction(limit, allowed):
    table = []
    for n in range(limit + 1):
        table.append(mex(table[n - a] for a in allowed if a <= n))
    return table


def nim_sum(heaps):
    return reduce(xor, heaps, 0)


def winning_move(heaps):
    s = nim_sum(heaps)
    for i, h in enumerate(heaps):
        if h ^ s < h:
            return i, h - (h ^ s)
    return None


def perfect(heaps, rng):
    move = winning_move(heaps)
    if move is None:
        # losing anyway: take one from the biggest heap
        i = max(range(len(heaps)), key=lambda k: heaps[k])
        return i, 1
    return move


def greedy(heaps, rng):
    i = heaps.index(max(heaps))
    return i, heaps[i]


def clumsy(heaps, rng):
    i = rng.choice([k for k, h in enumerate(heaps) if h])
    return i, rng.randint(1, heaps[i])


def cheat(heaps, rng):
    return 0, sum(heaps) if len(heaps) > 1 and heaps[1] else heaps[0]


PLAYERS = {f.__name__: f for f in (perfect, greedy, clumsy, cheat)}


def play(heaps, names, rng):
    heaps = list(heaps)
    turn = 0
    moves = []
    while any(heaps):
        name = names[turn % 2]
        i, take = PLAYERS[name](tuple(heaps), rng)
        if not (0 <= i < len(heaps) and 1 <= take <= heaps[i]):
            raise IllegalMove(name, (i, take), heaps)
        heaps[i] -= take
        moves.append((i, take))
        turn += 1
    return names[(turn - 1) % 2], moves


def draw(heaps):
    for i, h in enumerate(heaps):
        print(f"{i}: " + "|" * h + f" {h:b}")
    print("nim-sum", nim_sum(heaps))


def main(heaps, names, seed, games=20):
    rng = random.Random(seed)
    draw(heaps)
    wins = dict.fromkeys(names, 0)
    errors = []
    shortest = None
    for g in range(games):
        order = names if g % 2 == 0 else names[::-1]
        try:
            winner, moves = play(heaps, order, rng)
        except IllegalMove as e:
            errors.append(str(e))
            winner = next(n for n in names if n != e.player)
        else:
            if shortest is None or len(moves) < len(shortest):
                shortest = moves
        wins[winner] += 1
    print(wins)
    return {
        "wins": wins,
        "first_error": errors[0] if errors else None,
        "errors": len(errors),
        "shortest": shortest,
        "best": winning_move(heaps),
        "kayles": [grundy_kayles(n) for n in range(25)],
        "subtraction": grundy_subtraction(14, (1, 3, 4)),
    }


ARGS = [
    ((3, 4, 5), ("perfect", "clumsy"), 1),
    ((1, 2, 3), ("greedy", "perfect"), 5),
    ((7, 7, 2, 9), ("cheat", "clumsy"), 11, 6),
]
