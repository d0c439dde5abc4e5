"""The blocks of a generator function, between its yields and jumps, and the class that runs them:
see _generators.py.

A block of a `try` is in one of its own, whose handlers go on behind it, and what `finally` does is
repeated wherever one leaves it.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeGuard

from shapecast._generator_statements import (
    Renamed,
    WithYields,
    name_anew,
    received_by,
    stops_are_errors,
    tested,
    yields_in,
)
from shapecast._iterators import iterated
from shapecast._nodes import constant, copied, definition_of, located
from shapecast._outside import Outside


class Unsupported(Exception):
    """The generator has a statement that is not rewritten."""


_SELF = "generator_"  # the parameter of the class's methods
_RESUME = "resume_"  # the attribute that says where it goes on; -1: it has ended
_AT = "at_"  # the number of the block
_SENT = "sent_"

# next() of itself: __next__ gives pairs (_steps.py).
_SENDS = """
def send(generator_, value):
    if generator_.resume_ == 0 and value is not None:
        raise TypeError("can't send non-None value to a just-started generator")
    generator_.sent_ = value
    return next(generator_)
"""
_IGNORES = _SENDS.replace("    generator_.sent_ = value\n", "")
_THROWS = """
def throw(generator_, error):
    generator_.throw_(error)
    return next(generator_)
"""
_ENDS = """
def close(generator_):
    generator_.resume_ = -1
"""
_CLOSES = """
def close(generator_):
    if generator_.resume_ == 0:
        generator_.resume_ = -1
    if generator_.resume_ > 0:
        try:
            generator_.throw_(GeneratorExit())
        except GeneratorExit:
            pass
        for item in generator_:
            raise RuntimeError("generator ignored GeneratorExit")
"""
_MANAGES = """
def __enter__(generator_):
    for item in generator_:
        return item
    raise RuntimeError("generator didn't yield")
def __exit__(generator_, kind, error, traceback):
    if kind is not None:
        generator_.throw_(error)
    for item in generator_:
        raise RuntimeError(
            "generator didn't stop" if kind is None else "generator didn't stop after throw()"
        )
    return kind is not None
