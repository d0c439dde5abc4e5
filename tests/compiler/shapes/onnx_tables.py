"""Rows of conformance/onnx_mlir_shape_cases.txt that need more than the file says."""

from __future__ import annotations

from collections.abc import Callable

from compiler.shapes.rows import MorePrecise
from shapecast import shape_rules as sr

# Operations that are in no family of the rules.
OTHER = {
    "BlackmanWindow",
    "Dim",
    "GridSample",
    "HammingWindow",
    "HannWindow",
    "MaxRoiPool",
    "NonMaxSuppression",
    "Optional",
    "OptionalGetElement",
    "OptionalHasElement",
    "RoiAlign",
    "SequenceEmpty",
    "SequenceInsert",
    "SequenceLength",
    "ShapeTransform",
    "Size",
}

_LOOP = "the operands are of unknown rank: their shapes come from a loop that is not in the file"
_USER = "the result type that the test declares is not in the file"
_OTHER_ROW = "the result type is that of another operation of the test: "

UNUSABLE = {
    "Add/test_loop_simple_no_scan_main_graph": _LOOP,
    "Add/test_loop_simple_one_scan_main_graph": _LOOP,
    "Add/test_loop_multi_scan_main_graph": _LOOP,
    "Add/test_loop_multi_scan_main_graph#2": _LOOP,
    "Add/test_scan_simple_main_graph": _LOOP,
    "Identity/test_loop_simple_no_scan_main_graph": _LOOP,
    "Identity/test_loop_simple_one_scan_main_graph": _LOOP,
    "Identity/test_loop_simple_one_scan_main_graph#2": _LOOP,
    "Identity/test_loop_multi_scan_main_graph": _LOOP,
    "Identity/test_loop_multi_scan_main_graph#2": _LOOP,
    "Identity/test_loop_multi_scan_main_graph#3": _LOOP,
    "Identity/check_opt_identity": "of an optional value, which is no array",
    "Concat/test_reshape_using_dim_analysis_two_reshapes": _OTHER_ROW
    + "three operands of one element, and a result of four",
    "LayoutTransform/test_onnx_layout_transform#2": "the definition of %0 is not in the file",
    "Range/test_range_add_scalar_int": "the definitions of %start and %limit are not in the file",
    "Range/test_range_add_scalar_float": "the definitions of %start and %limit are not in the file",
    "Reshape/test_reshape_concat_0": "the definition of %2 is not in the file",
    "Sigmoid/test_default_unary_elementwise_user_shape_1": _USER,
    "Sigmoid/test_default_unary_elementwise_user_shape_3": _USER,
    "SplitToSequence/test_splittosequence_0": "of an empty axis no part can be looked at",
    "Unsqueeze/test_unsqueeze": _OTHER_ROW + "axis 1 of (16, 32, 64) gives four dimensions",
    "Upsample/test_upsample_dyn": "the scales are known at run time only, and resize takes numbers",
}

MORE_PRECISE = {
    "Einsum/test_einsum_qmark1": MorePrecise(
        "[1]", "numpy.einsum broadcasts no axis of a diagonal: both sizes are 1"
    ),
    "ReduceSum/test_reduce_sum_3": MorePrecise("[1,?,?,?]", "the first size is 1, summed or not"),
    "ReverseSequence/test_reversesequence_2": MorePrecise(
        "[10,10]", "there is a length for each element along the batch axis"
    ),
    "Unique/unique": MorePrecise("[?,2];[?];[2];[?]", "each element has an inverse index"),
    "Unique/unique_3d": MorePrecise("[2,?,2];[?];[2];[?]", "each element has an inverse index"),
}

# Shapes that are made of dims: the operations that define them are other rows of the same test.


def _reshape_of_dims() -> sr.Shape | None:
    return sr.reshape(("a", "b", 2048), ("a", "b", -1, 64))


def _last_dim() -> sr.Shape | None:
    return sr.reshape(("a", "b", 2048), ("b", -1, 64, "a"))


def _dim_of_another_array() -> sr.Shape | None:
    """Both arrays have the sequence's length along axis 1."""
    return sr.reshape((1, "length", 2048), (1, "length", -1, 128))


def _matmul_of_reshape(scope: sr.Scope) -> sr.Shape | None:
    """(256, k) with (4, 12, m, n) as (48, m, n): m is k from then on."""
    flat = sr.reshape((4, 12, "m", "n"), (48, "m", "n"), scope=scope)
    product = sr.matmul((256, "k"), flat, scope=scope)
    assert scope.equal("m", "k") is True
    return product


def _two_reshapes() -> sr.Shape | None:
    scope = sr.Scope()
    return sr.reshape(_matmul_of_reshape(scope), (4, 12, 256, "n"), scope=scope)


def _reshape_of_matmul() -> sr.Shape | None:
    scope = sr.Scope()
    product = sr.matmul(("a", "b", 2048), (2048, 2048), scope=scope)
    return sr.reshape(product, ("a", "b", -1, 64), scope=scope)


def _one_dim_twice() -> sr.Shape | None:
    return sr.reshape(("a", "b", 2048), ("a", "a", -1, 64))


BY_HAND: dict[str, Callable[[], sr.Shape | None]] = {
    "Reshape/test_reshape_dim": _reshape_of_dims,
    "Reshape/test_reshape_dim_bijective_at_last_dim": _last_dim,
    "Reshape/test_reshape_use_dim_analysis": _dim_of_another_array,
    # The row of the first reshape has the type of the second one's result: both are run for both.
    "Reshape/test_reshape_using_dim_analysis_two_reshapes": _two_reshapes,
    "Reshape/test_reshape_using_dim_analysis_two_reshapes#2": _two_reshapes,
    "MatMul/test_reshape_using_dim_analysis_two_reshapes": lambda: _matmul_of_reshape(sr.Scope()),
    "Reshape/test_reshape_matmul_dim": _reshape_of_matmul,
    "Reshape/test_reshape_dim_not_bijection": _one_dim_twice,
    "Tile/test_tile_mixed_constant": lambda: sr.tile((2, 1, "n"), (3, "k", 3)),
    "Expand/test_expand_with_concat": lambda: sr.broadcast((), ("a", 1, "b")),
    "Expand/test_expand_with_shape": lambda: sr.broadcast((2, 1, 6, 1), (6, 2)),
}
