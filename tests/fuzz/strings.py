"""Strings and dates: text arguments, arrays of strings, and arrays of dates and of time spans,
compared, sliced, assigned, iterated over and calculated with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from fuzz.arguments import OwnParameter
from fuzz.choices import Chooser
from fuzz.expressions import Family, is_array, is_number

if TYPE_CHECKING:
    from fuzz.programs import Body

TEXTS = ["'abc'", "'hello world'", "''", "'b'", "'aXbXc'", "'äöü'", "'a,b,c'", "'12'", "'ab c'"]
WORDS = ["np.array(['b', 'abc', '', 'b', 'cd'])[:$n]", "np.array(['x', 'yy', 'zzz'])"]
WORDS += ["np.array(['bb', 'a', 'c', 'bb', 'é', 'a'])[::-1][:$n]", "np.array([b'a', b'bc', b''])"]
DATES = [
    "np.array('2024-02-27', 'M8[D]') + np.arange($n)",
    "np.array(['2024-03-01', 'NaT', '1969-12-31', '2024-02-29'], 'M8[D]')[:$n]",
    "np.arange($n).astype('M8[s]')",
    "np.array(['2024-01', '2023-12'], 'M8[M]')",
    "(np.arange($n) * 7).astype('M8[ns]')[::-1]",
]
SPANS = [
    "np.arange($n).astype('m8[D]')",
    "(np.arange($n) * 11 - 5).astype('m8[h]')",
    "np.array([1, -2, 3], 'm8[s]')",
    "np.array([5, 'NaT', -1], 'm8[D]')[:$n]",
]
ONES = [
    "np.datetime64('2024-03-01')",
    "np.timedelta64(2, 'D')",
    "np.datetime64('NaT')",
    "np.timedelta64(5, 'h')",
    "np.str_('b')",
    "'b'",
    "'abc'",
]


def parameters(choose: Chooser) -> list[Any]:
    """Texts `s` and `t`; of `u`, `w`, `z` some."""
    own = [OwnParameter("s", tuple(choose.some(TEXTS, 1, 2)))]
    if choose.percent(60):
        own.append(OwnParameter("t", (choose.pick(TEXTS),)))
    pools = choose.some([WORDS, DATES, SPANS, ONES], 1, 2)
    return own + [OwnParameter("uw"[k], (choose.pick(pool),)) for k, pool in enumerate(pools)]


def is_text(value: Any) -> bool:
    return type(value) is str


def is_other(value: Any) -> bool:
    """An array of strings or dates."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "USMm"


def is_one(value: Any) -> bool:
    return isinstance(value, (np.datetime64, np.timedelta64))


def _bound(body: Body, text: str) -> list[str]:
    made = body.evaluate(text)
    if made is None:
        return []
    if is_array(made.value) or is_number(made.value):
        accept = is_array if is_array(made.value) else is_number
        return body.bind(body.target(made.value, accept), made)
    if body.depth:
        return []
    name = body.fresh()
    if not body.perform([f"{name} = {text}"]):
        return []
    body.live.append(name)
    return [f"{name} = {text}"]


def texts(body: Body) -> list[str]:
    choose = body.choose
    names = body.names(is_text)
    s, t = choose.pick([*names, *names, *TEXTS[:4]]), choose.pick([*names, *TEXTS[:4]])
    k = choose.pick([str(choose.integer(-2, 3)), *body.names(lambda v: type(v) is int)])
    forms = [
        f"{s} == {t}", f"{s} < {t}", f"{s} >= {t}", f"{s} != {t}", f"{s} in {t}",
        f"{t} not in {s}", f"{s} in ({t}, 'b')", f"{s}[{k}]", f"{s}[1:]", f"{s}[::-1]",
        f"{s}[:{k}]", f"len({s})", f"{s} + {t}", f"{s} * 2", f"{s}.upper()", f"{s}.split({t})",
        f"{s}.split()", f"{s}.find({t})", f"{s}.count('b')", f"{s}.replace('b', {t})",
        f"{s}.startswith({t})", f"{s}.strip('a')", f"{t}.join(('a', {s}))", f"f'{{{s}}}-{t[:1]}'",
        f"[c for c in {s}]", f"[c + 'x' for c in {s} if c != 'b']", f"list({s})", f"tuple({s})",
        f"list(enumerate({s}))", f"list(zip({s}, {t}))", f"list(reversed({s}))",
        f"''.join(reversed({s}))", f"sorted({s})", f"max({s}, {t})", f"min({s} + 'a')",
        f"sum(c == 'b' for c in {s})", f"any(c > 'b' for c in {s})",
        "{c: k for k, c in enumerate('abc')}", f"{s}.isdigit()", f"{s} or {t}",
        f"bool({s})", f"{s}.partition(' ')", f"(1 if {s} == {t} else 2)",
        f"{{'b': 1, 'abc': 2}}.get({s}, 0)", f"{{'b': 1, 'abc': 2}}[{s}]", f"{s} == 1",
        f"str({k}) + {s}", f"'%s|%s' % ({s}, {k})",
        f"{s}.zfill(5)", f"[{s}[k:k + 2] for k in range(len({s}))]", f"{s}[{k}:{k} + 1]",
        f"{{c: {s}.count(c) for c in {t}}}", f"[{s}, {t}]", f"({s}, {t})[{k}]", f"{s}.index({t})",
        f"'b' if {s} else {t}", f"max({s})", f"[*{s}]", f"{s}[0] == {t}[-1]", f"next(iter({s}))",
        f"dict(zip({s}, {t}))", f"tuple(zip({s}, range(3)))", f"[w[::-1] for w in {s}.split()]",
        f"{s}.split(',')[-1]", f"sum(len(w) for w in {s}.split())",
        f"[k for k, c in enumerate({s}) if c == 'b']",
        f"sorted({s}, reverse=True)", f"sorted(({s}, {t}, 'b'), key=len)", f"{s} < {t} < 'z'",
        f"all(c in {t} for c in {s})", f"list(map(lambda e: e.upper(), {s}))",
    ]  # fmt: skip
    for _ in range(5):
        if lines := _bound(body, choose.pick(forms)):
            return lines
    return []


