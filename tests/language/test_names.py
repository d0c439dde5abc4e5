"""A function may have any name: C's, LLVM's, those of runtime functions, keywords of other
languages.
"""

import cmath
import importlib.util
import math
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from shapecast import jit

C_NAMES = """
abort abs atoi bcmp calloc cbrtf dlopen environ errno exit exp10 expf fabsf fma fmax fmin free
j0 labs llrint lrint main malloc memchr memcmp memcpy memmove memset nearbyint powf printf
pthread_create qsort rint round signal sincos sinf sqrtf strlen tgamma write y0 _start
""".split()
OUR_NAMES = "sc_alloc sc_poll sc_release sc_parallel_loop py f_nest0 nest0 f_loop0 library".split()
WORDS = "auto delete double int namespace new operator register struct template union void".split()
UNUSUAL = ["π", "größe", "变量", "_", "x_" * 200, "llvm_exp", "_ZGVdN4v_exp"]
MATH = [name for m in (math, cmath) for name, f in vars(m).items() if callable(f)]

NAMES = sorted({*C_NAMES, *OUR_NAMES, *WORDS, *UNUSUAL, *MATH} - {"__loader__", "__spec__"})

TEXT = """
import math
import numpy as np
from shapecast import jit

def NAME(x):
    return math.exp(x) + math.sin(x) * math.sqrt(x)

entry = jit(NAME)

@jit
def callee(x):
    y = np.exp(x) + NAME(x[0])
    total = 0.0
    for i in range(len(x)):
        total += NAME(x[i]) + math.exp(x[i]) + math.sin(x[i]) + math.sqrt(x[i])
    z = x.copy()
    z[:] = 0.0
    return y, total, z

class Method:
    def __init__(self):
        self.k = 2.0
    def NAME(self, x):
        return math.exp(x) * self.k
    @jit
    def run(self, x):
        return self.NAME(x) + math.exp(x)
"""
RECURSIVE = """
import math
from shapecast import jit

def NAME(x, n):
    return x if n == 0 else math.exp(x * 0.1) + NAME(x * 0.5, n - 1)

plain = NAME
NAME = jit(NAME)
"""


def make_module(folder: Path, text: str) -> ModuleType:
    path = folder / f"module{len(list(folder.iterdir()))}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def close(a: object, b: object) -> bool:
    return bool(np.allclose(a, b, rtol=1e-13, atol=0))


@pytest.mark.parametrize("name", NAMES)
def test_a_function_may_have_any_name(name: str, tmp_path: Path) -> None:
    module = make_module(tmp_path, TEXT.replace("NAME", name))
    x = np.linspace(0.1, 0.9, 9)
    assert close(module.entry(0.5), getattr(module, name)(0.5))
    for found, wanted in zip(module.callee(x), module.callee.__wrapped__(x)):
        assert close(found, wanted)
    assert close(module.Method().run(0.5), module.Method.run.__wrapped__(module.Method(), 0.5))
    recursive = make_module(tmp_path, RECURSIVE.replace("NAME", name))
    found = getattr(recursive, name)(0.5, 5)
    setattr(recursive, name, recursive.plain)
    assert close(found, recursive.plain(0.5, 5))


def memcpy(x):
    return x.copy()


def memset(x):
    x[:] = 7.0
    return np.zeros(3) + x


def exp(x):
    return np.exp(x)


@pytest.mark.parametrize("f", [memcpy, memset, exp], ids=lambda f: f.__name__)
def test_names_of_c_functions_that_compiled_code_calls(f) -> None:
    assert np.array_equal(jit(f)(np.array([1.0, 2.0, 3.0])), f(np.array([1.0, 2.0, 3.0])))


def f(x):
    return np.cumsum(x) + f_nest0(x)


def f_nest0(x):
    return np.cumsum(x * 2.0) if len(x) > 100 else f_1(x)


def f_1(x):
    return x.max() - x


def test_names_that_the_compiler_derives_do_not_collide() -> None:
    x = np.linspace(0.0, 1.0, 7)
    assert np.array_equal(jit(f)(x), f(x))
