"""Students and grades: statistics, NamedTuples, weighted means, histograms, ranking with ties, property validation."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import NamedTuple


class Score(NamedTuple):
    course: str
    points: float
    weight: float = 1.0


class InvalidScore(ValueError):
    def __init__(self, student: str, score: Score) -> None:
        self.student = student
        self.score = score.points
        super().__init__(f"{student}: {score.points} is out of range in {score.course}")


class Bounded:
    """A validating descriptor."""

    def __init__(self, lo, hi):
        self.lo, self.hi = lo, hi

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, objtype=None):
        if obj is None:
            return self
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        if not self.lo <= value <= self.hi:
            raise ValueError(f"{self.name[1:]} must be in [{self.lo}, {self.hi}]")
        setattr(obj, self.name, value)


class Config:
    curve = Bounded(0.0, 10.0)

    def __init__(self, curve):
        self.curve = curve


@dataclass
class Student:
    name: str
    year: int = 1
    scores: list[Score] = field(default_factory=list)

    def add(self, *scores: Score) -> Student:
        for s in scores:
            if not 0 <= s.points <= 100:
                raise InvalidScore(self.name, s)
            self.scores.append(s)
        return self

    @property
    def average(self) -> float:
        if not self.scores:
            return float("nan")
        return sum(s.points * s.weight for s in self.scores) / sum(s.weight for s in self.scores)

    @property
    def grade(self) -> str:
        match self.average:
            case a if a >= 90:
                return "A"
            case a if a >= 80:
                return "B"
            case a if a >= 65:
                return "C"
            case a if a != a:
                return "-"
            case _:
                return "F"


def rank(students, key):
    ordered = sorted(students, key=key, reverse=True)
    out, last, pos = [], None, 0
    for i, s in enumerate(ordered, 1):
        k = key(s)
        if k != last:
            pos, last = i, k
        out.append((pos, s.name))
    return out


def histogram(values, width=10):
    bins = Counter(int(v // width) * width for v in values)
    return [
        f"{lo:3d}-{lo + width - 1:<3d} {'*' * bins[lo]}"
        for lo in range(min(bins), max(bins) + 1, width)
    ]


def linear_fit(xs, ys):
    mx, my = statistics.fmean(xs), statistics.fmean(ys)
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    sxx = sum((x - mx) ** 2 for x in xs)
    slope = sxy / sxx
    return slope, my - slope * mx


def main(rows, curve):
    students: dict[str, Student] = {}
    rejected = []
    cfg = Config(curve)
    for name, year, *scores in rows:
        s = students.setdefault(name, Student(name, year))
        try:
            s.add(*(Score(c, p + cfg.curve, w) for c, p, w in scores))
        except InvalidScore as e:
            rejected.append((e.student, e.score, str(e)))
    try:
        Config(11.0)
    except ValueError as e:
        print(e)
    everyone = list(students.values())
    per_course = defaultdict(list)
    for s in everyone:
        for course, points, _ in s.scores:
            per_course[course].append(points)
    table = {
        c: (
            len(v),
            round(statistics.mean(v), 3),
            statistics.median(v),
            round(statistics.stdev(v), 3) if len(v) > 1 else 0.0,
        )
        for c, v in per_course.items()
    }
    for line in histogram([p for v in per_course.values() for p in v]):
        print(line)
    grades = "".join(s.grade for s in everyone)
    slope, icpt = linear_fit(
        [s.year for s in everyone if s.scores], [s.average for s in everyone if s.scores]
    )
    promoted = [replace(s, year=s.year + 1) for s in everyone if s.grade in "ABC"]
    return (
        table,
        grades,
        rank([s for s in everyone if s.scores], key=lambda s: round(s.average)),
        rejected,
        (round(slope, 6), round(icpt, 6)),
        [(p.name, p.year) for p in promoted],
        statistics.mode(grades),
        statistics.quantiles(per_course["math"], n=4),
    )


ARGS = [
    (
        [
            ("ann", 1, ("math", 88.0, 2.0), ("art", 92.0, 1.0)),
            ("bob", 2, ("math", 71.0, 2.0), ("art", 66.5, 1.0)),
            ("cid", 3, ("math", 97.0, 2.0), ("art", 99.0, 1.0)),
            ("dee", 2, ("math", 55.0, 1.0)),
            ("eve", 4),
            ("bob", 2, ("bio", 80.0, 1.0)),
        ],
        2.0,
    )
]
