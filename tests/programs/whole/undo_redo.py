"""Text editor with command objects, undo/redo and observers."""

from contextlib import contextmanager


class EditError(Exception):
    pass


class Command:
    def merge(self, other):
        return False

    def __str__(self):
        return type(self).__name__.lower()


class Insert(Command):
    def __init__(self, pos, text):
        self.pos, self.text = pos, text

    def apply(self, doc):
        if not 0 <= self.pos <= len(doc.text):
            raise EditError(f"cannot insert at {self.pos}")
        doc.text = doc.text[: self.pos] + self.text + doc.text[self.pos :]

    def revert(self, doc):
        doc.text = doc.text[: self.pos] + doc.text[self.pos + len(self.text) :]

    def merge(self, other):
        if (
            isinstance(other, Insert)
            and other.pos == self.pos + len(self.text)
            and len(other.text) == 1
        ):
            self.text += other.text
            return True
        return False

    def __str__(self):
        return f"insert {self.text!r}"


class Delete(Command):
    def __init__(self, start, end):
        self.start, self.end = start, end
        self.removed = None

    def apply(self, doc):
        if self.end > len(doc.text) or self.start >= self.end:
            raise EditError(f"bad range {self.start}..{self.end}")
        self.removed = doc.text[self.start : self.end]
        doc.text = doc.text[: self.start] + doc.text[self.end :]

    def revert(self, doc):
        doc.text = doc.text[: self.start] + self.removed + doc.text[self.start :]


class Group(Command):
    def __init__(self, commands):
        self.commands = commands

    def apply(self, doc):
        for c in self.commands:
            c.apply(doc)

    def revert(self, doc):
        for c in reversed(self.commands):
            c.revert(doc)

    def __str__(self):
        return "group(" + ", ".join(map(str, self.commands)) + ")"


class Editor:
    def __init__(self, text=""):
        self.text = text
        self.done = []
        self.undone = []
        self.observers = []

    def notify(self, what):
        for fn in self.observers:
            fn(what, self.text)

    def do(self, command):
        command.apply(self)
        self.undone.clear()
        if not (self.done and self.done[-1].merge(command)):
            self.done.append(command)
        self.notify(f"do {command}")

    def _shift(self, source, target, action):
        if not source:
            raise EditError("nothing to " + action)
        command = source.pop()
        command.apply(self) if action == "redo" else command.revert(self)
        target.append(command)
        self.notify(f"{action} {command}")

    def undo(self):
        self._shift(self.done, self.undone, "undo")

    def redo(self):
        self._shift(self.undone, self.done, "redo")

    @contextmanager
    def transaction(self):
        mark = len(self.done)
        try:
            yield self
        except EditError:
            while len(self.done) > mark:
                self.undo()
            self.undone.clear()
            raise
        else:
            self.done[mark:] = [Group(self.done[mark:])]


def build(kind, *args):
    return {"ins": Insert, "del": Delete}[kind](*args)


def main(text, steps):
    editor = Editor(text)
    log, lengths, errors = [], [], []
    editor.observers.append(lambda what, now: log.append(f"{what} -> {now}"))
    editor.observers.append(lambda what, now: lengths.append(len(now)))
    for step in steps:
        try:
            if step in ("undo", "redo"):
                getattr(editor, step)()
            elif isinstance(step, list):
                with editor.transaction() as tx:
                    for s in step:
                        tx.do(build(*s))
            else:
                editor.do(build(*step))
        except EditError as e:
            errors.append(str(e))
    for line in log:
        print(line)
    final, history = editor.text, [str(c) for c in editor.done]
    while editor.done:
        editor.undo()
    return final, history, errors, lengths, editor.text == text, log[-1] if log else None


ARGS = [
    (
        "hello",
        [("ins", 5, "!"), ("ins", 6, "?"), ("del", 0, 1), ("ins", 0, "J"), "undo", "undo", "redo"],
    ),
    (
        "one two two",
        [
            ("del", 3, 7),
            [("ins", 0, "<"), ("del", 4, 8)],
            "undo",
            "redo",
            "redo",
            [("ins", 0, "#"), ("del", 50, 60)],
            ("del", 2, 2),
            ("ins", 99, "x"),
        ],
    ),
    (
        "",
        [
            "undo",
            ("ins", 0, "a"),
            ("ins", 1, "b"),
            ("ins", 2, "c"),
            ("ins", 0, "z"),
            "undo",
            "undo",
            "undo",
        ],
    ),
]
