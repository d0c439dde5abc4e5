"""What Python's functions say of arguments that they do not take."""

from __future__ import annotations

import functools
import importlib
import inspect

# Keywords of those without a signature to ask. Others without one are not asked about.
_KEYWORDS: dict[str, set[str]] = {
    "builtins.max": {"key", "default"},
    "builtins.min": {"key", "default"},
    "builtins.int": {"base"},
    "builtins.str": {"object", "encoding", "errors"},
    "builtins.zip": {"strict"},
    "builtins.map": {"strict"},
    "builtins.bool": set(),
    "builtins.range": set(),
    "builtins.slice": set(),
    "builtins.filter": set(),
    "builtins.iter": set(),
    "builtins.next": set(),
    "builtins.getattr": set(),
    "math.hypot": set(),
    "math.log": set(),
}


@functools.lru_cache(maxsize=1024)
def refusal_of(function: str, count: int, names: tuple[str, ...]) -> str | None:
    """The words of Python's TypeError; None where it takes these arguments, or nobody knows."""
    module, _, name = function.rpartition(".")
    called = getattr(importlib.import_module(module), name, None)
    if called is None:
        return None
    given, named = [1] * count, dict.fromkeys(names, 1)
    try:
        inspect.signature(called).bind(*given, **named)
        return None
    except TypeError:
        pass
    except ValueError:  # it has none
        if function not in _KEYWORDS or (names and _KEYWORDS[function].issuperset(names)):
            return None
    try:
        called(*given, **named)  # which does not begin
    except TypeError as error:
        return str(error)
    except Exception:
        pass
    return None
