"""What handlers read of the exceptions that they catch: attributes, `args`, classes."""

from dataclasses import dataclass


class StockError(Exception):
    def __init__(self, item, wanted, left):
        super().__init__(f"{item}: wanted {wanted}, only {left} left")
        self.item = item
        self.wanted = wanted
        self.left = left

    def missing(self):
        return self.wanted - self.left


class UnknownItem(StockError):
    def __init__(self, item):
        super().__init__(item, 1, 0)
        self.code = 404


class Plain(Exception):
    pass


class WithDefault(ValueError):
    def __init__(self, position, what="a number"):
        self.position = position
        self.what = what
        super().__init__(position, what)


@dataclass
class Located(Exception):
    line: int
    column: float = 0.5


class Counted(Exception):
    limit = 3

    @property
    def double(self):
        return self.args[0] * 2


def take(stock, item, count):
    if item not in stock:
        raise UnknownItem(item)
    if stock[item] < count:
        raise StockError(item, count, stock[item])
    stock[item] -= count
    return stock[item]


def attributes(n):
    stock = {"nut": n, "bolt": 3}
    found = []
    for item, count in [("nut", 2), ("bolt", 5), ("gear", 1), ("nut", 9)]:
        try:
            take(stock, item, count)
        except StockError as e:
            found.append((e.item, e.wanted, e.left))
    return found, stock


def attribute_of_derived(n):
    try:
        take({"nut": n}, "gear", 1)
    except UnknownItem as e:
        return e.code + n, e.item.upper()
    return 0, ""


def printed(n):
    try:
        take({"nut": n}, "nut", n + 5)
    except StockError as e:
        print("short of", e.item, e.wanted - e.left)
        return f"{e.item}:{e.left}"


def args_of_own(n):
    try:
        raise Plain("late", n)
    except Plain as e:
        return e.args


def item_of_args(n):
    s = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                raise Plain(i, i * 0.5)
        except Plain as e:
            s += e.args[0] + e.args[1]
    return s


def unpacked_args(n):
    try:
        raise Plain(n, "why")
    except Plain as e:
        number, why = e.args
        return why * number


def number_of_args(n):
    try:
        raise Plain(n, n, n)
    except Plain as e:
        return len(e.args)


def args_of_pythons(n):
    try:
        return [1, 2, 3][n]
    except IndexError as e:
        return e.args[0]


def args_of_key_error(n):
    d = {}
    for k in range(n):
        d[k] = k
    try:
        return d[n + 1]
    except KeyError as e:
        return e.args[0] * 2


def args_of_text_key(n):
    d = {}
    for k in range(n):
        d["k" + str(k)] = k
    try:
        return d["k" + str(n)]
    except KeyError as e:
        return e.args[0] + "!"


def is_instance(n):
    kinds = []
    for i in range(n):
        try:
            if i % 3 == 0:
                raise UnknownItem("a")
            if i % 3 == 1:
                raise StockError("b", 2, i)
            raise ValueError("c")
        except Exception as e:
            if isinstance(e, UnknownItem):
                kinds.append(0)
            elif isinstance(e, (StockError, KeyError)):
                kinds.append(1)
            else:
                kinds.append(2)
    return kinds


def name_of_class(n):
    names = []
    for i in range(n):
        try:
            if i % 2:
                raise Plain(i)
            int("x" * (i + 1))
        except Exception as e:
            names.append(type(e).__name__)
    return names


def name_by_class_attribute(n):
    try:
        return 1 // (n - n)
    except ArithmeticError as e:
        return e.__class__.__name__ + ": " + str(e)


def keywords(n):
    try:
        raise StockError("nail", wanted=n, left=n - 1)
    except StockError as e:
        return str(e), e.wanted, e.left


def defaults(n):
    try:
        raise WithDefault(n)
    except ValueError as e:
        return e.position, e.what, e.args


def of_dataclass(n):
    try:
        raise Located(n)
    except Located as e:
        return e.line + 1, e.column


def of_class(n):
    try:
        raise Counted(n)
    except Counted as e:
        return e.limit * n, e.double


def method(n):
    try:
        raise StockError("x", n, 1)
    except StockError as e:
        return e.missing() + 1


def none_or_number(n):
    try:
        raise StockError(None, n, 0)
    except StockError as e:
        return e.item is None, e.wanted


def lists(n):
    try:
        raise StockError("x", [n, n + 1], {"a": 1})
    except StockError as e:
        return str(e)


def outer_handler(n):
    log = []
    try:
        try:
            raise StockError("inner", n, 1)
        except StockError as e:
            log.append(e.item)
            raise Plain(e.wanted) from e
    except Plain as e:
        log.append(str(e.args[0]))
    return log


def as_argument(n):
    def shown(e):
        return f"{type(e).__name__}({e})"

    try:
        raise Plain(n)
    except Plain as e:
        return shown(e)


def no_such_attribute(n):
    try:
        raise Plain(n)
    except Plain as e:
        return e.nothing


def not_caught(n):
    try:
        raise StockError("x", n, 1)
    except KeyError as e:
        return e.args[0]


class CycleError(Exception):
    def __init__(self, node):
        self.node = node
        super().__init__("cycle at " + node)


def visit(graph, node, done, active, order):
    if node in active:
        raise CycleError(node)
    if node in done:
        return
    active.add(node)
    for other in graph[node]:
        visit(graph, other, done, active, order)
    active.remove(node)
    done.add(node)
    order.append(node)


def cycle(n):
    graph = {"a": ["b"], "b": ["c"], "c": []}
    if n > 3:
        graph["c"].append("a")
    order = []
    done = set()
    try:
        for node in sorted(graph):
            visit(graph, node, done, set(), order)
    except CycleError as e:
        return "cycle", e.node
    return "order", ",".join(order)


CASES = [
    (f, (n,))
    for f in (
        attributes,
        attribute_of_derived,
        printed,
        args_of_own,
        item_of_args,
        unpacked_args,
        number_of_args,
        args_of_pythons,
        args_of_key_error,
        args_of_text_key,
        is_instance,
        name_of_class,
        name_by_class_attribute,
        keywords,
        defaults,
        of_dataclass,
        of_class,
        method,
        none_or_number,
        lists,
        outer_handler,
        as_argument,
        no_such_attribute,
        not_caught,
        cycle,
    )
    for n in (3, 7)
]
