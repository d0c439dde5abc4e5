"""Functions as values: in tables with keys of run time, event queues, lists of listeners."""

import math
import operator
from collections import namedtuple
from heapq import heappop, heappush

OPERATIONS = {"+": operator.add, "-": operator.sub, "*": lambda a, b: a * b}
System = namedtuple("System", "axiom angle")
SYSTEMS = {"koch": System("F", 90), "dragon": System("FX", 45), "plant": System("X", 25)}


def calculated(text):
    acc = 0
    for t in text.split():
        if t in OPERATIONS:
            acc = OPERATIONS[t](acc, 3)
        else:
            acc += int(t)
    return acc


def records(text):
    return [(SYSTEMS[name].axiom * 2, SYSTEMS[name].angle + 1) for name in text.split()]


def evaluated(text):
    tokens = text.split()

    def expression(at):
        value, at = int(tokens[at]), at + 1
        if at < len(tokens):
            rest, end = expression(at + 1)
            return OPERATIONS[tokens[at]](value, rest), end
        return value, at

    return expression(0)[0]


class Machine:
    def __init__(self):
        self.n = 0
        self.seen = []
        self.handlers = {"a": self.on_a, "b": self.on_b}
        self.listeners = []

    def on_a(self):
        self.n += 1

    def on_b(self):
        self.n *= 2

    def send(self, event):
        self.handlers[event]()
        for listener in self.listeners:
            listener(event, self.n)


def handled(text):
    machine = Machine()
    log = []

    def remember(event, n):
        log.append(f"{event}{n}")

    machine.listeners.append(remember)
    machine.listeners.append(lambda event, n: machine.seen.append(n))
    for c in text:
        machine.send(c)
    return machine.n, log, machine.seen


class Simulation:
    def __init__(self):
        self.events = []
        self.now = 0.0
        self.log = []

    def schedule(self, delay, action, *args):
        heappush(self.events, (self.now + delay, len(self.log), action, args))

    def arrive(self, k):
        self.log.append(k)
        if k < 6:
            self.schedule(1.5, self.leave, k + 1)

    def leave(self, k):
        self.log.append(-k)
        if k < 6:
            self.schedule(0.5, self.arrive, k + 1)


def simulated(n):
    simulation = Simulation()
    simulation.schedule(0, simulation.arrive, n)
    while simulation.events:
        simulation.now, _, action, args = heappop(simulation.events)
        action(*args)
    return simulation.log, simulation.now


def picked(numbers):
    functions = [math.sin, math.cos, math.sqrt]
    chosen = []
    for n in numbers:
        chosen.append(functions[n])
    return [g(0.5) for g in chosen]


TEXTS = [("1 + 2 - 3 *",), ("5 * *",), ("- 1 -",), ("7 +",), ("1",)]


class Bus:
    def __init__(self):
        self.handlers = []

    def add(self, handler):
        if handler not in self.handlers:
            self.handlers.append(handler)


class Scale:
    def __init__(self, by):
        self.by = by

    def times(self, x):
        return self.by * x


def subscribed(n):
    bus, two, three = Bus(), Scale(2), Scale(3)
    for handler in (two.times, three.times, two.times):
        bus.add(handler)
    return (
        [handler(n) for handler in bus.handlers],
        two.times == two.times,
        two.times != three.times,
    )


def doubled(n):
    return 2 * n


def squared(n):
    return n * n


def compared(n):
    functions = [doubled, squared]
    chosen = functions[n % 2]
    return (
        functions.index(squared),
        doubled in functions,
        functions.count(doubled),
        chosen is doubled,
        chosen == squared,
        (doubled, n) == (doubled, n),
        (doubled, n) != (squared, n),
        doubled == 3,
        doubled is None,
    )


CASES = [
    *((calculated, arguments) for arguments in TEXTS),
    *(
        (records, arguments)
        for arguments in [
            ("koch plant",),
            ("dragon",),
            ("plant plant dragon",),
            ("koch",),
            ("none",),
        ]
    ),
    *(
        (evaluated, arguments)
        for arguments in [("1 + 2 - 3",), ("5 * 4",), ("6",), ("1 - 2 - 3 * 4",), ("2 * 3",)]
    ),
    *((handled, arguments) for arguments in [("aabab",), ("b",), ("",)]),
    *((simulated, arguments) for arguments in [(1,), (5,)]),
    (subscribed, (4,)),
    *((compared, (n,)) for n in (0, 1)),
    *((picked, arguments) for arguments in [([0, 2, 1],), ([2],)]),
]
