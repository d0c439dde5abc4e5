"""Programs that make a `random.Random` of their own: Python's numbers, and its states."""

import copy
import math
import random
import sys
from dataclasses import dataclass, field
from random import Random

import numpy as np

#  What draws


def floats(seed):
    rng = random.Random(seed)
    return [rng.random() for _ in range(700)]  # more than there are words


def whole_numbers(seed):
    rng = Random(seed)
    return (
        [rng.randint(-5, 5) for _ in range(9)],
        [rng.randrange(10) for _ in range(9)],
        [rng.randrange(3, 30, 4) for _ in range(5)],
        [rng.randrange(30, 3, -4) for _ in range(5)],
        rng.randint(0, 2**40),
        rng.randrange(-(2**61), 2**62),
    )


def bits(seed):
    rng = Random(seed)
    return [rng.getrandbits(k) for k in range(64)], rng.randbytes(0), rng.randbytes(11)


def reals(seed):
    rng = Random(seed)
    return (
        [rng.uniform(2, 3), rng.uniform(-1.5, seed)],
        [rng.triangular(), rng.triangular(1, 4), rng.triangular(1, 4, 2)],
        rng.triangular(2.0, 2.0, 2.0),
        [rng.normalvariate(1.0, 2.0), rng.normalvariate(), rng.lognormvariate(0, 1)],
        [rng.expovariate(2.0), rng.expovariate(-0.5)],
        [rng.vonmisesvariate(0.5, kappa) for kappa in (0.0, 0.3, 4.0)],
        [rng.gammavariate(alpha, 2.0) for alpha in (0.3, 1.0, 2.5, 30.0)],
        [rng.betavariate(2, 3), rng.betavariate(0.5, 0.5)],
        [rng.paretovariate(2.0), rng.weibullvariate(1.0, 2.0)],
    )


def pairs_of_gauss(seed):
    rng = Random(seed)
    first = [rng.gauss(0, 1) for _ in range(5)]
    x = rng.random()  # the sixth is there already
    rng.random()
    second = rng.gauss(10, 0.5), rng.gauss(), rng.gauss_next
    rng.seed(seed)
    return first, x, second, rng.gauss_next, rng.gauss(0, 1)


def binomials(seed):
    rng = Random(seed)
    few = [rng.binomialvariate(), rng.binomialvariate(20, 0.1), rng.binomialvariate(5, 1.0)]
    return few, [rng.binomialvariate(1000, p) for p in (0.0, 0.01, 0.3, 0.9)]


def chosen(seed):
    rng = Random(seed)
    return (
        "".join([rng.choice("abcdef") for _ in range(9)]),
        [rng.choice([1.5, 2.5, 4.5]) for _ in range(5)],
        [rng.choice(("red", "green", "blue")) for _ in range(5)],
        [rng.choice(range(10, 90, 3)) for _ in range(5)],
        rng.choice(np.arange(9.0)),
        rng.choice([(1, "a"), (2, "b"), (3, "c")]),
    )


def many_chosen(seed):
    rng = Random(seed)
    names = ["ann", "bob", "cy"]
    return (
        rng.choices(names, k=6),
        rng.choices(names, [1, 2, 3], k=6),
        rng.choices(names, weights=(0.5, 0.25, 3), k=6),
        rng.choices("HT", cum_weights=[3, 4], k=6),
        rng.choices(range(100)),
    )


def shuffled(seed):
    rng = Random(seed)
    numbers = list(range(30))
    cards = [(rank, suit) for suit in "cdhs" for rank in range(2, 15)]
    words = "the quick brown fox jumps over the lazy dog".split()
    array = np.arange(9)
    for items in (numbers, cards, words):
        rng.shuffle(items)
    rng.shuffle(array)
    return numbers, cards, words, array


def sampled(seed):
    rng = Random(seed)
    return (
        rng.sample(range(100), 7),
        rng.sample(range(10**12), k=8),
        rng.sample([(1, 2), (3, 4), (5, 6)], 2),
        rng.sample("abcdefgh", 4),
        rng.sample(["a", "b", "c"], counts=[3, 1, 2], k=5),
        rng.sample(range(5), 0),
    )


#  Seeds and states


