"""Jitted functions on workers of joblib, Dask, Ray and Spark: programs as users write them."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest
from clusters.programs import need, run
from support.toolchain import missing

# What all programs send: of the main program, reading globals; closures; methods and objects.
DEFINITIONS = """
import numpy as np
import shapecast
from shapecast import jit

G = 2.0

@jit
def root(x):
    return np.sqrt(x) + G

@jit
def outer(x):
    return root(x) * 2

@shapecast.vectorize
def scaled(x, k):
    return x * k if x > 0 else G

def adder(k):
    @jit
    def add(x):
        return x + k
    return add

class Model:
    def __init__(self, k):
        self.k, self.ufunc = k, shapecast.vectorize(lambda x: x * G)

    @jit
    def step(self, x):
        return x * self.k + G

    def whole(self, x):
        return self.step(x) + self.ufunc(x)

@jit
def averaged(x):
    out = x.copy()
    out[1:-1, 1:-1] = 0.25 * (x[2:, 1:-1] + x[:-2, 1:-1] + x[1:-1, 2:] + x[1:-1, :-2])
    return out
"""

JOBLIB = """
from joblib import Parallel, delayed

def of(backend, f, *arguments):
    calls = (delayed(f)(np.full(3, float(i)), *arguments) for i in range(4))
    return [result[0] for result in Parallel(n_jobs=2, backend=backend)(calls)]

for backend in ("loky", "threading", "multiprocessing"):
    assert of(backend, outer) == [2 * (i**0.5 + 2) for i in range(4)]
    assert of(backend, scaled, 3.0) == [2, 3, 6, 9]
for backend in ("loky", "threading"):  # by value
    assert of(backend, adder(5)) == [5, 6, 7, 8]
    assert of(backend, jit(lambda x: x - 1)) == [-1, 0, 1, 2]
    assert of(backend, Model(3).whole) == [2, 7, 12, 17]
