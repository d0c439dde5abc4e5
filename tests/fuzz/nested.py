"""Containers in containers, of arrays and numbers: lists, tuples and dicts of one another as
arguments and made inside, indexed by constants and loop variables, built by append and
comprehensions, passed to functions as they are and as `**kw` and `*args`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.arguments import OwnParameter
from fuzz.choices import Chooser
from fuzz.expressions import Family, is_array, is_number

if TYPE_CHECKING:
    from fuzz.programs import Body

HEADER = """\
def weight(x):
    return np.sum(x > 1)  # exact, whatever the order


def block(x, w, b=1.0):
    return x * w + b


def layer(x, *, w, b):
    w[...] = w + 1
    return (x + w) * b


def total(*items):
    t = 0.0
    for item in items:
        t = t + weight(item)
    return t


def entries(**kw):
    t = 0
    for key, value in kw.items():
        t = t + weight(value) * len(key)
    return t


def pairs(ws, x):
    for w, b in ws:
        x = np.maximum(x * w, b)
    return x


def deep(c, x):
    for e in c:
        x = x + e["w"] * e["b"]
    return x


def rest(first, *others, scale=1.0, **named):
    t = first * scale
    for other in others:
        t = t + weight(other)
    return t + len(named), others, named


def inner(layers, x):
    out = []
    for k in range(len(layers)):
        x = x * layers[k]["w"] + layers[k]["b"]
        out.append(x)
    return out


def swapped(pair):
    one, two = pair
    return {"first": two, "second": [one, (one, two)]}


def changed(d, v):
    d["b"] = v
    return d
