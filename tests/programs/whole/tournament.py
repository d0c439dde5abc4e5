"""Group stage and knockout bracket with seeding, tie breaks and Elo ratings."""

import functools
import itertools
import random
from collections import defaultdict


@functools.total_ordering
class Team:
    def __init__(self, name, rating):
        self.name = name
        self.rating = rating
        self.points = self.scored = self.conceded = 0
        self.form = []

    @property
    def difference(self):
        return self.scored - self.conceded

    def _standing(self):
        return -self.points, -self.difference, -self.scored, self.name

    def __eq__(self, other):
        return self._standing() == other._standing()

    def __lt__(self, other):
        return self._standing() < other._standing()

    def __hash__(self):
        return hash(self.name)

    def __str__(self):
        return self.name

    def expected(self, other):
        return 1 / (1 + 10 ** ((other.rating - self.rating) / 400))


class Match:
    K = 32

    def __init__(self, home, away, rng):
        self.home, self.away = home, away
        lam = 1.2 + home.expected(away)
        self.goals = (self._goals(lam, rng), self._goals(3.2 - lam, rng))

    @staticmethod
    def _goals(mean, rng):
        return sum(rng.random() < mean / 6 for _ in range(6))

    def settle(self):
        h, a = self.goals
        result = 1.0 if h > a else 0.5 if h == a else 0.0
        change = self.K * (result - self.home.expected(self.away))
        self.home.rating += change
        self.away.rating -= change
        for team, mine, theirs in ((self.home, h, a), (self.away, a, h)):
            team.scored += mine
            team.conceded += theirs
            team.points += 3 * (mine > theirs) + (mine == theirs)
            team.form.append("WDL"[0 if mine > theirs else 1 if mine == theirs else 2])
        return self

    def winner(self, rng):
        h, a = self.goals
        if h == a:
            return (self.home, self.away)[rng.randint(0, 1)]
        return self.home if h > a else self.away

    def __str__(self):
        return f"{self.home} {self.goals[0]}:{self.goals[1]} {self.away}"


def snake_groups(teams, n):
    groups = defaultdict(list)
    order = itertools.cycle([*range(n), *reversed(range(n))])
    for team, g in zip(sorted(teams, key=lambda t: t.rating, reverse=True), order):
        groups["ABCDEFGH"[g]].append(team)
    return dict(groups)


def round_robin(teams):
    ring = list(teams) + ([None] if len(teams) % 2 else [])
    for _ in range(len(ring) - 1):
        half = len(ring) // 2
        yield [(a, b) for a, b in zip(ring[:half], reversed(ring[half:])) if a and b]
        ring.insert(1, ring.pop())


def knockout(qualified, rng):
    rounds = []
    while len(qualified) > 1:
        matches = [Match(a, b, rng) for a, b in zip(qualified[::2], qualified[1::2])]
        rounds.append([str(m) for m in matches])
        qualified = [m.winner(rng) for m in matches]
    return qualified[0], rounds


def main(seed, ratings, n_groups):
    rng = random.Random(seed)
    teams = [Team(name, float(r)) for name, r in ratings.items()]
    groups = snake_groups(teams, n_groups)
    total = 0
    for name, members in groups.items():
        for pairs in round_robin(members):
            for a, b in pairs:
                total += sum(Match(a, b, rng).settle().goals)
        members.sort()
        print(f"Group {name}")
        for t in members:
            print(f"  {t!s:<8}{t.points:>3}{t.difference:>+4}  {''.join(t.form)}  {t.rating:7.1f}")
    tops = [g[0] for g in groups.values()]
    seconds = [g[1] for g in groups.values()]
    bracket = list(itertools.chain(*zip(tops, reversed(seconds))))
    champion, rounds = knockout(bracket, rng)
    print("Champion:", champion)
    best = max(teams)
    return str(champion), rounds, total, [str(t) for t in sorted(teams)], str(best), len(set(teams))


ARGS = [
    (5, {"Oslo": 1500, "Rome": 1620, "Kyiv": 1480, "Bern": 1390, "Riga": 1555, "Cork": 1410}, 2),
    (77, {c: 1300 + 37 * i % 211 for i, c in enumerate("abcdefghijkl")}, 4),
]
