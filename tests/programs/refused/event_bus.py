"""Publish/subscribe with priorities, wildcards, one-shot handlers and history."""

from collections import Counter, defaultdict, namedtuple

Event = namedtuple("Event", "topic payload serial")


class StopPropagation(Exception):
    pass


class EventBus:
    def __init__(self):
        self._handlers = defaultdict(list)
        self._serial = 0
        self.history = []
        self.errors = []

    def on(self, topic, handler, priority=0, once=False):
        entry = [priority, handler, once]
        self._handlers[topic].append(entry)
        self._handlers[topic].sort(key=lambda e: e[0], reverse=True)

        def unsubscribe():
            if entry in self._handlers[topic]:
                self._handlers[topic].remove(entry)
                return True
            return False

        return unsubscribe

    def _matching(self, topic):
        yield from list(self._handlers.get(topic, ()))
        parts = topic.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            yield from list(self._handlers.get(".".join(parts[:cut]) + ".*", ()))
        yield from list(self._handlers.get("*", ()))

    def emit(self, topic, **payload):
        self._serial += 1
        event = Event(topic, payload, self._serial)
        self.history.append(event)
        called = 0
        for entry in self._matching(topic):
            _, handler, once = entry
            try:
                handler(event)
            except StopPropagation:
                break
            except (KeyError, ValueError) as e:
                self.errors.append(f"#{event.serial} {type(e).__name__}: {e}")
            finally:
                called += 1
                if once:
                    for entries in self._handlers.values():
                        if entry in entries:
                            entries.remove(entry)
        return called


class Logger:
    def __init__(self, sink):
        self.sink = sink
        self.counts = Counter()

    def __call__(self, event):
        self.counts[event.topic] += 1
        fields = ", ".join(f"{k}={v}" for k, v in sorted(event.payload.items()))
        self.sink.append(f"{event.serial:03d} {event.topic} [{fields}]")


class Stock:
    def __init__(self, bus, **levels):
        self.bus = bus
        self.levels = levels
        bus.on("order.placed", self.reserve, priority=5)

    def reserve(self, event):
        item, qty = event.payload["item"], event.payload["qty"]
        if qty <= 0:
            raise ValueError(f"bad quantity {qty}")
        left = self.levels[item] - qty
        if left < 0:
            self.bus.emit("order.rejected", item=item, short=-left)
            raise StopPropagation
        self.levels[item] = left
        if left < 2:
            self.bus.emit("stock.low", item=item, left=left)


def main(orders):
    lines = []
    bus = EventBus()
    logger = Logger(lines)
    stock = Stock(bus, apple=5, pear=1)
    totals = {"sold": 0}

    def bill(event):
        totals["sold"] += event.payload["qty"]

    bus.on("*", logger, priority=-10)
    stop_billing = bus.on("order.placed", bill)
    bus.on("stock.*", lambda e: lines.append(f"reorder {e.payload['item']}!"), once=True)
    counts = []
    for i, (item, qty) in enumerate(orders):
        if i == 4:
            stop_billing()
        counts.append(bus.emit("order.placed", item=item, qty=qty))
    for line in lines:
        print(line)
    return {
        "counts": counts,
        "totals": totals,
        "stock": stock.levels,
        "errors": bus.errors,
        "topics": logger.counts.most_common(),
        "history": [(e.serial, e.topic) for e in bus.history],
        "again": stop_billing(),
    }


ARGS = [
    ([("apple", 2), ("pear", 1), ("pear", 1), ("plum", 3)],),
    ([("apple", 0), ("apple", 4), ("apple", 3), ("apple", 1), ("pear", 1), ("fig", 1)],),
]
