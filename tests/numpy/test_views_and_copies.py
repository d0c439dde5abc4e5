"""Functions return views where NumPy's do, and copies where NumPy's do, over layouts."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import check_expressions

LAYOUTS = {
    "in C order": np.arange(12.0).reshape(3, 4),
    "in Fortran's order": np.arange(12.0).reshape(4, 3).T,
    "strided": np.arange(48.0).reshape(6, 8)[::2, ::2],
    "reversed": np.arange(12.0).reshape(3, 4)[::-1, ::-1],
    "of one row": np.arange(4.0).reshape(1, 4),
    "of one column": np.arange(3.0).reshape(3, 1),
    "of one item": np.ones((1, 1)),
    "empty": np.ones((0, 4)),
    "broadcast": np.broadcast_to(np.arange(4.0), (3, 4)),
}

MATRICES = """
    x.T
    x.transpose()
    x.transpose(1, 0)
    np.transpose(x)
    np.transpose(x, (0, 1))
    np.swapaxes(x, 0, 1)
    np.moveaxis(x, 0, 1)
    np.rollaxis(x, 1)
    np.permute_dims(x, (1, 0))
    np.matrix_transpose(x)
    x.mT
    x.ravel()
    np.ravel(x)
    np.ravel(x, order="F")
    np.ravel(x, order="A")
    x.flatten()
    x.reshape(-1)
    x.reshape(x.shape)
    np.reshape(x, x.shape[::-1])
    np.reshape(x, (-1,), order="F")
    np.reshape(x, x.shape, copy=True)
    np.squeeze(x)
    x.squeeze()
    np.expand_dims(x, 0)
    np.atleast_1d(x)
    np.atleast_2d(x)
    np.atleast_3d(x)
    np.flip(x)
    np.flip(x, 1)
    np.fliplr(x)
    np.flipud(x)
    np.rot90(x)
    np.rot90(x, 0)
    np.rot90(x, 4)
    np.diagonal(x)
    np.diag(x)
    np.trace(x)
    np.triu(x)
    np.tril(x)
    np.asarray(x)
    np.asanyarray(x)
    np.ascontiguousarray(x)
    np.asfortranarray(x)
    np.ascontiguousarray(x.T)
    np.asfortranarray(x.T)
    np.ascontiguousarray(x[:, :2])
    np.ascontiguousarray(x[:, 1:2])
    np.asfortranarray(x[:, 1:2])
    np.ascontiguousarray(x[::2])
    np.asarray(x, order="F")
    np.asarray(x, order="C")
    np.asarray(x.T, order="C")
    np.array(x, copy=None, order="F")
    np.require(x, requirements=["F"])
    np.require(x, requirements=["C"])
    x.astype(float, copy=False, order="F")
    x.astype(float, copy=False, order="C")
    x.T.astype(float, copy=False, order="C")
    np.require(x)
    np.array(x)
    np.array(x, copy=None)
    np.array(x, ndmin=3)
    np.array(x, copy=None, ndmin=3)
    np.copy(x)
    x.copy()
    x.astype(float)
    x.astype(float, copy=False)
    x.astype(np.float32)
    np.astype(x, np.float64, copy=False)
    x.real
    x.imag
    np.real(x)
    np.imag(x)
    np.conj(x)
    np.conjugate(x)
    np.real_if_close(x)
    np.nan_to_num(x)
    np.nan_to_num(x, copy=False)
    np.positive(x)
    np.abs(x)
    np.broadcast_to(x, x.shape)
    np.broadcast_to(x, (2, *x.shape))
    np.broadcast_arrays(x, x)
    np.split(x, 1)
    np.array_split(x, 2)
    np.vsplit(x, 1)
    np.hsplit(x, 1)
    np.concatenate((x,))
    np.stack((x,))
    np.vstack((x,))
    np.hstack((x,))
    np.dstack((x,))
    np.column_stack((x,))
    np.block([[x]])
    np.take(x, 0, 0, mode="clip") if x.shape[0] else x
    np.take(x, 0, 0) if x.shape[0] else x
    np.take(x, [0], 1)
    np.compress([True], x, 1)
    np.repeat(x, 1)
    np.repeat(x, 1, axis=0)
    np.tile(x, 1)
    np.tile(x, (1, 1))
    np.roll(x, 0)
    np.roll(x, 0, axis=0)
    np.resize(x, x.shape) if x.size else x
    np.delete(x, [], 0)
    np.append(x, [])
    np.pad(x, 0)
    np.sort(x)
    np.clip(x, None, 100)
    np.round(x)
    np.fix(x)
    np.trim_zeros(x[0]) if x.shape[0] else x
    np.where(True, x, x)
    np.select([np.ones(x.shape, bool)], [x])
    np.unique(x)
    np.diff(x, 0)
    np.diff(x, n=0, axis=0)
    np.cumsum(x, 0)
    np.sum(x, axis=())
    np.max(x, axis=())
    np.einsum("ij->ji", x)
    np.einsum("ij->ij", x)
    np.einsum("ii->i", x) if x.shape[0] == x.shape[1] else x
    np.lib.stride_tricks.sliding_window_view(x, 1, 1)
    np.unstack(x)
    np.meshgrid(x[0], x[0], copy=False) if x.shape[0] else x
    np.meshgrid(x[0]) if x.shape[0] else x
    np.ix_(x[:, 0] > 5)
    x[...]
    x[:]
    x[()]
    x[None]
    x[:, 0]
    x[::1, ::2]
    x[x[:, 0] > -1]
    x.view()
    x.diagonal()
    x.swapaxes(0, 1)
    x.take([0], 1)
    x.repeat(1)
    x.compress([True], 1)
    x.conj()
    x.round()
    x.clip(None, 100)
    x.__pos__()
