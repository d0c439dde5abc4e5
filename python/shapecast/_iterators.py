"""Iterators of which next() takes one item after another: classes with __iter__ and __next__, which
compiled code makes instances of instead.

`iter(x)` gives a Sequence, which counts. A generator function becomes a class whose instances have
its variables as attributes, and whose __next__ goes on where the last one ended:

    def count(k):              class count:
        while True:                def __init__(self, k):
            yield k                    self.k, self.resume = k, 0
            k += 1
                                   def __next__(self):
                                       while True:
                                           if self.resume == 0:
                                               self.resume = 1
                                               return self.k
                                           elif self.resume == 1:
                                               self.k, self.resume = self.k + 1, 0

`x = yield k` reads the attribute that send() has assigned.
"""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from shapecast._outside import Outside

_Node = TypeVar("_Node", bound=ast.AST)
# The trees of the functions made here, by their code, and the files that they came from.
made: WeakKeyDictionary[CodeType, tuple[ast.FunctionDef, str]] = WeakKeyDictionary()
_classes: WeakKeyDictionary[FunctionType, tuple[Any, type | None]] = WeakKeyDictionary()


class Sequence:
    """iter() of what has items at indices."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.at = 0

    def __iter__(self) -> Sequence:
        return self

    def __next__(self) -> Any:
        if self.at >= len(self.items):
            raise StopIteration
        self.at += 1
        return self.items[self.at - 1]


class Count:
    """itertools.count."""

    def __init__(self, start: Any = 0, step: Any = 1) -> None:
        self.at = start
        self.step = step

    def __iter__(self) -> Count:
        return self

    def __next__(self) -> Any:
        now = self.at
        self.at = now + self.step
        return now

    def _to_python(self) -> Any:
        return itertools.count(self.at, self.step)


class Cycle:
    """itertools.cycle."""

    def __init__(self, iterable: Any) -> None:
        self.items = indexed(iterable)
        self.at = -1

    def __iter__(self) -> Cycle:
        return self

    def __next__(self) -> Any:
        if len(self.items) == 0:
            raise StopIteration
        self.at = (self.at + 1) % len(self.items)
        return self.items[self.at]

    def _to_python(self) -> Any:
        made = itertools.cycle(self.items)
        for _ in range(self.at + 1):
            next(made)
        return made


def iterator(items: Any) -> Any:
    """iter(items)."""
    if hasattr(items, "__next__"):
        return items
    return Sequence(indexed(items))


def collected(items: Any) -> Any:
    """An iterator over what zip(), map() and so on give."""
    return Sequence(list(items))


def indexed(items: Any) -> Any:
    """Itself, or a list of the items where they have no indices."""
    return items if hasattr(items, "__getitem__") and not isinstance(items, dict) else list(items)


def class_for(function: FunctionType, definition: ast.AST | None) -> type | None:
    """The class for a generator function; None where it cannot be written as one."""
    if not isinstance(definition, ast.FunctionDef):
        return None
    seen = function.__code__, function.__defaults__  # which may be replaced
    if function not in _classes or _classes[function][0] != seen:
        try:
            found = _class_of(function, definition)
        except _Unsupported:
            found = None
        _classes[function] = seen, found
    return _classes[function][1]


def is_generator_function(function: object) -> bool:
    return (
        isinstance(function, FunctionType)
        and inspect.isgeneratorfunction(function)
        and not function.__closure__
    )


def _class_of(function: FunctionType, definition: ast.FunctionDef) -> type:
    tree = _Machine(copy.deepcopy(definition), function.__globals__).class_definition()
    ast.fix_missing_locations(tree)
    runs = _Named().visit(copy.deepcopy(tree))
    code = compile(ast.Module([runs], []), function.__code__.co_filename, "exec")
    found: dict[str, Any] = {}
    exec(code, function.__globals__, found)
    made_class: type = found[definition.name]
    for node in tree.body:
        assert isinstance(node, ast.FunctionDef)
        method = made_class.__dict__[node.name]
        made[method.__code__] = node, function.__code__.co_filename
        if node.name == "__init__":
            method.__defaults__ = function.__defaults__
    return made_class


def rewrite_next(definition: ast.AST, outside: Outside) -> None:
    """Variables that next() takes items of more than once, or send() is called on, hold instances
    of the classes above.
    """
    takes = any(_next_of(n) for n in ast.walk(definition))
    if takes and outside.means(ast.Name("next", ast.Load()), next):
        _Nexts(definition, outside).visit(definition)


class _Nexts(ast.NodeTransformer):
    def __init__(self, definition: ast.AST, outside: Outside) -> None:
        self.definition, self.outside = definition, outside
        nodes = list(ast.walk(definition))
        stored = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        self.assigned = {*stored, *(n.arg for n in nodes if isinstance(n, ast.arg))}
        self.inner = {n.name: n for n in nodes if isinstance(n, ast.FunctionDef)}
        self.inner.pop(getattr(definition, "name", ""), None)
        loads = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
        loops = [n for n in nodes if isinstance(n, _REPEATED) and n is not definition]
        repeated = {id(n) for loop in loops for n in ast.walk(loop)}
        calls = [n for n in nodes if isinstance(n, ast.Call) and _next_of(n)]
        names_read = [_next_of(call) for call in calls]
        # What takes all items, as zip() does, may never end: only next() and loops are known.
        iterated = [
            n.iter.id
            for n in nodes
            if isinstance(n, ast.For | ast.comprehension) and isinstance(n.iter, ast.Name)
        ]
        self.iterators = {
            name
            for name in names_read
            if stored.count(name) == 1
            and loads.count(name) == names_read.count(name) + iterated.count(name)
        }
        # Of the others only the first item is taken.
        self.several = {
            name
            for name, call in zip(names_read, calls, strict=True)
            if loads.count(name) > 1 or id(call) in repeated or isinstance(call.func, ast.Attribute)
        }

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Name) and target.id in self.iterators:
            node.value = self.iterator(value, target.id in self.several)
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for k, (one, given) in enumerate(zip(target.elts, value.elts, strict=False)):
                if isinstance(one, ast.Name) and one.id in self.iterators:
                    value.elts[k] = self.iterator(given, one.id in self.several)
        return node

    def iterator(self, value: ast.expr, several: bool) -> ast.expr:
        if isinstance(value, ast.IfExp):
            value.body = self.iterator(value.body, several)
            value.orelse = self.iterator(value.orelse, several)
        if not isinstance(value, ast.Call):
            return value
        function = self.outside.meaning(value.func)
        made_class = {id(itertools.count): Count, id(itertools.cycle): Cycle}.get(id(function))
        if function is iter and len(value.args) == 1 and several:
            return _located(ast.Call(_constant(iterator), value.args, []), value)
        if function in _EAGER and several:
            return _located(ast.Call(_constant(collected), [value], []), value)
        inner = self.inner.get(_called(value))
        if inner is not None and several and inner.name not in self.assigned:
            made_class = self.class_inside(inner)
        elif is_generator_function(function) and several:
            made_class = class_for(function, self.outside.tree(function))
        if made_class is not None:
            value.func = ast.copy_location(_constant(made_class), value.func)
        return value

    def class_inside(self, definition: ast.FunctionDef) -> type | None:
        """Of a generator function in the function, which reads no variable of that."""
        own = {n.id for n in ast.walk(definition) if isinstance(n, ast.Name)} & self.assigned
        bound = {n.arg for n in ast.walk(definition.args) if isinstance(n, ast.arg)}
        bound |= {
            n.id
            for n in ast.walk(definition)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        if own - bound or definition.decorator_list or not any(map(_yields, definition.body)):
            return None
        code = compile(ast.Module([definition], []), "<generator>", "exec")
        found: dict[str, Any] = {}
        exec(code, self.outside.names, found)
        return class_for(found[definition.name], definition)


_EAGER = (zip, enumerate, reversed, map, filter)
_REPEATED = (
    ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
    ast.FunctionDef, ast.Lambda,
)  # fmt: skip


def _next_of(node: ast.AST) -> str:
    """The variable that a call of next(), send() or close() is about; "" for other nodes."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Attribute):
        value = node.func.value
        return value.id if node.func.attr in _OF_GENERATORS and isinstance(value, ast.Name) else ""
    if _called(node) != "next" or not node.args:
        return ""
    return node.args[0].id if isinstance(node.args[0], ast.Name) else ""


