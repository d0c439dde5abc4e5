"""A two pass assembler with labels, a CPU with flags, and a disassembler."""

from enum import IntEnum, IntFlag
from typing import Dict, List, NamedTuple, Tuple


class Op(IntEnum):
    HLT = 0
    LDA = 1
    STA = 2
    ADD = 3
    SUB = 4
    JMP = 5
    JNZ = 6
    LDX = 7
    INX = 8
    CPX = 9
    OUT = 10


class Flag(IntFlag):
    NONE = 0
    ZERO = 1
    NEG = 2
    CARRY = 4


NO_ARG = {Op.HLT, Op.INX, Op.OUT}


class Instruction(NamedTuple):
    op: Op
    arg: int = 0
    immediate: bool = False


class AsmError(Exception):
    pass


def assemble(source: str) -> List[Instruction]:
    labels: Dict[str, int] = {}
    lines: List[Tuple[str, str]] = []
    for raw in source.splitlines():
        text = raw.split(";")[0].strip()
        if not text:
            continue
        if text.endswith(":"):
            labels[text[:-1]] = len(lines)
            continue
        op, _, arg = text.partition(" ")
        lines.append((op.upper(), arg.strip()))
    program = []
    for op, arg in lines:
        if op not in Op.__members__:
            raise AsmError(f"unknown instruction {op}")
        code = Op[op]
        if code in NO_ARG:
            program.append(Instruction(code))
        elif arg.startswith("#"):
            program.append(Instruction(code, int(arg[1:], 0), True))
        elif arg in labels:
            program.append(Instruction(code, labels[arg], True))
        else:
            program.append(Instruction(code, int(arg, 0)))
    return program


class CPU:
    def __init__(self, memory=256):
        self.mem = [0] * memory
        self.a = self.x = self.pc = self.cycles = 0
        self.flags = Flag.NONE
        self.output = []

    def _set(self, value):
        self.flags = Flag.NONE
        if value > 255 or value < 0:
            self.flags |= Flag.CARRY
        value &= 0xFF
        if value == 0:
            self.flags |= Flag.ZERO
        if value & 0x80:
            self.flags |= Flag.NEG
        return value

    def run(self, program, limit=5000):
        while self.cycles < limit:
            ins = program[self.pc]
            self.pc += 1
            self.cycles += 1
            value = ins.arg if ins.immediate else self.mem[ins.arg]
            if ins.op == Op.HLT:
                return True
            elif ins.op == Op.LDA:
                self.a = self._set(value)
            elif ins.op == Op.STA:
                self.mem[ins.arg] = self.a
            elif ins.op == Op.ADD:
                self.a = self._set(self.a + value)
            elif ins.op == Op.SUB:
                self.a = self._set(self.a - value)
            elif ins.op == Op.JMP:
                self.pc = ins.arg
            elif ins.op == Op.JNZ:
                if not self.flags & Flag.ZERO:
                    self.pc = ins.arg
            elif ins.op == Op.LDX:
                self.x = self._set(value)
            elif ins.op == Op.INX:
                self.x = self._set(self.x + 1)
            elif ins.op == Op.CPX:
                self._set(self.x - value)
            elif ins.op == Op.OUT:
                self.output.append(self.a)
        return False


def disassemble(program):
    for addr, ins in enumerate(program):
        arg = "" if ins.op in NO_ARG else f" {'#' if ins.immediate else ''}${ins.arg:02x}"
        yield f"{addr:04x} {ins.op.name}{arg}"


def main(source, bad):
    program = assemble(source)
    cpu = CPU()
    done = cpu.run(program)
    try:
        assemble(bad)
        error = None
    except AsmError as e:
        error = str(e)
    return (
        done,
        cpu.output,
        cpu.cycles,
        int(cpu.flags),
        cpu.mem[:4],
        list(disassemble(program)),
        error,
    )


ARGS = [
    (
        """
; fibonacci numbers below 256
  LDA #0
  STA 0
  LDA #1
  STA 1
  LDX #0
loop:
  LDA 0
  ADD 1
  STA 2
  OUT
  LDA 1
  STA 0
  LDA 2
  STA 1
  INX
  CPX #0x0b
  JNZ loop
  HLT
""",
        "LDA #1\nMUL 3\n",
    )
]
