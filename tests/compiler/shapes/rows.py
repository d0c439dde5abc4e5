"""What the conformance files share: sizes of rows, results that are compared with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from shapecast import shape_rules as sr

# What a rule may raise for arrays that do not fit; numpy.exceptions.AxisError is two of them.
ERRORS = (ValueError, IndexError, ZeroDivisionError, OverflowError)


@dataclass(frozen=True)
class Differs:
    """A row of which NumPy, our specification, does not give the result.

    `ours` is what the rules give instead, and `numpy` shows that NumPy does the same: it
    gives the shape `gives`, or raises it.
    """

    reason: str
    ours: str
    numpy: Callable[[], Any]
    gives: tuple[int, ...] | type[Exception]


@dataclass(frozen=True)
class MorePrecise:
    """A row of whose result we know more: it is `ours`."""

    ours: str
    reason: str


def fresh(scope: sr.Scope, rank: int) -> sr.Shape:
    """A shape of which only the number of dimensions is known."""
    return scope.shape((None,) * rank)


def of_rank(scope: sr.Scope, shape: sr.Shape | None, rank: int) -> sr.Shape:
    """The shape, which must have this rank where it is known."""
    merged = sr.merge(shape, (None,) * rank, scope=scope)
    assert merged is not None
    return merged


def relax_all(scope: sr.Scope, shapes: Iterable[sr.Shape | None]) -> sr.Shape | None:
    """What all the shapes are instances of."""
    result, *others = shapes
    for other in others:
        result = sr.relax(result, other, scope=scope)
    return result


def over(
    scope: sr.Scope, choices: Iterable[Any], rule: Callable[[Any], sr.Shape | None]
) -> sr.Shape | None:
    """What is known of a rule's result where it is not known which of the choices applies.

    Those that the rule rejects do not apply; if it rejects all, the last error is raised.
    """
    results, error = [], None
    for choice in choices:
        try:
            results.append(rule(choice))
        except ERRORS as rejected:
            error = rejected
    if error and not results:
        raise error
    return relax_all(scope, results)


def is_number(scope: sr.Scope, size: sr.Size) -> bool:
    return isinstance(scope.size(size), int)


def outcome(call: Callable[[], Any]) -> Any:
    """The shape of what NumPy gives, or the class that it raises."""
    try:
        result = call()
    except Exception as error:
        return type(error)
    return result if isinstance(result, tuple) else result.shape
