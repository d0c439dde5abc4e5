"""Functions created in loops and comprehensions, which see what their variables became; functions
passed on; and `key=` functions over arrays, ranges, tuples and dynamic lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.choices import Chooser
from fuzz.expressions import Family, is_array, is_number

if TYPE_CHECKING:
    from fuzz.programs import Body

HEADER = """\
def apply(g, *args):
    return g(*args)


def twice(g):
    return lambda x: g(g(x))


def compose(g, h):
    def both(x):
        return h(g(x))
    return both


def adder(k):
    def add(x, by=k):
        return x + by
    return add


def scaled(k):
    return lambda x: x * k


def doubled(x):
    return x * 2


def through(x, h=doubled):
    return h(x)


def counter(g, start=0, *rest, last=None):
    total = start
    for e in rest:
        total = total + g(e)
    return total if last is None else last(total)


def each(g, items):
    return [g(e) for e in items]


def fold(g, items, start):
    for e in items:
        start = g(start, e)
    return start
"""
BODIES = ["e * m", "e + m", "e - 2 * m", "(e, m)[1]", "e * m + {n}", "m", "e if m > 1 else -e"]


def _bound(body: Body, text: str) -> list[str]:
    made = body.evaluate(text)
    if made is None or callable(made.value):
        return []
    if is_array(made.value) or is_number(made.value):
        accept = is_array if is_array(made.value) else is_number
        return body.bind(body.target(made.value, accept), made)
    name = body.fresh()
    return body.assign(name, text) if isinstance(made.value, (list, tuple)) else []


def _number(body: Body) -> str:
    names = body.names(lambda v: is_number(v) and -100 < v < 100)
    return body.choose.pick([*names, "2", "0.5", "3"])


def _items(body: Body) -> str:
    """Numbers to iterate over."""
    choose = body.choose
    arrays = body.names(lambda v: is_array(v) and v.ndim == 1)
    lists = body.names(lambda v: type(v) in (list, tuple) and all(map(is_number, v)))
    integers = body.names(lambda v: type(v) is int and 0 <= v < 9)
    forms = [*arrays, *arrays, *lists, *lists, "(3, 1, 2)", "[2, -1, 2.5]", "range(4)"]
    forms += [f"range({name})" for name in integers] + [f"range(len({name}))" for name in arrays]
    return choose.pick(forms)


def late(body: Body) -> list[str]:
    """Functions that a loop creates: called in it or after it."""
    choose, name, result = body.choose, body.fresh(), body.fresh()
    count, number = choose.integer(0, 4), _number(body)
    text = choose.pick(BODIES).format(n=number)
    argument = choose.pick([_number(body), "10"])
    header = choose.pick([f"for m in range({count}):", "for m in (1, 2, 3):", "for m in (0.5, 2):"])
    called = f"[g({argument}) for g in {name}]"
    default = choose.pick(["", "", ", m=m"])
    lines = choose.pick([
        [f"{name} = []", header, f"    {name}.append(lambda e{default}: {text})",
         f"{result} = {called}"],
        [f"{name} = [lambda e{default}: {text} for m in range({count})]", f"{result} = {called}"],
        [f"{name} = [(lambda m: lambda e: {text})(m) for m in range({count})]",
         f"{result} = {called}"],
        [f"{name} = [scaled(m) for m in range({count})]", f"{result} = {called}"],
        [f"{name} = []", header, f"    def made(e{default}):", f"        return {text}",
         f"    {name}.append(made)", f"{result} = {called}"],
        [f"{result} = []", header, f"    {name} = lambda e: {text}",
         f"    {result}.append({name}({argument}))"],
        ["m = 1", f"{name} = lambda e: {text}", f"{result} = ({name}({argument}),)", "m = 3",
         f"{result} = {result} + ({name}({argument}),)"],
        [f"{name} = tuple(lambda e: {text} for m in range({count}))", f"{result} = {called}"],
        [f"{name} = lambda e: e", header, f"    {name} = lambda e, h={name}: h({text})",
         f"{result} = ({name}({argument}),)"],
        [f"{name} = {{}}", header, f"    {name}[str(m)] = lambda e: {text}",
         f"{result} = [g({argument}) for g in {name}.values()]"],
        ["m = 2", f"{name} = lambda e: {text}", f"for m in range({count}):", "    pass",
         f"{result} = ({name}({argument}), m)"],
        ["m = 1", f"def {name}(e):", f"    return {text}", f"{result} = [{name}({argument})]",
         "m += 4", f"{result}.append({name}({argument}))"],
    ])  # fmt: skip
    if body.depth or not body.perform(lines):
        return []
    if "m = " in "".join(lines):
        body.env.pop("m", None)
    body.live.append(result)
    return lines


def passed(body: Body) -> list[str]:
    """Functions as arguments and results."""
    choose = body.choose
    number, other, items = _number(body), _number(body), _items(body)
    function = choose.pick([
        f"lambda e: e * {number}", f"scaled({number})", f"adder({number})", "abs", "float",
        f"twice(scaled({number}))", f"compose(adder(1), scaled({other}))", "np.square",
        f"twice(adder({number}))", f"lambda e: (lambda k: k + e)({number})",
    ])  # fmt: skip
    return _bound(body, choose.pick([
        f"apply({function}, {other})", f"each({function}, {items})", f"({function})({other})",
        f"list(map({function}, {items}))", f"[({function})(e) for e in {items}]",
        f"fold(lambda p, e: p + e * {number}, {items}, 0)", f"twice({function})({other})",
        f"list(filter(lambda e: e > {number}, {items}))", f"fold(max, {items}, {number})",
        f"sum(map({function}, {items}))", f"any(map(lambda e: e > {number}, {items}))",
        f"apply(adder({number}), {other}, by={other})" if choose.percent(20) else
        f"apply(adder({number}), {other}, {number})",
        f"next((e for e in {items} if e > {number}), 7)", f"through({number})",
        f"through({number}, {function})", f"through({number}, h={function})",
        f"each(through, {items})", f"apply(through, {number})", f"twice(through)({number})",
        f"apply(through, {number}, {function})", f"counter({function}, 1, {number}, {other})",
        f"counter({function}, 0, *{items})", f"counter({function}, last=through)",
        f"(lambda x, h={function}: h(x))({other})", f"max({items}, key=through)",
        f"each(lambda e, h={function}: h(e), {items})", f"sorted({items}, key=through)",
    ]))  # fmt: skip


KEYS = [
    "lambda e: -e",
    "lambda e: (e % 3, -e)",
    "lambda e: e % 2",
    "abs",
    "lambda e: abs(e - {n})",
    "lambda e: e * {n}",
    "lambda e: (e > {n}, e)",
    "float",
    "lambda e: 0",
    "lambda e: (0, e)",
    "scaled(-1)",
    "lambda e: [e % 2, e]",
    "lambda e: str(e)",
]
INDEX_KEYS = ["lambda i: {a}[i]", "lambda i: ({a}[i], -i)", "lambda i: -{a}[i]"]
PAIR_KEYS = ["lambda p: p[1]", "lambda p: (-p[0], p[1])", "lambda p: p[0] * p[1]", "lambda p: p"]


def keys(body: Body) -> list[str]:
    choose = body.choose
    items, number = _items(body), _number(body)
    key = choose.pick(KEYS).format(n=number)
    reverse = choose.pick(["", "", ", reverse=True"])
    arrays = body.names(lambda v: is_array(v) and v.ndim == 1 and v.size and v.dtype.kind != "c")
    pairs = f"[(e % 2, e) for e in {items}]"
    forms = [
        f"sorted({items}, key={key}{reverse})", f"min({items}, key={key})",
        f"max({items}, key={key})", f"sorted({pairs}, key={choose.pick(PAIR_KEYS)}{reverse})",
        f"min({pairs}, key={choose.pick(PAIR_KEYS)})", f"max({pairs})", f"sorted({pairs}{reverse})",
        f"max({items}, key={key}, default=-1)",
        f"sorted(zip({items}, {items}), key=lambda p: -p[1])",
        f"max(enumerate({items}), key={choose.pick(PAIR_KEYS)})",
    ]  # fmt: skip
    if arrays:
        array = choose.pick(arrays)
        key = choose.pick(INDEX_KEYS).format(a=array)
        forms += [f"{how}(range(len({array})), key={key})" for how in ("sorted", "min", "max")] * 2
    return _bound(body, choose.pick(forms))


def dynamic_list(body: Body) -> list[str]:
    """A dynamic list, sorted or searched with a key."""
    choose, name = body.choose, body.fresh()
    items, number = _items(body), _number(body)
    item, key = choose.pick([
        ("e", choose.pick(KEYS[:11]).format(n=number)), ("e * 2", "lambda e: -e"),
        ("(e, q1)", choose.pick(PAIR_KEYS)), ("(q1 % 2, e)", choose.pick(PAIR_KEYS)),
    ])  # fmt: skip
    condition = choose.pick(["", f"    if e > {number}:\n", "    if q1 % 2 == 0:\n"])
    append = f"{'    ' * (2 if condition else 1)}{name}.append({item})"
    lines = [f"{name} = []", f"for q1, e in enumerate({items}):"]
    lines += [*condition.splitlines(), append]
    reverse = choose.pick(["", "", ", reverse=True"])
    result = body.fresh()
    lines.append(choose.pick([
        f"{name}.sort(key={key}{reverse})", f"{name}.sort()",
        f"{result} = sorted({name}, key={key}{reverse})", f"{result} = min({name}, key={key})",
        f"{result} = max({name}, key={key}, default=None)", f"{result} = sorted({name})",
        f"{result} = max({name})",
    ]))  # fmt: skip
    if not body.perform(lines):
        return []
    if not body.depth:
        body.live.append(name)
        if lines[-1].startswith(result):
            body.live.append(result)
    return lines


def statement(body: Body) -> list[str]:
    kinds = [(2, late), (4, passed), (4, keys), (2, dynamic_list)]
    return body.choose.weighted(kinds)(body)


def header(choose: Chooser) -> str:
    return HEADER


FAMILY = Family(simple=[(60, statement)], header=header)