threads = Parallel(n_jobs=2)(delayed(shapecast.get_num_threads)() for _ in range(2))
print(set(threads) == {max(1, shapecast.get_num_threads() // 2)})
"""


@need("joblib")
def test_joblib(tmp_path: Path) -> None:
    assert run(tmp_path, DEFINITIONS + JOBLIB) == "True\n"


SCHEDULERS = """
import dask
import dask.array as da

x, want = da.ones((20, 20), chunks=(10, 10)), np.ones((20, 20))

def inner(n):
    return da.ones(n, chunks=5).map_blocks(root).sum().compute(scheduler="threads")

if __name__ == "__main__":
    for scheduler in ("synchronous", "threads", "processes"):
        with dask.config.set(scheduler=scheduler):
            results = [
                x.map_blocks(root),
                x.map_blocks(scaled, 3.0),
                scaled(x, 3.0),
                da.map_overlap(averaged, x, depth=1, boundary="reflect") * 3,
                da.blockwise(adder(2.0), "ij", x, "ij", dtype=x.dtype),
                x.map_blocks(Model(1.0).step, dtype=x.dtype),
            ]
            for k, result in enumerate(dask.compute(*results)):
                assert np.array_equal(result, want * 3), (scheduler, k)
            nested = dask.delayed(outer)(dask.delayed(root)(np.ones(2)))
            assert nested.compute()[0] == (3**0.5 + 2) * 2
            assert dask.compute(*[dask.delayed(inner)(n) for n in (10, 20)]) == (30, 60)
    print("done")
"""


@need("dask")
def test_schedulers_of_dask(tmp_path: Path) -> None:
    assert run(tmp_path, DEFINITIONS + SCHEDULERS) == "done\n"


@need("dask", "xarray")
def test_the_programs_of_the_page(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "user" / "clusters.md"
    programs = re.findall(r"```py\n(.*?)```", page.read_text(), re.S)
    shown = run(tmp_path, "".join(programs))
    assert shown.splitlines() == [
        "True",
        "True",
        "<class 'dask.array.core.Array'>",
        "[-0.5 -- 3.0]",
        "('place',) [10. 10. 10.]",
        "True",
    ]


LOCAL_CLUSTER = """
import dask
import dask.array as da
from dask.distributed import Client, LocalCluster, get_client

x, want = da.ones((20, 20), chunks=(10, 10)), np.ones((20, 20))

def nested(n):
    client = get_client()
    return sum(r.sum() for r in client.gather(client.map(root, [np.ones(n)] * 3)))

if __name__ == "__main__":
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        futures = client.map(outer, [np.ones(3)] * 4, pure=False)
        assert [result[0] for result in client.gather(futures)] == [6] * 4
        assert np.array_equal(x.map_blocks(root).compute(), want * 3)
        assert np.array_equal(scaled(x, 3.0).compute(), want * 3)
        assert np.array_equal(
            da.map_overlap(averaged, x, depth=1, boundary="reflect").compute(), want
        )
        assert client.submit(nested, 4).result() == 36
        assert client.submit(adder(4), 3).result() == 7
        assert client.submit(Model(3.0).whole, 2.0).result() == 12
        model = client.submit(Model, 2.0, actor=True).result()
        assert model.step(2.0).result() == 6
        back = client.submit(adder, 5).result()  # made by a worker
        assert back(1) == 6
        print(set(client.run(shapecast.get_num_threads).values()))
    with (
        LocalCluster(n_workers=1, threads_per_worker=4, processes=False, dashboard_address=None)
        as cluster,
        Client(cluster) as client,
    ):
        made = client.map(lambda k: root(np.full(200_000, float(k))), range(12))
        assert [result[-1] for result in client.gather(made)] == [k**0.5 + 2 for k in range(12)]
"""


@need("dask", "distributed")
def test_a_local_cluster_of_dask(tmp_path: Path) -> None:
    assert run(tmp_path, DEFINITIONS + LOCAL_CLUSTER) == "{1}\n"


CELLS = [
    "import numpy as np, shapecast\nfrom shapecast import jit\nG = 3",
    "def plus(x):\n    return x + 1",
    "@jit\ndef f(x):\n    return plus(x) * G",
    "@shapecast.vectorize\ndef v(x):\n    return plus(x) * G if x > 0 else 0.0",
    "from dask.distributed import Client\n"
    "c = Client(n_workers=2, threads_per_worker=1, dashboard_address=None)\n"
    "print(c.gather(c.map(f, [1, 2])), c.submit(v, np.ones(2)).result())",
    "G = 5\nprint(c.submit(f, 2).result())",
    "@jit\ndef f(x):\n    return x * 100 + G\nprint(c.submit(f, 2).result())",
    "from joblib import Parallel, delayed\nprint(Parallel(2)(delayed(v)(1.0) for _ in range(2)))",
    "c.close()",
]
SHOWN = [
    "",
    "",
    "",
    "",
    "[6, 9] [6. 6.]\n",
    "15\n",
    "205\n",
    "[np.float64(10.0), np.float64(10.0)]\n",
    "",
]


@need("dask", "distributed", "joblib", "jupyter_client", "ipykernel")
def test_cells_of_a_notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client_of = pytest.importorskip("jupyter_client")
    import shapecast

    monkeypatch.setenv("PYTHONPATH", str(Path(shapecast.__file__).parents[1]))
    manager = client_of.KernelManager(kernel_name="python3")
    manager.kernel_spec.argv[0] = sys.executable
    manager.start_kernel(cwd=str(tmp_path))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(60)
        for cell, shown in zip(CELLS, SHOWN, strict=True):
            printed: list[str] = []

            def note(message: dict, printed: list[str] = printed) -> None:
                content = message["content"]
                if content.get("name") == "stdout":
                    printed.append(content["text"])
                printed += content.get("traceback", [])

            client.execute_interactive(cell, timeout=120, output_hook=note)
            assert "".join(printed) == shown
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


RAY = """
import ray

@ray.remote
def remote(x):
    return outer(x)

@ray.remote
class Actor:
    def __init__(self):
        self.model = Model(3.0)

    def step(self, x):
        return self.model.whole(x)

ray.init(num_cpus=2, include_dashboard=False, logging_level="error", log_to_driver=False)
assert [r[0] for r in ray.get([remote.remote(np.ones(3)) for _ in range(4)])] == [6] * 4
assert ray.get(ray.remote(lambda x: scaled(x, 3.0)).remote(np.ones(3)))[0] == 3
assert ray.get(ray.remote(lambda f, x: f(x)).remote(adder(4), 3)) == 7
assert ray.get(Actor.remote().step.remote(2.0)) == 12
print(ray.get(ray.remote(lambda: shapecast.get_num_threads()).remote()))
"""


@need("ray")
def test_ray(tmp_path: Path) -> None:
    assert run(tmp_path, DEFINITIONS + RAY).split()[-1] == "1"


SPARK = """
import pandas as pd
import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.functions import pandas_udf

session = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .getOrCreate()
)
session.sparkContext.setLogLevel("OFF")
numbers = np.arange(100.0)
frame = session.range(0, 100).selectExpr("cast(id as double) x").repartition(2)

def roots(batches):
    for batch in batches:
        x = batch.column("x").to_numpy(zero_copy_only=False)
        yield pa.RecordBatch.from_arrays([pa.array(root(x))], names=["y"])

@pandas_udf("double")
def tripled(x: pd.Series) -> pd.Series:
    return scaled(x, 3.0)

got = frame.mapInArrow(roots, "y double").toPandas().y
assert np.array_equal(np.sort(got), np.sqrt(numbers) + 2)
got = frame.select(tripled("x").alias("y")).toPandas().y
assert got.sum() == 3 * numbers.sum() + 2
assert session.sparkContext.parallelize([1.0, 4.0], 2).map(adder(1)).collect() == [2.0, 5.0]
session.stop()
print("done")
"""


@need("pyspark", "pyarrow", "pandas")
def test_spark(tmp_path: Path) -> None:
    if shutil.which("java") is None:
        missing("Spark needs Java")
    assert run(tmp_path, DEFINITIONS + SPARK) == "done\n"
