"""Publish-subscribe with wildcard topics, message dataclasses, middleware and statistics."""

from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field
from functools import wraps
from itertools import count


@dataclass
class Message:
    topic: str
    payload: dict
    id: int = field(default_factory=count(1).__next__)


def counted(f):
    calls = Counter()

    @wraps(f)
    def wrapper(self, *args, **kwargs):
        calls[f.__name__] += 1
        return f(self, *args, **kwargs)

    wrapper.calls = calls
    return wrapper


def matches(pattern, topic):
    p, t = pattern.split("."), topic.split(".")
    for i, part in enumerate(p):
        if part == "#":
            return True
        if i >= len(t) or part not in ("*", t[i]):
            return False
    return len(p) == len(t)


class Broker:
    def __init__(self):
        self.handlers = defaultdict(list)
        self.middleware = []
        self.dead = []
        self.retained = OrderedDict()

    def subscribe(self, pattern, handler):
        self.handlers[pattern].append(handler)
        for topic, message in self.retained.items():
            if matches(pattern, topic):
                handler(message)

    def use(self, step):
        self.middleware.append(step)

    def publish(self, topic, retain=False, **payload):
        message = Message(topic, payload)
        for step in self.middleware:
            message = step(message)
            if message is None:
                return 0
        if retain:
            self.retained[topic] = message
        delivered = 0
        for pattern, handlers in self.handlers.items():
            if matches(pattern, topic):
                for handler in handlers:
                    handler(message)
                    delivered += 1
        if not delivered:
            self.dead.append(message)
        return delivered


class Recorder:
    def __init__(self, name):
        self.name = name
        self.lines = []

    def __call__(self, message):
        body = ",".join(f"{k}={v}" for k, v in sorted(message.payload.items()))
        self.lines.append(f"{self.name}:{message.topic}({body})")


def drop_negative(message):
    return None if message.payload.get("value", 0) < 0 else message


def main(feed):
    broker = Broker()
    all_temps, kitchen, everything = Recorder("t"), Recorder("k"), []
    broker.use(drop_negative)
    broker.subscribe("home.*.temp", all_temps)
    broker.subscribe("home.kitchen.#", kitchen)
    delivered = [broker.publish(topic, retain=value > 20, value=value) for topic, value in feed]
    broker.subscribe("#", lambda m: everything.append(m.topic))
    return delivered, all_temps.lines, kitchen.lines, everything, [m.topic for m in broker.dead]


ARGS = [
    (
        [
            ("home.kitchen.temp", 21),
            ("home.hall.temp", 18),
            ("home.kitchen.light", 1),
            ("garden.temp", 25),
            ("home.attic.temp", -3),
            ("home.kitchen.fan.speed", 3),
        ],
    )
]
