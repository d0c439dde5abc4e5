"""Programs as people write them: classes, generators, containers. Plain and jitted, on equal
arguments: results, their types and identities, exceptions, what is left of the arguments and what
is printed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from support.compare import jitted
from support.pictures import seen

MODULES = [
    "any_length",
    "arrays",
    "attributes",
    "averages",
    "bound_methods",
    "builtin_values",
    "byte_arrays",
    "cached",
    "caught",
    "caught_lists",
    "changing_conditions",
    "classes",
    "collected",
    "collections_in_memory",
    "contexts",
    "conversions",
    "coroutines",
    "definitions",
    "dict_views",
    "enum_values",
    "enums",
    "exact_fractions",
    "flags",
    "found",
    "frozen_sets",
    "descriptors",
    "exceptions_of_instances",
    "frozen_instances",
    "frozen_kinds",
    "frozen_values",
    "function_attributes",
    "functions_in_containers",
    "generator_values",
    "generators",
    "given",
    "counters",
    "slices_of_globals",
    "slots_from_outside",
    "defaults_of_methods",
    "super_calls",
    "global_instances",
    "hashes",
    "identities",
    "in_place",
    "items_in_turn",
    "iterators",
    "keys",
    "keys_with_instances",
    "kinds_of_keys",
    "linked",
    "long_tuples",
    "looked_up",
    "loops_in_try",
    "managers",
    "memoised",
    "mended",
    "method_calls",
    "methods",
    "named_tuples",
    "nested",
    "nested_tuples",
    "objects_in_memory",
    "octets",
    "own_kind",
    "printing",
    "random_objects",
    "records",
    "recursive",
    "regular_expressions",
    "several_kinds",
    "several_results",
    "sets_of_several_kinds",
    "sentinels",
    "shared_defaults",
    "sorted_with_none",
    "spreading",
    "starred",
    "strangers",
    "strings",
    "tables_outside",
    "taken_in_turn",
    "walrus",
    "wide_integers",
]
CASES = [
    pytest.param(program, arguments, id=f"{name}.{program.__name__}")
    for name in MODULES
    for program, arguments in importlib.import_module(f"programs.{name}").CASES
]


@pytest.mark.parametrize(("program", "arguments"), CASES)
def test_program_does_what_pythons_does(
    program: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:
    expected = seen(program, arguments)
    for _ in range(2):  # the second call is of the compiled code
        assert seen(jitted(program), arguments) == expected
