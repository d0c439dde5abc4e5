"""Python's `random.Random`, in Python: compiled code makes instances of this class in its place,
and returns a real one (`_to_python`). What becomes of its words is in python_distributions.py.
"""

from __future__ import annotations

import math
import random
import sys
from typing import Any

import numpy as np

from .._callouts import PyFunc
from .._host_info import said
from ..typing import UInt32
from . import python_distributions
from .builtin_classes import Octets
from .primitives import unsupported
from .static_methods import random_bytes_of

_NO_SEED = said(lambda: random.seed([]))  # type: ignore[arg-type]
WORDS = 624
SHIFT = 397
_MASK = 0xFFFFFFFF


class Random:
    """A Mersenne Twister (M. Matsumoto and T. Nishimura, 1998): its words, and how many of them
    have been drawn since they were generated.
    """

    VERSION = 3

    def __init__(self, x: Any = None) -> None:
        self._words = np.empty(WORDS, np.uint32)
        self._drawn = WORDS
        self.gauss_next: Any = None  # gauss() makes two numbers at once
        self.seed(x)

    def _to_python(self) -> Any:
        made = random.Random(0)
        made.setstate(self.getstate()._to_python())
        return made

    def seed(self, a: Any = None, version: Any = 2) -> None:
        if isinstance(a, int):
            seed_with(self._words, a)
        elif isinstance(a, Octets):
            self._words[:] = words_of_text(codes_of(a._text), version, True)
        elif isinstance(a, str):
            self._words[:] = words_of_text(codes_of(a), version, False)
        elif a is None or isinstance(a, float):
            self._words[:] = words_of(a)
        else:
            raise TypeError(_NO_SEED)
        self._drawn = WORDS
        self.gauss_next = None

    def getstate(self) -> Any:
        return State(self._words.copy(), self._drawn, self.gauss_next)

    def setstate(self, state: Any) -> None:
        if not isinstance(state, State):
            unsupported("setstate() of what no getstate() of this function gave is not supported")
        self._words[:] = state.words
        self._drawn = state.drawn
        self.gauss_next = state.gauss_next

    def __copy__(self) -> Any:
        made = Random(0)
        made.setstate(self.getstate())
        return made

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    def _word(self) -> Any:
        if self._drawn >= WORDS:
            generate(self._words)
            self._drawn = 0
        word = self._words[self._drawn]
        self._drawn += 1
        word ^= word >> 11
        word ^= (word << 7) & 0x9D2C5680
        word ^= (word << 15) & 0xEFC60000
        return word ^ (word >> 18)

    def _bits(self, k: Any) -> Any:
        """From 1 to 63."""
        made = 0
        for at in range(0, k, 32):  # with one call of what draws, since each is compiled
            word = int(self._word())
            made |= (word >> max(at + 32 - k, 0)) << at
        return made

    def _randbelow(self, n: Any) -> Any:
        k = n.bit_length()
        while True:
            number = self._bits(k)
            if number < n:
                return number

    def random(self) -> Any:
        high = int(self._word() >> 5)
        low = int(self._word() >> 6)
        return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)

    def _gauss(self) -> Any:
        z = self.gauss_next
        self.gauss_next = None
        if z is not None:
            return z
        angle = self.random() * python_distributions.TWOPI
        radius = math.sqrt(-2.0 * math.log(1.0 - self.random()))
        self.gauss_next = math.sin(angle) * radius
        return math.cos(angle) * radius

    def getrandbits(self, k: Any, /) -> Any:
        return python_distributions.getrandbits(self, k)

    def randbytes(self, n: Any) -> Any:
        return random_bytes_of(self, n)

    def gauss(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        return python_distributions.gauss(self, mu, sigma)

    def randrange(self, start: Any, stop: Any = None, step: Any = 1) -> Any:
        return python_distributions.randrange(self, start, stop, step)

    def randint(self, a: Any, b: Any) -> Any:
        return python_distributions.randint(self, a, b)

    def choice(self, seq: Any) -> Any:
        return python_distributions.choice(self, seq)

    def shuffle(self, x: Any) -> Any:
        return python_distributions.shuffle(self, x)

    def sample(self, population: Any, k: Any, *, counts: Any = None) -> Any:
        return python_distributions.sample(self, population, k, counts)

    def choices(
        self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: Any = 1
    ) -> Any:
        return python_distributions.choices(self, population, weights, cum_weights, k)

    def uniform(self, a: Any, b: Any) -> Any:
        return python_distributions.uniform(self, a, b)

    def triangular(self, low: Any = 0.0, high: Any = 1.0, mode: Any = None) -> Any:
        return python_distributions.triangular(self, low, high, mode)

    def normalvariate(self, mu: Any = 0.0, sigma: Any = 1.0) -> Any:
        return python_distributions.normalvariate(self, mu, sigma)

    def lognormvariate(self, mu: Any, sigma: Any) -> Any:
        return python_distributions.lognormvariate(self, mu, sigma)

    def expovariate(self, lambd: Any = 1.0) -> Any:
        return python_distributions.expovariate(self, lambd)

    def vonmisesvariate(self, mu: Any, kappa: Any) -> Any:
        return python_distributions.vonmisesvariate(self, mu, kappa)

    def gammavariate(self, alpha: Any, beta: Any) -> Any:
        return python_distributions.gammavariate(self, alpha, beta)

    def betavariate(self, alpha: Any, beta: Any) -> Any:
        return python_distributions.betavariate(self, alpha, beta)

    def paretovariate(self, alpha: Any) -> Any:
        return python_distributions.paretovariate(self, alpha)

    def weibullvariate(self, alpha: Any, beta: Any) -> Any:
        return python_distributions.weibullvariate(self, alpha, beta)

    if sys.version_info >= (3, 12):

        def binomialvariate(self, n: Any = 1, p: Any = 0.5) -> Any:
            return python_distributions.binomialvariate(self, n, p)


class State:
    """What getstate() returns: a tuple outside."""

    def __init__(self, words: Any, drawn: int, gauss_next: Any) -> None:
        self.words = words
        self.drawn = drawn
        self.gauss_next = gauss_next

    def _to_python(self) -> Any:
        return Random.VERSION, (*self.words.tolist(), self.drawn), self.gauss_next

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Any:
        return unsupported("the parts of what getstate() returns are not supported")

    def __getitem__(self, index: Any) -> Any:
        return unsupported("the parts of what getstate() returns are not supported")

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, State):
            return NotImplemented
        same = self.drawn == other.drawn and self.gauss_next == other.gauss_next
        return same and bool((self.words == other.words).all())


