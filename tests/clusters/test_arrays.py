"""`vectorize` with arrays of Dask, xarray and pandas: results of their kind, and NumPy's values."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import shapecast
from clusters.programs import need
from shapecast import jit

N = np.random.default_rng(0).random((6, 8)) - 0.5


@shapecast.vectorize
def relu(x: Any, slope: Any) -> Any:
    return x if x > 0 else slope * x


@shapecast.vectorize
def larger(a: Any, b: Any) -> Any:
    return a if a > b else b


@shapecast.vectorize
def latter(a: Any, b: Any) -> Any:
    return b if b != 0 else a  # associative; the order of the arguments matters


@shapecast.vectorize
def both(x: Any, y: Any) -> Any:
    return x + y, x * y


def added(a: Any, b: Any) -> Any:
    return a + b


@shapecast.vectorize(signature="(n)->()", combine=added)
def squares(x: Any) -> Any:
    return (x * x).sum()


@shapecast.vectorize(signature="(n),(n)->()", combine=added)
def dot(a: Any, b: Any) -> Any:
    return (a * b).sum()


@shapecast.vectorize(signature="(n)->(),()")
def extremes(x: Any) -> Any:
    return x.min(), x.max()


@shapecast.vectorize(signature="(m,n),(n)->(m)")
def product(a: Any, x: Any) -> Any:
    return a @ x


@need("dask")
class TestDask:
    @pytest.fixture
    def x(self) -> Any:
        array = pytest.importorskip("dask.array")
        with pytest.importorskip("dask").config.set(scheduler="synchronous"):
            yield array.from_array(N, chunks=(3, 3))

    def test_elements(self, x: Any) -> None:
        for got, want in (
            (relu(x, 0.5), relu(N, 0.5)),
            (relu(x, x[0]), relu(N, N[0])),
            (relu(x[0], N), relu(N[0], N)),
            (relu(x.astype("f4"), 2), relu(N.astype("f4"), 2)),
        ):
            assert type(got) is type(x)
            assert (got.shape, got.dtype) == (want.shape, want.dtype)
            assert np.array_equal(got.compute(), want)
        for got, want in zip(both(x, 2.0), both(N, 2.0), strict=True):
            assert type(got) is type(x) and np.array_equal(got.compute(), want)

    def test_signatures(self, x: Any) -> None:
        whole = x.rechunk((3, -1))
        for got, want in zip(extremes(whole), extremes(N), strict=True):
            assert type(got) is type(x) and np.array_equal(got.compute(), want)
        got = product(x.rechunk(-1), x[0].rechunk(-1))
        assert np.allclose(got.compute(), product(N, N[0]), rtol=1e-14)
        with pytest.raises(ValueError, match="consists of multiple chunks"):
            product(x, x[0])

    def test_a_combiner_makes_results_of_chunks(self, x: Any) -> None:
        for got, want in (
            (squares(x), squares(N)),
            (dot(x, x[0]), dot(N, N[0])),
            (dot(x, N[0]), dot(N, N[0])),
            (dot(x[0], x[1]), dot(N[0], N[1])),
        ):
            assert type(got) is type(x) and got.shape == np.shape(want)
            assert np.allclose(got.compute(), want, rtol=1e-14)

    @pytest.mark.parametrize("axis", [0, 1, -1, None])
    @pytest.mark.parametrize("keepdims", [False, True])
    def test_reduce_goes_over_chunks(self, x: Any, axis: Any, keepdims: bool) -> None:
        got = larger.reduce(x, axis=axis, keepdims=keepdims)
        want = np.maximum.reduce(N, axis=axis, keepdims=keepdims)
        assert type(got) is type(x) and got.shape == np.shape(want)
        assert np.array_equal(got.compute(), want)

    def test_reduce_keeps_the_order(self, x: Any) -> None:
        assert np.array_equal(latter.reduce(x, axis=0).compute(), N[-1])
        assert latter.reduce(x, axis=None).compute() == N[-1, -1]
        assert np.array_equal(latter.reduce(x * 0, axis=0, initial=7.0).compute(), np.full(8, 7.0))
        with pytest.raises(ValueError, match="zero-size array"):
            larger.reduce(x[:0])
        with pytest.raises(NotImplementedError, match="map_blocks"):
            larger.accumulate(x)

    def test_a_jitted_function_says_what_runs_it_compiled(self, x: Any) -> None:
        @jit
        def f(x: Any) -> Any:
            return np.sqrt(x) + 1

        @jit
        def g(x: Any) -> Any:
            s = 0.0
            for i in range(x.shape[0]):
                s += x[i]
            return s

        from shapecast import _callouts

        _callouts._numbers.pop(type(x), None)  # said once in a process
        with pytest.warns(UserWarning, match=r"map_blocks\(f\)"):
            got = f(abs(x))
        assert type(got) is type(x)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert np.array_equal(abs(x).map_blocks(f).compute(), np.sqrt(abs(N)) + 1)
        with pytest.raises(shapecast.UnsupportedError, match=r"map_blocks\(f\)"):
            g(x)

    def test_frames(self) -> None:
        frames, pandas = pytest.importorskip("dask.dataframe"), pytest.importorskip("pandas")
        series = frames.from_pandas(pandas.Series(N[0]), npartitions=2)
        got = relu(series, 0.5)
        assert "dask" in type(got).__module__
        assert np.array_equal(got.compute(scheduler="synchronous"), relu(N[0], 0.5))


@need("xarray")
class TestXarray:
    @pytest.fixture
    def a(self) -> Any:
        xarray = pytest.importorskip("xarray")
        coordinates = {"m": np.arange(6) * 2}
        return xarray.DataArray(N, dims=("m", "n"), coords=coordinates, attrs={"units": "K"})

    def test_elements(self, a: Any) -> None:
        got = relu(a, 0.5)
        assert got.dims == a.dims and got.attrs == a.attrs and got.m.equals(a.m)
        assert np.array_equal(got, relu(N, 0.5))
        assert relu(a, a.isel(m=0)).dims == a.dims
        for result, want in zip(both(a, 2.0), both(N, 2.0), strict=True):
            assert result.dims == a.dims and np.array_equal(result, want)
        got = relu(a.to_dataset(name="t"), 0.5)
        assert type(got) is type(a.to_dataset(name="t")) and np.array_equal(got.t, relu(N, 0.5))

    def test_signatures_name_dimensions(self, a: Any) -> None:
        got = squares(a)
        assert got.dims == ("m",) and np.array_equal(got, squares(N))
        assert squares(a.transpose("n", "m")).dims == ("m",)
        assert dot(a, a.isel(m=0)).dims == ("m",)
        for result, want in zip(extremes(a), extremes(N), strict=True):
            assert result.dims == ("m",) and np.array_equal(result, want)
        with pytest.raises(ValueError, match=r"n not in \('m', 'x'\).*apply_ufunc"):
            squares(a.rename(n="x"))
        with pytest.raises(NotImplementedError, match=r"larger\.reduce takes arrays"):
            larger.reduce(a)

    def test_apply_ufunc(self, a: Any) -> None:
        xarray = pytest.importorskip("xarray")
        got = xarray.apply_ufunc(squares, a.rename(n="x"), input_core_dims=[["x"]])
        assert got.dims == ("m",) and np.array_equal(got, squares(N))

    @need("dask")
    def test_chunks(self, a: Any) -> None:
        xarray = pytest.importorskip("xarray")
        chunked = a.chunk({"m": 2, "n": 3})
        got = relu(chunked, 0.5)
        assert got.chunks == chunked.chunks
        assert np.array_equal(got.compute(scheduler="synchronous"), relu(N, 0.5))
        got = squares(chunked)  # over chunks, by its combiner
        assert got.chunks and np.allclose(got.compute(), squares(N), rtol=1e-14)
        got = xarray.apply_ufunc(relu, chunked, 0.5, dask="parallelized", output_dtypes=[float])
        assert np.array_equal(got.compute(), relu(N, 0.5))

    def test_a_jitted_function_says_what_runs_it_compiled(self, a: Any) -> None:
        @jit
        def f(x: Any) -> Any:
            return np.sqrt(x) + 1

        from shapecast import _callouts

        _callouts._numbers.pop(type(a), None)
        with pytest.warns(UserWarning, match=r"xarray\.apply_ufunc\(f, x\)"):
            assert type(f(abs(a))) is type(a)
        assert _callouts._samples[_callouts._numbers[type(a)]].shape == (5, 5)  # not all of it
        xarray = pytest.importorskip("xarray")
        assert np.array_equal(xarray.apply_ufunc(f, abs(a)), np.sqrt(abs(N)) + 1)


@need("pandas")
def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(N[0], index=list("abcdefgh"), name="s")
    got = relu(series, 0.5)
    assert type(got) is pandas.Series and got.name == "s" and got.index.equals(series.index)
    assert np.array_equal(got, relu(N[0], 0.5))
    assert np.array_equal(larger(series, series[::-1]), N[0])  # aligned, as pandas does
    frame = pandas.DataFrame(N, columns=list("abcdefgh"))
    got = relu(frame, 0.5)
    assert type(got) is pandas.DataFrame and list(got.columns) == list(frame.columns)
    assert np.array_equal(got, relu(N, 0.5))
    for result, want in zip(both(frame, 2.0), both(N, 2.0), strict=True):
        assert type(result) is pandas.DataFrame and np.array_equal(result, want)
    counts = larger(pandas.Series([1, None, 3], dtype="Int64"), 2)
    assert str(counts.dtype) == "Int64" and counts.isna().tolist() == [False, True, False]
    assert type(larger(pandas.Index([1, 2, 3]), 2)) is pandas.Index
