// Expressions: each becomes one any-typed value, operands in Python's order of evaluation.
#include "capture/emitter.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

namespace {

std::string comparisonName(py::handle op) {
    return llvm::StringSwitch<std::string>(className(op))
        .Case("Lt", "lt")
        .Case("LtE", "le")
        .Case("Gt", "gt")
        .Case("GtE", "ge")
        .Case("Eq", "eq")
        .Case("NotEq", "ne")
        .Case("Is", "is")
        .Case("IsNot", "is_not")
        .Case("In", "in")
        .Case("NotIn", "not_in")
        .Default("");
}

} // namespace

std::string binaryName(py::handle op) {
    return llvm::StringSwitch<std::string>(className(op))
        .Case("Add", "add")
        .Case("Sub", "sub")
        .Case("Mult", "mul")
        .Case("Div", "truediv")
        .Case("FloorDiv", "floordiv")
        .Case("Mod", "mod")
        .Case("Pow", "pow")
        .Case("LShift", "lshift")
        .Case("RShift", "rshift")
        .Case("BitAnd", "and")
        .Case("BitOr", "or")
        .Case("BitXor", "xor")
        .Case("MatMult", "matmul")
        .Default("");
}

// Operands are emitted first and set `loc` to their own locations; each op then gets that of its
// node.
Value FunctionEmitter::expression(py::handle node) {
    Location before = loc;
    Value value;
    try {
        value = expressionAt(node);
    } catch (const MissingAttribute &missing) {
        setLocation(missing.node);
        const std::string name = identifier(missing.node, "attr");
        auto raises = np::CheckBoundOp::create(builder, loc, any, unbound(name), name);
        raises.setAttributeAttr(builder.getStringAttr(missing.error.message));
        value = raises;
    }
    loc = before;
    return value;
}

// a + b + c + ..., with a loop in place of recursion: chains may be long.
Value FunctionEmitter::binary(py::handle node) {
    SmallVector<py::object> chain;
    py::object left = py::reinterpret_borrow<py::object>(node);
    for (; kindOf(left) == Kind::BinOp; left = field(left, "left"))
        chain.push_back(left);
    Value value = expression(left);
    for (const py::object &operation : llvm::reverse(chain)) {
        setLocation(operation);
        Value right = expression(field(operation, "right"));
        value = pyop(binaryName(field(operation, "op")), {value, right});
    }
    return value;
}

Value FunctionEmitter::expressionAt(py::handle node) {
    setLocation(node);
    switch (kindOf(node)) {
    case Kind::Constant:
        return constant(field(node, "value"), node);
    case Kind::Name:
        return name(node);
    case Kind::Lambda:
        return closure(node, "", Use::Escaping, node);
    case Kind::Comprehension:
        return className(node) == "GeneratorExp" ? callNamed("builtins.iter", listOf(node))
                                                 : listOf(node);
    case Kind::DictComp: {
        State before = state;
        Value empty = np::TupleOp::create(builder, loc, any, ValueRange(), builder.getUnitAttr());
        Value pairs = comprehension(node, 0, empty);
        state = before;
        return dictOf(pairs, 0);
    }
    case Kind::Dict:
        return dict(node);
    case Kind::NamedExpr: {
        if (conditionalDepth)
            unsupported(node,
                        "':=' in a conditionally evaluated operand of 'and', 'or', 'if' or a "
                        "chained comparison is not supported; assign in a statement of its own");
        Value value = expression(field(node, "value"));
        assign(field(node, "target"), value);
        return value;
    }
    case Kind::BoolOp:
        return boolOp(node, className(field(node, "op")) == "And", 0);
    case Kind::BinOp:
        return binary(node);
    case Kind::UnaryOp:
        return unary(node);
    case Kind::IfExp:
        return select(
            truth(field(node, "test")), [&] { return expression(field(node, "body")); },
            [&] { return expression(field(node, "orelse")); });
    case Kind::Compare:
        if (Value known = objectTest(node))
            return known;
        return compareFrom(node, expression(field(node, "left")), 0);
    case Kind::Call:
        return call(node);
    case Kind::Attribute:
        return attribute(node);
    case Kind::Subscript: {
        if (Value trick = indexTrick(node))
            return trick;
        if (Value read = readField(node))
            return read;
        Value base = expression(field(node, "value"));
        SmallVector<Value> index = keys(field(node, "slice"));
        return np::GetItemOp::create(builder, loc, any, base, ValueRange(index));
    }
    case Kind::Tuple:
        return sequence(node, false);
    case Kind::List:
        return sequence(node, true);
    case Kind::Caught:
        return callNamed("shapecast.caught", expression(field(node, "number")));
    case Kind::RecordIndex:
        return callNamed("shapecast.record", expression(field(node, "value")));
    case Kind::Slice:
        return slice(node);
    case Kind::JoinedStr:
        return joinedString(node);
    case Kind::Starred:
        unsupported(node, "'*' in an expression is not supported; write the items out one by one");
    default:
        unsupported(node, unsupportedConstruct(node));
    }
}

