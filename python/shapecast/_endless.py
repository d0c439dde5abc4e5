"""itertools.count and itertools.cycle where a loop, zip() or map() takes them at once: a map() over
numbers, which has its items at indices. Elsewhere they are generators (library/generators.py).
"""

from __future__ import annotations

import ast
import itertools
from typing import Any

from shapecast._iterators import Count, Cycle
from shapecast._outside import Outside

_ENDLESS = 2**62


def counted(start: Any = 0, step: Any = 1) -> Any:
    """itertools.count."""
    if isinstance(start, int) and isinstance(step, int):
        return map(lambda k: start + k * step, range(_ENDLESS))
    return itertools.count(start, step)  # floats are added, one after another


def cycled(iterable: Any, /) -> Any:
    """itertools.cycle."""
    items = iterable if isinstance(iterable, (tuple, range)) else [item for item in iterable]
    length = len(items)
    return map(lambda k: items[k % length], range(_ENDLESS if length > 0 else 0))


def rewrite_endless(definition: ast.AST, outside: Outside) -> None:
    nodes = list(ast.walk(definition))
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            _replace(node.value, outside, Count, Cycle)  # next() takes one item after another
    loops = [n for n in nodes if isinstance(n, ast.For)]
    calls = [n for n in nodes if isinstance(n, ast.Call)]
    iterated = [loop.iter for loop in loops]
    for call in calls:
        if any(call is one for one in iterated):
            _replace(call, outside)
        if not any(isinstance(argument, ast.Call) for argument in call.args):
            continue
        if outside.means(call.func, zip, map):
            # One of the others ends, or the loop does: what takes all items does not come back.
            given = call.args[1:] if outside.means(call.func, map) else call.args
            endless = [one for one in given if _is_endless(one, outside)]
            if len(endless) < len(given) or any(call is one for one in iterated):
                for one in endless:
                    _replace(one, outside)


def _is_endless(node: ast.expr, outside: Outside) -> bool:
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    return is_call and outside.means(node.func, itertools.count, itertools.cycle)  # type: ignore[attr-defined]


def _replace(
    node: ast.expr, outside: Outside, count: object = counted, cycle: object = cycled
) -> None:
    if isinstance(node, ast.Call) and _is_endless(node, outside):
        made = count if outside.means(node.func, itertools.count) else cycle
        constant = ast.Constant(made)  # type: ignore[arg-type]  # capture takes any object there
        node.func = ast.copy_location(constant, node.func)
