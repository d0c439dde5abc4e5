"""Turing machine simulator with machines given as compact text."""

from collections import defaultdict


class TuringError(Exception):
    pass


class Tape:
    def __init__(self, text="", blank="_"):
        self.blank = blank
        self.cells = defaultdict(lambda: blank)
        self.cells.update(enumerate(text))
        self.head = 0

    def read(self):
        return self.cells[self.head]

    def write(self, symbol):
        self.cells[self.head] = symbol

    def move(self, how):
        self.head += {"L": -1, "R": 1, "N": 0}[how]

    def __str__(self):
        used = [i for i, s in self.cells.items() if s != self.blank]
        if not used:
            return ""
        return "".join(self.cells[i] for i in range(min(used), max(used) + 1))


class Machine:
    def __init__(self, program, start=None):
        self.rules = {}
        for number, line in enumerate(program.strip().splitlines(), 1):
            line = line.partition("#")[0].strip()
            if not line:
                continue
            try:
                state, read, write, move, nxt = line.split()
            except ValueError:
                raise TuringError(f"line {number}: {line!r}") from None
            if (state, read) in self.rules:
                raise TuringError(f"line {number}: duplicate rule for {state}/{read}")
            self.rules[state, read] = (write, move, nxt)
            if start is None:
                start = state
        self.start = start

    @property
    def states(self):
        return {s for s, _ in self.rules} | {r[2] for r in self.rules.values()}

    def run(self, text, limit=10_000, trace=0):
        tape = Tape(text)
        state = self.start
        steps = 0
        history = []
        while state not in ("accept", "reject", "halt"):
            if steps >= limit:
                return "timeout", steps, tape, history
            key = (state, tape.read())
            rule = self.rules.get(key) or self.rules.get((state, "*"))
            if rule is None:
                return "stuck", steps, tape, history
            if steps < trace:
                history.append(f"{state}:{tape.head}:{tape}")
            write, move, state = rule
            if write != "*":
                tape.write(write)
            tape.move(move)
            steps += 1
        return state, steps, tape, history


INCREMENT = """
right 0 0 R right
right 1 1 R right
right _ _ L carry
carry 1 0 L carry
carry 0 1 N halt
carry _ 1 N halt
"""

PALINDROME = """
start a _ R have_a
start b _ R have_b
start _ _ N accept
have_a _ _ L match_a
have_a * * R have_a
have_b _ _ L match_b
have_b * * R have_b
match_a a _ L back
match_a _ _ N accept
match_a * * N reject
match_b b _ L back
match_b _ _ N accept
match_b * * N reject
back _ _ R start      # at the left end again
back * * L back
"""

BEAVER = """
A _ 1 R B
A 1 1 L B
B _ 1 L A
B 1 _ L C
C _ 1 R halt
C 1 1 L D
D _ 1 R D
D 1 _ R A
"""

BAD = "s 0 1 R s\ns 0 0 L s"
LOOP = "a * * R b\nb * x L a"

MACHINES = {
    "increment": INCREMENT,
    "palindrome": PALINDROME,
    "beaver": BEAVER,
    "bad": BAD,
    "loop": LOOP,
}


def main(name, inputs, trace=3):
    try:
        machine = Machine(MACHINES[name])
    except TuringError as e:
        print("cannot load", name, "-", e)
        return str(e)
    results = []
    for text in inputs:
        outcome, steps, tape, history = machine.run(text, trace=trace)
        ones = sum(1 for s in tape.cells.values() if s == "1")
        print(f"{name}({text!r}) -> {outcome} after {steps} steps: {tape}")
        results.append((outcome, steps, str(tape), ones, history))
    return sorted(machine.states), results


ARGS = [
    ("increment", ["1011", "111111", "0"]),
    ("palindrome", ["abba", "abab", "", "abaaba", "a", "abc"], 5),
    ("beaver", [""]),
    ("bad", ["0"]),
]