// np.mgrid[...] and the like: a call with the keys, and a flag whether they are a tuple.
Value FunctionEmitter::indexTrick(py::handle node) {
    py::handle base = field(node, "value");
    if (kindOf(base) != Kind::Attribute && kindOf(base) != Kind::Name)
        return {};
    std::optional<ExternalRef> found = lookUp(base);
    for (const char *name : {"mgrid", "ogrid", "r_", "c_", "s_", "index_exp"}) {
        if (!found || !found->object.is(session.numpy.attr(name)))
            continue;
        session.addGuard(*found);
        const py::object slice = field(node, "slice");
        const bool isTuple = kindOf(slice) == Kind::Tuple;
        SmallVector<Value> given = isTuple ? elementsOf(slice) : keys(slice);
        given.insert(given.begin(), boolean(isTuple));
        return callNamed(("numpy." + llvm::StringRef(name)).str(), given);
    }
    return {};
}

Value FunctionEmitter::pyop(StringRef op, ValueRange operands) {
    return np::PyOp::create(builder, loc, any, op, operands, /*nowrap=*/false);
}

// A call of a builtin or library function that is not in the source.
Value FunctionEmitter::callNamed(StringRef name, ValueRange arguments) {
    return np::CallOp::create(builder, loc, any, name, arguments, ArrayAttr(), ArrayAttr(),
                              ArrayAttr())
        .getResult();
}

// f"...": its parts, each formatted, joined.
Value FunctionEmitter::joinedString(py::handle node) {
    SmallVector<Value> parts;
    for (py::handle part : field(node, "values"))
        parts.push_back(className(part) == "FormattedValue" ? formatted(part) : expression(part));
    setLocation(node);
    return callNamed("builtins.str.join", parts);
}

// {value!conversion:specification}
Value FunctionEmitter::formatted(py::handle node) {
    Value value = expression(field(node, "value"));
    const int conversion = py::cast<int>(field(node, "conversion"));
    setLocation(node);
    if (conversion != -1)
        value = callNamed(conversion == 's'   ? "builtins.str"
                          : conversion == 'r' ? "builtins.repr"
                                              : "builtins.ascii",
                          value);
    py::object specification = field(node, "format_spec");
    return callNamed(
        "builtins.format",
        {value, specification.is_none() ? staticValue("str", "") : expression(specification)});
}

// In a condition, `a and b` and `not a` use only the truth values of a and b, whatever their types.
Value FunctionEmitter::truth(py::handle node) {
    if (kindOf(node) == Kind::BoolOp)
        return boolOp(node, className(field(node, "op")) == "And", 0, /*truths=*/true);
    if (kindOf(node) == Kind::UnaryOp && className(field(node, "op")) == "Not")
        return pyop("not", truth(field(node, "operand")));
    Value value = expression(node);
    Location before = loc;
    setLocation(node);
    value = np::TruthOp::create(builder, loc, any, value);
    loc = before;
    return value;
}

