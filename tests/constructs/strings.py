"""Strings, bytes and formatting."""

from __future__ import annotations

from constructs.rows import after, expressions, programs

_KNOWN = {
    "s": " Ab,cd e\n",
    "t": "Ab",
    "u": ",",
    "w": "12",
    "n": 3,
    "x": 2.5,
    "z": 1 + 2j,
    "words": ["Ab", "cd", "ef"],
    "table": {97: "x", 65: None, 98: 100},
    "named": {"k": 3, "m": "a"},
}

_METHODS = """
s.capitalize()
s.casefold()
t.center(n)
t.center(n + 6)
t.center(n + 6, u)
s.count(t)
s.count(t, 1)
s.count(t, 1, n)
s.encode()
s.encode("ascii")
s.encode("latin-1", "ignore")
s.endswith(t)
s.endswith((t, u))
s.endswith(t, 1)
s.endswith(t, 1, n)
s.expandtabs()
s.expandtabs(n)
s.find(t)
s.find(t, n)
s.find(t, -n, -1)
"{} {}".format(s, n)
"{0}{1:>5}{0!r}".format(t, n)
"{k:.2f}".format(k=x)
"{0[1]} {0.real}".format(words)
"{k}".format(**named)
t.format(n)
"{k} {m}".format_map(named)
s.index(t)
s.index(t, 1)
s.index(t, 1, n)
s.index("zz")
t.isalnum()
t.isalpha()
t.isascii()
t.isdecimal()
t.isdigit()
t.isidentifier()
t.islower()
t.isnumeric()
t.isprintable()
t.isspace()
t.istitle()
t.isupper()
u.join(words)
u.join(s)
u.join((s, t))
u.join([str(k) for k in range(n)])
u.join(str(k) for k in range(n))
t.ljust(n + 6)
t.ljust(n + 6, u)
s.lower()
s.lstrip()
s.lstrip(t)
str.maketrans("ab", "xy")
str.maketrans("ab", "xy", "z")
str.maketrans({"a": "x"})
s.partition(u)
s.partition(t)
s.removeprefix(" A")
s.removeprefix(t)
s.removesuffix(t)
s.replace(t, u)
s.replace(t, u, 1)
s.replace("", u)
s.rfind(t)
s.rfind(t, 1)
s.rfind(t, 1, n)
s.rindex(t)
s.rindex(t, 1)
s.rindex(t, 1, n)
t.rjust(n + 6)
t.rjust(n + 6, u)
s.rpartition(u)
s.rsplit()
s.rsplit(u)
s.rsplit(u, 1)
s.rsplit(None, 1)
s.rstrip()
s.rstrip(t)
s.split()
s.split(u)
s.split(u, 1)
s.split(None, 1)
s.split(maxsplit=1)
s.split(sep=u, maxsplit=1)
s.split("")
s.splitlines()
s.splitlines(True)
s.splitlines(keepends=True)
s.startswith(t)
s.startswith((t, u))
s.startswith(t, 1)
s.startswith(t, 1, n)
s.strip()
s.strip(t)
s.strip(None)
s.swapcase()
s.title()
s.translate(table)
s.translate({97: "x", 65: None})
s.translate(str.maketrans("ab", "xy"))
s.translate(str.maketrans("", "", "b "))
s.translate(str.maketrans({"a": "xx", "b": None}))
s.translate({ord(c): None for c in t})
s.upper()
t.zfill(n + 6)
w.zfill(n + 6)
"""

