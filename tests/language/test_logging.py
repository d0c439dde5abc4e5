"""Logging from compiled code: the same records as plain Python's, from the same lines."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import shapecast
from support.compare import case_id

log = logging.getLogger("shapecast.tests.logging")
other = logging.getLogger("shapecast.tests.other")


class RecordingHandler(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[Any] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(
            (record.name, record.levelname, record.getMessage(), record.pathname, record.lineno,
             record.funcName, record.module, getattr(record, "run", None))
        )  # fmt: skip


@pytest.fixture
def handler() -> Iterator[RecordingHandler]:
    keeps = RecordingHandler()
    root = logging.getLogger()
    root.addHandler(keeps)
    level = root.level
    root.setLevel(logging.DEBUG)
    yield keeps
    root.removeHandler(keeps)
    root.setLevel(level)


class Model:
    def __init__(self) -> None:
        self.log = logging.getLogger("shapecast.tests.model")
        self.k = 2.0

    def step(self, x: float) -> float:
        self.log.info("step %s", x)
        return self.k * x


def module_functions(x):
    logging.debug("debug %s", x)
    logging.info("info %d of %s", 3, "many")
    logging.warning("warning")
    logging.error("error %.3f", x)
    logging.critical("critical %r", x)
    logging.log(logging.INFO, "log %s", x)
    logging.log(17, f"f-string {x:.2f}")
    return x


def of_a_logger(x):
    log.debug("debug %s", x)
    if x > 1:
        log.info("more: %s", x)
    for i in range(2):
        log.warning("iteration %d", i)
    log.error("%s and %s", x, (1, 2.5))
    return x


def with_arrays(x):
    a = np.arange(3.0) * x
    log.info("array %s of %s", a, a.shape)
    log.info("sum %.3f", a.sum())
    return a


def of_a_level(x):
    if log.isEnabledFor(logging.DEBUG):
        log.debug("enabled")
    return log.isEnabledFor(5)


def from_a_handler(x):
    try:
        return 1 / (x - x)
    except ZeroDivisionError as error:
        log.error("failed: %r", error)
        return -1.0


def callee(x):
    other.info("callee of %s", x)
    return x + 1


def from_callees(x):
    inner = lambda y: y * 2
    return inner(callee(x)) + callee(2 * x)


def of_an_object(model, x):
    return model.step(x)


def higher_up(x):
    log.info("seen from the caller", stacklevel=2)
    log.info("without", exc_info=False)
    return x


def chosen(x):
    logger = logging.getLogger("shapecast.tests.chosen")
    logger.info("chosen")
    return x


def default_name(x, logger=log):
    logger.info("of a parameter")
    return x


def chosen_by_module(x):
    if x > 0:
        logging.getLogger(__name__).info("of the module")
    logging.getLogger().info("root")
    return x


def inside_methods(model, x):
    def inner(y):
        model.log.info("in a function inside: %s", y)
        return y

    return sum([inner(x), *map(lambda y: y + inner(y), [1.0, 2.0])])


FUNCTIONS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (module_functions, (1.5,)),
    (of_a_logger, (1.5,)),
    (of_a_logger, (np.float32(0.5),)),
    (of_a_logger, (3,)),
    (with_arrays, (2.0,)),
    (of_a_level, (1.0,)),
    (from_a_handler, (1.0,)),
    (from_callees, (1.0,)),
    (of_an_object, (Model(), 1.0)),
    (higher_up, (1.0,)),
    (default_name, (1.0,)),
    (chosen, (1.0,)),
    (chosen_by_module, (1.0,)),
    (inside_methods, (Model(), 1.0)),
]


@pytest.mark.parametrize(("function", "arguments"), FUNCTIONS, ids=case_id)
def test_records_are_those_of_plain_python(
    handler: RecordingHandler, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> None:

    def results(f: Callable[..., Any]) -> Any:
        handler.records.clear()
        value = f(*arguments)
        return value, list(handler.records)

    wanted, records = results(function)
    jitted = shapecast.jit(function)
    for _ in range(2):
        value, found = results(jitted)
        assert found == records
        np.testing.assert_equal(value, wanted)


def test_levels_are_read_at_each_call(handler: RecordingHandler) -> None:
    jitted = shapecast.jit(of_a_level)
    assert jitted(1.0) is False
    log.setLevel(3)
    try:
        assert jitted(1.0) is True
    finally:
        log.setLevel(logging.NOTSET)


def test_another_logger_under_the_name(
    handler: RecordingHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    jitted = shapecast.jit(of_a_logger)
    jitted(1.0)
    monkeypatch.setitem(globals(), "log", other)
    handler.records.clear()
    jitted(1.0)
    assert {record[0] for record in handler.records} == {other.name}


def test_an_error_of_a_handler_propagates() -> None:
    class Raises(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raise KeyError("handler")

    raises = Raises()
    log.addHandler(raises)
    try:
        with pytest.raises(KeyError, match="handler"):
            shapecast.jit(of_a_logger)(1.0)
    finally:
        log.removeHandler(raises)


def of_exceptions(x):
    try:
        return 1 / (x - x)
    except ZeroDivisionError:
        log.exception("failed")
        return -1.0


def test_tracebacks_are_refused() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(shapecast.UnsupportedError, match="log the exception"):
            shapecast.jit(of_exceptions)(1.0)


def test_a_logger_that_getlogger_does_not_know_is_refused() -> None:
    own = logging.Logger("nobody's")

    def f(x):
        own.info("x")
        return x

    with pytest.raises(shapecast.UnsupportedError, match="getLogger"):
        shapecast.jit(f)(1.0)