// A conditional expression: one result, and no variables assigned.
Value FunctionEmitter::select(Value condition, llvm::function_ref<Value()> then,
                              llvm::function_ref<Value()> orelse) {
    Location where = loc;
    State before = state;
    Region arms[2];
    for (int i : {0, 1}) {
        OpBuilder::InsertionGuard guard(builder);
        builder.createBlock(&arms[i]);
        ++conditionalDepth;
        Value value;
        if (Value refused = orRefusal([&] { value = (i == 0 ? then : orelse)(); }))
            value = refused;
        --conditionalDepth;
        np::YieldOp::create(builder, where, value);
        state = before;
    }
    loc = where;
    auto op = np::IfOp::create(builder, loc, TypeRange(any), condition);
    op.getThenRegion().takeBody(arms[0]);
    op.getElseRegion().takeBody(arms[1]);
    return op.getResult(0);
}

// `a and b`: b when a is true, else a itself.
Value FunctionEmitter::boolOp(py::handle node, bool isAnd, size_t first, bool truths) {
    py::object values = field(node, "values");
    py::object operand = values[py::int_(first)];
    Value value = truths ? truth(operand) : expression(operand);
    if (first + 1 == py::len(values))
        return value;
    Location where = loc;
    setLocation(operand);
    Value condition = truths ? value : np::TruthOp::create(builder, loc, any, value).getResult();
    loc = where;
    auto rest = [&] { return boolOp(node, isAnd, first + 1, truths); };
    auto stop = [&] { return value; };
    return isAnd ? select(condition, rest, stop) : select(condition, stop, rest);
}

Value FunctionEmitter::unary(py::handle node) {
    py::object operand = field(node, "operand");
    std::string op = className(field(node, "op"));
    if (kindOf(operand) == Kind::Constant &&
        op == "USub") { // -1 is a constant, as in Python's compiler
        py::object value = field(operand, "value");
        Type type;
        bool number = numberAttr(value, type) && !isa<np::PyBoolType>(type);
        bool smallest = PyLong_CheckExact(value.ptr()) && !PyBool_Check(value.ptr());
        if (number || smallest)
            return constant(py::reinterpret_steal<py::object>(PyNumber_Negative(value.ptr())),
                            node);
    }
    Value value = expression(operand);
    return pyop(llvm::StringSwitch<StringRef>(op)
                    .Case("USub", "neg")
                    .Case("UAdd", "pos")
                    .Case("Invert", "invert")
                    .Default("not"),
                value);
}

// `a < b < c` is `a < b and b < c` with b evaluated once.
Value FunctionEmitter::compareFrom(py::handle node, Value left, size_t index) {
    py::object ops = field(node, "ops"), comparators = field(node, "comparators");
    std::string op = comparisonName(ops[py::int_(index)]);
    Value right = expression(comparators[py::int_(index)]);
    Value result = pyop(op, {left, right});
    if (index + 1 == py::len(ops))
        return result;
    Value condition = np::TruthOp::create(builder, loc, any, result);
    return select(
        condition, [&] { return compareFrom(node, right, index + 1); }, [&] { return result; });
}

Value FunctionEmitter::attribute(py::handle node) {
    if (Value read = readAttribute(node))
        return read;
    if (std::optional<ExternalRef> found = lookUp(node))
        return externalValue(*found, node);
    Value base = expression(field(node, "value"));
    return np::AttrOp::create(builder, loc, any, base, identifier(node, "attr"));
}

Value FunctionEmitter::sequence(py::handle node, bool list) {
    SmallVector<Value> elements;
    SmallVector<int64_t> starred;
    for (py::handle element : field(node, "elts")) {
        bool star = kindOf(element) == Kind::Starred;
        if (star)
            starred.push_back(elements.size());
        elements.push_back(expression(star ? field(element, "value")
                                           : py::reinterpret_borrow<py::object>(element)));
    }
    auto op =
        np::TupleOp::create(builder, loc, any, elements, list ? builder.getUnitAttr() : UnitAttr());
    if (!starred.empty())
        op.setStarredAttr(builder.getDenseI64ArrayAttr(starred));
    return op;
}

