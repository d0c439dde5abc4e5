"""Every public function of NumPy's namespaces, with a call: docs/user/numpy.md is made from it.

`CALLS` gives the calls that are not `np.name(v)`; `REASONS` why a function makes no sense, or is
not there yet, in a jitted function.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

ARGUMENTS: dict[str, Any] = {
    "v": np.array([0.5, 2.0, -1.5, 0.25]),
    "w": np.array([0.25, 0.5, 1.5, 3.0]),
    "z": np.array([1.0 + 2.0j, 0.5 - 1.0j, -2.0j, 3.0 + 0j]),
    "i": np.array([3, 1, 2, 0]),
    "u": np.array([3, 1, 2, 255], np.uint8),
    "m": np.array([True, False, True, True]),
    "A": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 5.0]]),
    "B": np.arange(12.0).reshape(3, 4) * 0.5 - 2,
    "s": np.array(["ab1", "Cd", "e f"]),
    "d": np.array(["2024-01-31", "2024-02-05"], "M8[D]"),
    "n": 3,
}

NAMESPACES = {
    "numpy": np,
    "numpy.linalg": np.linalg,
    "numpy.fft": np.fft,
    "numpy.random": np.random,
    "numpy.strings": np.strings,
    "numpy.lib.stride_tricks": np.lib.stride_tricks,
}

_BINARY = """
add subtract multiply divide true_divide floor_divide mod remainder fmod power pow float_power
arctan2 atan2 hypot copysign fmax fmin maximum minimum greater greater_equal less less_equal
equal not_equal heaviside logaddexp logaddexp2 nextafter logical_and logical_or logical_xor
divmod dot vdot inner outer allclose array_equal array_equiv isclose convolve correlate union1d
intersect1d setdiff1d setxor1d isin append kron polyadd polysub polymul polydiv tensordot:0
vecdot result_type shares_memory may_share_memory broadcast_arrays cov corrcoef trapezoid
"""
_INTEGERS = "bitwise_and bitwise_or bitwise_xor left_shift right_shift gcd lcm "
_INTEGERS += "bitwise_left_shift bitwise_right_shift"
_INTEGER = "invert bitwise_not bitwise_invert bitwise_count bincount packbits:u unpackbits:u"
_MATRIX = """
trace diagonal tril triu tril_indices_from triu_indices_from diag_indices_from matrix_transpose
fliplr flipud rot90 transpose linalg.cholesky linalg.cond linalg.det linalg.diagonal linalg.eig
linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.matrix_rank
linalg.matrix_transpose linalg.pinv linalg.qr linalg.slogdet linalg.svd linalg.svdvals
linalg.trace fft.fft2 fft.fftn fft.ifft2 fft.ifftn fft.irfft2 fft.irfftn fft.rfft2 fft.rfftn
asmatrix
"""
_MATRICES = "matmul linalg.matmul linalg.solve linalg.tensordot"

CALLS: dict[str, str] = {}
for _names, _given in (
    (_BINARY, "v, w"),
    (_INTEGERS, "i, i"),
    (_INTEGER, "i"),
    (_MATRIX, "A"),
    (_MATRICES, "A, A"),
):
    for _name in _names.split():
        _plain, _, _other = _name.partition(":")
        CALLS[_plain] = f"{_given}, {_other}" if _other == "0" else _other or _given

CALLS |= {
    "apply_along_axis": "np.sum, 0, B",
    "apply_over_axes": "np.sum, B, [0]",
    "arange": "n",
    "argpartition": "v, (0, 1, 2, 3)",
    "array2string": "v",
    "array_split": "v, 2",
    "astype": "v, 'f4'",
    "average": "v, weights=w",
    "bartlett": "n",
    "base_repr": "n",
    "binary_repr": "n",
    "blackman": "n",
    "block": "[[A, A], [A, A]]",
    "bmat": "[[A, A], [A, A]]",
    "broadcast_shapes": "(3, 1), (1, 4)",
    "broadcast_to": "v, (2, 4)",
    "busday_count": "d[0], d[1]",
    "busday_offset": "d, 1, roll='forward'",
    "can_cast": "np.int32, np.float64",
    "choose": "i % 2, [v, w]",
    "clip": "v, 0.0, 1.0",
    "column_stack": "(v, w)",
    "compress": "m, v",
    "concat": "(v, w)",
    "concatenate": "(v, w)",
    "copyto": "v, w",
    "cross": "v[:3], w[:3]",
    "datetime_as_string": "d",
    "datetime_data": "d.dtype",
    "delete": "v, 1",
    "diag_indices": "n",
    "digitize": "v, w",
    "dsplit": "B.reshape(3, 2, 2), 2",
    "dstack": "(v, w)",
    "einsum": "'ij,jk->ik', A, B",
    "einsum_path": "'ij,jk->ik', A, B",
    "empty": "0",
    "empty_like": "v[:0]",
    "expand_dims": "v, 0",
    "extract": "m, v",
    "eye": "n",
    "fill_diagonal": "A, 1.0",
    "format_float_positional": "0.5",
    "format_float_scientific": "0.5",
    "frombuffer": "b'abcdefgh'",
    "fromfunction": "lambda i, j: i + j, (2, 3)",
    "fromiter": "(k for k in range(3)), float",
    "fromstring": "'1 2 3', sep=' '",
    "full": "n, 2.5",
    "full_like": "v, 2.5",
    "geomspace": "1.0, 8.0, 4",
    "hamming": "n",
    "hanning": "n",
    "histogram2d": "v, w",
    "histogramdd": "B",
    "hsplit": "B, 2",
    "hstack": "(v, w)",
    "identity": "n",
    "indices": "(2, 3)",
    "insert": "v, 1, 5.0",
    "interp": "v, w, w * 2",
    "isdtype": "v.dtype, 'real floating'",
    "isnat": "d",
    "is_busday": "d",
    "issubdtype": "np.int32, np.integer",
    "ix_": "i, i",
    "kaiser": "n, 14.0",
    "ldexp": "v, i",
    "lexsort": "(v, w)",
    "linspace": "0.0, 1.0, 5",
    "logspace": "0.0, 1.0, 4",
    "mask_indices": "n, np.triu",
    "matvec": "B, v",
    "meshgrid": "v, w",
    "mintypecode": "'fd'",
    "moveaxis": "B, 0, 1",
    "nanpercentile": "v, 30",
    "nanquantile": "v, 0.3",
    "ones": "n",
    "pad": "v, (2, 3)",
    "partition": "v, (0, 1, 2, 3)",
    "percentile": "v, 30",
    "permute_dims": "B",
    "piecewise": "v, [v < 0, v >= 0], [-1.0, 1.0]",
    "place": "v, m, w",
    "polyfit": "w, v, 1",
    "polyval": "v, w",
    "promote_types": "np.int32, np.float32",
    "put": "v, i, w",
    "put_along_axis": "v, i, w, 0",
    "putmask": "v, m, w",
    "quantile": "v, 0.3",
    "ravel_multi_index": "(i % 3, i), (3, 4)",
    "repeat": "v, 2",
    "require": "v, 'f4'",
    "reshape": "v, (2, 2)",
    "resize": "v, (3, 3)",
    "roll": "v, 1",
    "rollaxis": "B, 1",
    "searchsorted": "w, v",
    "select": "[v > 1, v < 0], [v, w]",
    "split": "v, 2",
    "squeeze": "v[None]",
    "stack": "(v, w)",
    "swapaxes": "B, 0, 1",
    "take": "v, i",
    "take_along_axis": "v, i, 0",
    "tensordot": "A, B, 1",
    "tile": "v, 2",
    "tri": "n",
    "tril_indices": "n",
    "triu_indices": "n",
    "typename": "'d'",
    "unravel_index": "i, (3, 4)",
    "unstack": "B",
    "vander": "v",
    "vecmat": "v[:3], B",
    "vsplit": "B, 3",
    "vstack": "(v, w)",
    "where": "m, v, w",
    "zeros": "n",
    "linalg.cross": "v[:3], w[:3]",
    "linalg.lstsq": "B.T, v",
    "linalg.matrix_power": "A, 3",
    "linalg.multi_dot": "[A, A, B]",
    "linalg.outer": "v, w",
    "linalg.tensorinv": "A.reshape(3, 3), ind=1",
    "linalg.tensorsolve": "A, v[:3]",
    "linalg.vecdot": "v, w",
    "fft.fftfreq": "n",
    "fft.rfftfreq": "n",
    "random.beta": "2.0, 3.0",
    "random.binomial": "10, 0.5",
    "random.bytes": "n",
    "random.chisquare": "2.0",
    "random.choice": "v",
    "random.default_rng": "n",
    "random.dirichlet": "w",
    "random.exponential": "",
    "random.f": "2.0, 3.0",
    "random.gamma": "2.0",
    "random.geometric": "0.5",
    "random.gumbel": "",
    "random.hypergeometric": "5, 6, 4",
    "random.laplace": "",
    "random.logistic": "",
    "random.lognormal": "",
    "random.logseries": "0.5",
    "random.multinomial": "5, [0.5, 0.5]",
    "random.multivariate_normal": "A[0], A",
    "random.negative_binomial": "3, 0.5",
    "random.noncentral_chisquare": "2.0, 1.0",
    "random.noncentral_f": "2.0, 3.0, 1.0",
    "random.normal": "0.0, 1.0, n",
    "random.pareto": "2.0",
    "random.poisson": "2.0",
    "random.power": "2.0",
    "random.rand": "n",
    "random.randint": "0, 9, n",
    "random.randn": "n",
    "random.random": "n",
    "random.random_integers": "5",
    "random.random_sample": "n",
    "random.ranf": "n",
    "random.rayleigh": "",
    "random.sample": "n",
    "random.seed": "n",
    "random.standard_cauchy": "",
    "random.standard_exponential": "",
    "random.standard_gamma": "2.0",
    "random.standard_normal": "n",
    "random.standard_t": "3.0",
    "random.triangular": "0.0, 1.0, 2.0",
    "random.uniform": "0.0, 1.0, n",
    "random.vonmises": "0.0, 1.0",
    "random.wald": "1.0, 1.0",
    "random.weibull": "2.0",
    "random.zipf": "2.0",
    "strings.add": "s, s",
    "strings.center": "s, 8",
    "strings.count": "s, 'a'",
    "strings.decode": "np.strings.encode(s)",
    "strings.endswith": "s, '1'",
    "strings.find": "s, 'd'",
    "strings.index": "s[:1], 'b'",
    "strings.ljust": "s, 8",
    "strings.mod": "np.array(['%d']), n",
    "strings.multiply": "s, 2",
    "strings.partition": "s, 'd'",
    "strings.replace": "s, 'b', 'x'",
    "strings.rfind": "s, 'd'",
    "strings.rindex": "s[:1], 'b'",
    "strings.rjust": "s, 8",
    "strings.rpartition": "s, 'd'",
    "strings.slice": "s, 1",
    "strings.startswith": "s, 'a'",
    "strings.translate": "s, str.maketrans('a', 'b')",
    "strings.zfill": "s, 8",
    "lib.stride_tricks.as_strided": "v, (2, 2), (8, 8)",
    "lib.stride_tricks.sliding_window_view": "v, 2",
}
for _name in "equal greater greater_equal less less_equal not_equal".split():
    CALLS[f"strings.{_name}"] = "s, s"

_SETTINGS = "changes NumPy's settings, for all of the process: outside"
_FILES = "reads or writes files: outside"
_PYTHON = "is about Python objects, not arrays"
REASONS = {
    **dict.fromkeys(
        "seterr seterrcall setbufsize set_printoptions printoptions".split(), _SETTINGS
    ),
    **dict.fromkeys("geterr geterrcall getbufsize get_printoptions".split(), _SETTINGS),
    **dict.fromkeys(
        "load loadtxt genfromtxt fromfile fromregex save savez savez_compressed savetxt".split(),
        _FILES,
    ),
    **dict.fromkeys(
        "test linalg.test fft.test random.test info show_config show_runtime".split(), _PYTHON
    ),
    **dict.fromkeys("get_include frompyfunc nested_iters iterable from_dlpack".split(), _PYTHON),
    **dict.fromkeys("random.get_bit_generator random.set_bit_generator".split(), _PYTHON),
    **dict.fromkeys("random.get_state random.set_state".split(), _PYTHON),
}


OF_SOME_VERSIONS = {"row_stack"}  # vstack's other name until NumPy 2.4


def public_functions() -> dict[str, Any]:
    """Full names and functions, without those that only some supported versions have."""
    found = {}
    for prefix, namespace in NAMESPACES.items():
        for name in sorted(dir(namespace)):
            thing = getattr(namespace, name)
            hidden = name.startswith("_") or name in OF_SOME_VERSIONS
            if not hidden and callable(thing) and not isinstance(thing, type):
                found[f"{prefix}.{name}"] = thing
    return found


def arguments_of(full: str) -> dict[str, Any]:
    """Those that the call names."""
    named = {node.id for node in ast.walk(ast.parse(call_of(full))) if isinstance(node, ast.Name)}
    return {name: value for name, value in ARGUMENTS.items() if name in named}


def call_of(full: str) -> str:
    """An expression, over the names in ARGUMENTS and `np`."""
    short = full.removeprefix("numpy.")
    usual = "s" if short.startswith("strings.") else "v"
    return f"np.{short}({CALLS.get(short, usual)})"