def generate(words: Any) -> None:
    """The next ones, of the last."""
    for k in range(WORDS):
        joined = (words[k] & 0x80000000) | (words[(k + 1) % WORDS] & 0x7FFFFFFF)
        words[k] = words[(k + SHIFT) % WORDS] ^ (joined >> 1) ^ (joined & 1) * np.uint32(0x9908B0DF)


def seed_with(words: Any, seed: int) -> None:
    """The words after seed(seed): those of the key that the absolute value is, in words."""
    key = np.array([seed >> 32 * k & _MASK for k in range(4)])
    if seed < 0:
        carry = 1
        for k in range(4):
            carry += int(key[k]) ^ _MASK
            key[k] = carry & _MASK
            carry >>= 32
    last = 0
    for k in range(4):
        last = k if key[k] != 0 else last
    start(words, 19650218)
    at = 1
    place = 0
    for _ in range(WORDS):
        mixed = scrambled(words, at) * 1664525 & _MASK
        words[at] = ((int(words[at]) ^ mixed) + int(key[place]) + place) & _MASK
        at = following(words, at)
        place = place + 1 if place < last else 0
    for _ in range(WORDS - 1):
        mixed = scrambled(words, at) * 1566083941 & _MASK
        words[at] = ((int(words[at]) ^ mixed) - at) & _MASK
        at = following(words, at)
    words[0] = 0x80000000


def start(words: Any, seed: int) -> None:
    word = seed
    for k in range(WORDS):
        words[k] = word
        word = (1812433253 * (word ^ (word >> 30)) + k + 1) & _MASK


def scrambled(words: Any, at: int) -> Any:
    """The word before it."""
    word = int(words[at - 1])
    return word ^ (word >> 30)


def following(words: Any, at: int) -> int:
    if at + 1 < WORDS:
        return at + 1
    words[0] = words[WORDS - 1]
    return 1


#  Seeds that are no ints: Python finds their words, by hashing, or asks the system for them


def codes_of(text: Any) -> Any:
    codes = np.empty(len(text), np.int64)
    for k in range(len(text)):
        codes[k] = ord(text[k])
    return codes


def in_python(seed: Any, version: int = 2) -> Any:
    made = random.Random(0)
    made.seed(seed, version)
    return np.array(made.getstate()[1][:WORDS], np.uint32)


def text_in_python(codes: Any, version: int, is_bytes: bool) -> Any:
    text = "".join(map(chr, codes.tolist()))
    return in_python(text.encode("latin-1") if is_bytes else text, version)


words_of = PyFunc(in_python, UInt32["words"])
words_of_text = PyFunc(text_in_python, UInt32["words"])
REPLACED: dict[Any, type] = {random.Random: Random}