// `elements` alternate keys and values; those at the indices `starred` are mappings to unpack.
Value FunctionEmitter::dictOf(ValueRange elements, ArrayRef<int64_t> starred) {
    auto op = np::TupleOp::create(builder, loc, any, elements, UnitAttr());
    op.setDictAttr(builder.getUnitAttr());
    if (!starred.empty())
        op.setStarredAttr(builder.getDenseI64ArrayAttr(starred));
    return op;
}

Value FunctionEmitter::dict(py::handle node) {
    SmallVector<Value> elements;
    SmallVector<int64_t> starred;
    for (auto [key, value] : llvm::zip(field(node, "keys"), field(node, "values"))) {
        if (key.is_none())
            starred.push_back(int64_t(elements.size()));
        else
            elements.push_back(expression(key));
        elements.push_back(expression(value));
    }
    return dictOf(elements, starred);
}

// dict(pairs, name=value, **other)
Value FunctionEmitter::dictCall(py::handle call) {
    SmallVector<Value> elements;
    SmallVector<int64_t> starred;
    auto several = [&](py::handle node) {
        starred.push_back(int64_t(elements.size()));
        elements.push_back(expression(node));
    };
    for (py::handle argument : field(call, "args"))
        several(argument);
    for (py::handle keyword : field(call, "keywords")) {
        py::object name = field(keyword, "arg"), value = field(keyword, "value");
        if (name.is_none()) {
            several(value);
            continue;
        }
        elements.push_back(staticValue("str", text(name)));
        elements.push_back(expression(value));
    }
    return dictOf(elements, starred);
}

// `[... for target in iterable if condition ...]` from generator number `generator` on: a loop that
// carries a dynamic list.
Value FunctionEmitter::comprehension(py::handle node, size_t generator, Value list) {
    py::object generators = field(node, "generators");
    if (generator == py::len(generators)) {
        llvm::SaveAndRestore others(firstOnly, false);
        Value item;
        if (kindOf(node) == Kind::DictComp) {
            Value key = expression(field(node, "key")), value = expression(field(node, "value"));
            item = np::TupleOp::create(builder, loc, any, ValueRange{key, value}, UnitAttr());
        } else {
            item = expression(field(node, "elt"));
        }
        return pyop("append", {list, item});
    }
    py::object here = generators[py::int_(generator)];
    const size_t outer = comprehensionVariables.size();
    if (auto iterations = objectIterations(field(here, "target"), field(here, "iter"))) {
        for (const Iteration &iteration : *iterations) {
            bindIteration(iteration, [&](py::handle target, Value value) {
                bindComprehensionVariable(target, value);
            });
            list = filtered(node, generator, 0, list);
            forgetIteration(iteration);
            comprehensionVariables.resize(outer);
        }
        return list;
    }
    const bool firstOnly = std::exchange(this->firstOnly, false);
    Value iterable = expression(field(here, "iter"));
    this->firstOnly = firstOnly;
    auto op = np::ForEachOp::create(builder, loc, TypeRange(any), iterable, ValueRange(list));
    op.setUnrollAttr(builder.getUnitAttr());
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *body = builder.createBlock(&op.getBody(), {}, {any, any}, {loc, loc});
    bindComprehensionVariable(field(here, "target"), body->getArgument(0));
    Value longer = filtered(node, generator, 0, body->getArgument(1));
    comprehensionVariables.resize(outer);
    Value continues;
    if (firstOnly)
        continues = pyop("not", np::TruthOp::create(builder, loc, any, longer).getResult());
    np::NextOp::create(builder, loc, longer, continues);
    return op.getResult(0);
}

