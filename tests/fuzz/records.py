"""Structured arrays: fields that are numbers, arrays and records, of arguments and of arrays
created inside, read and stored as arrays, by element and by slice; rows as views of their array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from fuzz.arguments import OwnParameter
from fuzz.choices import Chooser
from fuzz.expressions import Family, is_array, is_number

if TYPE_CHECKING:
    from fuzz.programs import Body

DTYPES = {
    "Point": "[('x', float), ('y', float)]",
    "Mixed": "[('x', float), ('k', np.int32), ('c', '?')]",
    "Based": "[('w', float, (2,)), ('k', int)]",
    "Matrix": "[('w', np.float32, (2, 3)), ('x', float), ('k', np.int8)]",
    "Nested": "[('x', float), ('s', [('a', float), ('b', np.int16)])]",
    "Deep": "[('s', [('w', float, (3,)), ('t', [('a', int), ('b', float)])]), ('x', float)]",
    "Several": "[('x', int), ('s', [('a', float), ('b', int)], (2,))]",
    "Packed": "[('c', np.int8), ('x', float), ('k', np.int16)]",
}
HEADER = """\
def moved(p, d):
    p["x"] += d
    return p["x"]


def first(p):
    return p[0]


def fields_sum(p):
    return p["x"].sum()


def set_first(row, v):
    row["x"] = v
    return row


def both(x, y):
    x += 1
    return x, y