_OF_GENERATORS = ("send", "close")


class _Unsupported(Exception):
    """The generator has a statement that is not rewritten."""


_SELF = "self"
_RESUME = "resume_"  # the attribute that says where it goes on
_SENT = "sent_"

# next() of itself: __next__ gives pairs (`_Steps` in _desugar.py).
_SENDS = """
def send(self, value):
    if self.resume_ == 0 and value is not None:
        raise TypeError("can't send non-None value to a just-started generator")
    self.sent_ = value
    return next(self)
def close(self):
    self.resume_ = -1
"""
_IGNORES = _SENDS.replace("    self.sent_ = value\n", "")


def received_by(s: ast.stmt) -> tuple[ast.Expr, ast.stmt, ast.Name] | None:
    """Of a statement with a `yield` whose value it uses: the `yield` alone, and the statement with
    a variable in its place. None where what it reads before might change in between.
    """
    simple = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Return)
    nodes = list(ast.walk(s))
    found = [n for n in nodes if isinstance(n, ast.Yield)]
    is_alone = isinstance(s, ast.Expr) and s.value in found
    if not isinstance(s, simple) or is_alone or len(found) != 1 or _has_own_order(nodes):
        return None
    item = found[0]
    if isinstance(s, ast.AugAssign) and not isinstance(s.target, ast.Name):
        return None
    kinds = (ast.Call, ast.Subscript, ast.Attribute)
    called = [n.func for n in nodes if isinstance(n, ast.Call) and _is_in(item, n)]
    others = [n for n in nodes if isinstance(n, kinds) and n not in called]
    if any(_comes_before(n, item) for n in others):
        return None
    name = ast.copy_location(ast.Name(f"received_{item.lineno}_{item.col_offset}_"), item)
    name.ctx = ast.Load()
    return ast.copy_location(ast.Expr(item), s), _InPlaceOf(item, name).visit(s), name