// next(... for ...), next((... for ...), default): nothing after the first item is evaluated.
Value FunctionEmitter::nextOf(py::handle items, py::handle call) {
    llvm::SaveAndRestore first(firstOnly, true);
    SmallVector<Value> values{callNamed("builtins.iter", expression(items))};
    firstOnly = false;
    for (py::handle argument : field(call, "args")[py::slice(py::int_(1), py::none(), py::none())])
        values.push_back(expression(argument));
    return callNamed("builtins.next", values);
}

Value FunctionEmitter::filtered(py::handle node, size_t generator, size_t condition, Value list) {
    py::object conditions = field(field(node, "generators")[py::int_(generator)], "ifs");
    if (condition == py::len(conditions))
        return comprehension(node, generator + 1, list);
    const bool firstOnly = std::exchange(this->firstOnly, false);
    Value test = truth(conditions[py::int_(condition)]);
    this->firstOnly = firstOnly;
    return select(
        test, [&] { return filtered(node, generator, condition + 1, list); }, [&] { return list; });
}

void FunctionEmitter::bindComprehensionVariable(py::handle target, Value value) {
    if (kindOf(target) == Kind::Name) {
        comprehensionVariables.emplace_back(identifier(target, "id"), value);
        return;
    }
    if (kindOf(target) != Kind::Tuple && kindOf(target) != Kind::List)
        unsupported(target, "the variable of a comprehension must be a name or a tuple of names");
    py::object elements = field(target, "elts");
    SmallVector<Type> types(py::len(elements), any);
    auto unpack = np::UnpackOp::create(builder, loc, types, value);
    for (auto [element, part] : llvm::zip(elements, unpack.getResults()))
        bindComprehensionVariable(element, part);
}

// The items of a comprehension, or of a generator expression.
Value FunctionEmitter::listOf(py::handle node) {
    State before = state; // checks in the body do not dominate what follows
    Value empty = np::TupleOp::create(builder, loc, any, ValueRange(), builder.getUnitAttr());
    Value list = comprehension(node, 0, empty);
    state = before;
    return list;
}

Value FunctionEmitter::slice(py::handle node) {
    Value parts[3];
    const char *names[] = {"lower", "upper", "step"};
    for (int i : {0, 1, 2}) {
        py::object given = field(node, names[i]);
        parts[i] = given.is_none() ? none() : expression(given);
    }
    return np::SliceOp::create(builder, loc, any, parts[0], parts[1], parts[2]);
}

SmallVector<Value> FunctionEmitter::keys(py::handle slice) {
    const bool isTuple = kindOf(slice) == Kind::Tuple;
    if (!isTuple || py::len(field(slice, "elts")) == 1) // the key of d[k,] is a tuple
        return {expression(slice)};
    return elementsOf(slice);
}

SmallVector<Value> FunctionEmitter::elementsOf(py::handle tuple) {
    SmallVector<Value> values;
    for (py::handle element : field(tuple, "elts"))
        values.push_back(expression(element));
    return values;
}

//===-- Calls

// Objects are not SSA values; the callee is specialised for them. Functions of Python and NumPy
// iterate over a generator expression once, so it is emitted as a list.
Value FunctionEmitter::argument(py::handle node, bool mayBeObject) {
    if (!mayBeObject && className(node) == "GeneratorExp")
        return listOf(node);
    if (mayBeObject && objectArgument(node))
        return none();
    return usedAs(node, Use::Passed);
}

// An expression that may be a nested function, which is called or passed on.
Value FunctionEmitter::usedAs(py::handle node, Use use) {
    const Location before = loc;
    setLocation(node);
    Value value = kindOf(node) == Kind::Name     ? name(node, use)
                  : kindOf(node) == Kind::Lambda ? closure(node, "", use, node)
                                                 : Value();
    loc = before;
    return value ? value : expression(node);
}

void FunctionEmitter::positional(py::handle call, SmallVector<Value> &values, bool mayBeObjects) {
    for (py::handle argument : field(call, "args")) {
        if (kindOf(argument) == Kind::Starred)
            unsupported(call, "'*' in a call of a method is not supported; write the arguments out "
                              "one by one");
        values.push_back(this->argument(argument, mayBeObjects));
    }
}

