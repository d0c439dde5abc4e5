"""What a loop nest does, in words and with the user's names; from src/passes/nest_report.h."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ._operands import _find

Place = tuple[str, str, int, int, int, int]  # see _errors.Frame
Frames = list[Place]

_FOLDS = {
    "add": "sums", "multiply": "products", "maximum": "maxima", "minimum": "minima",
    "logical_and": "all", "logical_or": "any", "argmax": "argmax", "argmin": "argmin",
}  # fmt: skip
_VECTORISED = re.compile(r"vectorized loop \(vectorization width: (\d+)")


class Nest(NamedTuple):
    """One nest or matrix product for people."""

    text: str
    lines: list[int]  # of the jitted function's own source; a called function's count as its call


def describe(look: dict[str, Any]) -> list[Nest]:
    """All nests of a variant, from `_look`'s answer."""
    loops = look["stages"].get("loops", "")
    return [Nest(_words(nest, loops), sorted(_lines(nest))) for nest in look["nests"]]


def _words(nest: dict[str, Any], loops: str) -> str:
    does = [f"reads {_arrays(nest['reads'])}"] if nest["reads"] else []
    does += [f"writes {_arrays(nest['writes'])}"] if nest["writes"] else []
    if nest["product"]:
        what = "matrix product"
    else:
        what = f"loop nest over {' x '.join(map(_factor, nest['space']))}"
        count = nest["operations"]
        more = [f"{count} operation{'s' * (count != 1)} an element"] if count else []
        more += _folded(nest)
        more += _speed(nest["remarks"], loops) + _threads(nest["remarks"], loops)
        does += more
    around = [frames[0][2] for frames in nest["loops"] if frames]
    if around:
        does.append(f"inside the loop of line {', '.join(map(str, dict.fromkeys(around)))}")
    return f"{what}: {'; '.join(does)}" if does else what


def _factor(size: str) -> str:
    return f"({size})" if " " in size else size


def _folded(nest: dict[str, Any]) -> list[str]:
    if not nest["folds"]:
        return []
    names = " and ".join(dict.fromkeys(_FOLDS.get(f, f) for f in nest["folds"]))
    along = nest["space"][len(nest["space"]) - nest["reduced"] :]
    return [f"{names} along {' x '.join(map(_factor, along))}"]


def _speed(remarks: list[str], loops: str) -> list[str]:
    """Vectorised or not: LLVM's word, or vector types that stood there before LLVM."""
    for remark in remarks:
        if found := _VECTORISED.search(remark):
            return [f"vectorised, {found[1]} lanes"]
    for function in dict.fromkeys(remark.partition(":")[0] for remark in remarks):
        head = rf"^  func\.func private @(?:py\.)?{re.escape(function)}\("
        body = re.search(rf"{head}.*?^  }}", loops, re.M | re.S)
        if body and "vector<" in body[0]:
            return ["written with vectors"]
    if any("SLP vectorized" in remark for remark in remarks):
        return ["partly vectorised"]
    for remark in remarks:
        if "loop not vectorized: " in remark:
            return [f"not vectorised ({remark.partition('loop not vectorized: ')[2]})"]
    return []


def _threads(remarks: list[str], loops: str) -> list[str]:
    """Who shares it, its turns with others, and where it stores, as its function says."""
    for function in dict.fromkeys(remark.partition(":")[0] for remark in remarks):
        head = re.search(
            rf"^  func\.func private @(?:py\.)?{re.escape(function)}\(.*$", loops, re.M
        )
        if not head:
            continue
        why = re.search(r'np\.alone = "(.*?)"', head[0])
        turns = ["in turns with its neighbours, by strips of rows"] * ("np.strips" in head[0])
        past = ["stores past the caches where it is long"] * ("np.streams" in head[0])
        past += ["fetched ahead where it is long"] * ("np.ahead" in head[0])
        threads = f"one thread ({why[1]})" if why else "several threads where it is long"
        return [threads, *turns, *past]
    return []


def _arrays(uses: Iterable[tuple[str | None, Frames, int]]) -> str:
    counts: dict[str, int] = {}
    for parameter, made, windows in uses:
        name = parameter or _made_name(made)
        counts[name] = counts.get(name, 0) + windows
    return ", ".join(f"{name} ({n} windows)" if n > 1 else name for name, n in counts.items())


def _made_name(made: Frames) -> str:
    """The name that the new array is assigned to, or the expression that makes it."""
    if not made:
        return "a new array"
    chain = _find(made[-1], linecache.getlines(made[-1][0]))
    for inner, around in zip(chain[::-1], chain[-2::-1], strict=False):
        match around:
            case ast.Return():
                return "the result"
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is inner:
                return name
        break  # only the expression itself, not what it is a part of
    node = chain[-1] if chain else None
    if not isinstance(node, ast.expr):
        return "a new array"
    text = ast.unparse(node)
    return f"`{text if len(text) <= 40 else text[:37] + '...'}`"


def _lines(nest: dict[str, Any]) -> set[int]:
    return {frames[0][2] for frames in _places(nest) if frames}


def _places(nest: dict[str, Any]) -> Iterator[Frames]:
    yield nest["place"]
    yield from nest["parts"]
