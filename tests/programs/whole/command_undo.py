"""Drawing commands with undo/redo through an abstract base class and a macro composite."""

from abc import ABC, abstractmethod
from typing import List


class Canvas:
    def __init__(self, width, height):
        self.rows = [["."] * width for _ in range(height)]

    def __str__(self):
        return "\n".join("".join(r) for r in self.rows)

    def __getitem__(self, at):
        x, y = at
        return self.rows[y][x]

    def __setitem__(self, at, value):
        x, y = at
        if x < 0 or y < 0:
            raise IndexError(f"({x}, {y}) is outside")
        self.rows[y][x] = value


class Command(ABC):
    @abstractmethod
    def execute(self, canvas: Canvas) -> None:
        """Do it."""

    @abstractmethod
    def undo(self, canvas: Canvas) -> None:
        """Take it back."""

    @property
    def name(self) -> str:
        return type(self).__name__


class Plot(Command):
    def __init__(self, x, y, ink):
        self.x, self.y, self.ink = x, y, ink
        self.before = None

    def execute(self, canvas):
        self.before = canvas[self.x, self.y]
        canvas[self.x, self.y] = self.ink

    def undo(self, canvas):
        canvas[self.x, self.y] = self.before


class Line(Command):
    def __init__(self, x0, y0, x1, y1, ink):
        self.points = list(self.bresenham(x0, y0, x1, y1))
        self.ink = ink
        self.saved: List[str] = []

    @staticmethod
    def bresenham(x0, y0, x1, y1):
        dx, dy = abs(x1 - x0), -abs(y1 - y0)
        sx, sy = (1 if x0 < x1 else -1), (1 if y0 < y1 else -1)
        err = dx + dy
        while True:
            yield x0, y0
            if (x0, y0) == (x1, y1):
                return
            e2 = 2 * err
            if e2 >= dy:
                err += dy
                x0 += sx
            if e2 <= dx:
                err += dx
                y0 += sy

    def execute(self, canvas):
        self.saved = [canvas[p] for p in self.points]
        for p in self.points:
            canvas[p] = self.ink

    def undo(self, canvas):
        for p, old in zip(reversed(self.points), reversed(self.saved)):
            canvas[p] = old


class Macro(Command):
    def __init__(self, *commands: Command):
        self.commands = commands

    def execute(self, canvas):
        for c in self.commands:
            c.execute(canvas)

    def undo(self, canvas):
        for c in reversed(self.commands):
            c.undo(canvas)

    @property
    def name(self):
        return "+".join(c.name for c in self.commands)


class Editor:
    def __init__(self, canvas):
        self.canvas, self.done, self.undone = canvas, [], []

    def do(self, command: Command):
        command.execute(self.canvas)
        self.done.append(command)
        self.undone.clear()
        return self

    def undo(self):
        if self.done:
            self.undone.append(self.done.pop())
            self.undone[-1].undo(self.canvas)
        return self

    def redo(self):
        if self.undone:
            self.done.append(self.undone.pop())
            self.done[-1].execute(self.canvas)
        return self


def main(width, height):
    editor = Editor(Canvas(width, height))
    editor.do(Line(0, 0, width - 1, height - 1, "#")).do(Plot(3, 3, "o"))
    first = str(editor.canvas)
    editor.undo().undo()
    blank = str(editor.canvas).count(".") == width * height
    editor.redo().do(Macro(Plot(1, 1, "a"), Line(0, 2, 5, 0, "b"), Plot(1, 1, "c")))
    second = str(editor.canvas)
    editor.undo()
    try:
        editor.do(Plot(-1, 0, "x"))
    except IndexError as e:
        error = str(e)
    return (
        first,
        blank,
        second,
        str(editor.canvas),
        error,
        [c.name for c in editor.done],
        [c.name for c in editor.undone],
    )


ARGS = [(12, 6)]
