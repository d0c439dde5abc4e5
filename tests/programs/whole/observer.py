"""Observer pattern: subjects keep callbacks and observer objects, priorities, unsubscribing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Protocol


class Observer(Protocol):
    def update(self, name: str, value: float) -> None: ...


class MovingAverage:
    def __init__(self, window: int):
        self.window = window
        self.values: List[float] = []
        self.averages: List[float] = []

    def update(self, name: str, value: float) -> None:
        self.values.append(value)
        if len(self.values) > self.window:
            self.values.pop(0)
        self.averages.append(sum(self.values) / len(self.values))


class Alarm:
    def __init__(self, low: float, high: float):
        self.low, self.high = low, high
        self.messages: List[str] = []
        self.active = False

    def update(self, name: str, value: float) -> None:
        outside = not self.low <= value <= self.high
        if outside and not self.active:
            self.messages.append(f"{name} alarm at {value:.2f}")
        elif self.active and not outside:
            self.messages.append(f"{name} back to normal")
        self.active = outside


class MinMax:
    def __init__(self):
        self.low = float("inf")
        self.high = float("-inf")

    def update(self, name, value):
        self.low = min(self.low, value)
        self.high = max(self.high, value)


@dataclass
class Subscription:
    priority: int
    observer: Observer


class Sensor:
    def __init__(self, name: str):
        self.name = name
        self._subs: List[Subscription] = []
        self._hooks: List[Callable[[float], None]] = []
        self._value = 0.0

    def attach(self, observer: Observer, priority: int = 0) -> Observer:
        self._subs.append(Subscription(priority, observer))
        self._subs.sort(key=lambda s: -s.priority)
        return observer

    def detach(self, observer: Observer) -> None:
        self._subs = [s for s in self._subs if s.observer is not observer]

    def on_change(self, f: Callable[[float], None]):
        self._hooks.append(f)
        return f

    @property
    def value(self) -> float:
        return self._value

    @value.setter
    def value(self, new: float) -> None:
        if new == self._value:
            return
        self._value = new
        for s in self._subs:
            s.observer.update(self.name, new)
        for hook in self._hooks:
            hook(new)


def main(readings, drop_at):
    sensor = Sensor("boiler")
    avg = sensor.attach(MovingAverage(3))
    alarm = sensor.attach(Alarm(10.0, 30.0), priority=5)
    extremes = sensor.attach(MinMax())
    seen = []
    rising = 0
    last = 0.0

    @sensor.on_change
    def count(v):
        nonlocal rising, last
        rising += v > last
        last = v

    sensor.on_change(seen.append)
    for k, r in enumerate(readings):
        if k == drop_at:
            sensor.detach(avg)
        sensor.value = r
    return avg.averages, alarm.messages, (extremes.low, extremes.high), rising, len(seen)


ARGS = [([12.0, 15.5, 15.5, 31.0, 33.2, 28.0, 9.5, 11.0, 14.0], 6)]
