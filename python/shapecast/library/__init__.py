"""NumPy functions that are plain NumPy source: the compiler captures and inlines them.

A function here is what a user would write with the functions that are built into the compiler. It
is specialised for each call's types like any function, so branches on `axis is None`, on ranks and
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
    "bound_methods",
    "buffers",
    "containers",
    "strings",
    "contractions",
    "elementwise",
    "functional",
    "generators",
    "grids",
    "histograms",
    "indexing",
    "iterators",
    "joining",
    "lists",
    "object_keys",
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
    "text_tests",
    "ufuncs",
    "whole_numbers",
)
_RANDOM = ("random", "random_state", "distributions")  # where NumPy exports its C distributions
_LEGACY = ("state_distributions",)  # where the memory layout of its RandomState is known
_PYTHONS = ("python_random",)  # where the memory layout of Python's generator is known
_TRANSFORMS = ("fft",)  # where its ufuncs have the known loops
_LAPACK = ("linalg", "norms")  # called out to NumPy where it was built with another BLAS
_FOLDER = os.path.dirname(__file__)
_functions: dict[str, FunctionType] = {}
_modules: dict[str, str] = {}  # source texts by name: reading all is faster than importing


def implements(*names: str) -> Callable[[Any], Any]:
    """Names the function that it implements: "numpy.cumsum", "numpy.ndarray.cumsum" (a method)."""

    def register(function: Any) -> Any:
        _functions.update(dict.fromkeys(names, function))
        return function

    return register


def _module_of(name: str) -> str | None:
    """The module here that implements NumPy's function of that name, if it may be used."""
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
    known: dict[str, str] = {}  # assigned at once at the end: an interrupt may come
    for module in (*_MODULES, *_RANDOM, *_LEGACY, *_PYTHONS, *_TRANSFORMS, *_LAPACK):
        with open(os.path.join(_FOLDER, f"{module}.py"), encoding="utf-8") as file:
            text = file.read()
        # A regular expression that starts with a literal is searched for quickly.
        for names in re.findall(r"\n@implements\(([^)]*)\)", text):
            known.update(dict.fromkeys(re.findall(r'"([^"]*)"', names), module))
    return known


def find(name: str) -> FunctionType | None:
    """The implementation of NumPy's function of that name."""
    if found := _module_of(name):
        importlib.import_module(f"{__name__}.{found}")
    return _functions.get(name)


def stored(name: str) -> bytes | None:
    """Its IR, captured when the package was built, if capturing now would give the same."""
    return _store.stored().captured(name) if _module_of(name) else None


def functions() -> dict[str, FunctionType]:
    """All of them."""
    _module_of("")
    return {name: function for name in _modules if (function := find(name))}