"""


@dataclass(frozen=True)
class _Handler:
    kind: ast.expr | None
    name: str | None
    body: list[ast.stmt]  # which yields nothing, and jumps nowhere
    goes_on: int  # the block behind it


@dataclass(frozen=True)
class _Try:
    """A `try` around blocks: its handlers, or what `finally` does."""

    handlers: Sequence[_Handler] = ()
    final: Sequence[ast.stmt] = ()


class Machine:
    """The blocks of a generator between its yields and jumps, numbered."""

    def __init__(
        self, definition: ast.FunctionDef, function: FunctionType, free: list[str] | None = None
    ) -> None:
        """`free`: the variables of the function that a definition in it reads."""
        self.definition = definition
        self.free = free or []
        definition.args.args[:0] = [ast.arg(name) for name in self.free]
        self.calls_itself = definition.name if free is not None else ""
        self.outside = Outside(definition, function.__globals__, lambda _: None)
        self.owner = function.__qualname__.rpartition(".")[0].rpartition(".")[2].lstrip("_")
        self.blocks: list[list[ast.stmt]] = [[]]
        self.around: list[tuple[_Try, ...]] = [()]  # of each block
        self.current = 0
        self.tries: tuple[_Try, ...] = ()
        self.resumed: list[int] = []  # the blocks behind a `yield`
        self.delegates: dict[int, str] = {}  # of those in a `yield from`: what gives the items
        self.loops: list[tuple[int, int, int]] = []  # where continue and break go, and their tries
        self.count = 0
        self.receives = False  # what is sent
        definition.body = [new for s in definition.body for new in WithYields().rewritten(s)]
        stops_are_errors(definition)
        name_anew(definition)
        self.names = self.variables()

    def variables(self) -> set[str]:
        """Those that become attributes."""
        inner = (ast.FunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal, ast.NamedExpr)
        refused = (*inner, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Match)
        nodes = [n for s in self.definition.body for n in ast.walk(s)]
        deleted = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Del)]
        if deleted or any(isinstance(n, refused) for n in nodes):
            raise Unsupported
        scopes = [n.target for n in nodes if isinstance(n, ast.comprehension)]
        hidden = {id(n) for s in scopes for n in ast.walk(s)}
        stored = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        parameters = {n.arg for n in ast.walk(self.definition.args) if isinstance(n, ast.arg)}
        names = {n.id for n in stored if id(n) not in hidden} | parameters
        if _SELF in names:
            raise Unsupported
        return names

    def class_definition(self, is_manager: bool) -> ast.ClassDef:
        where = self.definition
        self.lower(where.body)
        self.end(where)
        self.thread_jumps()
        self.merge_blocks()
        chosen: list[ast.stmt] = [ast.Raise(ast.Name("StopIteration", ast.Load()), None)]
        for number in reversed(self.reached()):
            block = self.blocks[number]
            if not all(map(_only_jumps, block)):
                block = self.inside(self.around[number], block, jumps=True)
            chosen = [ast.If(_is_at(number), block, chosen)]
        step = [*_begins(), ast.While(ast.Constant(True), chosen, [])]
        alone = ast.arguments([], [ast.arg(_SELF)], None, [], [], None, [])
        itself: list[ast.stmt] = [ast.Return(ast.Name(_SELF, ast.Load()))]
        arguments, first = self.initialiser()
        caught = copied(alone)
        caught.args.append(ast.arg("error"))
        body: list[ast.stmt] = [
            function_of_tree("__init__", arguments, first, where),
            function_of_tree("__iter__", alone, itself, where),
            function_of_tree("__next__", copied(alone), step, where),
            function_of_tree("throw_", caught, self.throwing(), where),
        ]
        written = [_SENDS if self.receives else _IGNORES, _THROWS]
        written.append(_CLOSES if any(self.around[k] for k in self.resumed) else _ENDS)
        for method in ast.parse("".join(written) + (_MANAGES if is_manager else "")).body:
            for inner in ast.walk(method):
                if hasattr(inner, "lineno"):
                    ast.copy_location(inner, where)
            body.append(method)
        found = definition_of(ast.ClassDef, where.name, [], [], body, [])
        _Private(self.owner).visit(ast.copy_location(found, where))
        return found

    def thread_jumps(self) -> None:
        """A jump to a block that only jumps goes where that one does."""

        def end_of(block: int) -> int:
            seen: set[int] = set()
            while block not in seen and len(self.blocks[block]) == 2:
                seen.add(block)
                step, then = self.blocks[block]
                if not _is_step(step) or not isinstance(then, ast.Continue):
                    break
                block = _number_in(step)
            return block

        for step in [s for block in self.blocks for one in block for s in ast.walk(one)]:
            # A `yield` in a `try` goes on there.
            if _is_step(step) or (_is_resumption(step) and not self.keeps(_number_in(step))):
                step.value = ast.copy_location(ast.Constant(end_of(_number_in(step))), step.value)
        self.resumed = [k if self.keeps(k) else end_of(k) for k in self.resumed]
        self.leads_to = [end_of(block) for block in range(len(self.blocks))]

    def keeps(self, block: int) -> bool:
        """Whether an error that is thrown there goes elsewhere than out of the generator."""
        return bool(self.around[block]) or block in self.delegates

    def merge_blocks(self) -> None:
        """A block to which one other alone jumps becomes a part of that one."""
        jumps = Counter(k for block in self.reached() for k in self.following(block))

        def follows(s: ast.stmt, number: int) -> int | None:
            block = _number_in(s) if _is_step(s) else 0
            is_alone = jumps[block] == 1 and block not in (0, number, *self.resumed)
            return block if is_alone and self.around[block] == self.around[number] else None

        def extend(statements: list[ast.stmt], number: int) -> None:
            """By what the last one, before a `continue`, leads to."""
            if isinstance(statements[-2], ast.If):
                extend_arms(statements[-2], number)
            elif (block := follows(statements[-2], number)) is not None:
                statements[-2:] = self.blocks[block]
                extend_last(statements, number)

        def extend_last(statements: list[ast.stmt], number: int) -> None:
            if len(statements) > 1 and isinstance(statements[-1], ast.Continue):
                extend(statements, number)

        def extend_arms(s: ast.If, number: int) -> None:
            for arm in (s.body, s.orelse):
                if arm and isinstance(arm[-1], ast.If):
                    extend_arms(arm[-1], number)
                elif arm and (block := follows(arm[-1], number)) is not None:
                    arm[-1:] = self.blocks[block]
                    extend_last(arm, number)

        for number in self.reached():
            extend_last(self.blocks[number], number)

    def following(self, block: int) -> list[int]:
        """The blocks to which it jumps, for each jump."""
        steps = [s for one in self.blocks[block] for s in ast.walk(one) if _is_step(s)]
        handlers = [h for one in self.around[block] for h in one.handlers]
        return [*map(_number_in, steps), *(self.leads_to[h.goes_on] for h in handlers)]

    def reached(self) -> list[int]:
        """The blocks that are, in order."""
        found, waiting = {0, *self.resumed}, [0, *self.resumed]
        while waiting:
            following = set(self.following(waiting.pop())) - found
            waiting += following
            found |= following
        return sorted(found)

    def initialiser(self) -> tuple[ast.arguments, list[ast.stmt]]:
        arguments = copied(self.definition.args)
        parameters = [n.arg for n in ast.walk(arguments) if isinstance(n, ast.arg)]
        first: list[ast.stmt] = [
            ast.Assign([_attribute(_stored_as(name), ast.Store())], ast.Name(name, ast.Load()))
            for name in parameters
        ]
        first.append(_resumes_at(0))
        if self.receives:
            first.append(ast.Assign([_attribute(_SENT, ast.Store())], ast.Constant(None)))
        among = arguments.posonlyargs or arguments.args
        among.insert(0, ast.arg(_SELF))
        return arguments, first

    def throwing(self) -> list[ast.stmt]:
        """Of `throw_`: the error is raised where the generator would go on; it has ended then."""
        chosen = [_raise_error()]
        for number in self.resumed:
            raised = self.delegated(number)
            if self.around[number] or number in self.delegates:
                raised = self.inside(self.around[number], raised, jumps=False)
                chosen = [ast.If(_is_at(number), raised, chosen)]
        return [*_begins(), *chosen]

    def delegated(self, number: int) -> list[ast.stmt]:
        """In a `yield from` another generator gets the error first."""
        if number not in self.delegates:
            return [_raise_error()]
        items = self.delegates[number]
        throws = ast.Call(_attribute("throw_"), [ast.Name("error", ast.Load())], [])
        assert isinstance(throws.func, ast.Attribute)
        throws.func.value = _attribute(items)
        asked = ast.Call(constant(hasattr), [_attribute(items), ast.Constant("throw_")], [])
        goes_on = [ast.Expr(throws), _resumes_at(number)]
        return [ast.If(asked, goes_on, [_raise_error()])]

    def inside(
        self, tries: tuple[_Try, ...], statements: list[ast.stmt], jumps: bool
    ) -> list[ast.stmt]:
        """The statements in these tries; `jumps`: a handler goes on in the loop around it."""
        for one in reversed(tries):
            if one.final:
                again: list[ast.stmt] = [*self.attributes(one.final), ast.Raise(None, None)]
                handlers = [ast.ExceptHandler(constant(BaseException), None, again)]
            else:
                handlers = [self.handler(h, jumps) for h in one.handlers]
            statements = [located(ast.Try(statements, handlers, [], []), self.definition)]
        return statements

    def handler(self, h: _Handler, jumps: bool) -> ast.ExceptHandler:
        block = self.leads_to[h.goes_on]
        goes_on = [_go_to(block), ast.Continue()] if jumps else [_resumes_at(block)]
        handler = ast.ExceptHandler(copied(h.kind), h.name, copied(h.body))
        _Attributes(self).visit(handler)
        handler.body += goes_on
        return located(handler, self.definition)

    def attributes(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        return [_Attributes(self).visit(copied(s)) for s in statements]

    def lower(self, statements: Sequence[ast.stmt]) -> None:
        for s in statements:
            if isinstance(s, ast.Return):
                self.leave(0, s)
                self.end(s)
                self.tries = self.around[self.current]
            elif isinstance(s, ast.Break | ast.Continue):
                again, after, depth = self.loops[-1]
                self.leave(depth, s)
                self.jump(after if isinstance(s, ast.Break) else again, s)
            elif not self.is_divided(s):
                self.emit(_Returns().visit(s))
            elif isinstance(s, ast.If):
                self.lower_if(s)
            elif isinstance(s, ast.While):
                self.lower_while(s)
            elif isinstance(s, ast.For):
                self.lower_for(s)
            elif isinstance(s, ast.Try):
                self.lower_try(s)
            elif received := received_by(s):
                self.lower_received(*received)
            elif isinstance(s, ast.Expr):
                self.lower_yield(s)
            else:
                raise Unsupported

    def is_divided(self, s: ast.stmt) -> bool:
        """Whether the statement is in several blocks."""
        must_leave = any(one.final for one in self.tries) and _returns(s)
        return yields_in(s) or _jumps_out(s) or must_leave

    def leave(self, depth: int, where: ast.AST) -> None:
        """Before a jump out of tries, down to that depth: what their `finally` does. Statements
        behind the jump are never reached.
        """
        tries = self.tries
        for kept in reversed(range(depth, len(tries))):
            if tries[kept].final:
                self.tries = tries[:kept]
                self.go_on(where)
                self.lower(copied(tries[kept].final))
        self.tries = tries

    def go_on(self, where: ast.AST) -> None:
        """In a block of its own, in the tries of now."""
        block = self.new_block()
        self.jump(block, where)
        self.start(block)

    def lower_try(self, s: ast.Try) -> None:
        if s.finalbody and (s.handlers or s.orelse):
            inner = ast.copy_location(ast.Try(s.body, s.handlers, s.orelse, []), s)
            s = ast.copy_location(ast.Try([inner], [], [], s.finalbody), s)
        if any(yields_in(one) or _jumps_out(one) or _returns(one) for one in s.finalbody):
            raise Unsupported
        after = self.new_block()
        handlers: list[_Handler] = []
        divided: list[tuple[int, ast.ExceptHandler]] = []
        for h in s.handlers:
            if not any(yields_in(one) or _jumps_out(one) or _returns(one) for one in h.body):
                handlers.append(_Handler(h.type, h.name, h.body, after))
                continue
            if any(isinstance(n, ast.Raise) and n.exc is None for n in ast.walk(h)):
                raise Unsupported
            block = self.new_block()
            divided.append((block, h))
            kept: list[ast.stmt] = []
            if h.name:
                self.names.add(h.name)
                kept.append(ast.Pass())
            handlers.append(_Handler(h.type, h.name, kept, block))
        outer = self.tries
        self.tries = (*outer, _Try(handlers, s.finalbody))
        self.go_on(s)
        self.lower(s.body)
        self.tries = outer
        self.go_on(s)
        self.lower(s.orelse or s.finalbody)
        self.jump(after, s)
        for block, h in divided:
            self.start(block)
            self.lower(h.body)
            self.jump(after, s)
        self.start(after)

    def lower_received(self, item: ast.Expr, s: ast.stmt, received: ast.Name) -> None:
        """`item`, a statement, yields; then follows `s`, which reads what was sent."""
        self.receives = True
        self.lower_yield(item)
        sent = located(ast.Assign([_attribute(received.id, ast.Store())], _attribute(_SENT)), s)
        nothing = located(ast.Assign([_attribute(_SENT, ast.Store())], ast.Constant(None)), s)
        self.names.add(received.id)
        self.emit(sent)
        self.emit(nothing)
        self.lower([s])

    def lower_yield(self, s: ast.Expr) -> None:
        if isinstance(s.value, ast.YieldFrom):
            self.count += 1
            item = f"item_{self.count}_"
            self.names.add(item)
            again = ast.Expr(ast.Yield(ast.Name(item, ast.Load())))
            loop = ast.For(ast.Name(item, ast.Store()), s.value.value, [again], [])
            before = len(self.resumed)
            self.lower_for(located(loop, s))
            items = f"items_{self.count}_"
            self.delegates |= dict.fromkeys(self.resumed[before:], items)
            return None
        if not isinstance(s.value, ast.Yield) or (s.value.value and yields_in(s.value.value)):
            raise Unsupported
        resumed = self.new_block()
        value = s.value.value or ast.Constant(None)
        self.emit(located(ast.Assign([_attribute("yielded_", ast.Store())], value), s))
        self.emit(located(_resumes_at(resumed), s))
        self.emit(located(ast.Return(_attribute("yielded_")), s))
        self.resumed.append(resumed)
        self.start(resumed)
        return None

    def lower_if(self, s: ast.If) -> None:
        then, otherwise, after = self.new_block(), self.new_block(), self.new_block()
        self.branch(s.test, then, otherwise, s)
        for block, body in ((then, s.body), (otherwise, s.orelse)):
            self.start(block)
            self.lower(body)
            self.jump(after, s)
        self.start(after)

    def lower_while(self, s: ast.While) -> None:
        test, body, done, after = (self.new_block() for _ in range(4))
        self.jump(test, s)
        self.start(test)
        self.branch(s.test, body, done, s)
        self.lower_loop(s, body, done, test, after)

    def lower_loop(
        self, s: ast.For | ast.While, body: int, done: int, again: int, after: int
    ) -> None:
        self.loops.append((again, after, len(self.tries)))
        self.start(body)
        self.lower(s.body)
        self.jump(again, s)
        self.loops.pop()
        self.start(done)
        self.lower(s.orelse)
        self.jump(after, s)
        self.start(after)

    def lower_for(self, s: ast.For) -> None:
        """for x in items: a counter, or what the next item is taken of."""
        self.count += 1
        called = self.outside.meaning(s.iter.func) if isinstance(s.iter, ast.Call) else None
        if called is range or called is itertools.count:
            return self.lower_range(s, called is range)
        items, at, item = (f"{word}_{self.count}_" for word in ("items", "at", "next"))
        given = located(ast.Call(constant(iterated), [s.iter], []), s.iter)
        for name, value in ((items, given), (at, ast.Constant(0))):
            self.emit(located(ast.Assign([_attribute(name, ast.Store())], value), s.iter))
        test, body, done, after = (self.new_block() for _ in range(4))
        self.jump(test, s)
        self.start(test)
        steps = ast.parse(
            _STEP.format(items=items, at=at, item=item, body=body, done=done, generator=_SELF)
        ).body
        first = steps[0]
        assert isinstance(first, ast.If) and isinstance(first.body[2], ast.If)
        target = ast.Assign([s.target], ast.Name(item, ast.Load()))
        first.body[2].body.insert(0, target)
        indexed = first.orelse[0]
        assert isinstance(indexed, ast.If)
        indexed.body.insert(1, copied(target))
        for node in ast.walk(first):
            if isinstance(node, ast.stmt | ast.expr) and node not in ast.walk(s.target):
                ast.copy_location(node, s.iter)
        self.emit(located(first, s))
        self.emit(located(ast.Continue(), s))
        self.lower_loop(s, body, done, test, after)
        return None

    def lower_range(self, s: ast.For, ends: bool) -> None:
        """range(...); without an end: itertools.count(...)."""
        assert isinstance(s.iter, ast.Call)
        given = list(s.iter.args)
        if not ends and len(given) <= 2:
            given = [*given[:1], *[ast.Constant(0)] * (1 - len(given)), ast.Constant(0), *given[1:]]
        if s.iter.keywords or not 1 <= len(given) <= 3:
            raise Unsupported
        start = given[0] if len(given) > 1 else ast.Constant(0)
        stop, step = given[len(given) > 1], given[2] if len(given) > 2 else ast.Constant(1)
        at, end, by = (f"{word}_{self.count}_" for word in ("at", "end", "by"))
        for name, value in ((at, start), (end, stop), (by, step)):
            first = ast.Assign([_attribute(name, ast.Store())], value)
            self.emit(located(first, s.iter))
        test, body, done, after = (self.new_block() for _ in range(4))
        self.jump(test, s)
        self.start(test)
        up = ast.Compare(_attribute(at), [ast.Lt()], [_attribute(end)])
        down = ast.Compare(_attribute(at), [ast.Gt()], [_attribute(end)])
        is_up = ast.Compare(_attribute(by), [ast.Gt()], [ast.Constant(0)])
        goes_on: ast.expr = up if len(given) < 3 else ast.IfExp(is_up, up, down)
        goes_on = goes_on if ends else ast.Constant(True)
        self.branch(located(goes_on, s), body, done, s)
        self.start(body)
        self.emit(located(ast.Assign([s.target], _attribute(at)), s))
        following = ast.AugAssign(_attribute(at, ast.Store()), ast.Add(), _attribute(by))
        self.emit(located(following, s))
        self.lower_loop(s, body, done, test, after)

    def new_block(self) -> int:
        self.blocks.append([])
        self.around.append(())
        return len(self.blocks) - 1

    def start(self, block: int) -> None:
        self.current = block
        self.around[block] = self.tries

    def emit(self, s: ast.stmt) -> None:
        block = self.blocks[self.current]
        if not (block and isinstance(block[-1], ast.Continue | ast.Return | ast.Raise)):
            names = tested(s) & self.names
            for name in sorted(names):  # in a variable it is known not to be None behind a test
                here = ast.Name(f"{_stored_as(name)}_here_", ast.Store())
                block.append(located(ast.Assign([here], _attribute(_stored_as(name))), s))
                Renamed(name, here.id).visit(s)
            block.append(_Attributes(self).visit(s))

    def jump(self, block: int, where: ast.AST) -> None:
        self.emit(located(_go_to(block), where))
        self.emit(located(ast.Continue(), where))

    def branch(self, test: ast.expr, then: int, otherwise: int, where: ast.AST) -> None:
        both: list[list[ast.stmt]] = [[_go_to(k)] for k in (then, otherwise)]
        self.emit(located(ast.If(test, *both), where))
        self.emit(located(ast.Continue(), where))

    def end(self, where: ast.AST) -> None:
        stop = ast.Raise(ast.Name("StopIteration", ast.Load()), None)
        self.emit(located(stop, where))


# One item of an iterator, or the one at the index.
_STEP = """
if hasattr({generator}.{items}, "__next__"):
    at_ = {done}
    there_, {item} = {generator}.{items}.__next__()  # a pair: _steps.py
    if there_:
        at_ = {body}
