"""Random typed programs have the same results before and after each stage up to np-scatters."""

import os
import random
import subprocess

import numpy as np
import pytest
from support.ir_machine import Machine
from support.toolchain import pipeline_stages, shapecast_opt

CLASSES = {
    "V": ["s0"],
    "W": ["s0 - 2"],
    "M": ["s0", "s0"],
    "N": ["s0 - 2", "s0 - 2"],
    "C": ["s0", "1"],
    "H": ["2"],
}
ALIASES = {
    "noalias": '"noalias"',
    "same": '[["same", 0, 1]]',
    "overlap": '[["overlap", 0, 1]]',
    "itself": '[["overlap", 0, 0]]',
}
SIZE = 5
# From expressions to checked nests, each stage with the level of the IR that it promises.
STAGES = pipeline_stages("simplify", "scatters")
NESTS = [name for name, _ in STAGES].index("nests")
PIPELINES = [
    [flag for name, level in stages for flag in (f"--np-{name}", f"--np-verify=level={level}")]
    for stages in (STAGES[NESTS:], STAGES)
]


def array(cls: str) -> str:
    return f"!np.array<{' x '.join(CLASSES[cls])} x si64, strided>"


def value(cls: str) -> str:
    shape = "x".join(d if d.isdigit() else "?" for d in CLASSES[cls])
    return f"tensor<{shape}xsi64, #np.dims<{', '.join(CLASSES[cls])}>>"


def attributes(expressions: list[object]) -> str:
    return "[" + ", ".join(f"#np.dim<{e}>" for e in expressions) + "]"


