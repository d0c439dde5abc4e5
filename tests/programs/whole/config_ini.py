"""INI/TOML-like config parser with typed values, sections, interpolation, validation errors collected."""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass
from typing import Union

Value = Union[int, float, bool, str, list]
SECTION = re.compile(r"\[(?P<name>[\w.]+)\]$")
PAIR = re.compile(r"(?P<key>\w+)\s*(?:=|:)\s*(?P<value>.*)$")


class ConfigError(Exception):
    def __init__(self, line: int, message: str) -> None:
        super().__init__(line, message)
        self.line = line
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class DuplicateKey(ConfigError):
    pass


def kind(text: str) -> str:
    if re.fullmatch(r"[+-]?\d+", text):
        return "int"
    if re.fullmatch(r"[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?", text):
        return "float"
    if text.lower() in ("yes", "no", "true", "false", "on", "off"):
        return "bool"
    if text.startswith("[") and text.endswith("]"):
        return "list"
    return "str"


@dataclass
class Section:
    name: str
    values: dict[str, str]

    def get_int(self, key: str, default: int = 0) -> int:
        raw = self.values.get(key)
        return default if raw is None else int(raw)

    def get_float(self, key: str, default: float = 0.0) -> float:
        return float(self.values.get(key, default))

    def get_bool(self, key: str) -> bool:
        return self.values.get(key, "no").lower() in {"yes", "true", "on"}

    def get_list(self, key: str) -> list[str]:
        raw = self.values[key].strip("[]")
        return [part.strip().strip('"') for part in raw.split(",") if part.strip()]

    def __getitem__(self, key):
        return self.values[key]

    def __contains__(self, key):
        return key in self.values


class Config:
    def __init__(self):
        self.sections: OrderedDict[str, Section] = OrderedDict()
        self.errors: list[str] = []

    def section(self, name):
        if name not in self.sections:
            self.sections[name] = Section(name, {})
        return self.sections[name]

    def load(self, text: str, *, strict: bool = True) -> Config:
        cur = self.section("DEFAULT")
        pending = ""
        for no, raw in enumerate(text.splitlines(), 1):
            line = pending + raw.split("#", 1)[0].strip()
            pending = ""
            if line.endswith("\\"):
                pending = line[:-1].rstrip() + " "
                continue
            if not line:
                continue
            try:
                if m := SECTION.match(line):
                    cur = self.section(m["name"])
                elif m := PAIR.match(line):
                    key = m.group("key").lower()
                    if key in cur:
                        raise DuplicateKey(no, f"duplicate key {key!r} in [{cur.name}]")
                    cur.values[key] = self.expand(m.group("value").strip(), cur, no)
                else:
                    raise ConfigError(no, f"cannot parse {line!r}")
            except DuplicateKey:
                if strict:
                    raise
                self.errors.append("duplicate ignored")
            except ConfigError as e:
                self.errors.append(str(e))
        return self

    def expand(self, value: str, cur: Section, no: int) -> str:
        def sub(m):
            name = m.group(1)
            for s in (cur, self.sections["DEFAULT"]):
                if name in s:
                    return s[name]
            raise ConfigError(no, f"unknown ${{{name}}}")

        return re.sub(r"\$\{(\w+)\}", sub, value)

    def dump(self) -> str:
        lines = []
        for name, sec in self.sections.items():
            lines.append(f"[{name}]")
            lines.extend(f"{k} = {v}  # {kind(v)}" for k, v in sorted(sec.values.items()))
        return "\n".join(lines)


def main(text, other):
    cfg = Config().load(text)
    print(cfg.dump())
    s = cfg.section("server")
    res = (
        s.get_int("port"),
        s.get_int("nope", 7),
        s.get_float("timeout"),
        s.get_bool("debug"),
        s.get_list("hosts"),
    )
    out = []
    for strict in (True, False):
        try:
            c = Config().load(other, strict=strict)
            out.append((len(c.sections), len(c.errors), ""))
        except ConfigError as e:
            out.append((e.line, -1, f"{type(e).__name__}: {e} / {e.message} {e.args!r}"))
    try:
        s["missing"]
    except KeyError as e:
        out.append((0, 0, repr(e)))
    return res, cfg.errors, list(cfg.sections), out


ARGS = [
    (
        'root = /srv   # base\n[server]\nPort: 8080\ntimeout=2.5\ndebug = Yes\nhosts = ["a", "b", c]\npath = ${root}/www \\\n  more\nbad line\nurl = ${nope}\n[client.x]\nretries=3',
        "[a]\nx=1\nx=2\n",
    )
]
