"""shapecast and its peers in one process: python smoke.py first|last PEER... (tools/smoke.sh).

All are imported, shapecast first or last; each compiles, their results are compared, threads call
all at once, and errors pass through compiled code. Whoever calls looks at the exit status, for a
process that dies while it ends.
"""

from __future__ import annotations

import atexit
import importlib
import os
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

os.environ["TRITON_ALWAYS_COMPILE"] = "1"

order, *names = sys.argv[1:]
modules: dict[str, Any] = {}
for name in ["shapecast", *names] if order == "first" else [*names, "shapecast"]:
    modules[name] = importlib.import_module(name)

import numpy as np  # noqa: E402 # whoever is first imports it

tl = importlib.import_module("triton.language") if "triton" in modules else None

Function = Callable[[np.ndarray, np.ndarray], Any]


# ------------------------------------------------------- the same function, as each would have it


def plain(x: np.ndarray, y: np.ndarray) -> Any:
    d = np.sqrt((x[:, None] - y) ** 2 + 1.0)
    return np.exp(-d).sum(axis=1)


def loops(x: np.ndarray, y: np.ndarray) -> Any:
    out = np.zeros(len(x))
    for i in range(len(x)):
        for j in range(len(y)):
            out[i] += np.exp(-np.sqrt((x[i] - y[j]) ** 2 + 1.0))
    return out


def counted(x: np.ndarray, y: np.ndarray) -> Any:
    """Loops over all cores: `prange` of shapecast or Numba."""
    out = np.zeros(len(x))
    for i in prange(len(x)):  # type: ignore[name-defined] # noqa: F821 # set below
        for j in range(len(y)):
            out[i] += np.exp(-np.sqrt((x[i] - y[j]) ** 2 + 1.0))
    return out


def with_prange(function: Function, prange: Any) -> Function:
    """A copy of the function with globals of its own."""
    own = type(function)(function.__code__, {**globals(), "prange": prange}, function.__name__)
    return own


def of_shapecast() -> dict[str, Function]:
    sc = modules["shapecast"]
    parallel = sc.jit(with_prange(counted, sc.prange))
    return {
        "shapecast": sc.jit(plain),
        "shapecast loops": sc.jit(loops),
        "shapecast prange": parallel,
    }


def of_numba() -> dict[str, Function]:
    numba = modules["numba"]
    parallel = numba.njit(parallel=True)(with_prange(counted, numba.prange))
    return {"numba": numba.njit(nogil=True)(loops), "numba prange": parallel}


def of_jax() -> dict[str, Function]:
    jax = modules["jax"]
    jax.config.update("jax_enable_x64", True)
    jnp = jax.numpy

    @jax.jit
    def compiled(x: Any, y: Any) -> Any:
        return jnp.exp(-jnp.sqrt((x[:, None] - y) ** 2 + 1.0)).sum(axis=1)

    return {"jax": lambda x, y: np.asarray(compiled(x, y))}


def of_torch() -> dict[str, Function]:
    """By Dynamo and AOTAutograd, without the backend that calls a C++ compiler, which a bare
    machine has not; and TorchScript.
    """
    torch = modules["torch"]

    def function(x: Any, y: Any) -> Any:
        return torch.exp(-torch.sqrt((x[:, None] - y) ** 2 + 1.0)).sum(dim=1)

    def tensors(f: Any) -> Function:
        return lambda x, y: f(torch.from_numpy(x), torch.from_numpy(y)).numpy()

    compiled = torch.compile(function, backend="aot_eager")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TorchScript's deprecation
        example = torch.ones(3, dtype=torch.float64)
        script = torch.jit.trace(function, (example, example))
    return {"torch": tensors(compiled), "torch script": tensors(script)}


def of_triton() -> dict[str, Function]:
    """Compiles by its own MLIR and LLVM; what comes out is for a GPU and cannot be called."""
    triton = modules["triton"]
    compiler = importlib.import_module("triton.compiler")
    target = importlib.import_module("triton.backends.compiler").GPUTarget("cuda", 90, 32)
    kinds = {"x": "*fp64", "out": "*fp64", "n": "i32", "BLOCK": "constexpr"}
    source = compiler.ASTSource(triton.jit(kernel), signature=kinds, constexprs={"BLOCK": 128})
    assert ".entry" in triton.compile(source, target=target).asm["ptx"]
    return {}


def kernel(x, out, n, BLOCK):  # type: ignore[no-untyped-def]
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.exp(tl.load(x + at, mask=at < n)), mask=at < n)


# ------------------------------------------------------------------------------------ what is tried


def check(functions: dict[str, Function]) -> None:
    rng = np.random.default_rng(1)
    for size in (1, 100, 1000):
        x, y = rng.random(size), rng.random(size)
        want = plain(x, y)
        for _ in range(3):  # fusers compile at a later call
            for name, function in functions.items():
                np.testing.assert_allclose(function(x, y), want, rtol=1e-12, err_msg=name)


def check_threads(functions: dict[str, Function]) -> None:
    """Several threads call all functions at once; Numba's own threads refuse two callers."""
    rng = np.random.default_rng(2)
    x, y = rng.random(500), rng.random(500)
    want = plain(x, y)

    def work(names: list[str]) -> int:
        for k in range(20):
            name = names[k % len(names)]
            np.testing.assert_allclose(functions[name](x, y), want, rtol=1e-12, err_msg=name)
        return 20

    own = [name for name in functions if name == "numba prange"]
    shared = [name for name in functions if name not in own]
    with ThreadPoolExecutor(8) as pool:
        calls = list(
            pool.map(work, [shared[k:] + shared[:k] for k in range(7)] + ([own] if own else []))
        )
    print(f"  {sum(calls)} calls in {len(calls)} threads at once")


def check_new_in_threads() -> None:
    """Compilations of all at once, each in its own thread."""
    makers = [globals()[f"of_{name}"] for name in modules]
    with ThreadPoolExecutor(len(makers)) as pool:
        for functions in pool.map(lambda make: make(), makers):
            check(functions)


def check_errors() -> None:
    """C++ and Python exceptions, through a module that has the C++ runtime linked in."""
    sc = modules["shapecast"]

    @sc.jit
    def add(x: np.ndarray, y: np.ndarray) -> Any:
        return x + y

    @sc.jit
    def refused(x: np.ndarray) -> Any:
        return eval("x")

    for call, error in (
        (lambda: add(np.ones(3), np.ones(4)), ValueError),
        (lambda: refused(np.ones(3)), sc.UnsupportedError),
    ):
        try:
            call()
        except error:
            continue
        raise AssertionError(f"no {error.__name__}")


def main() -> None:
    versions = [f"{name} {module.__version__}" for name, module in modules.items()]
    versions += [f"NumPy {np.__version__}", f"Python {sys.version.split()[0]}"]
    print(f"shapecast {order}: {', '.join(versions)}")
    functions: dict[str, Function] = {}
    for name in modules:
        functions |= globals()[f"of_{name}"]()
    check(functions)
    print(f"  equal results: {', '.join(functions)}")
    check_errors()
    check_threads(functions)
    check_new_in_threads()
    check_errors()
    x = np.ones(10)
    for function in functions.values():  # compiled code is called while the process ends
        atexit.register(function, x, x)


main()
print("  the end of the process follows", flush=True)
