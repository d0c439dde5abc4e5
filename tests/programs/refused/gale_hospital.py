"""Hospitals/residents stable matching with capacities; generics, sorted keys, exceptions."""

from dataclasses import dataclass, field
from typing import Dict, List, Optional, Set, Tuple


class PreferenceError(Exception):
    def __init__(self, who: str, unknown: Set[str]):
        self.who, self.unknown = who, unknown
        super().__init__(f"{who} ranks unknown {', '.join(sorted(unknown))}")


@dataclass
class Hospital:
    name: str
    capacity: int
    ranking: Dict[str, int]
    admitted: List[str] = field(default_factory=list)

    def offer(self, resident: str) -> Optional[str]:
        """Admit; return whoever is bumped."""
        if resident not in self.ranking:
            return resident
        self.admitted.append(resident)
        self.admitted.sort(key=self.ranking.__getitem__)
        if len(self.admitted) > self.capacity:
            return self.admitted.pop()
        return None


@dataclass
class Market:
    residents: Dict[str, List[str]]
    hospitals: Dict[str, Hospital]

    def validate(self):
        for who, prefs in self.residents.items():
            if unknown := set(prefs) - self.hospitals.keys():
                raise PreferenceError(who, unknown)

    def match(self) -> Tuple[Dict[str, str], List[str]]:
        self.validate()
        todo = {r: iter(prefs) for r, prefs in self.residents.items()}
        free = sorted(self.residents, reverse=True)
        unmatched = []
        while free:
            r = free.pop()
            choice = next(todo[r], None)
            if choice is None:
                unmatched.append(r)
                continue
            bumped = self.hospitals[choice].offer(r)
            if bumped is not None:
                free.append(bumped)
        return {r: h.name for h in self.hospitals.values() for r in h.admitted}, unmatched

    def blocking_pairs(self, matching: Dict[str, str]):
        for r, prefs in self.residents.items():
            for h in prefs:
                if matching.get(r) == h:
                    break
                hosp = self.hospitals[h]
                if r not in hosp.ranking:
                    continue
                if len(hosp.admitted) < hosp.capacity or any(
                    hosp.ranking[r] < hosp.ranking[a] for a in hosp.admitted
                ):
                    yield r, h


def build(residents: str, hospitals: str) -> Market:
    rs = {}
    for line in residents.strip().split("\n"):
        name, prefs = line.split(":")
        rs[name] = prefs.split()
    hs = {}
    for line in hospitals.strip().split("\n"):
        head, prefs = line.split(":")
        name, cap = head.split("/")
        hs[name] = Hospital(name, int(cap), {r: i for i, r in enumerate(prefs.split())})
    return Market(rs, hs)


def main(residents, hospitals, wrong):
    market = build(residents, hospitals)
    matching, unmatched = market.match()
    pairs = list(market.blocking_pairs(matching))
    try:
        build(wrong, hospitals).match()
    except PreferenceError as e:
        error = (str(e), e.who, len(e.unknown))
    return dict(sorted(matching.items())), unmatched, pairs, error


ARGS = [
    (
        """
a: city mercy
b: city
c: mercy city general
d: mercy general
e: city mercy general
f: city""",
        """
city/2:e c a b f
mercy/1:d a c e
general/1:e d c""",
        "\nz: city moon mars",
    )
]
