"""What a program, a notebook or a test does to modules while they run, as statements.

They run with `m`, the modules by name, and with the helpers of execute.py.
"""

from __future__ import annotations

import random

from fuzz.edits.programs import MODULES, Item, Program


def actions(program: Program, rng: random.Random, count: int) -> list[str]:
    return [action(program, rng) for _ in range(count)]


def action(program: Program, rng: random.Random) -> str:
    n = rng.randint(1, 30)
    if rng.random() < 0.3:
        return rng.choice([
            f"patch(np, 'sin', lambda v: v * {n})",
            "patch(np, 'sin', np.cos)",
            "patch(np, 'absolute', np.negative)",
            f"patch(math, 'pi', {n}.5)",
            f"patch(builtins, 'abs', made('lambda v: v + {n}'))",
            f"patch(np, 'sum', made('lambda v: v * {n}'))",
            "unpatch()",
            f"reload('{rng.choice(MODULES)}')",
            f"replace_module('{rng.choice(MODULES[1:])}')",
            f"edited('{rng.choice(MODULES)}')",
        ])  # fmt: skip
    item = rng.choice(program.items)
    owner, name = f"m['{MODULES[item.module]}']", item.name
    if rng.random() < 0.15:
        return f"put({owner}, '{name}', {replacement(item, program, rng, n)})"
    changes = {
        "K": [f"put({owner}, '{name}', {n})", f"put({owner}, '{name}', {n}.5)",
              f"fill({owner}.{name}, {n})",
              f"with_property({owner}, '{name}', {n})"],
        "T": [f"store({owner}.{name}, 0, {n})", f"append({owner}.{name}, {n})",
              f"put({owner}, '{name}', ({n}, 5))"],
        "D": [f"store({owner}.{name}, 'a', {n})", f"store({owner}.{name}, 'new', {n})",
              f"put({owner}, '{name}', {{'a': {n}.5}})",
              f"store({owner}.{name}, 'a', np.arange(3) * {n})"],
        "O": [f"put({owner}.{name}, 'k', {n})",
              f"put(type({owner}.{name}), 'go', made('lambda self, x: x * {n}'))",
              f"put({owner}.{name}, 'go', made('lambda x: x * {n}'))",
              f"move_class({owner}.{name}, {n})"],
        "C": [f"put({owner}.{name}, 'a', {n})", f"put(type({owner}.{name}), 'a', property(made("
              f"'lambda self: {n}')))", f"put(type({owner}.{name}), 'a', {n})"],
        "g": [f"defaults({owner}.{name}, {n})", f"keyword({owner}.{name}, {n})",
              f"new_keywords({owner}.{name}, {n})", f"cell({owner}.{name}, {n})",
              f"code({owner}.{name}, 'lambda x, p=3, *, q=2: x * {n} + q')",
              f"code({owner}.{name}, 'lambda x, p=3, r=4, *, q=2: x * {n} + r')",
              f"run_cell({owner}, 'def {name}(x, p={n}, *, q=1):\\n    return x * {n} + p\\n')",
              f"put({owner}, '{name}', made('lambda x, p=3, *, q=2: x + {n}'))",
              f"keep_code({owner}.{name})"],
    }  # fmt: skip
    return rng.choice(changes[item.family])


def replacement(item: Item, program: Program, rng: random.Random, n: int) -> str:
    same = [i for i in program.items if i.family == item.family and i.name not in ("g0", "g1")]
    if same and rng.random() < 0.7:
        other = rng.choice(same)
        return f"m['{MODULES[other.module]}'].{other.name}"
    return {
        "K": f"np.arange(3) + {n}",
        "T": f"({n}, 1)",
        "D": f"{{'a': {n}}}",
        "C": f"holder(a={n})",
        "O": f"goer({n})",
        "g": f"made('lambda x, p=1, *, q=0: x - {n}')",
    }[item.family]
