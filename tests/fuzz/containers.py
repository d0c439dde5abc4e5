"""Statements with dicts of constant keys, lists that change in place, named tuples, and
optional variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.expressions import Family, atom, is_array, is_number, kind_of

if TYPE_CHECKING:
    from fuzz.programs import Body

# Precedes each program.
HEADER = """\
from collections import namedtuple

Pair = namedtuple("Pair", "first second")
Trio = namedtuple("Trio", ["x", "y", "z"], defaults=[2])
"""
KEYS = ["'a'", "'b'", "'c'", "1", "(0, 1)"]


def _item(body: Body) -> str:
    """A number or an array."""
    choose = body.choose
    arrays = body.names(is_array)
    if arrays and choose.percent(45):
        name = choose.pick(arrays)
        return choose.pick([name, name, f"{name} * 2", f"{name}[:1]", f"{name}.copy()"])
    return body.number(1)


def _like(body: Body, value: Any, old: str) -> str:
    """An item of the same kind as the one that it replaces, as a rule."""
    if body.choose.percent(15) and not body.depth:
        return _item(body)
    kind = kind_of(value)
    made = body.attempt(lambda: _item(body), lambda v: kind_of(v) == kind)
    return made.text if made else old


def _pick(body: Body, accept: Any) -> str | None:
    names = [name for name in body.names(accept) if name not in body.reserved]
    return body.choose.pick(names) if names else None


def _lines(body: Body, lines: list[str], new: str | None = None) -> list[str]:
    """Runs the lines; a name that they bind is known from then on."""
    if not body.perform(lines):
        return []
    if new and new not in body.live:
        body.live.append(new)
    return lines


def _read(body: Body, text: str) -> list[str]:
    """A name for what an expression over a container gives."""
    made = body.evaluate(text)
    if made is None or not (is_array(made.value) or is_number(made.value)):
        return []
    accept = is_array if is_array(made.value) else is_number
    return body.bind(body.target(made.value, accept), made)


# ------------------------------------------------------------------------------------------- dicts


def _is_dict(value: Any) -> bool:
    return type(value) is dict and len(value) > 0


def dicts(body: Body) -> list[str]:
    choose = body.choose
    name = _pick(body, _is_dict)
    if name is None or choose.percent(20):
        return _new_dict(body)
    value = body.env[name]
    key = choose.pick(list(value))
    at, item = f"{name}[{key!r}]", value[key]
    kind = choose.weighted([(4, "read"), (5, "store"), (2, "loop"), (1, "alias"), (2, "method")])
    if kind == "read":
        texts = [at, at, f"{name}.get({key!r})", f"{name}.get('no', 3)", f"len({name})"]
        texts += [f"sum({name}.values())", f"'a' in {name}", f"{at} + 1", f"{at} * 2"]
        return _read(body, choose.pick(texts))
    if kind == "alias":
        other = body.fresh()
        texts = [name, name, f"dict({name})", f"{name}.copy()", f"{{**{name}, 'b': 1}}"]
        return _lines(body, [f"{other} = {choose.pick(texts)}"], other)
    if kind == "loop":
        return _over(body, name, value)
    if kind == "method":
        return _dict_method(body, name)
    if is_array(item) and choose.percent(50):
        inside = f"[{body.subscript(at, item)}]" if item.ndim and choose.percent(60) else "[...]"
        return _lines(body, [f"{at}{inside} {choose.pick(['=', '+=', '*='])} {body.constant()}"])
    if choose.percent(30):
        return _lines(body, [f"{at} {choose.pick(['+=', '-=', '*='])} {body.number(0)}"])
    return _lines(body, [f"{at} = {_like(body, item, at)}"])


def _new_dict(body: Body) -> list[str]:
    choose, name = body.choose, body.fresh()
    keys = choose.some(KEYS, 1, 3)
    pairs = [f"{key}: {_item(body)}" for key in keys]
    words = [f"{key}={_item(body)}" for key in ("a", "b")]
    count = choose.integer(1, 3)
    text = choose.weighted([
        (6, f"{{{', '.join(pairs)}}}"), (1, f"dict({', '.join(words)})"),
        (1, f"{{k: k * {body.constant()} for k in range({count})}}"),
    ])  # fmt: skip
    return _lines(body, [f"{name} = {text}"], name)


def _over(body: Body, name: str, value: dict[Any, Any]) -> list[str]:
    choose = body.choose
    key, item = body.fresh(), body.fresh()
    header = choose.pick([f"{key}, {item} in {name}.items()", f"{item} in {name}.values()"])
    first = next(iter(value.values()))
    if is_array(first) and not first.flags.writeable:
        return []
    before = {n: body.env.get(n) for n in (key, item)}
    if not body.perform([f"{item} = next(iter({name}.values()))"]):
        return []
    numbers = body.names(is_number)
    total = choose.pick(numbers) if numbers else None
    steps = [f"{item} += 1", f"print({item})", f"{item} = {item} * 2"]
    if total and total not in body.reserved:
        steps.append(f"{total} = {total} + 1")
    lines = [f"for {header}:", f"    {choose.pick(steps)}"]
    body.env.update({n: v for n, v in before.items() if v is not None})
    return _lines(body, lines)


def _dict_method(body: Body, name: str) -> list[str]:
    """What changes the keys: not in loops and branches, where paths would differ in them."""
    choose = body.choose
    value = body.env[name]
    key = choose.pick([*map(repr, value), "'c'", "'new'"])
    lines = choose.pick([
        [f"{name}.setdefault({key}, {body.constant()})"], [f"{name}.update({{{key}: 4}})"],
        [f"{name} |= {{{key}: {body.constant()}}}"], [f"{name}[{key}] = {_item(body)}"],
        [f"del {name}[{key}]"], [f"{body.fresh()} = {name}.pop({key}, 5)"],
        [f"print({key} in {name}, len({name}), list({name}))"],
    ])  # fmt: skip
    if body.depth and not choose.percent(15) and not lines[0].startswith("print"):
        return []
    return _lines(body, lines)


# ------------------------------------------------------------------------------------------- lists


def _is_list(value: Any) -> bool:
    return type(value) is list and 0 < len(value) < 9


def lists(body: Body) -> list[str]:
    choose = body.choose
    name = _pick(body, _is_list)
    if name is None or choose.percent(20):
        return _new_list(body)
    value = body.env[name]
    k = choose.integer(-len(value), len(value) - 1)
    at = f"{name}[{k}]"
    kind = choose.weighted([(3, "read"), (4, "store"), (3, "change"), (2, "alias"), (1, "loop")])
    if kind == "read":
        integers = body.names(lambda v: type(v) is int)
        texts = [at, at, f"len({name})", f"sum({name})", f"max({name})", f"np.array({name})"]
        if integers:
            texts += [f"{name}[{choose.pick(integers)} % {len(value)}]"] * 2
        return _read(body, choose.pick(texts))
    if kind == "store":
        if is_array(value[k]) and choose.percent(40):
            return _lines(body, [f"{at}[...] {choose.pick(['=', '+='])} {body.constant()}"])
        sign = choose.weighted([(5, "="), (1, "+="), (1, "*=")])
        return _lines(body, [f"{at} {sign} {_like(body, value[k], at)}"])
    if kind == "alias":
        other = body.fresh()
        texts = [name, name, name, f"list({name})", f"{name}[1:]", f"{name} + [1]"]
        texts += [f"{name}.copy()", f"[e for e in {name}]", f"{name}[::-1]", f"{name} * 2"]
        texts += [f"sorted({name})", f"({name}, {name})[0]", f"[e * 2 for e in {name} if e > 1]"]
        return _lines(body, [f"{other} = {choose.pick(texts)}"], other)
    if kind == "loop":
        steps = ["print(e)", "e += 1", f"{at} = e", "w = e * 2", "e = 5"]
        return _lines(body, [f"for e in {name}:", f"    {choose.pick(steps)}"])
    return _changed_list(body, name, at)


def _new_list(body: Body) -> list[str]:
    new = body.fresh()
    made = body.attempt(lambda: _item(body))
    if made is None:
        return []
    count = body.choose.integer(0, 3)
    items = [made.text, *(_like(body, made.value, made.text) for _ in range(count))]
    return _lines(body, [f"{new} = [{', '.join(items)}]"], new)


def _changed_list(body: Body, name: str, at: str) -> list[str]:
    choose, value = body.choose, body.env[name]
    item = _like(body, value[0], f"{name}[0]")
    same = [f"{name}.reverse()", f"{name}.sort()", f"{name}[0], {at} = {at}, {name}[0]"]
    longer = [
        f"{name}.append({item})", f"{name} += [{item}]", f"{name}.insert({choose.integer(-1, 2)}, "
        f"{item})", f"{name}.extend(({item}, {item}))", f"{name}.extend({name})",
    ]  # fmt: skip
    shorter = [f"{name}.pop()", f"{body.fresh()} = {name}.pop(0)", f"del {at}", f"{name}.clear()"]
    if body.depth and not choose.percent(40):
        return _lines(body, [choose.pick(same)])
    return _lines(body, [choose.pick([*same, *longer, *longer, *shorter])])


# ------------------------------------------------------------------------------------ named tuples


def _is_record(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def records(body: Body) -> list[str]:
    choose = body.choose
    name = _pick(body, _is_record)
    if name is None or choose.percent(30):
        new = body.fresh()
        one, two = _item(body), _item(body)
        texts = [f"Pair({one}, {two})", f"Pair(second={one}, first={two})", f"Trio({one}, {two})"]
        texts += [f"Trio(*({one}, {two}), z=3)", f"Pair(Pair({one}, 1), {two})"]
        return _lines(body, [f"{new} = {choose.pick(texts)}"], new)
    value = body.env[name]
    field = choose.pick(value._fields)
    at, item = f"{name}.{field}", getattr(value, field)
    if choose.percent(35) and is_array(item):
        return _lines(body, [f"{at}[...] {choose.pick(['=', '+='])} {body.constant()}"])
    if choose.percent(30):
        other = name if choose.percent(50) else body.fresh()
        changed = f"{name}._replace({field}={_like(body, item, at)})"
        return _lines(body, [f"{other} = {changed}"], other)
    if choose.percent(15):
        fresh = [body.fresh() for _ in value]
        lines = _lines(body, [f"{', '.join(fresh)} = {name}"])
        if lines:
            body.live += fresh
        return lines
    texts = [at, at, f"{name}[{choose.integer(0, 1)}]", f"{at} * 2", f"len({name})"]
    return _read(body, choose.pick([*texts, f"{name} == {name}"]))


# -------------------------------------------------------------------------------------------- None


def nothing(body: Body) -> list[str]:
    """An optional variable (None on one path), tested or used as it is."""
    choose, name = body.choose, body.fresh()
    made = body.attempt(lambda: _item(body), lambda v: is_array(v) or is_number(v))
    if made is None:
        return []
    arrays = body.names(lambda v: is_array(v) and v.ndim == 1 and v.size and v.dtype.kind != "c")
    if arrays and choose.percent(40):
        return _extreme(body, name, choose.pick(arrays))
    lines = [f"{name} = None", f"if {body.condition()}:", f"    {name} = {made.text}"]
    if choose.percent(30):
        lines += ["else:", f"    print({name})"]
    result = body.fresh()
    use = choose.pick([
        [f"if {name} is not None:", f"    {result} = {name} + 1", "else:",
         f"    {result} = {atom(made.text)} + 0"],
        [f"{result} = {atom(made.text)} + 0 if {name} is None else {name} * 1"],
        [f"if {name} is None:", f"    {name} = {made.text}", f"{result} = {name}"],
        [f"{result} = {name} is None"],
        [f"print({name} is None, {name} is not None)", f"{result} = 1"],
        [f"{result} = {atom(made.text)} if not ({name} is not None) else {name}"],
    ])  # fmt: skip
    if choose.percent(8):
        use = [f"{result} = {name} + 1"]
    body.perform([f"{name} = {made.text}"])
    if not body.perform(use):
        return []
    body.live.append(result)
    if choose.percent(25):
        body.live.append(name)
    return lines + use


def _extreme(body: Body, name: str, array: str) -> list[str]:
    choose, index = body.choose, body.fresh()
    sign = choose.pick(["<", ">", "!="])
    lines = [f"{name} = {index} = None", f"for {index}_, e in enumerate({array}):"]
    lines += [
        f"    if {name} is None or e {sign} {name}:",
        f"        {name}, {index} = e, {index}_",
    ]
    if choose.percent(20):
        lines += ["    else:", f"        {choose.pick(['break', 'continue', f'{name} = None'])}"]
    return _lines(body, lines, choose.pick([name, index]))


def statement(body: Body) -> list[str]:
    kinds = [(4, dicts), (4, lists), (2, records), (2, nothing)]
    return body.choose.weighted(kinds)(body)


FAMILY = Family(simple=[(16, statement)], header=lambda choose: HEADER)
