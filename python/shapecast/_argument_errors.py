"""The TypeErrors of Python's functions for arguments that they do not take."""

from __future__ import annotations

import functools
import importlib
import inspect

# Keywords of functions without a signature. Others without one are not checked.
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
def argument_error(function: str, count: int, names: tuple[str, ...]) -> str | None:
    """The message of Python's TypeError; None where these arguments fit, or that is unknown."""
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
    except ValueError:  # no signature
        if function not in _KEYWORDS or (names and _KEYWORDS[function].issuperset(names)):
            return None
    try:
        called(*given, **named)  # fails before the function runs
    except TypeError as error:
        return str(error)
    except Exception:
        pass
    return None
