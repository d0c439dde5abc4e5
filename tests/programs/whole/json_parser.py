"""A small JSON parser and pretty printer, written from scratch."""


class JSONError(ValueError):
    def __init__(self, message, pos, line):
        super().__init__(f"{message} at line {line} (offset {pos})")
        self.message = message
        self.pos = pos
        self.line = line


class Parser:
    ESCAPES = {
        '"': '"',
        "\\": "\\",
        "/": "/",
        "b": "\b",
        "f": "\f",
        "n": "\n",
        "r": "\r",
        "t": "\t",
    }

    def __init__(self, text):
        self.text = text
        self.i = 0

    def fail(self, message):
        line = self.text.count("\n", 0, self.i) + 1
        raise JSONError(message, self.i, line)

    def skip(self):
        while self.i < len(self.text) and self.text[self.i] in " \t\r\n":
            self.i += 1

    def peek(self):
        self.skip()
        if self.i >= len(self.text):
            self.fail("unexpected end of input")
        return self.text[self.i]

    def accept(self, ch):
        if self.peek() == ch:
            self.i += 1
            return True
        return False

    def expect(self, ch):
        if not self.accept(ch):
            self.fail(f"expected {ch!r} but found {self.text[self.i]!r}")

    def parse(self):
        value = self.value()
        if self.text[self.i :].strip():
            self.fail("trailing data")
        return value

    def value(self):
        ch = self.peek()
        if ch == "{":
            return self.object()
        if ch == "[":
            return self.array()
        if ch == '"':
            return self.string()
        if ch == "-" or ch.isdigit():
            return self.number()
        for word, val in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.i):
                self.i += len(word)
                return val
        self.fail("unexpected character " + repr(ch))

    def object(self):
        self.expect("{")
        out = {}
        if self.accept("}"):
            return out
        while True:
            key = self.string()
            self.expect(":")
            out[key] = self.value()
            if not self.accept(","):
                self.expect("}")
                return out

    def array(self):
        self.expect("[")
        out = []
        if not self.accept("]"):
            out.append(self.value())
            while self.accept(","):
                out.append(self.value())
            self.expect("]")
        return out

    def string(self):
        self.expect('"')
        parts = []
        while True:
            if self.i >= len(self.text):
                self.fail("unterminated string")
            ch = self.text[self.i]
            self.i += 1
            if ch == '"':
                return "".join(parts)
            if ch == "\\":
                esc = self.text[self.i]
                self.i += 1
                if esc == "u":
                    parts.append(chr(int(self.text[self.i : self.i + 4], 16)))
                    self.i += 4
                elif esc in self.ESCAPES:
                    parts.append(self.ESCAPES[esc])
                else:
                    self.fail(f"bad escape \\{esc}")
            else:
                parts.append(ch)

    def number(self):
        start = self.i
        while self.i < len(self.text) and self.text[self.i] in "+-0123456789.eE":
            self.i += 1
        token = self.text[start : self.i]
        return float(token) if any(c in token for c in ".eE") else int(token)


def dump(value, indent=0):
    pad = "  " * indent
    if isinstance(value, dict) and value:
        rows = [f'{pad}  "{k}": {dump(v, indent + 1)}' for k, v in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + pad + "}"
    if isinstance(value, list):
        return "[" + ", ".join(dump(v, indent + 1) for v in value) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    return str(value)


def main(text):
    try:
        doc = Parser(text).parse()
    except JSONError as e:
        print("error:", e)
        return ("error", e.message, e.pos, e.line)
    out = dump(doc)
    print(out)
    return (doc, Parser(out).parse() == doc)


ARGS = [
    (
        '{"name": "Ada", "tags": ["x", "y\\n", "\\u00e9"], "age": 36, "pi": 3.14e0, "ok": true, "none": null}',
    ),
    ('[1, -2, 3.5, {"a": {"b": []}}, {}, false]',),
    ('{"a": 1,\n "b": [1, 2\n "c": 3}',),
    ('{"a": tru}',),
]