def over_texts(body: Body) -> list[str]:
    choose = body.choose
    names = body.names(is_text)
    s = choose.pick([*names, *TEXTS])
    t = choose.pick([*names, *TEXTS])
    numbers = [n for n in body.names(lambda v: type(v) is int) if n not in body.reserved]
    n = choose.pick(numbers) if numbers else None
    header = choose.pick([
        f"for ch in {s}:", f"for q1, ch in enumerate({s}):", f"for ch in reversed({s}):",
        f"for ch, o in zip({s}, {t}):", f"for q1, (ch, o) in enumerate(zip({s}, {t})):",
        f"for q1, ch in enumerate({s}, 1):", f"for ch in {s}[::2]:", f"for ch in {s}.split():",
        f"for q1 in range(len({s})):", f"for ch in sorted({s}):",
    ])  # fmt: skip
    c = "ch" if " ch" in header else f"{s}[q1]"
    c = "ch" if "(ch" in header else c
    q = "q1" if "q1" in header else "2"
    steps = [f"print({c})"]
    if n:
        steps += [
            f"{n} = {n} + ({c} == 'b')", f"{n} = {n} + 'abc'.find({c})",
            f"{n} = {n} + (3 if {c} in 'ab' else {q})", f"{n} = {n} + len({c})",
            f"if {c} > 'a': {n} = {n} + {q}", f"{n} = ({n} * 2 + {q}) % 101",
        ] * 2  # fmt: skip
    return body.run([header, f"    {choose.pick(steps)}"])


def others(body: Body) -> list[str]:
    """Reads of arrays of strings and of dates."""
    choose = body.choose
    names = body.names(is_other)
    if not names:
        return []
    x = choose.pick(names)
    value = body.env[x]
    y = choose.pick(names)
    one = choose.pick([*body.names(is_one), f"{x}[0]", f"{x}[-1]", *ONES, f"{y}[0]"])
    forms = [
        f"{x} == {one}", f"{x} < {one}", f"{x} != {x}[::-1]", f"{x}[1:]", f"{x}[::-1]", f"{x}[0]",
        f"{x}[-1]", f"{x}.copy()", f"{x}[{x} == {one}]", f"np.sort({x})", f"len({x})", f"{x}.size",
        f"{x}.shape", f"np.unique({x})", f"np.concatenate(({x}, {x}))", f"({x} == {one}).sum()",
        f"{one} in {x}", f"[{x}[k] for k in range(len({x}))]", f"{x}[[0, -1]]",
        f"[{x}[k] == {one} for k in range(2)]", f"list(map(str, {x}))",
        f"np.argsort({x}, kind='stable')", f"np.where({x} == {one})[0]", f"{x}.tolist()",
        f"np.where({x} == {one}, {x}, {x}[::-1])", f"{x}.dtype",
        f"{x}.astype(str)", f"np.array_equal({x}, {y})", f"{x} == {y}",
        f"np.empty_like({x}).shape", f"{x}.reshape(-1, 1)", f"np.isin({x}, {x}[:1])",
        f"{x}.ndim", f"np.repeat({x}, 2)", f"max({x})", f"sorted({x})",
        f"{x}[0] == {x}[-1]", f"np.roll({x}, 1)", f"np.searchsorted({x}, {one})",
        f"{x}[0] == {one}", f"{x}[None]", f"{x}.T", f"np.flip({x})",
    ]  # fmt: skip
    if value.dtype.kind in "Mm":
        z = choose.pick([*names, *body.names(is_one), *ONES[:4]])
        sums = [
            f"{x} - {z}", f"{z} - {x}", f"{x} + {z}", f"{x} - {x}[0]", f"{x}[0] - {x}[-1]",
            f"{x} + 1", f"{x} + np.timedelta64(1, 'D')", f"{x}.astype('i8')", f"{x}.view('i8')",
            f"np.diff({x})", f"({x} - {x}[0]) / np.timedelta64(1, 'D')", f"{x}.min()",
            f"{x}.max()", f"np.isnat({x})", f"({x} - {x}[0]).astype(int)", f"{x} > {z}",
            f"({x} - {x}[::-1]).sum()", f"abs({x} - {x}[0])", f"{x}.argmax()",
            f"{x}.astype('M8[D]')", f"{x}.astype('m8[s]')",
            f"({x} - {z}) // np.timedelta64(3, 'h')",
            f"({x} - {x}[0]) * 2", f"-({x} - {x}[0])", "np.timedelta64(1, 'D') * 3",
            "np.arange('2024-01-01', '2024-01-04', dtype='M8[D]')", "np.datetime64('2024-01-01')",
            f"np.maximum({x}, {x}[::-1])", f"{x}[0] + np.timedelta64(1, 'D')", f"{x}[0] < {z}",
            f"({x} - {x}[0]).mean()", "np.zeros(2, 'm8[s]')", f"np.zeros(2, {x}.dtype)",
        ]  # fmt: skip
        forms += sums * 2
    else:
        forms += [
            f"np.char.upper({x})", f"np.strings.str_len({x})", f"[len({x}[k]) for k in range(2)]",
            f"np.char.add({x}, {x})", f"''.join({x})", f"{x}[0] + 'b'", f"'-'.join({x}.tolist())",
            "np.zeros(2, 'U3')", "np.array([s, 'b'])", "np.full(2, 'ab')",
        ]  # fmt: skip
    forms += [
        f"f'{{{x}[0]}}'", f"f'{{{x}[-1]}} and {{len({x})}}'", f"f'{{{x}[0]!r:>14}}|'",
        f"f'{{{x}}}'",
        f"'%s, %s' % ({x}[0], {one})", f"str({x}[0]) + s", f"'{{}}-{{}}'.format({x}[0], 2)",
        f"({x}[0], {x}[-1])", f"[{x}[0], {one}]", f"{{'a': {x}[0]}}", f"{x}[0] in ({one}, {x}[1])",
        f"(1 if {x}[0] == {one} else 2)", f"min({x}[0], {x}[-1])", f"({x}[0] < {x}[-1]) + 1",
    ]  # fmt: skip
    for _ in range(5):
        if lines := _bound(body, choose.pick(forms)):
            return lines
    return []


