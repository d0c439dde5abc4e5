"""AoC style: register machine with match statements and a generator of outputs."""

from dataclasses import dataclass
from typing import Iterator, NamedTuple


class Instr(NamedTuple):
    op: str
    a: str
    b: str = "0"


@dataclass(slots=True)
class Machine:
    program: list
    pc: int = 0
    steps: int = 0

    def __post_init__(self):
        self.regs = {} if False else dict.fromkeys("abcdefgh", 0)

    # slots=True forbids new attributes; declared below
    regs: dict = None

    def value(self, x: str) -> int:
        return self.regs[x] if x.isalpha() else int(x)

    def run(self, limit: int = 10_000) -> Iterator[int]:
        while 0 <= self.pc < len(self.program):
            self.steps += 1
            if self.steps > limit:
                raise TimeoutError(f"gave up after {limit} steps at pc={self.pc}")
            ins = self.program[self.pc]
            self.pc += 1
            match ins:
                case Instr("set", r, v):
                    self.regs[r] = self.value(v)
                case Instr("add" | "sub" as op, r, v):
                    k = self.value(v)
                    self.regs[r] += k if op == "add" else -k
                case Instr("mul", r, v):
                    self.regs[r] *= self.value(v)
                case Instr("mod", r, v):
                    self.regs[r] %= self.value(v)
                case Instr("jnz", c, v) if self.value(c) != 0:
                    self.pc += self.value(v) - 1
                case Instr("jnz"):
                    pass
                case Instr(op="out", a=r):
                    yield self.value(r)
                case _:
                    raise ValueError(f"bad instruction {ins.op} at {self.pc - 1}")


def parse(text: str) -> list[Instr]:
    out = []
    for line in text.strip().splitlines():
        line, _, _comment = line.partition("#")
        if not (parts := line.split()):
            continue
        op, *rest = parts
        out.append(Instr(op, *rest))
    return out


def main(source, broken, seeds):
    program = parse(source)
    results = []
    for s in seeds:
        m = Machine(program)
        m.regs["a"] = s
        outs = list(m.run())
        results.append((s, outs, m.steps, m.regs["b"]))
    errs = []
    for src in broken:
        try:
            m = Machine(parse(src))
            for v in m.run(limit=50):
                errs.append(str(v))
        except TimeoutError as e:
            errs.append("T " + str(e))
        except (ValueError, ZeroDivisionError) as e:
            errs.append(f"{type(e).__name__}: {e}")
    return results, errs


ARGS = [
    (
        """
set b 0        # counter
set c a
mod c 2
jnz c 4
set d 0
add d 1
out d
set e a
add b e
out b
sub a 1
jnz a -10
mul b 3
""",
        ["set a 1\njnz 1 0", "frob 1 2", "set a 4\nout a\nmod a 0", "add a 5\nout a\nout a"],
        [3, 8, 25],
    )
]
