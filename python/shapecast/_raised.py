"""The types of what compiled code reads of exceptions that it catches: `e.item`, `e.args`.

They are found as those of call-outs are (_callouts.py): by samples of the exceptions that the
captured code makes, of the classes that the handler catches.
"""

from __future__ import annotations

from typing import Any

from ._callouts import NoSamples, Samples, common_type
from ._objects import named

_NOT_READ = ("__traceback__", "__cause__", "__context__", "__dict__", "__notes__")
_WAY_OUT = "compute it before the 'raise', or catch the exception outside of the jitted function"


class _Unknown:
    """A value of which nothing but its place is known."""


class _ArgumentSamples(Samples):
    def of(self, argument: dict[str, Any]) -> Any:
        if argument.get("python") == "str":
            return ("some", "other")[self.number]
        return _Unknown() if "made" in argument else super().of(argument)

    def describe(self, result: Any) -> dict[str, Any]:
        if isinstance(result, _Unknown | BaseException):
            raise NoSamples("it is an object that compiled code does not know")
        return super().describe(result)


def attribute(call: dict[str, Any]) -> dict[str, Any]:
    """The type of the attribute `call["attribute"]` as an answer of the probe.

    `call["classes"]`: what the handler catches; `call["made"]`: pairs of a class and a description
    of the arguments that it is called with; `call["called"]`: the same of a method.
    """
    name = call["attribute"]
    shown = f"the attribute '{name}' of an exception that is caught"
    if name in _NOT_READ:
        return {"error": f"{shown} is not supported; {_WAY_OUT}"}
    caught = tuple(map(named, call["classes"].split()))
    made = [(named(path), given) for path, given in call["made"]]
    made = [(kind, given) for kind, given in made if issubclass(kind, caught)]
    if not made:  # those of Python itself
        text = {"arguments": [{"python": "str"}], "keywords": {}}
        made = [(kind, text) for kind in caught]
    found: list[dict[str, Any]] = []
    for kind, given in made:
        for number in (0, 1):
            try:
                found += _of_sample(kind, given, number, name, call.get("called"))
            except NoSamples as problem:
                return {"error": f"{shown} is not supported: {problem}; {_WAY_OUT}"}
    if not found:
        return {"never": True}
    try:
        joined = found[0]
        for other in found[1:]:
            joined = common_type(joined, other)
    except NoSamples:
        return {"error": f"{shown} has several types; {_WAY_OUT}"}
    return joined


def _of_sample(
    kind: Any, given: dict[str, Any], number: int, name: str, called: dict[str, Any] | None
) -> list[dict[str, Any]]:
    """Its type, or nothing where a sample has no such attribute or cannot be made."""
    samples = _ArgumentSamples(given, number, "distinct")
    arguments = [samples.of(one) for one in given["arguments"]]
    keywords = {key: samples.of(one) for key, one in given["keywords"].items()}
    others = _ArgumentSamples(called, number, "distinct") if called else None
    more = [others.of(one) for one in called["arguments"]] if called and others else []
    try:
        value = getattr(kind(*arguments, **keywords), name)
        value = value(*more) if called else value
    except Exception:
        return []
    return [samples.describe(value)]