def _has_own_order(nodes: list[ast.AST]) -> bool:
    """Whether some of it may not be computed, or several times."""
    kinds = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.comprehension, ast.NamedExpr, ast.YieldFrom)
    return any(isinstance(node, kinds) for node in nodes)


def _comes_before(node: ast.expr, item: ast.Yield) -> bool:
    is_stored = isinstance(getattr(node, "ctx", None), ast.Store)  # last, after what is stored
    place = node.lineno, node.col_offset
    return not _is_in(item, node) and not is_stored and place < (item.lineno, item.col_offset)


def _is_in(item: ast.AST, node: ast.AST) -> bool:
    return any(inner is item for inner in ast.walk(node))


class _InPlaceOf(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


class _Machine:
    """The blocks of a generator between its yields and jumps, numbered."""

    def __init__(self, definition: ast.FunctionDef, names: dict[str, Any]) -> None:
        self.definition = definition
        self.outside = Outside(definition, names, lambda _: None)
        self.blocks: list[list[ast.stmt]] = [[]]
        self.current = 0
        self.loops: list[tuple[int, int]] = []  # where continue and break go
        self.count = 0
        arguments = definition.args
        others = (arguments.vararg, arguments.kwarg, arguments.kwonlyargs)
        inner = (ast.FunctionDef, ast.Lambda, ast.ClassDef, ast.Global, ast.Nonlocal, ast.NamedExpr)
        refused = (*inner, ast.Delete, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.Match)
        nodes = [n for s in definition.body for n in ast.walk(s)]
        if any(others) or any(isinstance(n, refused) for n in nodes):
            raise _Unsupported
        self.parameters = [a.arg for a in (*arguments.posonlyargs, *arguments.args)]
        hidden = {
            n.id
            for comprehension in nodes
            if isinstance(comprehension, ast.comprehension)
            for n in ast.walk(comprehension.target)
            if isinstance(n, ast.Name)
        }
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        if hidden & (stored - hidden | set(self.parameters)) or _SELF in stored:
            raise _Unsupported
        self.names = (stored - hidden) | set(self.parameters)
        self.receives = False  # what is sent

    def class_definition(self) -> ast.ClassDef:
        where = self.definition
        self.lower(where.body)
        self.end(where)
        chosen: list[ast.stmt] = [ast.Raise(ast.Name("StopIteration", ast.Load()), None)]
        for number in reversed(range(len(self.blocks))):
            test = ast.Compare(_attribute(_RESUME), [ast.Eq()], [ast.Constant(number)])
            chosen = [ast.If(test, self.blocks[number], chosen)]
        step = [ast.While(ast.Constant(True), chosen, [])]
        first: list[ast.stmt] = [
            ast.Assign([_attribute(_stored_as(name), ast.Store())], ast.Name(name, ast.Load()))
            for name in self.parameters
        ]
        first.append(ast.Assign([_attribute(_RESUME, ast.Store())], ast.Constant(0)))
        if self.receives:
            first.append(ast.Assign([_attribute(_SENT, ast.Store())], ast.Constant(None)))
        arguments = copy.deepcopy(where.args)
        arguments.args.insert(0, ast.arg(_SELF))
        if arguments.posonlyargs:
            arguments.posonlyargs.insert(0, arguments.args.pop(0))
        alone = ast.arguments([], [ast.arg(_SELF)], None, [], [], None, [])
        itself: list[ast.stmt] = [ast.Return(ast.Name(_SELF, ast.Load()))]
        body: list[ast.stmt] = [
            _function("__init__", arguments, first, where),
            _function("__iter__", alone, itself, where),
            _function("__next__", copy.deepcopy(alone), list(step), where),
        ]
        others = ast.parse(_SENDS if self.receives else _IGNORES).body
        for method in others:
            assert isinstance(method, ast.FunctionDef)
            for inner in ast.walk(method):
                if hasattr(inner, "lineno"):
                    ast.copy_location(inner, where)
            body.append(method)
        return ast.copy_location(_definition(ast.ClassDef, where.name, [], [], body, []), where)

    def lower(self, statements: list[ast.stmt]) -> None:
        for s in statements:
            if isinstance(s, ast.Return):
                self.end(s)
            elif isinstance(s, ast.Break | ast.Continue):
                self.jump(self.loops[-1][isinstance(s, ast.Break)], s)
            elif not _yields(s) and not _jumps_out(s):
                self.emit(_Returns().visit(s))
            elif isinstance(s, ast.If):
                self.lower_if(s)
            elif isinstance(s, ast.While):
                self.lower_while(s)
            elif isinstance(s, ast.For):
                self.lower_for(s)
            elif received := received_by(s):
                self.lower_received(*received)
            elif isinstance(s, ast.Expr):
                self.lower_yield(s)
            else:
                raise _Unsupported

    def lower_received(self, item: ast.Expr, s: ast.stmt, received: ast.Name) -> None:
        """`item`, a statement, yields; then follows `s`, which reads what was sent."""
        self.receives = True
        self.lower_yield(item)
        sent = _located(ast.Assign([_attribute(received.id, ast.Store())], _attribute(_SENT)), s)
        nothing = _located(ast.Assign([_attribute(_SENT, ast.Store())], ast.Constant(None)), s)
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
            return self.lower_for(_located(loop, s))
        if not isinstance(s.value, ast.Yield) or (s.value.value and _yields(s.value.value)):
            raise _Unsupported
        resumed = self.new_block()
        value = s.value.value or ast.Constant(None)
        self.emit(_located(ast.Assign([_attribute("yielded_", ast.Store())], value), s))
        self.emit(_located(self.resume_at(resumed), s))
        self.emit(_located(ast.Return(_attribute("yielded_")), s))
        self.current = resumed
        return None

    def lower_if(self, s: ast.If) -> None:
        then, otherwise, after = self.new_block(), self.new_block(), self.new_block()
        self.branch(s.test, then, otherwise, s)
        for block, body in ((then, s.body), (otherwise, s.orelse)):
            self.current = block
            self.lower(body)
            self.jump(after, s)
        self.current = after

    def lower_while(self, s: ast.While) -> None:
        test, body, done, after = (self.new_block() for _ in range(4))
        self.jump(test, s)
        self.current = test
        self.branch(s.test, body, done, s)
        self.lower_loop(s, body, done, test, after)

    def lower_loop(
        self, s: ast.For | ast.While, body: int, done: int, again: int, after: int
    ) -> None:
        self.loops.append((again, after))
        self.current = body
        self.lower(s.body)
        self.jump(again, s)
        self.loops.pop()
        self.current = done
        self.lower(s.orelse)
        self.jump(after, s)
        self.current = after

    def lower_for(self, s: ast.For) -> None:
        """for x in items: a counter and a length, so that ranges stay numbers."""
        self.count += 1
        called = self.outside.meaning(s.iter.func) if isinstance(s.iter, ast.Call) else None
        if called is range or called is itertools.count:
            return self.lower_range(s, called is range)
        items, at = f"items_{self.count}_", f"at_{self.count}_"
        given = _located(ast.Call(_constant(indexed), [s.iter], []), s.iter)
        for name, value in ((items, given), (at, ast.Constant(0))):
            self.emit(_located(ast.Assign([_attribute(name, ast.Store())], value), s.iter))
        test, body, done, after = (self.new_block() for _ in range(4))
        self.jump(test, s)
        self.current = test
        size = ast.Call(_constant(len), [_attribute(items)], [])
        self.branch(_located(ast.Compare(_attribute(at), [ast.Lt()], [size]), s), body, done, s)
        self.current = body
        item = ast.Subscript(_attribute(items), _attribute(at), ast.Load())
        self.emit(_located(ast.Assign([s.target], item), s))
        step = ast.AugAssign(_attribute(at, ast.Store()), ast.Add(), ast.Constant(1))
        self.emit(_located(step, s))
        self.lower_loop(s, body, done, test, after)
        return None

    def lower_range(self, s: ast.For, ends: bool) -> None:
        """range(...); without an end: itertools.count(...)."""
        assert isinstance(s.iter, ast.Call)
        given = list(s.iter.args)
        if not ends and len(given) <= 2:
            given = [*given[:1], *[ast.Constant(0)] * (1 - len(given)), ast.Constant(0), *given[1:]]
        if s.iter.keywords or not 1 <= len(given) <= 3:
            raise _Unsupported
        start = given[0] if len(given) > 1 else ast.Constant(0)
        stop, step = given[len(given) > 1], given[2] if len(given) > 2 else ast.Constant(1)
        at, end, by = (f"{word}_{self.count}_" for word in ("at", "end", "by"))
        for name, value in ((at, start), (end, stop), (by, step)):
            first = ast.Assign([_attribute(name, ast.Store())], value)
            self.emit(_located(first, s.iter))
        test, body, done, after = (self.new_block() for _ in range(4))
        self.jump(test, s)
        self.current = test
        up = ast.Compare(_attribute(at), [ast.Lt()], [_attribute(end)])
        down = ast.Compare(_attribute(at), [ast.Gt()], [_attribute(end)])
        is_up = ast.Compare(_attribute(by), [ast.Gt()], [ast.Constant(0)])
        goes_on: ast.expr = up if len(given) < 3 else ast.IfExp(is_up, up, down)
        goes_on = goes_on if ends else ast.Constant(True)
        self.branch(_located(goes_on, s), body, done, s)
        self.current = body
        self.emit(_located(ast.Assign([s.target], _attribute(at)), s))
        following = ast.AugAssign(_attribute(at, ast.Store()), ast.Add(), _attribute(by))
        self.emit(_located(following, s))
        self.lower_loop(s, body, done, test, after)

    def new_block(self) -> int:
        self.blocks.append([])
        return len(self.blocks) - 1

    def emit(self, s: ast.stmt) -> None:
        block = self.blocks[self.current]
        if not (block and isinstance(block[-1], ast.Continue | ast.Return | ast.Raise)):
            block.append(_Attributes(self.names).visit(s))

    def resume_at(self, block: int) -> ast.stmt:
        return ast.Assign([_attribute(_RESUME, ast.Store())], ast.Constant(block))

    def jump(self, block: int, where: ast.AST) -> None:
        self.emit(_located(self.resume_at(block), where))
        self.emit(_located(ast.Continue(), where))

    def branch(self, test: ast.expr, then: int, otherwise: int, where: ast.AST) -> None:
        both: list[list[ast.stmt]] = [[self.resume_at(k)] for k in (then, otherwise)]
        self.emit(_located(ast.If(test, *both), where))
        self.emit(_located(ast.Continue(), where))

    def end(self, where: ast.AST) -> None:
        self.emit(_located(self.resume_at(-1), where))
        stop = ast.Raise(ast.Name("StopIteration", ast.Load()), None)
        self.emit(_located(stop, where))


def _constant(value: object) -> ast.expr:
    return ast.Constant(value)  # type: ignore[arg-type]  # capture takes any object there


class _Named(ast.NodeTransformer):
    """Functions in a tree as names, which Python's compiler takes; nothing runs that code."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if not callable(node.value):
            return node
        return ast.copy_location(ast.Name(node.value.__name__, ast.Load()), node)


class _Attributes(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        return ast.copy_location(_attribute(_stored_as(node.id), node.ctx), node)


def _stored_as(name: str) -> str:
    """The attribute that a variable becomes."""
    return f"{name}_variable_" if name in _OF_GENERATORS else name


class _Returns(ast.NodeTransformer):
    """`return` in a statement without yields ends the generator."""

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        ended = ast.Assign([_attribute(_RESUME, ast.Store())], ast.Constant(-1))
        stop = ast.Raise(ast.Name("StopIteration", ast.Load()), None)
        return [_located(ended, node), _located(stop, node)]


def _attribute(name: str, context: ast.expr_context | None = None) -> ast.Attribute:
    return ast.Attribute(ast.Name(_SELF, ast.Load()), name, context or ast.Load())


def _function(
    name: str, arguments: ast.arguments, body: list[ast.stmt], where: ast.AST
) -> ast.FunctionDef:
    return _located(_definition(ast.FunctionDef, name, arguments, body, [], None, None), where)


def _definition(kind: type[_Node], *fields: Any) -> _Node:
    """With the field that Python 3.12 added."""
    return kind(*fields, *([[]] if "type_params" in kind._fields else []))


def _located(node: _Node, where: ast.AST) -> _Node:
    for inner in ast.walk(node):
        if not hasattr(inner, "lineno") and isinstance(inner, ast.stmt | ast.expr | ast.arg):
            ast.copy_location(inner, where)
    return node


def _called(node: ast.AST) -> str:
    """The name that it calls; "" for other expressions."""
    called = node.func if isinstance(node, ast.Call) else None
    return called.id if isinstance(called, ast.Name) else ""


def _yields(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node))


def _jumps_out(s: ast.AST) -> bool:
    """Whether it has a break or continue of a loop around it."""
    if isinstance(s, ast.Break | ast.Continue):
        return True
    parts = _parts(s, ("orelse",) if isinstance(s, ast.For | ast.While) else _BLOCKS)
    return any(_jumps_out(one) for one in parts)


_BLOCKS = ("body", "orelse", "handlers", "finalbody")


def _parts(s: ast.AST, names: tuple[str, ...]) -> Iterator[ast.AST]:
    for name in names:
        yield from getattr(s, name, [])