// Appends the call's arguments; returns the names of the keyword arguments among them (the last
// ones), or null.
ArrayAttr FunctionEmitter::arguments(py::handle call, SmallVector<Value> &values,
                                     bool mayBeObjects) {
    positional(call, values, mayBeObjects);
    return keywordArguments(call, values, mayBeObjects);
}

ArrayAttr FunctionEmitter::keywordArguments(py::handle call, SmallVector<Value> &values,
                                            bool mayBeObjects) {
    SmallVector<std::string> names;
    for (py::handle keyword : field(call, "keywords")) {
        py::object value = field(keyword, "value");
        if (field(keyword, "arg").is_none())
            names.push_back("**");
        else
            names.push_back(identifier(keyword, "arg"));
        values.push_back(argument(value, mayBeObjects));
    }
    return names.empty() ? ArrayAttr()
                         : builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names));
}

Value FunctionEmitter::call(py::handle node) {
    py::object callee = field(node, "func");
    bool starred =
        llvm::any_of(field(node, "args"), [](py::handle a) { return kindOf(a) == Kind::Starred; });
    if (!starred)
        if (std::optional<ExternalRef> known = resolve(callee))
            return callKnown(*known, node);
    if (kindOf(callee) == Kind::Attribute && !lookUp(callee)) {
        SmallVector<Value> values;
        Value base = expression(field(callee, "value"));
        ArrayAttr names = arguments(node, values);
        return np::MethodOp::create(builder, loc, any, base, identifier(callee, "attr"), values,
                                    names);
    }
    return apply(node);
}

// A call of a value: of a variable, a lambda, another call's result; and every call with `*args`.
Value FunctionEmitter::apply(py::handle node) {
    Value function = usedAs(field(node, "func"), Use::Called);
    SmallVector<Value> values;
    SmallVector<int64_t> starred;
    for (py::handle argument : field(node, "args")) {
        bool star = kindOf(argument) == Kind::Starred;
        if (star)
            starred.push_back(values.size());
        values.push_back(star ? expression(field(argument, "value"))
                              : usedAs(argument, Use::Passed));
    }
    ArrayAttr names = keywordArguments(node, values);
    auto op = np::ApplyOp::create(builder, loc, any, function, values, names);
    if (!starred.empty())
        op.setStarredAttr(builder.getDenseI64ArrayAttr(starred));
    return op;
}

Value FunctionEmitter::callKnown(const ExternalRef &callee, py::handle node) {
    py::object plain = unwrapJitted(callee.object);
    std::string name = session.externalName(plain);
    if (name == "builtins.print")
        unsupported(node, "print(...) inside an expression is not supported; make it a statement");
    if (session.isException(plain) || isCallableWrapper(plain))
        return apply(node);
    if (name == "warnings.warn")
        return warnCall(node);
    if (name == "builtins.super")
        unsupported(node, "super() is supported as super().name of a method, a property or a "
                          "static method that a class in Python has");
    if (name == "builtins.dict" && py::len(field(node, "args")) <= 1)
        return dictCall(node);
    if (name == "builtins.len" && py::len(field(node, "args")) == 1)
        if (auto records = recordsAt(field(node, "args")[py::int_(0)]))
            return callNamed(name, anyField(*records, node));
    if (name == "builtins.len" && py::len(field(node, "args")) == 1)
        if (auto objects = objectsIn(field(node, "args")[py::int_(0)]))
            return constant(py::int_(objects->size()), node);
    if (name == "builtins.isinstance")
        if (Value known = instanceTest(node))
            return known;
    if (name == "builtins.getattr" || name == "builtins.hasattr")
        if (Value known = attributeQuery(name, node))
            return known;
    if (name == "builtins.callable")
        if (Value known = callableTest(node))
            return known;
    if (py::object given = field(node, "args");
        name == "builtins.isinstance" && py::len(given) == 2 && !py::len(field(node, "keywords")))
        return callNamed(name, {expression(given[py::int_(0)]), classNamed(given[py::int_(1)])});
    if (name == "builtins.next" && py::len(field(node, "args")))
        if (py::object items = field(node, "args")[py::int_(0)]; className(items) == "GeneratorExp")
            return nextOf(items, node);
    if (name.empty())
        return callFunction(callee, node);
    if (py::object given = field(node, "args");
        (name == "builtins.len" || name == "builtins.reversed") && py::len(given) == 1)
        return callNamed(name, expression(given[py::int_(0)])); // a generator has neither
    if (py::object given = field(node, "args");
        (name == "numpy.array" || name == "numpy.asarray") && py::len(given) &&
        className(given[py::int_(0)]) == "GeneratorExp")
        unsupported(given[py::int_(0)],
                    "NumPy makes an array of the generator itself, which is not supported; write a "
                    "list: [... for ...], or np.fromiter");
    SmallVector<Value> values;
    ArrayAttr names = arguments(node, values);
    return np::CallOp::create(builder, loc, any, name, values, names, ArrayAttr(), ArrayAttr())
        .getResult();
}

