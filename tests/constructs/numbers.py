"""Numbers: operators, methods, math, cmath, random and the other modules about them."""

from __future__ import annotations

from constructs.rows import expressions, programs

_KNOWN = {
    "n": 7,
    "m": 3,
    "x": 2.5,
    "y": -0.75,
    "z": 1 + 2j,
    "p": True,
    "big": 2**62,
    "v": [1.5, 2.5, 4.0],
    "w": [3, 1, 2],
    "s": "12",
}

_OPERATORS = """
n + m
n - m
n * m
n / m
n // m
n % m
n ** m
n ** -m
n / 0
n // 0
n % 0
n << m
n >> m
n << -m
n & m
n | m
n ^ m
~n
-n
+n
not n
12345678901234567890 + n
x + n
x - y
x * m
x / y
x // y
x % y
x ** m
y ** 0.5
x / 0.0
x // 0.0
-x
+x
x & n
z + n
z * z
z / x
z ** 2
z // 2
-z
z == z
z < z
p + p
p & p
p | p
p ^ p
~p
-p
p and n
n and x
n or x
not p
n == m
n != m
n < m
n <= m
n > m
n >= m
n == x
n < x
0 < m < n
m < n > 2
n is m
n is None
p is True
n if p else m
n if m > n else x
(n > m) + (m > 1)
0x1F + 0o17 + 0b11 + 1_000
1e3 + n
2j * n
1.5j
n @ m
divmod(n, m)
divmod(-n, m)
divmod(x, m)
divmod(n, 0)
abs(-n)
abs(y)
abs(z)
pow(n, m)
pow(n, m, 5)
pow(n, -1, 5)
pow(x, m)
round(x)
round(x, 1)
round(n)
round(n, -1)
int(x)
int(p)
int(s)
int(s, 16)
int("0x1f", 0)
int(float("nan"))
int(float("inf"))
float(n)
float(s)
float("nan")
float("inf")
complex(n, m)
complex(x)
bool(n)
bool(z)
bin(n)
hex(n)
oct(n)
hash(n)
hash(x)
isinstance(n, int)
isinstance(p, int)
isinstance(x, (int, float))
type(n)
type(x) is float
type(n) == int
min(n, x)
max(n, m, 9)
sum(v)
sum([n, x])
str(n)
repr(x)
"""

_METHODS = """
n.as_integer_ratio()
n.bit_count()
n.bit_length()
n.conjugate()
n.denominator
n.numerator
n.real
n.imag
n.to_bytes()
n.to_bytes(2, "big")
(-n).to_bytes(4, "little", signed=True)
(n * 256).to_bytes(1, "big")
int.from_bytes(b"ab", "big")
int.from_bytes(b"ab")
int.from_bytes([n, m], "little")
int.from_bytes(b"\\xff\\xfe", "little", signed=True)
int.from_bytes(n.to_bytes(8, "little"), "little")
x.as_integer_ratio()
x.conjugate()
float.fromhex("0x1p3")
x.hex()
x.imag
x.is_integer()
x.real
z.conjugate()
z.imag
z.real
p.real
p.bit_count()
p.bit_length()
n.__add__(m)
n.__index__()
x.__trunc__()
int.bit_length(n)
"""

_MATH = """
math.acos(y)
math.acosh(x)
math.asin(y)
math.asinh(x)
math.atan(x)
math.atan2(x, y)
math.atanh(y)
math.cbrt(x)
math.ceil(x)
math.comb(n, m)
math.copysign(x, y)
math.cos(x)
math.cosh(x)
math.degrees(x)
math.dist(v, v)
math.dist((x, y), (y, x))
math.e
math.erf(x)
math.erfc(x)
math.exp(x)
math.exp2(x)
math.expm1(x)
math.fabs(y)
math.factorial(n)
math.floor(x)
math.floor(n)
math.fmod(x, y)
math.frexp(x)
math.fsum(v)
math.gamma(x)
math.gcd(n, m)
math.gcd(n, m, 21)
math.hypot(x, y)
math.hypot(x, y, n)
math.inf
math.isclose(x, y)
math.isclose(x, y, rel_tol=0.1, abs_tol=x)
math.isfinite(x)
math.isinf(x)
math.isnan(x)
math.isqrt(n)
math.lcm(n, m)
math.ldexp(x, m)
math.lgamma(x)
math.log(x)
math.log(x, m)
math.log(y)
math.log10(x)
math.log1p(x)
math.log2(x)
math.modf(x)
math.nan
math.nextafter(x, y)
math.perm(n, m)
math.perm(n)
math.pi
math.pow(x, y)
math.prod(v)
math.prod(w, start=2)
math.radians(x)
math.remainder(x, y)
math.sin(x)
math.sinh(x)
math.sqrt(x)
math.sqrt(y)
math.tan(x)
math.tanh(x)
math.tau
math.trunc(x)
math.ulp(x)
cmath.acos(z)
cmath.acosh(z)
cmath.asin(z)
cmath.asinh(z)
cmath.atan(z)
cmath.atanh(z)
cmath.cos(z)
cmath.cosh(z)
cmath.e
cmath.exp(z)
cmath.inf
cmath.infj
cmath.isclose(z, z)
cmath.isfinite(z)
cmath.isinf(z)
cmath.isnan(z)
cmath.log(z)
cmath.log(z, 2)
cmath.log10(z)
cmath.nan
cmath.nanj
cmath.phase(z)
cmath.pi
cmath.polar(z)
cmath.rect(x, y)
cmath.sin(z)
cmath.sinh(z)
cmath.sqrt(z)
cmath.tan(z)
cmath.tanh(z)
cmath.tau
"""