"""


def header(choose: Chooser) -> str:
    packed = ["", ", align=True"]
    constants = [f"{n} = np.dtype({text}{choose.pick(packed)})" for n, text in DTYPES.items()]
    return "\n".join([*constants, "", "", HEADER])


def parameters(choose: Chooser) -> list[Any]:
    """`u`, and often `w`: arrays of records, windows of one, or one record."""
    own = [_records(choose, "u")]
    if choose.percent(50):
        again = choose.pick(["u", "u[::-1]", "u[1:]", "u.copy()"])
        own.append(OwnParameter("w", (again,)) if choose.percent(40) else _records(choose, "w"))
    if choose.percent(30):
        own.append(OwnParameter("z", (f"np.ones(1, {_aligned(choose)})[0]",)))
    return own


def _aligned(choose: Chooser) -> str:
    """Of an argument that is not aligned views are views of a copy (README, limits)."""
    return f"np.dtype({choose.pick(list(DTYPES.values()))}, align=True)"


def _records(choose: Chooser, name: str) -> OwnParameter:
    dtype = _aligned(choose)
    shape = choose.weighted([(8, "$n + 1"), (1, "($n + 1, 2)"), (1, "1")])
    layout = choose.weighted([(6, ""), (1, "[::-1]"), (1, "[:]"), (1, "[::2]")])
    size = f"np.zeros({shape}, {dtype}).nbytes"
    made = choose.pick([
        f"np.ones({shape}, {dtype}){layout}",
        f"np.zeros({shape}, {dtype}){layout}",
        f"(np.arange({size}) % 50 + 10).astype('u1').view({dtype}).reshape({shape}){layout}",
    ])  # fmt: skip
    if "'?'" in dtype:
        made = f"np.ones({shape}, {dtype}){layout}"
    return OwnParameter(name, (made,))


def _is_records(value: Any) -> bool:
    return isinstance(value, (np.ndarray, np.void)) and bool(value.dtype.names)


def _index(body: Body, text: str, value: Any, stored: bool) -> str:
    choose = body.choose
    extent = value.shape[0]
    loops = [n for n, bound in body.bounds.items() if bound < extent and n in body.live]
    if loops and choose.percent(50):
        return choose.pick(loops)
    if extent and choose.percent(55):
        return str(choose.integer(-extent, extent - 1))
    forms = [":", "1:", "::2", "::-1", ":2", "...", ":-1"]
    if not stored:
        forms += ["[0, -1]", f"np.arange({min(extent, 2)})"]
    if value.ndim > 1:
        forms += [f"{choose.integer(0, extent - 1)}, 0", ":, 0"] if extent else [":, 0"]
    return choose.pick(forms)


def path(body: Body, *, stored: bool = False, numbers: bool = True) -> tuple[str, Any] | None:
    """An expression that goes from an array of records to a field, a row, an item."""
    choose = body.choose
    names = [n for n in body.names(_is_records) if n not in body.reserved]
    if not names:
        return None
    text = choose.pick(names)
    value = body.env[text]
    for _ in range(6):
        if not _is_records(value) and (not numbers or choose.percent(50)):
            break
        if not isinstance(value, np.ndarray) and not _is_records(value):
            break
        has_axes = isinstance(value, np.ndarray) and value.ndim
        if _is_records(value) and (not has_axes or choose.percent(65)):
            field = choose.pick(list(value.dtype.names))
            step = f"[{field!r}]"
        elif has_axes:
            step = f"[{_index(body, text, value, stored)}]"
        else:
            break
        made = body.evaluate(text + step)
        if made is None:
            return None
        text, value = text + step, made.value
        if not numbers and choose.percent(30):
            break
    return text, value


def read(body: Body) -> list[str]:
    choose = body.choose
    found = path(body)
    if found is None:
        return []
    text, value = found
    if is_array(value) or is_number(value):
        forms = [text, text, f"{text} * 2", f"{text} + {text}", f"({text} > 1)", f"{text}.sum()"]
        if is_array(value):
            forms += [f"{text}.copy()", f"{text}[...]", f"np.sort({text}, axis=-1)", f"{text}.T"]
            forms += [f"np.where({text} > 1, {text}, 0)", f"len({text})", f"{text}.shape[0]"]
        made = body.evaluate(choose.pick(forms))
        if made is None or not (is_array(made.value) or is_number(made.value)):
            return []
        accept = is_array if is_array(made.value) else is_number
        return body.bind(body.target(made.value, accept), made)
    if _is_records(value):
        forms = [text, text]
        if isinstance(value, np.ndarray):
            forms += [f"{text}.copy()", f"{text}[::-1]", f"first({text})", f"{text}[:1]"]
            forms += [f"moved({text}, 1)", f"fields_sum({text})", f"len({text})", f"{text}.size"]
            forms += [f"np.concatenate(({text}, {text}))", f"{text}[{text}['x'] > 1]", f"{text}.T"]
            forms += [f"{text}[['x', 'k']]", f"[{text}['x'][k] for k in range(len({text}))]"]
            forms += [
                f"both({text}['x'], {text}['k'])",
                f"({text}['x'], {text}['x'])",
                f"{text}[:]",
            ]
            forms += [f"sum({text}[k]['x'] for k in range(len({text})))", f"[{text}, {text}['x']]"]
            forms += [f"{{'a': {text}['x'], 'b': {text}}}", f"{text}.shape", f"{text}.reshape(-1)"]
        else:
            forms += [
                f"set_first({text}, 2)",
                f"tuple({text})",
                f"({text}['x'], 1)",
                f"{text}.copy()",
            ]
            forms += [f"list({text})", f"{text}.item()", f"float({text}['x'])"]
            forms += [f"f'{{{text}}}!'", f"str({text})", f"f'{{{text}[\"x\"]:.2f}} {{{text}}}'"]
        return body.assign(body.fresh(), choose.pick(forms)) if body.depth == 0 else []
    return []


def store(body: Body) -> list[str]:
    choose = body.choose
    found = path(body, stored=True)
    if found is None:
        return []
    text, value = found
    if "[" not in text:
        return []
    if _is_records(value):
        return _store_row(body, text, value)
    number = choose.pick([str(choose.integer(0, 6)), "2", body.constant()])
    if np.asarray(value).dtype.kind in "iub":
        number = str(choose.integer(0, 1))
    sign = choose.weighted([(6, "="), (2, "+="), (1, "*=")])
    if np.asarray(value).dtype.kind == "b":
        sign = "="
    forms = [f"{text} {sign} {number}"]
    if is_array(value):
        partner = f"np.arange({value.size}).reshape({value.shape})"
        forms += [f"{text} {sign} {partner} % 2", f"{text} = {text}[::-1]", f"{text}[...] = 3"]
        forms += [f"{text}[:1] {sign} {number}", f"{text} {sign} {text}", f"{text}[0] = {number}"]
    other = path(body)
    if other and np.asarray(other[1]).dtype == np.asarray(value).dtype:
        forms += [f"{text} = {other[0]}"] * 2
    return body.run([choose.pick(forms)])


def _store_row(body: Body, text: str, value: Any) -> list[str]:
    choose = body.choose
    alike = [n for n in body.names(_is_records) if body.env[n].dtype == value.dtype]
    forms = [f"set_first({text}, 1)", f"{text}['x'] += 1"]
    if isinstance(value, np.ndarray) and value.ndim and len(value) > 1:
        forms += [
            f"{text}[0], {text}[1] = {text}[1], {text}[0]", f"{text}[0] = {text}[-1]",
            f"{text}[1:] = {text}[:-1]", f"{text}['x'], {text}['y'] = {text}['y'], {text}['x']",
            f"{text}[0], {text}[1] = {text}[1].copy(), {text}[0].copy()",
            f"{text}[:] = {text}[::-1]",
            f"{text}['x'][{text}['x'] > 1] = 0", f"{text}['x'][[0, 1]] = 3",
            f"{text}.fill({text}[1])",
            f"{text}['x'], {text}['k'] = {text}['k'], {text}['x']", f"{text}['x'].sort()",
            f"np.add({text}['x'], 1, out={text}['x'])", f"{text}['x'][:] = {text}['x'][::-1]",
            f"{text}[0]['x'], {text}[1]['x'] = {text}[1]['x'], {text}[0]['x']",
        ] * 2  # fmt: skip
    for name in alike:
        if isinstance(body.env[name], np.void):
            forms.append(f"{text} = {name}")
        elif body.env[name].ndim == 1 and len(body.env[name]):
            forms += [f"{text} = {name}[{choose.integer(-1, 0)}]", f"{text} = {name}[:1]"]
    plain = [value.dtype[k].kind in "biuf" for k in range(len(value.dtype))]
    if all(plain):
        forms.append(f"{text} = ({', '.join(str(choose.integer(0, 1)) for _ in plain)},)")
    return body.run([choose.pick(forms)])


def store_named(body: Body) -> list[str]:
    """A store to an array or to a row that has a name."""
    names = [n for n in body.names(_is_records) if n not in body.reserved]
    name = body.choose.pick(names) if names else ""
    for _ in range(4):
        if names and (lines := _store_row(body, name, body.env[name])):
            return [] if lines[0].startswith(f"{name} =") else lines
    return []


def make(body: Body) -> list[str]:
    choose = body.choose
    dtype, count = choose.pick(list(DTYPES)), choose.integer(1, 4)
    shape = choose.weighted([(6, str(count)), (1, f"({count}, 2)"), (1, "len(u)")])
    alike = [n for n in body.names(_is_records) if isinstance(body.env[n], np.ndarray)]
    forms = [f"np.zeros({shape}, {dtype})", f"np.zeros({shape}, dtype={dtype})"] * 3
    forms += [f"np.ones({shape}, {dtype})"]
    forms += [f"np.zeros_like({name})" for name in alike[:1]]
    forms += [f"{name}.copy()" for name in alike]
    return body.assign(body.fresh(), choose.pick(forms))


def row_view(body: Body) -> list[str]:
    """A row, and a store through it that its array shows."""
    choose = body.choose
    names = body.names(
        lambda v: _is_records(v) and isinstance(v, np.ndarray) and v.ndim == 1 and len(v) > 0
    )
    if not names:
        return []
    name = choose.pick(names)
    value = body.env[name]
    row, field = body.fresh(), choose.pick(list(value.dtype.names))
    index = choose.pick(["0", "-1", "1:", "::-1", f"{choose.integer(0, len(value) - 1)}"])
    item = value[0][field]
    inner = f"{row}[{field!r}]"
    if isinstance(item, np.void):
        inner += f"[{choose.pick(list(item.dtype.names))!r}]"
    elif isinstance(item, np.ndarray):
        inner += choose.pick(["[0]", "[:]", "[-1]", "[...]", "[1:]", ""])
        if item.dtype.names and choose.percent(70):
            inner += f"[{choose.pick(list(item.dtype.names))!r}]"
    lines = [f"{row} = {name}[{index}]", f"{inner} {choose.pick(['=', '=', '+='])} 1"]
    if not body.perform(lines):
        return []
    if not body.depth:
        body.live.append(row)
    return lines


def over(body: Body) -> list[str]:
    """A loop over rows or their numbers."""
    choose = body.choose
    names = body.names(
        lambda v: _is_records(v) and isinstance(v, np.ndarray) and v.ndim and len(v) > 0
    )
    if not names:
        return []
    name = choose.pick(names)
    fields = list(body.env[name].dtype.names)
    field, other = choose.pick(fields), choose.pick(fields)
    header, row = choose.weighted([
        (4, (f"for q1 in range(len({name})):", f"{name}[q1]")),
        (2, (f"for q1 in range({name}.shape[0] - 1, -1, -1):", f"{name}[q1]")),
        # Iterating over rows is not supported.
        (choose.integer(0, 8) // 8, (f"for q1 in {name}:", "q1")),
    ])  # fmt: skip
    numbers = [n for n in body.names(lambda v: type(v) is float) if n not in body.reserved]
    steps = [
        f"{row}[{field!r}] = 1", f"{row}[{field!r}] += 1", f"{row}[{field!r}] = {row}[{other!r}]",
        f"{row}[{field!r}][0] = 1", f"{row}[{field!r}][...] = 1", f"{row} = {name}[0]",
        f"{row}['s']['a'] = 1", f"print({row}[{field!r}])", f"{name}[{field!r}][0] += 1",
        f"{row}['x'] = {row}['x'] * 2 + 1", f"{row}['w'][1] += {row}['w'][0]",
    ]  # fmt: skip
    steps += [f"{n} = {n} + float({row}['x'])" for n in numbers] * 2
    for _ in range(6):
        lines = [header, f"    {choose.pick(steps)}"]
        if " = u[0]" not in lines[1] and body.perform(lines):
            return lines
    return []


def statement(body: Body) -> list[str]:
    kinds = [(5, read), (6, store), (3, store_named), (2, make), (3, row_view), (3, over)]
    return body.choose.weighted(kinds)(body)


FAMILY = Family(simple=[(70, statement)], header=header, parameters=parameters)