// In messages: "the class 'Vec'", "an object of type 'Model'".
static std::string calledName(py::handle called) {
    if (PyType_Check(called.ptr()))
        return "the class '" + py::cast<std::string>(called.attr("__name__")) + "'";
    return "an object of type '" + className(called) + "'";
}

// A call of a Python function, a method, or a callable object.
Value FunctionEmitter::callFunction(const ExternalRef &called, py::handle node) {
    if (std::optional<RecordClass> record = recordClass(called.object)) {
        SmallVector<Value> values{none()};
        std::string name = captureRecord(called.object, *record);
        ArrayAttr names = arguments(node, values);
        names = addDefaults(name, values, names, node);
        return np::CallOp::create(builder, loc, any, name, values, names, ArrayAttr(), ArrayAttr())
            .getResult();
    }
    const ExternalRef callee = asFunction(called);
    if (isLogging(callee.object))
        return logCall(callee, node);
    if (!isPlainFunction(callee.object))
        unsupported(
            field(node, "func"),
            "calling " + calledName(called.object) +
                " is not supported; call functions of NumPy, math, or your own plain functions");
    std::string name = captureCallee(callee, node, node);
    SmallVector<Value> values;
    if (callee.receiver)
        values.push_back(none()); // `self` is not an SSA value
    ArrayAttr names = arguments(node, values, /*mayBeObjects=*/true);
    names = addDefaults(name, values, names, node);
    return np::CallOp::create(builder, loc, any, name, values, names, ArrayAttr(), ArrayAttr())
        .getResult();
}

// The value of a default that is not a constant: a function. Others (arrays, objects) must be
// passed.
Value FunctionEmitter::defaultValue(const ParameterInfo &parameter, py::handle node) {
    if (isPlainFunction(unwrapJitted(parameter.value)))
        return functionValue({parameter.value, {}, ""}, node);
    unsupported(node, "the default of parameter '" + parameter.name + "' is of type '" +
                          className(parameter.value) +
                          "', which is not supported; pass the argument");
}

// Defaults that are not constants become keyword arguments where the call does not pass them.
ArrayAttr FunctionEmitter::addDefaults(const std::string &name, SmallVectorImpl<Value> &values,
                                       ArrayAttr names, py::handle node) {
    const size_t positional = values.size() - (names ? names.size() : 0);
    SmallVector<Attribute> all;
    if (names)
        all.append(names.begin(), names.end());
    const std::vector<ParameterInfo> parameters = session.parameters[name];
    for (auto [index, parameter] : llvm::enumerate(parameters)) {
        if (!parameter.value || index < positional || defaultAttr(parameter.value))
            continue;
        const Attribute keyword = builder.getStringAttr(parameter.name);
        if (llvm::is_contained(all, keyword))
            continue;
        values.push_back(defaultValue(parameter, node));
        all.push_back(keyword);
    }
    return all.empty() ? names : builder.getArrayAttr(all);
}

} // namespace shapecast::capture