_RANDOM = """
random.betavariate(x, x)
random.choice(w)
random.choices(w)
random.choices(w, k=m)
random.choices(w, v, k=m)
random.choices(w, weights=v)
random.expovariate(x)
random.gammavariate(x, x)
random.gauss(x, 1.0)
random.gauss()
random.getrandbits(m)
random.getstate()
random.lognormvariate(x, 1.0)
random.normalvariate(x, 1.0)
random.paretovariate(x)
random.randbytes(m)
random.randint(m, n)
random.random()
random.randrange(n)
random.randrange(m, n)
random.randrange(m, n, 2)
random.sample(w, 2)
random.sample(range(n), m)
random.seed(n)
random.setstate(random.getstate())
random.shuffle(w)
random.triangular()
random.triangular(x, n, m)
random.uniform(x, n)
random.vonmisesvariate(x, x)
random.weibullvariate(x, x)
random.Random(n).random()
random.Random("seed").gauss(x, 1)
random.Random(n).sample(w, 2)
random.Random(n).getstate()
random.SystemRandom().random() < 1
"""

_MODULES = """
statistics.mean(v)
statistics.fmean(v)
statistics.median(v)
statistics.median_low(w)
statistics.median_high(w)
statistics.mode(w)
statistics.multimode(w)
statistics.mean(w)
statistics.mean([])
statistics.pvariance(w)
statistics.stdev(w)
statistics.stdev(v, statistics.mean(v))
statistics.stdev(v)
statistics.pstdev(v)
statistics.variance(v)
statistics.pvariance(v)
statistics.quantiles(v)
statistics.harmonic_mean(v)
statistics.geometric_mean(v)
statistics.correlation(v, v)
statistics.NormalDist(0, 1).cdf(x)
fractions.Fraction(n, m)
fractions.Fraction(n, m) + 1
fractions.Fraction(n, m) < 0.5
fractions.Fraction(n, m) ** 2
fractions.Fraction("3/4")
fractions.Fraction(0.1)
fractions.Fraction(n, m).numerator
fractions.Fraction(n, m).limit_denominator(2)
float(fractions.Fraction(n, m))
round(fractions.Fraction(n, m))
math.floor(fractions.Fraction(n, m))
str(fractions.Fraction(n, m))
sum([fractions.Fraction(n, m), fractions.Fraction(1, 3)])
{fractions.Fraction(n, m): 1}
decimal.Decimal(n)
decimal.Decimal("1.5") * n
numbers.Number
isinstance(n, numbers.Number)
sys.maxsize
sys.float_info.epsilon
sys.float_info.max
"""

_PROGRAMS = """
## `n += 1`, `-=`, `*=`, `//=`, `%=`, `**=`
n += 1
n -= 3
n *= m
n //= 2
n %= 5
n **= m
return n
## `x /= n`
x /= n
return x
## `<<=`, `>>=`, `&=`, `|=`, `^=`
n <<= 2
n >>= 1
n &= 13
n |= 2
n ^= m
return n
## `x @= y` (an error)
x @= y
return x
## a variable that is an int, then a float
t = 0
for k in range(m):
    t = t + x
return t
## Fibonacci's numbers in a loop
a, b = 0, 1
for k in range(n):
    a, b = b, a + b
return a
## digits: `while n: n, d = divmod(n, 10)`
n = n * 1234
t = 0
while n:
    n, d = divmod(n, 10)
    t += d
return t
## a global generator: `random.seed`, then draws
random.seed(n)
return random.random(), random.randint(1, 6), random.gauss(0, 1)
## a `random.Random` that the function makes
rng = random.Random(n)
rng.shuffle(w)
state = rng.getstate()
drawn = rng.choices(w, k=m), rng.randint(1, 6), rng.uniform(x, n)
rng.setstate(state)
return w, drawn, rng.random(), rng
## a `random.Random` from outside
r = random.Random(3)

def f(n):
    return r.random() < n, r.randint(0, n) <= n
"""

SECTIONS = {
    "operators and builtins": expressions(_OPERATORS, _KNOWN) + programs(_PROGRAMS, _KNOWN),
    "methods of numbers": expressions(_METHODS, _KNOWN),
    "math and cmath": expressions(_MATH, _KNOWN),
    "random": expressions(_RANDOM, _KNOWN),
    "other modules about numbers": expressions(_MODULES, _KNOWN),
}
