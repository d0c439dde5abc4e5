"""NumPy functions that are plain NumPy source: the compiler captures and inlines them.

A function here is what a user would write with the functions that have operations of their own. It
is compiled for each call's types like any function, so branches on `axis is None`, on ranks and
dtypes cost nothing. Its errors are NumPy's, and show the line of the call.
"""

from __future__ import annotations

import importlib
import os
import re
from collections.abc import Callable
from types import FunctionType
from typing import Any

from .. import _core, _ufuncs
from . import _store

_MODULES = (
    "contractions",
    "elementwise",
    "functional",
    "grids",
    "histograms",
    "indexing",
    "iterators",
    "joining",
    "lists",
    "operators",
    "padding",
    "polynomials",
    "products",
    "quantiles",
    "queues",
    "real_or_complex",
    "scans",
    "signals",
    "sorting",
    "statistics",
    "sums",
    "ufuncs",
)
_RANDOM = ("random", "random_state", "distributions")  # where NumPy lets others call its own
_LEGACY = ("state_distributions",)  # where the memory of its RandomState is as we know it
_PYTHONS = ("python_random",)  # where the memory of Python's generator is as we know it
_TRANSFORMS = ("fft",)  # where its ufuncs have the loops that we know
_LAPACK = ("linalg", "norms")  # NumPy's own are called where it was built with another BLAS
_FOLDER = os.path.dirname(__file__)
_functions: dict[str, FunctionType] = {}
_modules: dict[str, str] = {}  # by name; to import them all would take longer than to read them


def implements(*names: str) -> Callable[[Any], Any]:
    """Says whose place a function takes: "numpy.cumsum", "numpy.ndarray.cumsum" (a method)."""

    def register(function: Any) -> Any:
        _functions.update(dict.fromkeys(names, function))
        return function

    return register


def _module_of(name: str) -> str | None:
    """The module here that has the function for NumPy's of that name, if it may be used."""
    if not _modules:
        _modules.update(_store.stored().modules or _scanned())
    found = _modules.get(name)
    if (
        (found in _LAPACK and _core._needs_blas())
        or (found in _RANDOM and not _core._has_distributions())
        or (found in _LEGACY and not _core._has_legacy_distributions())
        or (found in _PYTHONS and not _core._has_pythons_random())
        or (found in _TRANSFORMS and not _ufuncs.has_transforms())
    ):
        return None
    return found


def _scanned() -> dict[str, str]:
    known: dict[str, str] = {}  # all at once: an interrupt may come
    for module in (*_MODULES, *_RANDOM, *_LEGACY, *_PYTHONS, *_TRANSFORMS, *_LAPACK):
        with open(os.path.join(_FOLDER, f"{module}.py"), encoding="utf-8") as file:
            text = file.read()
        # What a pattern begins with as it stands is searched for quickly.
        for names in re.findall(r"\n@implements\(([^)]*)\)", text):
            known.update(dict.fromkeys(re.findall(r'"([^"]*)"', names), module))
    return known


def find(name: str) -> FunctionType | None:
    """The function that is written here for NumPy's of that name."""
    if found := _module_of(name):
        importlib.import_module(f"{__name__}.{found}")
    return _functions.get(name)


def stored(name: str) -> bytes | None:
    """The same, captured when the package was built, where that is what would be captured now."""
    return _store.stored().captured(name) if _module_of(name) else None


def functions() -> dict[str, FunctionType]:
    """All of them."""
    _module_of("")
    return {name: function for name in _modules if (function := find(name))}
