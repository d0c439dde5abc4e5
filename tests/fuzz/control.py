"""Statements around others that the plain generator does not make: try, with, match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.expressions import Family, atom, is_array, is_number

if TYPE_CHECKING:
    from fuzz.programs import Body

CAUGHT = [
    "ValueError", "IndexError", "ZeroDivisionError", "LookupError", "ArithmeticError", "Exception",
    "Exception", "(IndexError, ValueError)", "(ZeroDivisionError, ValueError, IndexError)",
    "TypeError", "(KeyError, TypeError)", "RuntimeError",
]  # fmt: skip
RAISED = [
    "ValueError('one')", "IndexError('two')", "RuntimeError", "ZeroDivisionError('three', 3)",
    "KeyError('four')", "ArithmeticError()", "TypeError('five')",
]  # fmt: skip
ERRSTATES = [
    "all='ignore'", "divide='ignore'", "over='ignore', invalid='ignore'", "under='warn'",
    "divide='ignore', invalid='warn'",
]  # fmt: skip


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines or ["pass"]]


def _may_raise(body: Body) -> list[str]:
    """Often nothing; else what raises for some values, or always."""
    choose = body.choose
    if choose.percent(30):
        return body.risky()
    number = body.number(0)
    arrays = body.names(lambda v: is_array(v) and v.ndim)
    array = choose.pick(arrays or ["np.arange(3)"])
    name = body.fresh()
    forms = [
        f"if {body.condition()}:\n    raise {choose.pick(RAISED)}",
        f"raise {choose.pick(RAISED)}",
        f"if {body.condition()}:\n    raise ValueError(f'is {{{atom(number)}}}')",
        f"{name} = 1 // ({choose.integer(0, 3)} - int({number}))",
        f"{name} = {array}[int({number})]",
        f"{array}[int({number})] = {body.constant()}",
        f"{array}[[0, int({number})]] += 1",
        f"{name} = np.arange({choose.integer(0, 4)}) + {array}",
        f"{name} = ({array} + 0).reshape(int({number}), -1)",
        f"assert {body.condition()}, 'not so'",
    ]
    text = choose.pick(forms)
    body.perform([text])
    return text.split("\n")


def _part(body: Body, low: int, high: int) -> list[str]:
    """A block with what may raise somewhere in it, and jumps in loops."""
    with body.nested():
        lines: list[str] = []
        for _ in range(body.choose.integer(low, high)):
            lines += body.statement()
            if body.choose.percent(20):
                lines += _may_raise(body)
        if body.choose.percent(8):
            lines += _jump(body)
    return lines


def _jump(body: Body) -> list[str]:
    kinds = ["break", "continue"] if body.loops else []
    kind = body.choose.pick([*kinds, body.returned()])
    return [kind] if body.choose.percent(40) else [f"if {body.condition()}:", f"    {kind}"]


def _handler(body: Body, caught: str) -> list[str]:
    choose = body.choose
    if choose.percent(15):
        caught = ""
    named = bool(caught) and choose.percent(50)
    lines = []
    if named:
        lines.append(choose.pick(["print(str(e))", "print('caught', e)", "print(f'{e}: again')"]))
    lines += _part(body, 0, 2)
    if choose.percent(8):
        lines.append("raise")
    elif named and choose.percent(6):
        lines.append("raise ValueError('from ' + str(e)) from e")
    return [f"except{' ' * bool(caught)}{caught}{' as e' * named}:", *_indented(lines)]


def try_(body: Body) -> list[str]:
    choose = body.choose
    first = _part(body, 1, 3)
    if choose.percent(70):
        first.extend(_may_raise(body))
        if choose.percent(50):
            first.extend(_part(body, 1, 1))
    lines = ["try:", *_indented(first)]
    handlers = choose.integer(0, 2) if choose.percent(40) else 1
    chosen = choose.some(CAUGHT, handlers, handlers)
    for k, caught in enumerate(chosen):
        handler = _handler(body, caught)
        if handler[0] == "except:" and k < len(chosen) - 1:
            handler[0] = f"except {caught}:"
        lines += handler
    if handlers and choose.percent(30):
        lines += ["else:", *_indented(_part(body, 1, 2))]
    if not handlers or choose.percent(25):
        lines += ["finally:", *_indented(_finally(body))]
    return lines


def _finally(body: Body) -> list[str]:
    with body.nested():
        lines = body.simple()
        if body.choose.percent(30):
            lines = [*lines, "print('at last')"]
    return lines


def known_behind(body: Body) -> list[str]:
    """A name that both the body and the handler bind."""
    choose, name = body.choose, body.fresh()
    made = body.attempt(lambda: body.number(1) if choose.percent(50) else body.array(1))
    if made is None:
        return []
    with body.nested():
        before = _may_raise(body) if choose.percent(60) else []
        after = _may_raise(body) if choose.percent(30) else []
    other = body.alike(made.text) if is_number(made.value) else f"{atom(made.text)} * 1"
    if not is_number(made.value):
        other = choose.pick([f"np.zeros_like({made.text})", f"({atom(made.text)}).copy()"])
    if not body.perform([f"{name} = {made.text}"]):
        return []
    body.live.append(name)
    return [
        "try:", *_indented([*before, f"{name} = {made.text}", *after]),
        f"except {choose.pick(CAUGHT)}:", *_indented([f"{name} = {other}"]),
    ]  # fmt: skip


def with_(body: Body) -> list[str]:
    lines = [f"with np.errstate({body.choose.pick(ERRSTATES)}):"]
    return [*lines, *_indented(_part(body, 1, 3))]


def match_(body: Body) -> list[str]:
    choose = body.choose
    integers = body.names(lambda v: type(v) is int)
    arrays = body.names(is_array)
    number = choose.pick(integers) if integers else str(choose.integer(0, 3))
    subjects = [f"{number} % 3", f"{number} % 4 - 1", number]
    if arrays:
        name = choose.pick(arrays)
        subjects += [f"{name}.ndim", f"{name}.size % 3", f"{name}.shape[0] % 2"] * bool(
            body.env[name].ndim
        )
    pair = choose.percent(25)
    subject = choose.pick(subjects)
    lines = [f"match ({subject}, {choose.pick(subjects)}):" if pair else f"match {subject}:"]
    for _ in range(choose.integer(1, 3)):
        lines.append(f"    case {_pattern(body, pair)}:")
        lines += _indented(_indented(_part(body, 1, 2)))
    if choose.percent(60):
        lines += ["    case _:", *_indented(_indented(_part(body, 1, 2)))]
    return lines


def _pattern(body: Body, pair: bool) -> str:
    choose = body.choose
    one, two = choose.integer(-1, 3), choose.integer(0, 3)
    simple = [f"{one}", f"{one} | {two}", "None", "'a'", f"{two}.0"]
    if not pair:
        guard = f"w if w {choose.pick(['>', '<'])} {one}"
        return choose.pick([*simple, f"{one}", f"{two}", guard])
    first = choose.pick([*simple[:2], "_", "w"])
    return f"({first}, {choose.pick([str(two), '_', str(one)])})"


FAMILY = Family(simple=[(2, known_behind)], blocks=[(7, try_), (1, with_), (2, match_)])