elif {generator}.{at} < len({generator}.{items}):
    {item} = {generator}.{items}[{generator}.{at}]
    {generator}.{at} += 1
    at_ = {body}
else:
    at_ = {done}
"""


class _Attributes(ast.NodeTransformer):
    """A variable becomes an attribute, and a call of the function itself one of the class."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.names = machine.names

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == self.machine.calls_itself:
            node.func = ast.Call(constant(type), [ast.Name(_SELF, ast.Load())], [])
            node.args[:0] = [_attribute(_stored_as(name)) for name in self.machine.free]
        return located(node, node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        return ast.copy_location(_attribute(_stored_as(node.id), node.ctx), node)

    def _visit_comprehension(self, node: Any) -> ast.expr:
        """With variables of its own, which the first iterable does not see."""
        targets = [n for one in node.generators for n in ast.walk(one.target)]
        first = node.generators[0]
        items, first.iter = self.visit(first.iter), ast.Constant(None)
        self._visit_scope(node, {n.id for n in targets if isinstance(n, ast.Name)})
        first.iter = items
        found: ast.expr = node
        return found

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        self._visit_scope(node, {n.arg for n in ast.walk(node.args) if isinstance(n, ast.arg)})
        return node

    def _visit_scope(self, node: ast.AST, own: set[str]) -> None:
        outer, self.names = self.names, self.names - own
        self.generic_visit(node)
        self.names = outer

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        if node.name in self.names:
            name, node.name = node.name, f"{node.name}_caught_"
            kept = ast.Assign([ast.Name(name, ast.Store())], ast.Name(node.name, ast.Load()))
            node.body.insert(0, located(kept, node))
        self.generic_visit(node)
        return node


class _Private(ast.NodeTransformer):
    """`x.__name` means the same in the class of the generator as in its own."""

    def __init__(self, owner: str) -> None:
        self.owner = owner

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        if self.owner and node.attr.startswith("__") and not node.attr.endswith("__"):
            node.attr = f"_{self.owner}{node.attr}"
        self.generic_visit(node)
        return node


class _Returns(ast.NodeTransformer):
    """`return` in a statement without yields ends the generator."""

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        stop = ast.Raise(ast.Name("StopIteration", ast.Load()), None)
        return located(stop, node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


# Methods of the class, which no variable hides.
_METHODS = ("send", "close", "throw")


def _stored_as(name: str) -> str:
    """The attribute that a variable becomes; `with` has some whose names are no identifiers."""
    return f"{name.replace(' ', '_')}_variable_" if name in _METHODS or " " in name else name


def _attribute(name: str, context: ast.expr_context | None = None) -> ast.Attribute:
    return ast.Attribute(ast.Name(_SELF, ast.Load()), name, context or ast.Load())


def _begins() -> list[ast.stmt]:
    """Where it is goes to a variable: by then the generator has ended, as it has after an error."""
    return [ast.Assign([ast.Name(_AT, ast.Store())], _attribute(_RESUME)), _resumes_at(-1)]


def _resumes_at(block: int) -> ast.stmt:
    return ast.Assign([_attribute(_RESUME, ast.Store())], ast.Constant(block))


def _go_to(block: int) -> ast.stmt:
    return ast.Assign([ast.Name(_AT, ast.Store())], ast.Constant(block))


def _is_step(s: ast.AST) -> TypeGuard[ast.Assign]:
    """Whether it says what block is next."""
    target = _assigned_number(s)
    return isinstance(target, ast.Name) and target.id == _AT


def _is_resumption(s: ast.AST) -> TypeGuard[ast.Assign]:
    """Whether it says what block is next after a `yield`."""
    target = _assigned_number(s)
    return isinstance(target, ast.Attribute) and target.attr == _RESUME


def _assigned_number(s: ast.AST) -> ast.expr | None:
    is_number = isinstance(s, ast.Assign) and isinstance(s.value, ast.Constant)
    return s.targets[0] if isinstance(s, ast.Assign) and is_number else None


def _number_in(step: ast.Assign) -> int:
    assert isinstance(step.value, ast.Constant) and isinstance(step.value.value, int)
    return step.value.value


def _is_at(block: int) -> ast.expr:
    return ast.Compare(ast.Name(_AT, ast.Load()), [ast.Eq()], [ast.Constant(block)])


def _raise_error() -> ast.stmt:
    return ast.Raise(ast.Name("error", ast.Load()), None)


def _only_jumps(s: ast.stmt) -> bool:
    """Whether nothing in it can raise."""
    is_plain = isinstance(s, ast.Assign) and isinstance(s.value, ast.Constant)
    return is_plain or isinstance(s, ast.Continue)


def function_of_tree(
    name: str, arguments: ast.arguments, body: list[ast.stmt], where: ast.AST
) -> ast.FunctionDef:
    return located(definition_of(ast.FunctionDef, name, arguments, body, [], None, None), where)


def _returns(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Return) for n in ast.walk(node))


def _jumps_out(s: ast.AST) -> bool:
    """Whether it has a break or continue of a loop around it."""
    if isinstance(s, ast.Break | ast.Continue):
        return True
    parts = _parts(s, ("orelse",) if isinstance(s, ast.For | ast.While) else _BLOCKS)
    return any(_jumps_out(one) for one in parts)


_BLOCKS = ("body", "orelse", "handlers", "finalbody")


def _parts(s: ast.AST, names: tuple[str, ...]) -> Iterator[ast.AST]:
    for name in names:
        found = getattr(s, name, [])
        yield from found if isinstance(found, list) else []  # of an IfExp: one expression
