"""Descriptions of loop nests, with the user's names (src/passes/analysis/nest_report.h)."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ._operands import _find

Location = tuple[str, str, int, int, int, int]  # see _errors.Frame
Frames = list[Location]


class Nest(NamedTuple):
    """The description of a nest or matrix product."""

    text: str
    lines: list[int]  # of the jitted function's own source; for inlined calls, those of the call


def describe(variant: dict[str, Any]) -> list[Nest]:
    """All nests of a variant, from the result of `_inspect_variant`."""
    return [Nest(_words(nest), sorted(_lines(nest))) for nest in variant["nests"]]


def _words(nest: dict[str, Any]) -> str:
    does = [f"reads {', '.join(arrays(nest['reads']))}"] if nest["reads"] else []
    does += [f"writes {', '.join(arrays(nest['writes']))}"] if nest["writes"] else []
    if nest["product"]:
        what = "matrix product"
    else:
        what = f"loop nest over {nest['space']}"
        count = nest["operations"]
        more = [f"{count} operation{'s' * (count != 1)} an element"] if count else []
        does += more + [nest["reductions"]] * bool(nest["reductions"]) + _code(nest.get("code"))
    around = [frames[0][2] for frames in nest["loops"] if frames]
    if around:
        does.append(f"inside the loop of line {', '.join(map(str, dict.fromkeys(around)))}")
    return f"{what}: {'; '.join(does)}" if does else what


def _code(code: dict[str, Any] | None) -> list[str]:
    """What its loops have become: vectors, threads, loads and stores."""
    if code is None:
        return []
    words = [_vectors(code)]
    reason = code["single_thread_reason"]
    words += [f"one thread ({reason})" if reason else "several threads where it is large"]
    words += ["strip-mined with the adjacent nests"] * code["strip_mined"]
    words += ["non-temporal stores where it is large"] * code["non_temporal"]
    words += ["prefetched where it is large"] * code["prefetched"]
    return [word for word in words if word]


def _vectors(code: dict[str, Any]) -> str:
    if code["vector_width"]:
        return f"vectorised, {code['vector_width']} lanes"
    if code["vectors"]:
        return "explicit vector code"
    if code["partly_vectorised"]:
        return "partly vectorised"
    reason = code["not_vectorised_reason"]
    return f"not vectorised ({reason})" if reason else ""


def arrays(uses: Iterable[tuple[str | None, Frames, int]]) -> list[str]:
    """Their names, each with the number of windows on it."""
    counts: dict[str, int] = {}
    for parameter, definition, windows in uses:
        name = parameter or _array_name(definition)
        counts[name] = counts.get(name, 0) + windows
    return [f"{name} ({n} windows)" if n > 1 else name for name, n in counts.items()]


def _array_name(definition: Frames) -> str:
    """The variable that a new array is assigned to, or the expression that creates it."""
    if not definition:
        return "a new array"
    chain = _find(definition[-1], linecache.getlines(definition[-1][0]))
    for inner, around in zip(chain[::-1], chain[-2::-1], strict=False):
        match around:
            case ast.Return():
                return "the result"
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is inner:
                return name
        break  # only the expression itself, not an enclosing one
    node = chain[-1] if chain else None
    if not isinstance(node, ast.expr):
        return "a new array"
    text = ast.unparse(node)
    return f"`{text if len(text) <= 40 else text[:37] + '...'}`"


def _lines(nest: dict[str, Any]) -> set[int]:
    return {frames[0][2] for frames in _locations(nest) if frames}


def _locations(nest: dict[str, Any]) -> Iterator[Frames]:
    yield nest["location"]
    yield from nest["parts"]