_OPERATIONS = """
s + t
s + t + u
t * n
n * t
t * 0
s[1]
s[n]
s[-1]
s[100]
s[1:n]
s[::-1]
s[::2]
s[-n:]
s[n:1:-1]
len(s)
t in s
t not in s
s == t
s != t
s < t
s <= t
s > t
s >= t
s is s
t is None
not t
bool(t)
t and u
t or u
[c for c in t]
[c + u for c in t]
{c for c in t}
{c: ord(c) for c in t}
list(t)
set(t)
sorted(s)
reversed(t)
list(reversed(t))
list(enumerate(t))
list(zip(t, s))
"".join(reversed(t))
max(s)
min(s)
max(s, t)
min(words, key=len)
any(c == u for c in s)
all(c.isalpha() for c in t)
sum(c.isalpha() for c in s)
str(s)
str(n)
str(x)
str(z)
str(n > 2)
str(None)
str((n, t))
str([n, t])
str(words)
str(named)
str(b"ab", "ascii")
repr(s)
repr(x)
repr(n)
repr(words)
ascii(s)
ascii(n)
format(n, "05d")
format(x, ".3e")
format(t, ">6")
int(w)
int(w, 8)
int(t)
float(w)
float(t)
complex(w)
bool(w)
ord(u)
ord(s)
chr(n + 64)
chr(-n)
hash(s)
hash(s) == hash(s)
id(s) == id(s)
eval(w)
isinstance(s, str)
type(s)
type(s) is str
s.__len__()
s.__add__(t)
s.__contains__(t)
s.__eq__(t)
s.__getitem__(n)
s.__iter__()
s.__class__
s.__doc__
s.missing
s + n
s * x
s == n
n in s
"a" "b" + s
r"\\n" + s
"\\u00e9" + s
"é漢😀" + s
(s + "é漢😀")[-1]
len(s + "😀")
words[n % 3]
words.index("cd")
t in words
sorted(words)
u.join(sorted(words, key=lambda v: v[-1]))
[v.upper() for v in words]
{v: len(v) for v in words}
[v for v in s.split() if v]
str.upper(s)
str.join(u, words)
list(map(str.upper, words))
list(map(str, range(n)))
list(map(ord, t))
sorted(words, key=str.lower)
s.upper().lower().strip()
"abc".find(t)
"x" in t
"""

_PROGRAMS = r"""
## `for c in s`
out = ""
for c in s:
    if c != u:
        out = c + out
return out
## `s += c` in a loop
out = ""
for k in range(n):
    out += t
return out, len(out)
## `a, b = s.split(u)`
a, b = s.split(u)
return b, a
## `a, b = t`
a, b = t
return b, a
## `a, *b = s`
a, *b = s
return a, b
## `for i, c in enumerate(s)`
found = []
for i, c in enumerate(s):
    if c.isalpha():
        found.append((i, c))
return found
## `while i < len(s)`
i = 0
total = 0
while i < len(s):
    if "a" <= s[i] <= "z":
        total += ord(s[i]) - ord("a")
    i += 1
return total
## `s[1] = u` (an error)
s[1] = u
return s
## `del s[1]` (an error)
del s[1]
return s
## a string that is one of several
out = "low"
if n > 2:
    out = t
return out.upper(), out
## a string or None
out = None
for c in s:
    if c == "d":
        out = c
return out, out is None
## a string or a number
out = 0
if n > 2:
    out = t
return out
## `words.append(s)`
words.append(s)
return words
## `words.sort()`
words.sort(reverse=True)
return words
## `class S(str)`
class S(str):
    def twice(self):
        return self + self

def f(t):
    return S(t).twice()
## `iter(s)`, `next`
it = iter(s)
return next(it), next(it), list(it)
"""

_FORMATTING = """
f"{n}"
f"{s}{t}"
f"{s!r}"
f"{s!s}"
f"{s!a}"
f"{n=}"
f"{x=:.2f}"
f"{n:5d}|{n:<5}|{n:^5}|{n:+}"
f"{n:x}{n:X}{n:o}{n:b}{n:#x}{n:#b}"
f"{n:05}"
f"{n * 10000:,}"
f"{n * 10000:_}"
f"{n:c}"
f"{n:n}"
f"{n:e}"
f"{x:.3f}"
f"{x:8.3f}|{x:<8.1f}|{x:+.2f}"
f"{x:e}{x:.2E}{x:g}{x:G}"
f"{x:%}"
f"{x:.0%}"
f"{x:,.2f}"
f"{x:.{n}f}"
f"{t:>{n + 5}}"
f"{t:*^9}"
f"{t:.1}"
f"{z}"
f"{z:.2f}"
f"{n > 2}"
f"{None}"
f"{(n, t)}"
f"{[n, x]}"
f"{words}"
f"{named}"
f"{words[0]!r:>8}"
f"{named['k']}"
f"{{}}{n}"
f"{n:z}"
f"{t:d}"
f"{x:d}"
"%d" % n
"%5d|%-5d|%05d" % (n, n, n)
"%x %o %X" % (n, n, n)
"%.2f %e %g" % (x, x, x)
"%s and %r" % (t, t)
"%s" % t
"%s" % (t,)
"%s" % n
"%s" % words
"%c%c" % (n + 64, u)
"%%%d" % n
"%*d" % (n + 2, n)
"%(k)d" % named
"%d" % x
"%d" % t
"%d %d" % (n,)
t % n
len(f"{x:.2f}")
f"{x:.2f}"[0]
[c for c in f"{n:05d}"]
f"{n:3}" + f"{x:6.1f}"
f"{n}" == "3"
{f"{n}": x}
len(str(x))
str(n)[0]
("%d" % n)[0]
"{:.2f}".format(x)[0]
repr(x)[0]
repr(s)[0]
int(str(n)) + 1
float(f"{x:.1f}")
"""