"""


def _array(choose: Chooser, size: str = "$n") -> str:
    shape = choose.weighted([(6, f"({size},)"), (2, f"({size}, $m)"), (1, "(2,)")])
    dtype = choose.pick(["float64", "float64", "int64", "float32"])
    return f"filled({shape}, {dtype!r}, {choose.integer(0, 9)}, 'small')"


def _number(choose: Chooser) -> str:
    return choose.pick(["2", "0.5", "3", "1.5", "np.float64(2.5)", "True"])


def _made(choose: Chooser, depth: int, leaf: Any) -> str:
    """The text of a container; items are of one kind, as a rule."""
    kind = choose.pick(["list", "tuple", "dict", "list"])
    count = choose.integer(1, 4)
    alike = choose.percent(75)
    state: list[str] = []

    def item() -> str:
        if alike and state and depth <= 1:
            return state[0]
        text = _made(choose, depth - 1, leaf) if depth > 1 else leaf()
        state.append(text)
        return text

    if depth > 1 and alike:
        first = _made(choose, depth - 1, leaf)
        items = [first] * count
    else:
        items = [item() for _ in range(count)]
    if kind == "dict":
        return "{" + ", ".join(f"{'abcd'[k]!r}: {text}" for k, text in enumerate(items)) + "}"
    if kind == "tuple":
        return "(" + ", ".join(items) + ",)"
    return "[" + ", ".join(items) + "]"


def parameters(choose: Chooser) -> list[Any]:
    """`u` is a list or tuple of layers, `w` anything, and now and then `z` holds one of them."""

    def leaf() -> str:
        return _array(choose) if choose.percent(70) else _number(choose)

    arrays = ["filled(($n,), 'float64', 3, 'small')", "filled(($n,), 'float64', 5, 'small')"]
    b = choose.pick(["0.5", "2", arrays[0], "np.float64(1.5)"])
    count = choose.integer(1, 4) if choose.percent(90) else choose.integer(25, 60)
    layers = ", ".join(
        f"{{'w': {arrays[k % 2] if choose.percent(80) else arrays[0]}, 'b': {b}}}"
        for k in range(count)
    )
    pairs = ", ".join(f"({arrays[k % 2]}, {b})" for k in range(count))
    u = choose.weighted([
        (4, f"[{layers}]"), (2, f"({layers},)"), (2, f"[{pairs}]"), (1, f"{{'a': [{layers}]}}"),
        (1, f"[[{layers}], [{layers}]]"),
    ])  # fmt: skip
    w = _made(choose, choose.integer(1, 3), leaf)
    own = [OwnParameter("u", (u,)), OwnParameter("w", (w,))]
    if choose.percent(20):
        own.append(OwnParameter("z", (choose.pick(["[u, w]", "(u, 1)", "{'a': w, 'b': 2.5}"]),)))
    return own


# ------------------------------------------------------------------------------------------- paths


def _is_container(value: Any) -> bool:
    return type(value) in (list, tuple, dict) and len(value) > 0


def _is_dict(value: Any) -> bool:
    return isinstance(value, dict)


def _step(body: Body, value: Any) -> tuple[str, Any]:
    """One index or key."""
    choose = body.choose
    if isinstance(value, dict):
        key = choose.pick(list(value))
        return f"[{key!r}]", value[key]
    k = choose.integer(-len(value), len(value) - 1)
    loops = [n for n, bound in body.bounds.items() if bound < len(value) and n in body.live]
    integers = body.names(lambda v: type(v) is int)
    loops = [n for n in loops if body.env[n] < len(value)]  # its sample may be beyond
    if loops and choose.percent(60):
        name = choose.pick(loops)
        return f"[{name}]", value[body.env[name]]
    if integers and choose.percent(8):
        name = choose.pick(integers)
        return f"[{name} % {len(value)}]", value[body.env[name] % len(value)]
    return f"[{k}]", value[k]


def path(body: Body, least: int = 1) -> tuple[str, Any] | None:
    """An expression that goes down into a container, and its value."""
    names = [n for n in body.names(_is_container) if n not in body.reserved]
    if not names:
        return None
    text = body.choose.pick(names)
    value = body.env[text]
    for depth in range(4):
        if not _is_container(value) or (depth >= least and body.choose.percent(25)):
            break
        step, value = _step(body, value)
        text += step
    return text, value


def _bound(body: Body, text: str) -> list[str]:
    """A name for what an expression gives, whatever it is."""
    made = body.evaluate(text)
    if made is None:
        return []
    if is_array(made.value) or is_number(made.value):
        accept = is_array if is_array(made.value) else is_number
        return body.bind(body.target(made.value, accept), made)
    if not isinstance(made.value, (list, tuple, dict)):
        return []
    return body.assign(body.fresh(), text)


def read(body: Body) -> list[str]:
    found = path(body)
    if found is None:
        return []
    text, value = found
    choose = body.choose
    if is_array(value) or is_number(value):
        forms = [text, text, f"{text} * 2", f"{text} + {text}", f"weight({text})"]
        forms += [f"block({text}, 2)", f"total({text}, 1)"]
    elif isinstance(value, dict):
        forms = [
            text, f"list({text})", f"list({text}.values())", f"len({text})", f"entries(**{text})",
            f"{{**{text}, 'e': 1}}", f"total(*{text}.values())", f"dict({text})",
            f"[k for k in {text}]", f"{{k: v for k, v in {text}.items()}}", f"{text}.copy()",
            f"[v * 2 for v in {text}.values()]", f"[weight(v) for _, v in {text}.items()]",
            f"'a' in {text}", f"{text}.get('b')", f"{text}.get('c', 3)", f"tuple({text}.items())",
            f"sum(weight(v) for v in {text}.values())", f"deep([{text}], 1.0)",
            f"rest(1, **{text})", f"rest(2, 1, *{text}, scale=2)", f"rest(*{text}.values())",
            f"{{k: [v, v] for k, v in {text}.items() if k != 'b'}}", f"swapped({text}.values())",
            f"[{text}, {text}]", f"max({text}, key=len)", f"sorted({text})",
            f"{{**{text}, **{text}}}", f"{{'w': 1, **{text}}}",
            f"list(zip({text}, {text}.values()))",
            f"block(1.5, **{text})", f"layer(2.0, **{text})", f"changed({text}, 4)",
        ]  # fmt: skip
    else:
        forms = [
            text, f"{text}[1:]", f"{text}[::-1]", f"len({text})", f"total(*{text})",
            f"[e for e in {text}]", f"[weight(e) for e in {text}]", f"list(zip({text}, {text}))",
            f"list({text})", f"tuple({text})", f"{text} + {text}", f"[*{text}]", f"{text} * 2",
            f"[{text}[k] for k in range(len({text}))]", f"list(enumerate({text}))",
            f"np.array({text})", f"np.stack({text})", f"np.concatenate({text})", f"sum({text})",
            f"rest(1, *{text})", f"rest(*{text}, *{text})", f"inner({text}, 1.5)",
            f"swapped(({text}, 1))", f"swapped({text})", f"({text}, {text}[0])", f"[{text}] * 2",
            f"{{k: v for k, v in zip('abc', {text})}}", f"[[e, e] for e in {text}]",
            f"[(k, e) for k, e in enumerate({text}) if k % 2 == 0]", f"dict(enumerate({text}))",
            f"[{{**e, 'k': k}} for k, e in enumerate({text})]", f"[e[0] for e in {text}]",
            f"[{{'w': e, 'b': k}} for k, e in enumerate({text})]", f"list(map(weight, {text}))",
            f"[e.copy() for e in {text}]", f"{text}[::2]", f"[e['w'] + e['b'] for e in {text}]",
            f"{{k: {text}[k] for k in range(len({text}))}}", f"[*zip(*{text})]",
            f"{text} == {text}",
            f"deep({text}, 1.0)", f"pairs({text}, 1.5)", f"[e['w'] for e in {text}]",
            f"list(reversed({text}))", f"[e * 2 for e in {text}]", f"{text}.copy()",
            f"{{k: e for k, e in enumerate({text})}}", f"[w for w, b in {text}]",
            f"[x for e in {text} for x in e]", f"max({text}, key=weight)", f"(*{text}, 1)",
        ]  # fmt: skip
    for _ in range(6):
        if lines := _bound(body, choose.pick(forms)):
            return lines
    return []


def store(body: Body) -> list[str]:
    """Into an array in a container, or replacing an item."""
    choose = body.choose
    found = path(body)
    if found is None:
        return []
    text, value = found
    if is_array(value):
        number = choose.integer(0, 5)
        forms = [
            f"{text}[...] = {number}", f"{text} += {number}", f"{text}[:1] = {number}",
            f"{text}[::-1] *= 2", f"{text} = {text} * 2", f"{text} = {text}.copy()",
            f"{text}[0] = {number}", f"np.add({text}, 1, out={text})",
        ]  # fmt: skip
    elif is_number(value):
        forms = [f"{text} = {text} + 1", f"{text} += 1", f"{text} = {text} * 2"]
    elif isinstance(value, dict):
        key = choose.pick(list(value))
        forms = [
            f"{text}[{key!r}] = {text}[{key!r}]", f"{text}.update({{{key!r}: 4}})",
            f"{text}['new'] = {choose.integer(0, 5)}", f"{text}.setdefault({key!r}, 1)",
            f"changed({text}, 7)", f"{text} = dict({text})", f"{text}.pop({key!r})",
        ]  # fmt: skip
    else:
        forms = [
            f"{text}[0], {text}[-1] = {text}[-1], {text}[0]", f"{text}.append({text}[0])",
            f"{text}[0] = {text}[-1]", f"{text}.reverse()", f"{text}.pop()", f"{text} = {text}[:1]",
            f"{text}.extend([{text}[0]])", f"{text} += [{text}[-1]]",
        ]  # fmt: skip
    if body.depth:
        forms = [form for form in forms if ".pop" not in form and "new" not in form]
    return body.run([choose.pick(forms)])


def build(body: Body) -> list[str]:
    """A container of existing values."""
    choose, name = body.choose, body.fresh()
    arrays = body.names(is_array)

    def leaf() -> str:
        if arrays and choose.percent(70):
            array = choose.pick(arrays)
            return choose.pick([array, array, f"{array} * 2", f"{array}.copy()"])
        return choose.pick(["1.5", "2", *body.names(is_number)])

    array = leaf()
    lines = choose.pick([
        [f"{name} = {_made(choose, choose.integer(1, 3), leaf)}"],
        [f"{name} = {_made(choose, choose.integer(2, 3), leaf)}"],
        [f"{name} = [{{'w': {array}, 'b': k}} for k in range({choose.integer(1, 3)})]"],
        [f"{name} = {{'a': [{array} * k for k in range(3)], 'b': ({array}, 2)}}"],
        [f"{name} = [({array}, k * 0.5) for k in range({choose.integer(1, 3)})]"],
        [f"{name} = [{array} + k for k in range({choose.integer(1, 4)})]"],
        [f"{name} = []", f"for k in range({choose.integer(1, 4)}):",
         f"    {name}.append({array} * k)"],
        [f"{name} = []", f"for k in range({choose.integer(1, 3)}):",
         f"    {name}.append({{'w': {array}, 'b': k * 2}})"],
        [f"{name} = []", f"for k in range({choose.integer(1, 3)}):",
         f"    {name}.append(({array}, k))"],
        [f"{name} = {{}}", "for k in ('a', 'b'):", f"    {name}[k] = [{array}, {leaf()}]"],
        [f"{name} = [[{leaf()} for _ in range(2)] for _ in range(2)]"],
        [f"{name} = {{k: {{'w': {leaf()}, 'b': 2}} for k in ('x', 'y')}}"],
        [f"{name} = dict(w={leaf()}, b=[{leaf()}, {leaf()}])"],
    ])  # fmt: skip
    if not body.perform(lines):
        return []
    body.live.append(name)
    return lines


def over(body: Body) -> list[str]:
    """A loop over the items of a container."""
    choose = body.choose
    found = path(body, 0)
    if found is None or not _is_container(found[1]):
        return []
    text, value = found
    numbers = [n for n in body.names(lambda v: type(v) in (int, float)) if n not in body.reserved]
    arrays = [n for n in body.names(is_array) if n not in body.reserved]
    gathered = choose.pick([*numbers, *arrays, *arrays]) if numbers or arrays else None
    if isinstance(value, dict):
        headers = [f"for q1, e in {text}.items():", f"for e in {text}.values():"]
        inner = f"{text}[q1]"
    else:
        headers = [
            f"for q1, e in enumerate({text}):", f"for e in {text}:", f"for e in reversed({text}):",
            f"for e, o in zip({text}, {text}[1:]):", f"for q1 in range(len({text})):",
        ]  # fmt: skip
        inner = f"{text}[q1]"
    header = choose.pick(headers)
    item = inner if " e" not in header else "e"
    steps = [
        f"{item}[...] = 2", f"{item} += 1", f"{item}['w'] += 1", f"{item}['b'] = 3",
        f"{item}[0][...] = 1", f"{item}['w'] = {item}['w'] * 2", "print(e)", f"{item}[0] = 5",
    ]  # fmt: skip
    if _is_dict(next(iter(value.values() if isinstance(value, dict) else value))):
        steps = [step for step in steps if "[...]" not in step and f"{item}[0]" not in step]
    if gathered:
        uses = [item, f"{item}['w']", f"weight({item}['w'])", f"{item}['b']", f"{item}[0]",
                f"len({item})", f"weight({item})", f"block(1.5, **{item})",
                f"total(*{item})"]  # fmt: skip
        steps += [f"{gathered} = {gathered} + {use}" for use in uses] * 2
    for _ in range(8):
        before = body.env.get(gathered or "")
        lines = [header, f"    {choose.pick(steps)}"]
        if body.perform(lines):
            same = gathered is None or _alike(before, body.env[gathered])
            if same:
                return lines
            body.env[gathered or ""] = before
    return []


def _alike(before: Any, after: Any) -> bool:
    if is_array(before):
        return is_array(after) and before.dtype == after.dtype and before.shape == after.shape
    return type(before) is type(after)


def statement(body: Body) -> list[str]:
    kinds = [(6, read), (3, store), (3, build), (3, over)]
    return body.choose.weighted(kinds)(body)


FAMILY = Family(simple=[(60, statement)], header=lambda choose: HEADER, parameters=parameters)