"""

LINES = {
    "in C order": np.arange(5.0),
    "strided": np.arange(10.0)[::2],
    "reversed": np.arange(5.0)[::-1],
    "of one item": np.ones(1),
    "empty": np.ones(0),
    "complex": np.arange(5.0) + 1j,
}

VECTORS = """
    v.T
    v.ravel()
    v.reshape(-1, 1)
    np.atleast_1d(v)
    np.atleast_2d(v)
    np.atleast_3d(v)
    np.diag(v)
    np.diagflat(v)
    np.flip(v)
    np.squeeze(v)
    np.expand_dims(v, (0, 2))
    v.real
    v.imag
    np.real(v)
    np.imag(v)
    np.conj(v)
    np.real_if_close(v)
    np.trim_zeros(v)
    np.trim_zeros(v, "b")
    np.split(v, [1])
    np.array_split(v, 2)
    np.roll(v, 0)
    np.asarray(v, dtype=v.dtype)
    np.ascontiguousarray(v)
    np.vander(v, 2)
    np.convolve(v, [1.0]) if len(v) else v
    np.interp(v.real, [0.0, 1.0], [0.0, 1.0])
    np.poly1d(v.real) is None
    np.ediff1d(v)
    np.gradient(v) if len(v) > 1 else v
    np.extract([True], v)
    np.insert(v, 0, [])
    np.delete(v, [])
    np.union1d(v, v)
    np.broadcast_to(v, (2, len(v)))
    np.lib.stride_tricks.sliding_window_view(v, 1)
    np.fft.fftshift(v)
    np.cumsum(v)
    np.sort_complex(v)
    np.unwrap(v.real)
    np.around(v)
    v[v == v]
    v[[0]] if len(v) else v
    v[np.array(0)] if len(v) else v
    v[0:0]
    v[()]
    v[..., None]
"""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_functions_of_matrices_share_as_numpys(layout):
    check_expressions(MATRICES, {"x": LAYOUTS[layout]})


@pytest.mark.default_mode  # refused for arrays on a device whose strides are not known
@pytest.mark.parametrize("layout", LAYOUTS)
def test_ravel_in_the_order_of_memory(layout):
    check_expressions('np.ravel(x, order="K")', {"x": LAYOUTS[layout]})


@pytest.mark.parametrize("layout", LINES)
def test_functions_of_vectors_share_as_numpys(layout):
    check_expressions(VECTORS, {"v": LINES[layout]})


def test_functions_of_0d_arrays_share_as_numpys():
    check_expressions(
        """
        z[()]
        z[...]
        z.T
        z.ravel()
        z.reshape(1)
        np.atleast_1d(z)
        np.atleast_2d(z)
        np.squeeze(z)
        np.asarray(z)
        np.array(z, copy=None)
        np.expand_dims(z, 0)
        np.flip(z)
        np.broadcast_to(z, (2,))
        z.real
        z.copy()
        z.astype(float, copy=False)
        np.ascontiguousarray(z)
        np.positive(z)
        np.transpose(z)
        z[None]
        """,
        {"z": np.array(2.5)},
    )