_MODULES = """
string.ascii_letters
string.ascii_lowercase
string.ascii_uppercase
string.digits
string.hexdigits
string.octdigits
string.punctuation
string.printable
string.whitespace
t[0] in string.ascii_letters
string.digits.index(w[0])
string.capwords(s)
string.Template("$k").substitute({"k": n})
string.Formatter().format("{}", n)
re.match("[a-z]+", s)
re.match("A", t).group()
re.search("b", s) is None
re.search("b", s).start()
re.fullmatch("..", t) is not None
re.findall("[a-z]", s)
re.sub("b", "x", s)
re.split(",", s)
re.compile("b").sub("x", s)
re.escape(s)
[m.start() for m in re.finditer("b", s)]
re.findall("(.)(.)", s)
re.findall("[A-Z]", s, re.I | re.M)
re.sub("(.)b", r"<\\1>", s)
re.sub("b", lambda m: m.group().upper(), s)
re.subn("b", "x", s)
re.compile("b").search(s, 1)
re.search("(?P<k>b)(c)?", s).groupdict()
re.search("(b)(c)?", s).groups("-")
re.search("(b)", s).span(1)
re.search("(?P<k>b)", s).lastgroup
re.search("b", s)["zz"]
re.search("b", s).expand("<b>")
re.compile(s).findall(t)
re.compile("(")
re.findall(b"b", s.encode())
re.compile("(?P<k>b)").groupindex
textwrap.dedent(s)
textwrap.wrap(s, 5)
textwrap.fill(s, 5)
textwrap.indent(s, "  ")
unicodedata.name(u)
unicodedata.category(u)
difflib.get_close_matches(t, words)
html.escape(s)
json.dumps(named)
json.dumps(words)
json.loads("[1, 2]")
fnmatch.fnmatch(t, "A*")
shlex.split("a 'b c'")
"""

_BYTES = {
    "b": b" Ab,cd 1",
    "c": b"Ab",
    "a": bytearray(b"Ab,cd"),
    "n": 2,
    "s": "Ab",
    "ints": [65, 66],
}

_BYTES_METHODS = """
b.capitalize()
c.center(n + 5)
b.count(c)
b.decode()
b.decode("latin-1")
b.endswith(c)
b.expandtabs()
b.find(c)
bytes.fromhex("4142")
b.hex()
b.index(c)
c.isalnum()
c.isalpha()
c.isascii()
c.isdigit()
c.islower()
c.isspace()
c.istitle()
c.isupper()
c.join([b, b])
c.ljust(n + 5)
b.lower()
b.lstrip()
bytes.maketrans(b"ab", b"xy")
b.partition(c)
b.removeprefix(c)
b.removesuffix(c)
b.replace(c, b"x")
b.rfind(c)
b.rindex(c)
c.rjust(n + 5)
b.rpartition(c)
b.rsplit()
b.rstrip()
b.split()
b.split(b",")
b.splitlines()
b.startswith(c)
b.strip()
b.swapcase()
b.title()
b.translate(None, b"A")
b.translate(bytes.maketrans(b"Ab", b"xy"))
b.upper()
c.zfill(n + 5)
"""