def seeded_again(seed):
    rng = Random(1)
    made = [rng.random()]
    rng.seed(seed)
    made.append(rng.random())
    rng.seed(a=seed, version=2)
    return made, rng.random()


def seed_of_version_one(seed):
    rng = Random()
    rng.seed(seed, version=1)
    return rng.random(), rng.getrandbits(60)


def seed_from_text(n):
    rng = random.Random(f"trial-{n} \u00e9\u20ac")
    return rng.random(), Random(bytes([n, 255])).random(), Random(bytearray(b"ab")).random()


def seeds_of_the_system(n):
    a, b = Random(), random.Random(None)
    return a.getrandbits(60) != b.getrandbits(60), [0 <= a.random() < n for _ in range(n)]


def wrong_seed(n):
    return Random((n, 1)).random()


def states(seed):
    rng = Random(seed)
    rng.gauss()
    state = rng.getstate()
    before = rng.random(), rng.gauss(), rng.randint(1, 6)
    after = rng.getstate()
    rng.setstate(state)
    again = rng.random(), rng.gauss(), rng.randint(1, 6)
    return before == again, state == after, rng.getstate() == after, state


def returned(seed):
    rng = Random(seed)
    made = rng.random()
    return rng, [rng, Random(made)], {"fresh": Random(seed)}


def copied(seed):
    rng = Random(seed)
    rng.gauss()
    other, third = copy.copy(rng), copy.deepcopy(rng)
    return rng.random(), other.random(), other.gauss() == rng.gauss(), third.random()


def side_by_side(seed):
    a, b, c = Random(seed), Random(seed), Random(seed + 1)
    return [a.random() + b.random() for _ in range(5)], c.random(), a.random() == b.random()


def beside_the_shared_one(seed):
    random.seed(seed)
    rng = Random(seed)
    return [(rng.random() == random.random(), random.gauss(0, 1)) for _ in range(4)]


def classes(seed):
    rng = Random(seed)
    return (
        isinstance(rng, Random),
        isinstance(seed, Random),
        type(rng).__name__,
        type(rng) is Random,
    )


#  Errors


def nothing_to_choose(n):
    return Random(n).choice([])


def empty_range(n):
    return Random(n).randrange(n, n)


def empty_interval(n):
    return Random(n).randint(n, 1)


def too_large_a_sample(n):
    return Random(n).sample([1, 2], n)


def sample_of_a_set(n):
    return Random(n).sample({1, 2, n}, 1)


def counts_and_values(n):
    return Random(n).sample([1, 2], counts=[n], k=1)


def weights_of_others(n):
    return Random(n).choices([1, 2], weights=[n], k=2)


def negative_bits(n):
    try:
        return Random(n).getrandbits(-n)
    except ValueError as error:
        return str(error)


#  Simulations


def draw_three(rng, low=0, high=10):
    return [rng.randint(low, high) for _ in range(3)]


def passed_on(seed):
    rng = Random(seed)
    return draw_three(rng), draw_three(rng, high=99), draw_three(low=-9, rng=rng)


def made_if_missing(seed, rng=None):
    rng = rng or random.Random(seed)
    return rng.random(), rng.randint(1, 6)


def in_containers(seed):
    listed = [Random(seed + k) for k in range(4)]
    named = {name: Random(name) for name in ("left", "right")}
    return (
        [rng.random() for rng in listed],
        [rng.randint(1, 6) for rng in named.values()],
        listed[1].random(),
        named["left"].choice("xyz"),
    )


class Walker:
    def __init__(self, seed, at=(0, 0)):
        self.rng = random.Random(seed)
        self.at = at
        self.seen = {at}

    def step(self):
        dx, dy = self.rng.choice([(1, 0), (-1, 0), (0, 1), (0, -1)])
        self.at = self.at[0] + dx, self.at[1] + dy
        self.seen.add(self.at)

    def walk(self, count):
        for _ in range(count):
            self.step()
        return math.hypot(*self.at)


def random_walk(seed):
    walker = Walker(seed)
    return walker.walk(200), len(walker.seen), walker.at, walker.rng.random()


def walkers(seed):
    made = [Walker(seed), Walker(seed + 1), Walker(seed)]
    return [walker.walk(50) for walker in made], made[0].at == made[2].at


