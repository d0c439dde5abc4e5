"""Elementary cellular automata (rule 30, 90, 110, ...) with integers as rows."""


def rule_table(number):
    if not 0 <= number < 256:
        raise ValueError(f"rule must be 0..255, not {number}")
    return {
        (a, b, c): number >> (a * 4 + b * 2 + c) & 1 for a in (0, 1) for b in (0, 1) for c in (0, 1)
    }


class Automaton:
    def __init__(self, rule, width, wrap=True):
        self.table = rule_table(rule)
        self.rule = rule
        self.wrap = wrap
        self.width = width
        self.cells = [0] * width
        self.cells[width // 2] = 1
        self.generation = 0

    def __iter__(self):
        return self

    def __next__(self):
        row = tuple(self.cells)
        if self.wrap:
            padded = (row[-1],) + row + (row[0],)
        else:
            padded = (0,) + row + (0,)
        self.cells = [self.table[padded[i : i + 3]] for i in range(self.width)]
        self.generation += 1
        return row


def evolve_int(rule, width, steps):
    """Same thing on a single integer, the fast way."""
    mask = (1 << width) - 1
    state = 1 << (width - 1 - width // 2)
    for _ in range(steps):
        yield state
        left = (state >> 1 | state << (width - 1)) & mask
        right = (state << 1 | state >> (width - 1)) & mask
        new = 0
        for pattern in range(8):
            if rule >> pattern & 1:
                a = left if pattern & 4 else ~left
                b = state if pattern & 2 else ~state
                c = right if pattern & 1 else ~right
                new |= a & b & c
        state = new & mask


def to_int(row):
    n = 0
    for bit in row:
        n = n << 1 | bit
    return n


def centre_bits(rule, n):
    """First n bits of the centre column, as used for random numbers."""
    auto = Automaton(rule, 2 * n + 1)
    return [next(auto)[n] for _ in range(n)]


def find_period(rule, width, limit=2000):
    seen = {}
    for step, row in enumerate(Automaton(rule, width)):
        if row in seen:
            return seen[row], step - seen[row]
        seen[row] = step
        if step >= limit:
            return None


def longest_run(bits):
    best = run = 0
    previous = None
    for b in bits:
        run = run + 1 if b == previous else 1
        previous = b
        best = max(best, run)
    return best


def main(rule, width, steps):
    auto = Automaton(rule, width)
    rows = [row for _, row in zip(range(steps), auto)]
    for row in rows[:8]:
        print("".join(" █"[c] for c in row))
    ints = list(evolve_int(rule, width, steps))
    bits = centre_bits(rule, 32)
    return {
        "agree": [to_int(r) for r in rows] == ints,
        "last": ints[-1],
        "population": [sum(r) for r in rows],
        "centre": to_int(bits),
        "longest": longest_run(bits),
        "period": find_period(rule, 11),
        "rule_bits": "".join(str(auto.table[k]) for k in sorted(auto.table, reverse=True)),
        "generation": auto.generation,
    }


ARGS = [(30, 41, 20), (90, 63, 32), (110, 80, 60)]