class Generator:
    def __init__(self, seed: int, alias: str) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.alias = alias
        self.handles = [("%A", "V"), ("%B", "V"), ("%P", "M"), ("%Q", "M")]
        self.values: list[tuple[str, str]] = []
        self.scalars: list[str] = []
        self.loops: list[str] = []

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text: str) -> str:
        name = self.fresh()
        self.lines.append(f"{name} = {text}")
        return name

    def program(self) -> str:
        zero = self.emit("np.const 3 : si64")
        self.scalars.append(zero)
        for _ in range(self.random.randint(4, 14)):
            self.statement(0)
        results = self.random.sample(self.handles, min(3, len(self.handles)))
        names = ", ".join(name for name, _ in results)
        types = ", ".join(array(cls) for _, cls in results)
        self.lines.append(f"np.return {names} : {types}")
        parameters = f"%A: {array('V')}, %B: {array('V')}, %P: {array('M')}, %Q: {array('M')}"
        head = f"np.func @f({parameters}) -> ({types}) attributes"
        guards = 'guards = [#np.guard<s0 ">=" 5, 1>]'
        return "\n".join(
            [f"{head} {{alias = {ALIASES[self.alias]}, {guards}}} {{", *self.lines, "}"]
        )

    def pick(self, pool: list[tuple[str, str]], classes: str) -> tuple[str, str] | None:
        fitting = [entry for entry in pool if entry[1] in classes]
        recent = fitting[-4:] if self.random.random() < 0.6 else fitting
        return self.random.choice(recent) if recent else None

    def statement(self, depth: int) -> None:
        kinds = {
            self.view: 4,
            self.read: 4,
            self.compute: 8,
            self.broadcast: 2,
            self.reduce: 2,
            self.assign: 5,
            self.materialize: 3,
            self.store: 1,
            self.scalar: 2,
            self.windows: 3,
        }
        if depth < 2:
            kinds |= {lambda: self.loop(depth): 1, lambda: self.branch(depth): 1}
        self.random.choices(list(kinds), list(kinds.values()))[0]()

    def view(self) -> None:
        base, cls = self.pick(self.handles, "VWMN") or ("", "")
        index = self.random.choice([0, 1, *self.loops])
        off = self.random.randint(0, 2)
        forms = {
            "V": [
                ("W", [off], [1], [0]),
                ("V", ["s0 - 1"], [-1], [0]),
                ("C", [0], [1], [0, -1]),
                ("H", [off], [2], [0]),
                ("H", [off], [1], [0]),
                ("H", ["s0 - 1"], [-1 - off % 2], [0]),
            ],
            "W": [("W", ["s0 - 3"], [-1], [0])],
            "M": [
                ("N", [off, self.random.randint(0, 2)], [1, 1], [0, 1]),
                ("M", [0, 0], [1, 1], [1, 0]),
                ("V", [index, 0], [1, 1], [1]),
                ("V", [0, index], [1, 1], [0]),
                ("W", [index, off], [1, 1], [1]),
                ("C", [0, index], [1, 1], [0, 1]),
            ],
            "N": [("W", [index, 0], [1, 1], [1]), ("N", ["s0 - 3", 0], [-1, 1], [0, 1])],
        }
        to, offsets, steps, axes = self.random.choice(forms[cls])
        text = f"np.view {base} {attributes(offsets)} {attributes(steps)} {axes}"
        self.handles.append((self.emit(f"{text} : {array(cls)} to {array(to)}"), to))

    def read(self) -> tuple[str, str]:
        base, cls = self.pick(self.handles, "VWMNCH") or ("", "")
        made = (self.emit(f"np.read {base} : {array(cls)} to {value(cls)}"), cls)
        self.values.append(made)
        return made

    def compute(self) -> None:
        a, cls = self.pick(self.values, "VWMNCH") or self.read()
        name = self.random.choice(["add", "subtract", "multiply", "gcd", "negative"])
        if name == "negative":
            made = self.emit(
                f'np.ufunc "negative"({a}) loop "l->l" : ({value(cls)}) -> {value(cls)}'
            )
        elif self.random.random() < 0.2:
            s = self.random.choice(self.scalars)
            made = self.emit(
                f'np.ufunc "{name}"({a}, {s}) loop "ll->l" : ({value(cls)}, si64) -> {value(cls)}'
            )
        else:
            b, _ = self.pick(self.values, cls) or (a, cls)
            types = f"({value(cls)}, {value(cls)}) -> {value(cls)}"
            made = self.emit(f'np.ufunc "{name}"({a}, {b}) loop "ll->l" : {types}')
        self.values.append((made, cls))

    def broadcast(self) -> None:
        found = self.pick(self.values, "VWC")
        if found:
            to = "N" if found[1] == "W" else "M"
            made = self.emit(f"np.broadcast {found[0]} : {value(found[1])} to {value(to)}")
            self.values.append((made, to))

    def reduce(self) -> None:
        found = self.pick(self.values, "VM")
        if not found:
            return
        name, cls = found
        combine = self.random.choice(["add", "maximum", "minimum"])
        form = self.random.randint(0, 3) if cls == "M" else 0
        axes = "[0]" if cls == "V" else ["[0, 1]", "[0]", "[1]", "[1]"][form]
        to = ["", "V", "V", "C"][form]
        keep = " keepdims" if to == "C" else ""
        text = f'np.reduce "{combine}"({name}) {axes}{keep} : ({value(cls)}) -> '
        made = self.emit(text + (value(to) if to else "si64"))
        if to:
            self.values.append((made, to))
        else:
            self.scalars.append(made)

    def assign(self) -> None:
        found = self.pick(self.values, "VWMNCH")
        target = self.pick(self.handles, found[1]) if found else None
        if found and target:
            text = f"np.assign {found[0]} to {target[0]} : {value(found[1])}, {array(found[1])}"
            self.lines.append(text)

    def windows(self) -> None:
        """b[i:i+n] = -a[j:j+n], so that adjacent statements share windows, shifted ones too."""
        bases = [self.pick(self.handles, "V")[0] for _ in range(3)]
        for turn in range(self.random.randint(1, 3)):
            ends = []
            for base in (bases[turn % 3], bases[(turn + 1) % 3]):
                off = self.random.randint(0, 2)
                text = f"np.view {base} {attributes([off])} {attributes([1])} [0]"
                ends.append(self.emit(f"{text} : {array('V')} to {array('W')}"))
            v = self.emit(f"np.read {ends[0]} : {array('W')} to {value('W')}")
            types = f"({value('W')}) -> {value('W')}"
            n = self.emit(f'np.ufunc "negative"({v}) loop "l->l" : {types}')
            self.lines.append(f"np.assign {n} to {ends[1]} : {value('W')}, {array('W')}")

    def materialize(self) -> tuple[str, str]:
        v, cls = self.pick(self.values, "VWMNCH") or self.read()
        made = (self.emit(f"np.materialize {v} : {value(cls)} to {array(cls)}"), cls)
        self.handles.append(made)
        return made

    def store(self) -> None:
        base, cls = self.pick(self.handles, "VWM") or ("", "")
        index = [self.random.choice([0, 1, *self.loops]) for _ in CLASSES[cls]]
        s = self.random.choice(self.scalars)
        self.lines.append(f"np.store {s} to {base} {attributes(index)} : si64, {array(cls)}")

    def scalar(self) -> None:
        base, cls = self.pick(self.handles, "VWM") or ("", "")
        index = [self.random.choice([0, 1, *self.loops]) for _ in CLASSES[cls]]
        self.scalars.append(self.emit(f"np.load {base} {attributes(index)} : {array(cls)} to si64"))

    def scope(self) -> tuple[int, int, int]:
        return len(self.handles), len(self.values), len(self.scalars)

    def leave(self, scope: tuple[int, int, int]) -> None:
        del self.handles[scope[0] :], self.values[scope[1] :], self.scalars[scope[2] :]

    def loop(self, depth: int) -> None:
        inits = [self.pick(self.handles, "V") for _ in range(2)]
        names = ", ".join(name for name, _ in inits if name)
        types = f"{array('V')}, {array('V')}"
        result, x, y, symbol = self.fresh(), self.fresh(), self.fresh(), f"i{self.count}"
        self.lines.append(
            f'{result}:2 = np.for "{symbol}" = #np.dim<0> to '
            f"#np.dim<{self.random.randint(0, 3)}> step #np.dim<1> "
            f"iter({names}) : ({types}) -> ({types}) {{"
        )
        self.lines.append(f"^bb0({self.fresh()}: !np.pyint, {x}: {array('V')}, {y}: {array('V')}):")
        scope = self.scope()
        self.handles += [(x, "V"), (y, "V")]
        self.loops.append(symbol)
        for _ in range(self.random.randint(1, 8)):
            self.statement(depth + 1)
        following = (
            [y, x]
            if self.random.random() < 0.5
            else [self.pick(self.handles, "V")[0] for _ in "ab"]
        )
        self.lines.append(f"np.next ({', '.join(following)}) : {types}")
        self.lines.append("}")
        self.loops.pop()
        self.leave(scope)
        self.handles += [(f"{result}#0", "V"), (f"{result}#1", "V")]

    def branch(self, depth: int) -> None:
        a, b = (self.random.choice(self.scalars) for _ in "ab")
        condition = self.emit(f'np.ufunc "less"({a}, {b}) loop "ll->?" : (si64, si64) -> i1')
        result = self.fresh()
        self.lines.append(f"{result} = np.if {condition} : (i1) -> ({array('V')}) {{")
        for last in (False, True):
            scope = self.scope()
            for _ in range(self.random.randint(0, 4)):
                self.statement(depth + 1)
            self.lines.append(f"np.yield {self.pick(self.handles, 'V')[0]} : {array('V')}")
            self.lines.append("}" if last else "} else {")
            self.leave(scope)
        self.handles.append((result, "V"))


