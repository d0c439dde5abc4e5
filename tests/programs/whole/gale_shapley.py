"""Stable matching of students to colleges with capacities."""

import random
from dataclasses import dataclass, field
from itertools import chain


@dataclass(eq=False)
class Student:
    name: str
    prefs: list = field(default_factory=list, repr=False)
    college: "College" = field(default=None, repr=False)
    asked: int = 0

    def next_choice(self):
        if self.asked < len(self.prefs):
            self.asked += 1
            return self.prefs[self.asked - 1]
        return None

    def prefers(self, college):
        if self.college is None:
            return True
        return self.prefs.index(college) < self.prefs.index(self.college)


@dataclass(eq=False)
class College:
    name: str
    capacity: int
    ranking: dict = field(default_factory=dict, repr=False)
    admitted: list = field(default_factory=list, repr=False)

    def consider(self, student):
        """Admit the student, and give back whoever is turned away."""
        self.admitted.append(student)
        student.college = self
        if len(self.admitted) <= self.capacity:
            return None
        worst = max(self.admitted, key=lambda s: self.ranking[s.name])
        self.admitted.remove(worst)
        worst.college = None
        return worst

    def would_take(self, student):
        if len(self.admitted) < self.capacity:
            return True
        mine = self.ranking[student.name]
        return any(self.ranking[s.name] > mine for s in self.admitted)


def deferred_acceptance(students):
    free = list(reversed(students))
    rounds = 0
    while free:
        student = free.pop()
        college = student.next_choice()
        if college is None:
            continue
        rounds += 1
        bumped = college.consider(student)
        if bumped:
            free.append(bumped)
    return rounds


def blocking_pairs(students, colleges):
    for s in students:
        for c in colleges:
            if c is not s.college and s.prefers(c) and c.would_take(s):
                yield s.name, c.name


def happiness(students):
    ranks = [s.prefs.index(s.college) + 1 for s in students if s.college]
    return sum(ranks) / len(ranks), max(ranks)


def make_market(seed, names, caps):
    rng = random.Random(seed)
    students = [Student(n) for n in names]
    colleges = [College(n, c) for n, c in caps.items()]
    for s in students:
        s.prefs = colleges[:]
        rng.shuffle(s.prefs)
    for c in colleges:
        order = names[:]
        rng.shuffle(order)
        c.ranking = {name: place for place, name in enumerate(order)}
    return students, colleges


def main(seed, names, caps):
    students, colleges = make_market(seed, names, caps)
    proposals = deferred_acceptance(students)
    unstable = list(blocking_pairs(students, colleges))
    print(f"{proposals} proposals, {len(unstable)} blocking pairs")
    for c in sorted(colleges, key=lambda c: c.name):
        members = sorted(s.name for s in c.admitted)
        print(f"  {c.name:<10}{len(members)}/{c.capacity}  {', '.join(members) or '-'}")
    placed = set(chain.from_iterable((s.name for s in c.admitted) for c in colleges))
    left = sorted(set(names) - placed)
    # break the matching, and see whether that is noticed
    a, b = [s for s in students if s.college][:2]
    a.college, b.college = b.college, a.college
    spoiled = len(list(blocking_pairs(students, colleges)))
    a.college, b.college = b.college, a.college
    return (
        {s.name: s.college.name if s.college else None for s in students},
        left,
        happiness(students),
        unstable,
        spoiled,
        repr(students[0]),
        repr(colleges[-1]),
    )


ARGS = [
    (3, ["ana", "bo", "cy", "di", "ed"], {"North": 2, "South": 1, "West": 2}),
    (11, ["u", "v", "w", "x", "y", "z", "q"], {"Tech": 3, "Arts": 1, "Law": 1}),
]
