"""A CHIP-8 interpreter with a bytearray memory, dispatch by methods and a small program."""

from typing import Callable, Dict, List

FONT = bytes.fromhex("F0909090F02060202070F010F080F0F010F010F09090F01010")


class IllegalOpcode(Exception):
    def __init__(self, opcode: int, pc: int):
        super().__init__(f"{opcode:04X} at {pc:03X}")


class Chip8:
    WIDTH, HEIGHT = 64, 32

    def __init__(self, rom: bytes):
        self.memory = bytearray(4096)
        self.memory[: len(FONT)] = FONT
        self.memory[0x200 : 0x200 + len(rom)] = rom
        self.v = [0] * 16
        self.i = 0
        self.pc = 0x200
        self.stack: List[int] = []
        self.screen = [0] * self.HEIGHT
        self.halted = False
        self.table: Dict[int, Callable] = {
            0x0: self.op0,
            0x1: self.jump,
            0x2: self.call,
            0x3: self.skip_eq,
            0x4: self.skip_ne,
            0x6: self.load,
            0x7: self.add,
            0x8: self.alu,
            0xA: self.index,
            0xD: self.draw,
            0xF: self.misc,
        }

    def cycle(self):
        op = self.memory[self.pc] << 8 | self.memory[self.pc + 1]
        self.pc += 2
        handler = self.table.get(op >> 12)
        if handler is None:
            raise IllegalOpcode(op, self.pc - 2)
        handler(op)

    def op0(self, op):
        if op == 0x00E0:
            self.screen = [0] * self.HEIGHT
        elif op == 0x00EE:
            self.pc = self.stack.pop()
        else:
            raise IllegalOpcode(op, self.pc - 2)

    def jump(self, op):
        target = op & 0xFFF
        if target == self.pc - 2:
            self.halted = True
        self.pc = target

    def call(self, op):
        self.stack.append(self.pc)
        self.pc = op & 0xFFF

    def skip_eq(self, op):
        if self.v[op >> 8 & 0xF] == op & 0xFF:
            self.pc += 2

    def skip_ne(self, op):
        if self.v[op >> 8 & 0xF] != op & 0xFF:
            self.pc += 2

    def load(self, op):
        self.v[op >> 8 & 0xF] = op & 0xFF

    def add(self, op):
        x = op >> 8 & 0xF
        self.v[x] = (self.v[x] + (op & 0xFF)) & 0xFF

    def alu(self, op):
        x, y, kind = op >> 8 & 0xF, op >> 4 & 0xF, op & 0xF
        a, b = self.v[x], self.v[y]
        if kind == 0:
            self.v[x] = b
        elif kind in (1, 2, 3):
            self.v[x] = (a | b, a & b, a ^ b)[kind - 1]
        elif kind == 4:
            self.v[x], self.v[0xF] = (a + b) & 0xFF, int(a + b > 255)
        elif kind == 5:
            self.v[x], self.v[0xF] = (a - b) & 0xFF, int(a >= b)
        elif kind == 6:
            self.v[x], self.v[0xF] = a >> 1, a & 1
        else:
            raise IllegalOpcode(op, self.pc - 2)

    def index(self, op):
        self.i = op & 0xFFF

    def draw(self, op):
        x, y, n = self.v[op >> 8 & 0xF], self.v[op >> 4 & 0xF], op & 0xF
        self.v[0xF] = 0
        for row in range(n):
            bits = self.memory[self.i + row]
            sprite = bits << (self.WIDTH - 8 - x) if x <= 56 else bits >> (x - 56)
            line = (y + row) % self.HEIGHT
            if self.screen[line] & sprite:
                self.v[0xF] = 1
            self.screen[line] ^= sprite

    def misc(self, op):
        x, kind = op >> 8 & 0xF, op & 0xFF
        if kind == 0x1E:
            self.i += self.v[x]
        elif kind == 0x29:
            self.i = self.v[x] * 5
        elif kind == 0x33:
            self.memory[self.i : self.i + 3] = bytes(
                [self.v[x] // 100, self.v[x] // 10 % 10, self.v[x] % 10]
            )
        elif kind == 0x65:
            self.v[: x + 1] = self.memory[self.i : self.i + x + 1]
        else:
            raise IllegalOpcode(op, self.pc - 2)

    def picture(self, rows):
        return [
            f"{line:064b}".replace("0", ".").replace("1", "#")[:30] for line in self.screen[:rows]
        ]


def main(rom_hex, bad_hex, limit):
    vm = Chip8(bytes.fromhex(rom_hex))
    n = 0
    while not vm.halted and n < limit:
        vm.cycle()
        n += 1
    bad = Chip8(bytes.fromhex(bad_hex))
    try:
        while True:
            bad.cycle()
    except IllegalOpcode as e:
        error = str(e)
    return n, vm.v, vm.i, vm.picture(6), error, list(vm.memory[0x300:0x303])


# draws the digits 0..3 side by side, multiplies 7 by 17 by adding, BCD of the product
ARGS = [
    (
        "6000 6101 6201 F029 D125 7106 7001 3004 1206 6300 6407 6511 8354 74FF 3400 1218 A300 F333 1224".replace(
            " ", ""
        ),
        "600560009123",
        300,
    )
]
