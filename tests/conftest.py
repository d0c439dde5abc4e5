"""Fixtures of all tests: the allocation counter, seeds, --full, --mode and --part."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

# Tests share the package support, and import each other's helpers by folder.
sys.path.insert(0, str(Path(__file__).parent))

# One thread: results are compared with NumPy's, and machines that run tests have few cores.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Every test compiles what it tests; tests of the cache have directories of their own. To look for
# code that is found on disk and is another one's: run all tests twice with such a directory.
os.environ["SHAPECAST_CACHE_DIR"] = os.environ.get("SHAPECAST_TEST_CACHE_DIR", "off")

import numpy as np
import pytest
import shapecast
from hypothesis import HealthCheck, settings

from support import device_arrays

settings.register_profile(
    "shapecast",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile("full", parent=settings.get_profile("shapecast"), max_examples=2000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--full", action="store_true", help="the whole product of dtypes, layouts, ops"
    )

    parser.addoption(
        "--mode",
        default="default",
        metavar="MODES",
        help="default: all thresholds as shipped; or several, with commas: "
        "threads, strips, non-temporal make compiled code do on small arrays what it does on large;"
        " device puts arguments on a device",
    )
    parser.addoption(
        "--part",
        default="1/1",
        metavar="K/N",
        help="every N-th test, from the K-th on: what takes long, as --asan does, in parts",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    first, every = map(int, config.getoption("--part").split("/"))
    items[:] = items[first - 1 :: every]


def modes_of(config: pytest.Config) -> list[str]:
    return [mode for mode in config.getoption("--mode").split(",") if mode != "default"]


def pytest_configure(config: pytest.Config) -> None:
    if unknown := [mode for mode in modes_of(config) if mode not in MODES]:
        raise pytest.UsageError(
            f"--mode: no mode is named {', '.join(unknown)}; there are default, {', '.join(MODES)}"
        )
    settings.load_profile("full" if config.getoption("--full") else "shapecast")


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--full"))


@contextmanager
def three_threads() -> Iterator[None]:
    """Every loop that may be parallel is, however short it is."""
    before = shapecast._core._set_min_parallel_work(0)
    with shapecast.num_threads(3):
        yield
    shapecast._core._set_min_parallel_work(before)


@contextmanager
def short_strips() -> Iterator[None]:
    """Adjacent loop nests are strip-mined for a cache of 200 bytes, as for large arrays."""
    before = shapecast._core._set_strip_bytes(200)
    yield
    shapecast._core._set_strip_bytes(before)


@contextmanager
def non_temporal() -> Iterator[None]:
    """Loops over more than 256 bytes store past the caches, as those over large arrays do."""
    before = shapecast._core._set_non_temporal_bytes(256)
    yield
    shapecast._core._set_non_temporal_bytes(before)


@contextmanager
def on_device() -> Iterator[None]:
    """Arguments are on a device, of the driver of the tests where there is no other."""
    device_arrays.is_on = True
    yield
    device_arrays.is_on = False


@contextmanager
def calls_on_device() -> Iterator[None]:
    """Calls are of f.on("cuda:0"): arguments and results are NumPy's."""
    device_arrays.calls_are_on_device = True
    yield
    device_arrays.calls_are_on_device = False


MODES = {
    "threads": three_threads,
    "strips": short_strips,
    "non-temporal": non_temporal,
    "device": on_device,
    "on": calls_on_device,
}


@pytest.fixture(autouse=True)
def in_mode(request: pytest.FixtureRequest) -> Iterator[None]:
    modes = [] if request.node.get_closest_marker("default_mode") else modes_of(request.config)
    with ExitStack() as stack:
        for mode in modes:
            stack.enter_context(MODES[mode]())
        yield


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240229)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[passed] = report.passed
    return report


passed = pytest.StashKey[bool]()


def live_allocations() -> int:
    """Buffers of compiled code not yet freed; garbage is collected only where it would matter (it
    is slow).
    """
    count = shapecast._core.live_allocations()
    if count:
        gc.collect()
        count = shapecast._core.live_allocations()
    return count


@pytest.fixture(autouse=True)
def no_leaked_buffers(request: pytest.FixtureRequest) -> Iterator[None]:
    before = live_allocations()
    yield
    # A failed test keeps its frames, and with them its arrays, alive.
    if request.node.stash.get(passed, False):
        after = live_allocations()
        assert after <= before, f"{after - before} buffers of compiled code are still allocated"