def returned_walker(seed):
    walker = Walker(seed)
    walker.step()
    return walker


@dataclass
class Dice:
    sides: int
    rng: Random = field(default_factory=lambda: Random(7))
    rolls: list = field(default_factory=list)

    def roll(self):
        self.rolls.append(self.rng.randint(1, self.sides))
        return self.rolls[-1]


def dice(seed):
    given, default = Dice(6, Random(seed)), Dice(20)
    return [given.roll() + default.roll() for _ in range(6)], given.rolls, default.rolls


class Player:
    def __init__(self, name, luck):
        self.name = name
        self.luck = luck
        self.wins = 0


def tournament(seed):
    rng = Random(seed)
    players = [Player(name, rng.uniform(0.5, 1.5)) for name in ("ann", "bob", "cy", "di")]
    for _ in range(60):
        a, b = rng.sample(players, 2)
        winner = rng.choices([a, b], weights=[a.luck, b.luck])[0]
        winner.wins += 1
    rng.shuffle(players)
    lucky = rng.choice(players)
    return [(one.name, one.wins, round(one.luck, 3)) for one in players], lucky.name


def estimate_of_pi(seed):
    rng = Random(seed)
    inside = sum(1 for _ in range(2000) if rng.random() ** 2 + rng.random() ** 2 <= 1)
    return 4 * inside / 2000


def generated(seed):
    def throws(rng):
        while True:
            yield rng.randint(1, 6)

    total = 0
    for number, throw in enumerate(throws(Random(seed))):
        total += throw
        if total > 100:
            return number, total
    return None


def annealed(seed, cities=8):
    rng = Random(seed)
    places = [(rng.random(), rng.random()) for _ in range(cities)]
    tour = list(range(cities))
    rng.shuffle(tour)

    def length(order):
        return sum(math.dist(places[order[k - 1]], places[order[k]]) for k in range(cities))

    best, heat = length(tour), 1.0
    for _ in range(150):
        i, j = sorted(rng.sample(range(cities), 2))
        other = tour[:i] + tour[i : j + 1][::-1] + tour[j + 1 :]
        change = length(other) - best
        if change < 0 or rng.random() < math.exp(-change / heat):
            tour, best = other, best + change
        heat *= 0.97
    return tour, best


#  Made outside


def given_one(rng, n):
    return [rng.random() for _ in range(n)], rng.randint(1, n), rng.sample(range(n), 3)


OUTSIDE = Random(12)


def of_a_global(n):
    return 0 <= OUTSIDE.random() < 1, OUTSIDE.randint(1, n) <= n, len(OUTSIDE.choices("ab", k=n))


SEEDED = [
    floats, whole_numbers, bits, reals, pairs_of_gauss, chosen, many_chosen, shuffled,
    sampled, states, returned, copied, side_by_side, beside_the_shared_one, classes, passed_on,
    made_if_missing, in_containers, random_walk, walkers, returned_walker, dice, tournament,
    estimate_of_pi, generated, annealed,
]  # fmt: skip
if sys.version_info >= (3, 12):
    SEEDED.append(binomials)
OTHERS = [
    seed_from_text, seeds_of_the_system, wrong_seed, nothing_to_choose, empty_range,
    empty_interval, too_large_a_sample, sample_of_a_set, counts_and_values, weights_of_others,
    negative_bits, of_a_global,
]  # fmt: skip
LARGE = (2**31, 2**32 - 1, 2**32, -(2**32), 2**40 + 77, 2**63 - 1, -(2**63), -(2**63) + 1)
CASES = [
    *((f, (seed,)) for f in SEEDED for seed in (0, 42, -7)),
    *((f, (n,)) for f in OTHERS for n in (3, 7)),
    *((floats, (seed,)) for seed in (*LARGE, True, 2.5, -0.0, "a seed", "", b"\x00\xff")),
    *((f, (seed,)) for f in (seeded_again,) for seed in (5, "text", b"bytes", 0.1)),
    *((seed_of_version_one, (seed,)) for seed in (5, "text", b"bytes", "")),
    (floats, (np.int64(3),)),
    (given_one, (Random(3), 5)),
]