def memory(alias: str) -> list[np.ndarray]:
    pool = np.arange(1, 60, dtype=np.int64) * 7 % 31
    a = pool[:SIZE].copy()
    b = pool[10 : 10 + SIZE].copy()
    if alias == "same":
        b = a
    if alias == "overlap":
        a, b = pool[2 : 2 + SIZE], pool[:SIZE]
    if alias == "itself":
        a = np.lib.stride_tricks.as_strided(pool, (SIZE,), (0,))
    square = pool[20 : 20 + SIZE * SIZE].reshape(SIZE, SIZE)
    return [a, b, square.copy(), (square * 3 % 17).copy()]


def outcome(text: str, alias: str, seed: int) -> list[np.ndarray]:
    arguments = memory(alias)
    with np.errstate(all="ignore"):
        results = Machine(text, seed).call(arguments)
    return [np.array(array) for array in (*arguments, *results)]


@pytest.mark.parametrize("alias", list(ALIASES))
@pytest.mark.parametrize("pipeline", PIPELINES, ids=["nests", "all"])
def test_random_programs_keep_their_meaning(alias: str, pipeline: list[str]) -> None:
    opt = shapecast_opt()
    rounds = int(os.environ.get("SHAPECAST_RANDOM_ROUNDS", "60"))
    for seed in range(rounds):
        text = Generator(seed, alias).program()
        done = subprocess.run(
            [opt, *pipeline], input=text, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, f"seed {seed}\n{text}\n{done.stderr}"
        want = outcome(text, alias, seed)
        for order in range(2):
            got = outcome(done.stdout, alias, order)
            for k, (w, g) in enumerate(zip(want, got, strict=True)):
                assert np.array_equal(w, g), (
                    f"seed {seed}, array {k}\n{text}\n{done.stdout}\n{w}\n{g}"
                )
