"""Shape inference as TensorFlow and onnx-mlir do it: every row of the files in `conformance`.

A row is run, or named with the reason in one of the tables; none is left out silently.
"""

from __future__ import annotations

from collections import Counter

import pytest
from compiler.shapes import onnx_rows as onnx
from compiler.shapes import onnx_tables
from compiler.shapes import tensorflow_rows as tf
from compiler.shapes.rows import ERRORS, Differs, outcome
from compiler.shapes.tensorflow_tables import DIFFERS, MORE_PRECISE, NOT_NAMED, PRIMITIVES
from shapecast import shape_rules as sr

TF_ROWS = tf.read_rows()


def tf_parameters() -> list[object]:
    return [pytest.param(row, id=f"{row.line}-{row.key}") for row in TF_ROWS]


@pytest.mark.parametrize("row", tf_parameters())
def test_tensorflows_shapes_are_inferred(row: tf.Row) -> None:
    if row.key in PRIMITIVES:
        PRIMITIVES[row.key]()
        return
    expected = row.expected
    if row.key in DIFFERS:
        expected = DIFFERS[row.key].ours
    elif row.key in MORE_PRECISE:
        expected = MORE_PRECISE[row.key].ours
    for attributes in tf.variants(row):
        run_tf(row, attributes, expected)


def run_tf(row: tf.Row, attributes: str, expected: str) -> None:
    scope = sr.Scope()
    inputs = tf.read_shapes(scope, row.inputs)
    rule = tf.ADAPTERS[row.name]
    if not expected.startswith("ERR"):
        results = rule(scope, attributes, inputs)
        results = results if isinstance(results, list) else [results]
        tf.check_results(scope, expected, results, inputs)
        return
    with pytest.raises(ERRORS) as raised:
        rule(scope, attributes, inputs)
    missing = tf.sizes_named(expected) - tf.sizes_named(str(raised.value))
    assert missing == set(NOT_NAMED.get(row.key, ((), ""))[0]), raised.value


@pytest.mark.parametrize("key", sorted(DIFFERS))
def test_numpy_differs_from_tensorflow(key: str) -> None:
    row: Differs = DIFFERS[key]
    result = outcome(row.numpy)
    if isinstance(row.gives, type):
        assert isinstance(result, type) and issubclass(result, row.gives)
    else:
        assert result == row.gives


def test_every_tensorflow_row_is_accounted_for() -> None:
    keys = [row.key for row in TF_ROWS]
    assert len(set(keys)) == len(keys)
    for table in (DIFFERS, MORE_PRECISE, NOT_NAMED, PRIMITIVES):
        assert set(table) <= set(keys), set(table) - set(keys)
    assert not set(DIFFERS) & set(MORE_PRECISE)
    assert {row.name for row in TF_ROWS if row.key not in PRIMITIVES} <= set(tf.ADAPTERS)
    counts = {
        "rows": len(keys),
        "as TensorFlow": len(set(keys) - set(DIFFERS) - set(MORE_PRECISE)),
        "more precise": len(MORE_PRECISE),
        "NumPy differs": len(DIFFERS),
    }
    print("tf_shape_vectors:", counts)
    assert counts == {
        "rows": 262,
        "as TensorFlow": 240,
        "more precise": 3,
        "NumPy differs": 19,
    }


ONNX_ROWS = onnx.read_rows()


def onnx_parameters() -> list[object]:
    return [
        pytest.param(row, id=f"{row.line}-{row.key}")
        for row in ONNX_ROWS
        if onnx_kinds(row) == ["run"]
    ]


def onnx_kinds(row: onnx.Row) -> list[str]:
    unusable = row.key in onnx_tables.UNUSABLE
    kinds = {
        "run": row.operation in onnx.ADAPTERS and not unusable,
        "unusable": unusable,
        "other operation": row.operation in onnx_tables.OTHER,
    }
    return [kind for kind, holds in kinds.items() if holds]


@pytest.mark.parametrize("row", onnx_parameters())
def test_onnx_mlirs_shapes_are_inferred(row: onnx.Row) -> None:
    results = row.results
    if row.key in onnx_tables.MORE_PRECISE:
        results = onnx.read_sizes(onnx_tables.MORE_PRECISE[row.key].ours)
    if row.key in onnx_tables.BY_HAND:
        onnx.check_results(sr.Scope(), [onnx_tables.BY_HAND[row.key]()], results)
    else:
        onnx.check_results(*onnx.results_of(row), results)


def test_every_onnx_row_is_accounted_for() -> None:
    kinds = [onnx_kinds(row) for row in ONNX_ROWS]
    assert all(len(found) == 1 for found in kinds)
    keys = [row.key for row in ONNX_ROWS]
    assert len(set(keys)) == len(keys)
    run = {key for key, (kind,) in zip(keys, kinds) if kind == "run"}
    for table in (onnx_tables.BY_HAND, onnx_tables.MORE_PRECISE):
        assert set(table) <= run, set(table) - run
    assert set(onnx_tables.UNUSABLE) <= set(keys)
    operations = {row.operation for row in ONNX_ROWS}
    assert onnx_tables.OTHER <= operations and set(onnx.ADAPTERS) <= operations
    counts = {
        "rows": len(keys),
        **Counter(kind for (kind,) in kinds),
        "by hand": len(onnx_tables.BY_HAND),
        "more precise": len(onnx_tables.MORE_PRECISE),
    }
    print("onnx_mlir_shape_cases:", counts)
    assert counts == {
        "rows": 393,
        "run": 327,
        "unusable": 22,
        "other operation": 44,
        "by hand": 11,
        "more precise": 5,
    }
