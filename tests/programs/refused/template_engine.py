"""Mini template engine: {{ expr|filter }}, {% for %}, {% if %} ... {% else %}."""

import re


class TemplateError(Exception):
    def __init__(self, message, line):
        super().__init__(f"line {line}: {message}")
        self.line = line


TOKEN = re.compile(r"({{.*?}}|{%.*?%}|{#.*?#})", re.S)

FILTERS = {
    "upper": str.upper,
    "lower": str.lower,
    "title": lambda s: str(s).title(),
    "length": len,
    "join": lambda xs: ", ".join(str(x) for x in xs),
    "money": lambda v: f"${v:,.2f}",
    "reverse": lambda s: s[::-1],
    "escape": lambda s: str(s).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
    "sum": sum,
}


class Template:
    def __init__(self, source):
        self.tokens = []
        line = 1
        for part in TOKEN.split(source):
            if part:
                self.tokens.append((part, line))
            line += part.count("\n")
        self.pos = 0
        self.nodes, end = self._block(())
        assert end is None

    def _block(self, stops):
        nodes = []
        while self.pos < len(self.tokens):
            text, line = self.tokens[self.pos]
            self.pos += 1
            if text.startswith("{#"):
                continue
            if text.startswith("{{"):
                nodes.append(("expr", text[2:-2].strip(), line))
            elif text.startswith("{%"):
                words = text[2:-2].split()
                if words[0] in stops:
                    return nodes, words[0]
                if words[0] == "for":
                    _, var, _in, *expr = words
                    body, _ = self._block(("endfor",))
                    nodes.append(("for", var, " ".join(expr), body, line))
                elif words[0] == "if":
                    yes, stop = self._block(("else", "endif"))
                    no = self._block(("endif",))[0] if stop == "else" else []
                    nodes.append(("if", words[1:], yes, no, line))
                else:
                    raise TemplateError(f"unknown tag {words[0]!r}", line)
            else:
                nodes.append(("text", text))
        if stops:
            raise TemplateError(f"missing {stops[-1]}", self.tokens[-1][1])
        return nodes, None

    def render(self, **context):
        out = []
        self._render(self.nodes, context, out)
        return "".join(out)

    def _render(self, nodes, ctx, out):
        for node in nodes:
            kind = node[0]
            if kind == "text":
                out.append(node[1])
            elif kind == "expr":
                out.append(str(lookup(node[1], ctx, node[2])))
            elif kind == "if":
                _, cond, yes, no, line = node
                negate = cond[0] == "not"
                value = lookup(cond[-1], ctx, line)
                self._render(yes if bool(value) != negate else no, ctx, out)
            else:
                _, var, expr, body, line = node
                items = list(lookup(expr, ctx, line))
                for i, item in enumerate(items):
                    loop = {"index": i + 1, "first": i == 0, "last": i == len(items) - 1}
                    self._render(body, {**ctx, var: item, "loop": loop}, out)


def lookup(expr, ctx, line):
    path, *filters = [p.strip() for p in expr.split("|")]
    if path.startswith('"'):
        value = path.strip('"')
    else:
        value = ctx
        for name in path.split("."):
            try:
                if isinstance(value, dict):
                    value = value[name]
                elif name.isdigit():
                    value = value[int(name)]
                else:
                    value = getattr(value, name)
            except (KeyError, IndexError, AttributeError):
                raise TemplateError(f"cannot resolve {path!r}", line) from None
        if callable(value):
            value = value()
    for f in filters:
        if f not in FILTERS:
            raise TemplateError(f"no filter {f!r}", line)
        value = FILTERS[f](value)
    return value


class Product:
    def __init__(self, name, price, tags):
        self.name, self.price, self.tags = name, price, tags

    def discounted(self):
        return self.price * 0.9


CONTEXT = {
    "user": {"name": "ada lovelace", "admin": False},
    "products": [
        Product("Tea <green>", 4.5, ["hot", "leaf"]),
        Product("Bun", 1234.5, []),
        Product("Jam", 3, ["sweet"]),
    ],
    "numbers": [3, 1, 2],
}


def main(source):
    try:
        text = Template(source).render(**CONTEXT)
    except TemplateError as e:
        print("template error,", e)
        return ("error", str(e), e.line)
    print(text)
    return text


ARGS = [
    (
        'Hello {{ user.name|title }}!{# comment #} {{ numbers|sum }} {{ "abc"|reverse|upper }} {{ numbers.0 }}',
    ),
    (
        "{% for p in products %}{{ loop.index }}. {{ p.name|escape }} {{ p.discounted|money }}"
        "{% if p.tags %} [{{ p.tags|join }}]{% else %} (untagged){% endif %}{% if not loop.last %}\n{% endif %}{% endfor %}",
    ),
    ("line one\n{% for p in products %}\n{{ p.colour }}{% endfor %}",),
    ("a\n{% if user.admin %}x\n{% for n in numbers %}{{ n }}{% endfor %}",),
]
