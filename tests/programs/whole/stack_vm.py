"""Tiny stack machine with an assembler."""

import operator
from dataclasses import dataclass, field
from enum import Enum, auto


class Op(Enum):
    PUSH = auto()
    DUP = auto()
    ADD = auto()
    SUB = auto()
    MUL = auto()
    MOD = auto()
    LT = auto()
    JMP = auto()
    JZ = auto()
    LOAD = auto()
    STORE = auto()
    PRINT = auto()
    CALL = auto()
    RET = auto()
    HALT = auto()


class VMError(Exception):
    pass


WITH_ARG = {Op.PUSH, Op.JMP, Op.JZ, Op.LOAD, Op.STORE, Op.CALL}
JUMPS = {Op.JMP, Op.JZ, Op.CALL}
BINARY = {
    Op.ADD: operator.add,
    Op.SUB: operator.sub,
    Op.MUL: operator.mul,
    Op.MOD: operator.mod,
    Op.LT: operator.lt,
}


@dataclass
class Instr:
    op: Op
    arg: object = None

    def __str__(self):
        return self.op.name if self.arg is None else f"{self.op.name} {self.arg}"


def assemble(source):
    code = []
    labels = {}
    for line in source.strip().splitlines():
        line = line.split(";")[0].strip()
        if line.endswith(":"):
            labels[line[:-1]] = len(code)
            continue
        name, *rest = line.split()
        if name.upper() not in Op.__members__:
            raise VMError(f"unknown instruction {name}")
        op = Op[name.upper()]
        if (op in WITH_ARG) != bool(rest):
            raise VMError(f"bad operand count for {op.name}")
        code.append(Instr(op, rest[0] if rest else None))
    for ins in code:
        if ins.op in JUMPS:
            ins.arg = labels[ins.arg]
        elif ins.op is Op.PUSH:
            ins.arg = int(ins.arg)
    return code


@dataclass
class VM:
    code: list
    stack: list = field(default_factory=list)
    calls: list = field(default_factory=list)
    memory: dict = field(default_factory=dict)
    output: list = field(default_factory=list)
    pc: int = 0
    steps: int = 0

    def pop(self):
        if not self.stack:
            raise VMError(f"stack underflow at {self.pc - 1}: {self.code[self.pc - 1]}")
        return self.stack.pop()

    def run(self, limit=20000):
        while self.pc < len(self.code):
            self.steps += 1
            if self.steps > limit:
                raise VMError("step limit exceeded")
            ins = self.code[self.pc]
            self.pc += 1
            op = ins.op
            if op in BINARY:
                b, a = self.pop(), self.pop()
                self.stack.append(int(BINARY[op](a, b)))
            elif op is Op.PUSH:
                self.stack.append(ins.arg)
            elif op is Op.DUP:
                v = self.pop()
                self.stack += [v, v]
            elif op is Op.JMP:
                self.pc = ins.arg
            elif op is Op.JZ:
                self.pc = self.pc if self.pop() else ins.arg
            elif op is Op.LOAD:
                self.stack.append(self.memory.get(ins.arg, 0))
            elif op is Op.STORE:
                self.memory[ins.arg] = self.pop()
            elif op is Op.PRINT:
                self.output.append(self.pop())
            elif op is Op.CALL:
                self.calls.append(self.pc)
                self.pc = ins.arg
            elif op is Op.RET:
                self.pc = self.calls.pop()
            elif op is Op.HALT:
                break
        return self.output


FACT = "push 1\nstore acc\npush %d\nstore n\nloop:\nload n\njz done\nload acc\nload n\nmul\nstore acc\nload n\npush 1\nsub\nstore n\njmp loop\ndone:\nload acc\nprint\nhalt"
SQUARES = """
push %d
store max
push 1
store i
again:
  load i
  load max
  lt
  jz end        ; stop when i >= max
  call square
  load i\n  push 1\n  add\n  store i\n  jmp again
square:
  load i\n  dup\n  mul\n  push 7\n  mod\n  print\n  ret
end:
"""
BROKEN = "push %d\nadd\nhalt"
PROGRAMS = {"fact": FACT, "squares": SQUARES, "broken": BROKEN, "typo": "psh %d"}


def main(name, n):
    try:
        vm = VM(assemble(PROGRAMS[name] % n))
        out = vm.run()
    except VMError as err:
        print("VM error:", err)
        return str(err)
    print(name, out, "in", vm.steps, "steps")
    return {"out": out, "steps": vm.steps, "memory": sorted(vm.memory.items())}


ARGS = [("fact", 25), ("squares", 12), ("broken", 3), ("typo", 1)]