def store(body: Body) -> list[str]:
    choose = body.choose
    names = body.names(is_other)
    if not names:
        return []
    x = choose.pick(names)
    kind = body.env[x].dtype.kind
    ones = {"U": ["'q'", "s", "'longer than it'"], "S": ["b'q'"], "M": ONES[:1], "m": ONES[1:2]}
    value = choose.pick([f"{x}[0]", f"{x}[-1]", *ones[kind], f"{x}[::-1].copy()"])
    window = choose.pick(["0", "-1", ":1", "...", "1:", ":", f"{x} == {x}[0]", "[0]", "::2"])
    forms = [f"{x}[{window}] = {value}"] * 3
    if kind in "Mm":
        forms += [f"{x} += np.timedelta64(1, 'D')", f"{x}[{window}] += 1", f"{x}[1:] = {x}[:-1]"]
    forms += [f"{x}.sort()", f"{x}.fill({value})", f"{x}[0], {x}[-1] = {x}[-1], {x}[0]"]
    view = body.fresh()
    forms.append(f"if {x}[0] == {x}[-1]: raise ValueError(f'{{{x}[0]}} twice')")
    forms.append(f"assert {x}[0] != {x}[-1], f'{{s}} {{{x}[-1]}}'")
    lines = [choose.pick(forms)]
    if choose.percent(25):
        lines = [f"{view} = {x}[1:]", f"{view}[...] = {x}[0]"]
    return body.run(lines)


def over(body: Body) -> list[str]:
    choose = body.choose
    names = body.names(is_other)
    numbers = [n for n in body.names(lambda v: type(v) is int) if n not in body.reserved]
    if not names or not numbers:
        return []
    x, n = choose.pick(names), choose.pick(numbers)
    # Such arrays are iterated over by index only.
    header = f"for q1 in range(len({x})):" if choose.percent(85) else choose.pick([
        f"for ch in {x}:", f"for q1, ch in enumerate({x}):", f"for ch, o in zip({x}, {x}[1:]):",
        f"for ch in reversed({x}):", f"for ch in {x}[::-1]:",
    ])  # fmt: skip
    c = f"{x}[q1]" if " ch" not in header else "ch"
    step = choose.pick([
        f"{n} = {n} + int({c} == {x}[0])", f"if {c} == {x}[-1]: {n} = {n} + 1", f"print({c})",
        f"if {c} > {x}[0]: {n} = {n} + 1", f"{x}[0] = {c}", f"{n} = {n} + 1",
    ])  # fmt: skip
    return body.run([header, f"    {step}"])


def statement(body: Body) -> list[str]:
    kinds = [(5, texts), (3, over_texts), (5, others), (2, store), (2, over)]
    return body.choose.weighted(kinds)(body)


FAMILY = Family(simple=[(60, statement)], parameters=parameters)