_BYTES_OPERATIONS = """
b"ab"
b"ab" + c
b + c
c * n
b[0]
b[n]
b[1:n]
b[::-1]
len(b)
c in b
65 in b
b == c
b < c
not b
[k for k in b]
list(b)
tuple(b)
sum(b)
max(b)
sorted(b)
bytes(n)
bytes(ints)
bytes(s, "ascii")
s.encode()
hash(b)
int(b[-1:])
b"%d" % n
np.frombuffer(b, np.uint8)
isinstance(b, bytes)
int.from_bytes(c, "big")
n.to_bytes(2, "big")
bytearray(n)
bytearray(c)
bytearray(c) + b
memoryview(c)
memoryview(c)[0]
a.append(n)
a.clear()
a.copy()
a.extend(c)
a.insert(0, n)
a.pop()
a.remove(65)
a.reverse()
a.upper()
a[0]
len(a)
a + c
memoryview(c).tobytes()
memoryview(c).tolist()
struct.pack("<i", n)
struct.unpack("<h", c)
hashlib.md5(b).hexdigest()
base64.b64encode(b)
zlib.crc32(b)
"""

_BYTES_PROGRAMS = """
## `for k in b`
total = 0
for k in b:
    total += k
return total
## `a[0] = n` of a bytearray
a[0] = n
return a
## `del a[0]`
del a[0]
return a
## `a += c`
a += c
return a
"""

_MADE = {"m": "m = bytearray(b)", "z": "z = bytearray(n)"}

_BYTEARRAYS = """
bytearray()
bytearray(ints)
bytearray(s, "ascii")
bytearray(k for k in ints)
bytearray(range(n))
bytearray(b"\\x01") * n
m[n]
m[-1]
m[100]
m[1:n]
m[::-1]
m[::n]
len(m)
m + b
b + m
m * n
m == b
m < b
m == z
not m
b in m
65 in m
[k for k in m]
list(m)
sum(m)
max(m)
sorted(m)
bytes(m)
m.append(n)
m.append(256)
m.capitalize()
m.clear()
m.copy()
m.count(65)
m.count(c)
m.decode()
m.endswith(c)
m.extend(c)
m.extend(ints)
m.find(c)
m.find(65, 1)
bytearray.fromhex("4142")
m.hex()
m.index(c)
m.insert(1, n)
m.isalpha()
m.join([b, c])
m.lower()
m.partition(c)
m.pop()
m.pop(0)
m.remove(65)
m.replace(c, b"x")
m.reverse()
m.rfind(c)
m.split()
m.startswith(c)
m.strip()
m.upper()
m.zfill(n)
hash(m)
repr(m)
isinstance(m, bytearray)
isinstance(m, (bytes, bytearray))
"""

_BYTEARRAY_PROGRAMS = """
## `m[0] = n`
m = bytearray(b)
m[0] = n
return m
## `m[0] += n`
m = bytearray(b)
m[0] += n
return m
## `m[0] = 256`
m = bytearray(b)
m[0] = 256
return m
## `m[1:3] = c`
m = bytearray(b)
m[1:3] = c
return m
## `m[::n] = c * n`
m = bytearray(b)
m[::n] = c * n
return m
## `del m[0]`
m = bytearray(b)
del m[0]
return m
## `del m[1::n]`
m = bytearray(b)
del m[1::n]
return m
## `m += c`
m = bytearray(b)
m += c
return m
## `m *= n`
m = bytearray(b)
m *= n
return m
## `for k in m`
total = 0
for k in bytearray(b):
    total += k
return total
## a sieve
flags = bytearray(b"\\x01") * 50
for k in range(n, 8):
    if flags[k]:
        flags[k * k :: k] = bytes(len(range(k * k, 50, k)))
return sum(flags)
"""


SECTIONS = {
    "methods of str": expressions(_METHODS, _KNOWN),
    "operations with strings": expressions(_OPERATIONS, _KNOWN) + programs(_PROGRAMS, _KNOWN),
    "formatting": expressions(_FORMATTING, _KNOWN),
    "modules about texts": expressions(_MODULES, _KNOWN),
    "bytes": [
        *expressions(_BYTES_METHODS, _BYTES),
        *expressions(_BYTES_OPERATIONS, _BYTES),
        *programs(_BYTES_PROGRAMS, _BYTES),
    ],
    "bytearrays that the function makes": [
        *after(_MADE, _BYTEARRAYS, _BYTES),
        *programs(_BYTEARRAY_PROGRAMS, _BYTES),
    ],
}
