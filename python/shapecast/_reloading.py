"""What IPython's `%autoreload` does with jitted functions that cells imported by name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from ._core import Jit


def teach(autoreload: ModuleType) -> None:
    """Adds a rule: autoreload itself updates only plain functions and classes."""
    rules = getattr(autoreload, "UPDATE_RULES", None)
    if isinstance(rules, list) and all(rule[0] is not _is_ours for rule in rules):
        rules.append((_is_ours, partial(_update, autoreload.update_function)))


def _is_ours(old: Any, new: Any) -> bool:
    kinds = (Jit, FunctionType)  # a decorator may have come or gone
    return (isinstance(old, kinds) and isinstance(new, kinds)) or _are_vectorized(old, new)


def _are_vectorized(old: Any, new: Any) -> bool:
    module = sys.modules.get("shapecast._vectorize")
    return module is not None and type(old) is type(new) is module.Vectorized


def _update(update_function: Callable[[Any, Any], None], old: Any, new: Any) -> None:
    """Updates the old object and its function in place: others have references to them."""
    update_function(getattr(old, "__wrapped__", old), getattr(new, "__wrapped__", new))
    if isinstance(old, Jit) and isinstance(new, Jit):
        vars(old).clear()
        vars(old).update(vars(new))
        old._copy_options(new)
    elif _are_vectorized(old, new):
        kept = {name: vars(old)[name] for name in ("__wrapped__", "_jitted")}
        vars(old).update(vars(new) | kept)
