class ConfigError(Exception):
    def __init__(self, lineno, message):
        super().__init__(f"line {lineno}: {message}")
        self.lineno = lineno


def convert(value):
    low = value.lower()
    if low in ("true", "yes", "on"):
        return True
    if low in ("false", "no", "off"):
        return False
    try:
        return int(value)
    except ValueError:
        pass
    try:
        return float(value)
    except ValueError:
        return value


def parse(text):
    config = {}
    section = None
    for lineno, raw in enumerate(text.splitlines(), 1):
        line = raw.split(";")[0].strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise ConfigError(lineno, "missing ]")
            section = line[1:-1].strip()
            config.setdefault(section, {})
            continue
        if "=" not in line:
            raise ConfigError(lineno, f"expected key = value, got {line!r}")
        if section is None:
            raise ConfigError(lineno, "key outside of a section")
        key, value = (p.strip() for p in line.split("=", 1))
        config[section][key] = convert(value)
    return config


def main(text, section, key):
    cfg = parse(text)
    for name, entries in cfg.items():
        print(f"[{name}]")
        for k, v in entries.items():
            print(f"  {k} = {v!r}")
    return cfg, cfg[section].get(key, "missing")


ARGS = [
    (
        "# comment\n[server]\nhost = example.org\nport = 8080\ndebug = yes\n\n[limits]\nrate = 2.5 ; per second\n",
        "server",
        "port",
    ),
    ("[a]\nx = 1\n[b\n", "a", "x"),
]
