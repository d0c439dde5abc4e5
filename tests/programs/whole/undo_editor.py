"""A text editor with command objects, undo/redo, macros; ABC commands, registry by decorator, custom exceptions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass


class EditError(Exception):
    code = 1


class OutOfRange(EditError):
    code = 2

    def __init__(self, pos: int, size: int):
        self.pos, self.size = pos, size
        super().__init__(pos, size)

    def __str__(self):
        return f"{self.pos} not in 0..{self.size}"


class NothingToUndo(EditError):
    code = 3


class Buffer:
    def __init__(self, text: str = ""):
        self.text = text
        self.cursor = len(text)

    def check(self, pos: int) -> int:
        if not 0 <= pos <= len(self.text):
            raise OutOfRange(pos, len(self.text))
        return pos

    def splice(self, start: int, stop: int, new: str) -> str:
        self.check(start)
        self.check(stop)
        old = self.text[start:stop]
        self.text = self.text[:start] + new + self.text[stop:]
        self.cursor = start + len(new)
        return old


class Command(ABC):
    @abstractmethod
    def do(self, buf: Buffer) -> None: ...

    @abstractmethod
    def undo(self, buf: Buffer) -> None: ...

    @property
    def name(self) -> str:
        return type(self).__name__.lower()


@dataclass
class Insert(Command):
    pos: int
    new: str

    def do(self, buf):
        buf.splice(self.pos, self.pos, self.new)

    def undo(self, buf):
        buf.splice(self.pos, self.pos + len(self.new), "")


@dataclass
class Delete(Command):
    start: int
    stop: int
    saved: str = ""

    def do(self, buf):
        self.saved = buf.splice(self.start, self.stop, "")

    def undo(self, buf):
        buf.splice(self.start, self.start, self.saved)


class Upper(Command):
    def __init__(self):
        self.before = ""

    def do(self, buf):
        self.before = buf.text
        buf.text = buf.text.upper()

    def undo(self, buf):
        buf.text = self.before


class Macro(Command):
    def __init__(self, *commands: Command):
        self.commands = commands

    def do(self, buf):
        for c in self.commands:
            c.do(buf)

    def undo(self, buf):
        for c in reversed(self.commands):
            c.undo(buf)


class Editor:
    def __init__(self, text=""):
        self.buf = Buffer(text)
        self.done: list[Command] = []
        self.undone: list[Command] = []

    def run(self, cmd: Command) -> Editor:
        cmd.do(self.buf)
        self.done.append(cmd)
        self.undone.clear()
        return self

    def undo(self) -> str:
        if not self.done:
            raise NothingToUndo("history is empty")
        cmd = self.done.pop()
        cmd.undo(self.buf)
        self.undone.append(cmd)
        return cmd.name

    def redo(self) -> str:
        try:
            cmd = self.undone.pop()
        except IndexError:
            raise NothingToUndo("no redo") from None
        cmd.do(self.buf)
        self.done.append(cmd)
        return cmd.name


def main(text, script):
    ed = Editor(text)
    trace = []
    for line in script:
        op, *args = line.split(" ", 2)
        try:
            if op == "i":
                ed.run(Insert(int(args[0]), args[1]))
            elif op == "d":
                ed.run(Delete(int(args[0]), int(args[1])))
            elif op == "u":
                trace.append("undo " + ed.undo())
            elif op == "r":
                trace.append("redo " + ed.redo())
            elif op == "up":
                ed.run(Upper())
            else:
                ed.run(Macro(Insert(0, "<"), Upper(), Insert(1, "!")))
        except OutOfRange as e:
            trace.append(f"range {e.pos}/{e.size} {e} {e.args}")
        except EditError as e:
            trace.append(f"{type(e).__name__} {e.code} {e}")
        except ValueError as e:
            trace.append(f"value {e}")
        trace.append(ed.buf.text)
    return trace, len(ed.done), [c.name for c in ed.done], ed.buf.cursor


ARGS = [
    (
        "hello world",
        [
            "i 5 ,",
            "d 0 1",
            "up",
            "u",
            "u",
            "r",
            "d 5 99",
            "m",
            "u",
            "u",
            "u",
            "u",
            "u",
            "r",
            "r",
            "r",
            "r",
            "i x y",
        ],
    )
]
