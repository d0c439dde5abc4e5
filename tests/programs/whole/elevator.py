from dataclasses import dataclass, field
from enum import Enum


class Direction(Enum):
    UP = 1
    DOWN = -1
    IDLE = 0


@dataclass
class Passenger:
    name: str
    origin: int
    target: int
    waited: int = 0


@dataclass
class Elevator:
    floor: int = 0
    direction: Direction = Direction.IDLE
    riders: list = field(default_factory=list)
    moves: int = 0

    def choose(self, waiting):
        stops = [p.target for p in self.riders] + [p.origin for p in waiting]
        if not stops:
            self.direction = Direction.IDLE
        elif self.direction == Direction.UP and any(s > self.floor for s in stops):
            pass
        elif self.direction == Direction.DOWN and any(s < self.floor for s in stops):
            pass
        elif stops[0] > self.floor:
            self.direction = Direction.UP
        else:
            self.direction = Direction.DOWN

    def step(self):
        self.floor += self.direction.value
        self.moves += abs(self.direction.value)


def simulate(people):
    lift = Elevator()
    waiting = list(people)
    log = []
    for tick in range(100):
        leaving = [p for p in lift.riders if p.target == lift.floor]
        for p in leaving:
            lift.riders.remove(p)
            log.append((tick, p.name, "out", lift.floor))
        boarding = [p for p in waiting if p.origin == lift.floor]
        for p in boarding:
            waiting.remove(p)
            lift.riders.append(p)
            log.append((tick, p.name, "in", lift.floor))
        if not waiting and not lift.riders:
            break
        for p in waiting:
            p.waited += 1
        lift.choose(waiting)
        lift.step()
    return lift, log


def main(requests):
    people = [Passenger(*r) for r in requests]
    lift, log = simulate(people)
    for tick, name, what, floor in log:
        print(f"t={tick:2d} {name} {what} at {floor}")
    avg = sum(p.waited for p in people) / len(people)
    return lift.moves, avg, lift.direction.name, log


ARGS = [
    ([("ann", 3, 0), ("bob", 1, 5), ("cy", 4, 2)],),
    ([("zed", 0, 2)],),
]
