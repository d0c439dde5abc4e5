// Functions as values: lambdas, functions inside functions, functions passed on.
//
// An inner function is an np.func whose first arguments are the variables that it takes from
// around it. Python looks those up when the function is called. Where one `def` alone gives the
// name its value, each call makes a closure of the variables as they are then; everywhere else they
// must not be assigned again further down. A loop around assigns them again in its next iteration:
// such a closure is marked, and np-infer refuses it where it outlives the iteration.
#include "capture/emitter.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// A name that is read.
Value FunctionEmitter::name(py::handle node, Use use) {
    std::string id = identifier(node, "id");
    if (const Outside *object = objectNamed(id))
        return outside(*object, node);
    if (Value value = scopedValue(id))
        return value;
    if (lost.contains(id))
        unsupported(node, "the variable '" + id +
                              "' stands for an object in another block only; "
                              "assign it in this one");
    if (auto local = syntax.localIndex.find(id); local != syntax.localIndex.end()) {
        Value value = readLocal(local->second);
        auto function = syntax.functions.find(local->second);
        return function == syntax.functions.end() ? value
                                                  : closure(function->second, id, use, node);
    }
    if (auto at = llvm::find(captured, id); at != captured.end()) {
        auto func = cast<np::FuncOp>(session.result.module->lookupSymbol(symbol));
        Value argument = func.getBody().getArgument(at - captured.begin());
        auto checked = np::CheckBoundOp::create(builder, loc, any, argument, id);
        checked->setAttr("free", builder.getUnitAttr());
        return checked;
    }
    if (outer && id == self)
        return selfClosure();
    std::optional<Outside> found = lookUpName(node);
    return found ? outside(*found, node) : undefinedName(id);
}

// The inner function as a value, used at `place`. `name` is what it may call itself, "" for a
// lambda.
Value FunctionEmitter::closure(py::handle definition, const std::string &name, Use use,
                               py::handle place) {
    bool lambda = kindOf(definition) == Kind::Lambda;
    if (!lambda && py::len(field(definition, "decorator_list")))
        unsupported(field(definition, "decorator_list")[py::int_(0)],
                    "a decorator inside a jitted function is not supported; leave it out");
    std::vector<std::string> taken;
    Later later;
    for (const std::string &free : freeNames(definition))
        if (bound.contains(free))
            noteLater(free, use, place, later);
        else if (isInside(free) && free != name && !objectNamed(free))
            taken.push_back(free);
    auto [known, isNew] = innerSymbols.try_emplace(definition.ptr(), "");
    if (isNew) {
        std::string made = session.freshSymbol(lambda ? "lambda" : identifier(definition, "name"));
        known->second = made;
        try {
            FunctionEmitter(*this, definition, made, name, taken).run();
        } catch (...) {
            session.forget(made);
            innerSymbols.erase(definition.ptr());
            throw;
        }
    }
    SmallVector<Value> variables, defaults;
    for (const std::string &variable : taken)
        variables.push_back(capturedNow(variable, definition, use, place, later));
    py::object arguments = field(definition, "args");
    for (py::handle value : field(arguments, "defaults"))
        defaults.push_back(expression(value));
    for (py::handle value : field(arguments, "kw_defaults"))
        if (!value.is_none())
            defaults.push_back(expression(value));
        else if (!defaults.empty())
            unsupported(definition, "a keyword-only parameter without default behind parameters "
                                    "with one is not supported here; reorder the parameters");
    auto made = np::ClosureOp::create(builder, loc, any, innerSymbols[definition.ptr()], variables,
                                      defaults);
    if (!later.variable.empty())
        made.setAssignedLater(later.variable);
    made.setBelow(later.below);
    return made;
}

// What an inner function finds under the name of a variable of this function, and whether it would
// find something else later.
Value FunctionEmitter::capturedNow(const std::string &variable, py::handle definition, Use use,
                                   py::handle place, Later &later) {
    if (Value value = scopedValue(variable)) {
        noteLater(variable, use, place, later);
        return value;
    }
    auto local = syntax.localIndex.find(variable);
    if (local == syntax.localIndex.end()) { // of a function further out
        if (outer && variable == self)
            return selfClosure();
        auto func = cast<np::FuncOp>(session.result.module->lookupSymbol(symbol));
        return func.getBody().getArgument(llvm::find(captured, variable) - captured.begin());
    }
    unsigned index = local->second;
    const Binding &binding = state.locals[index];
    auto function = syntax.functions.find(index);
    if (function != syntax.functions.end() && binding.value) {
        if (function->second.is(definition) || !capturing.insert(variable).second)
            unsupported(definition, "functions inside a function that call one another are not "
                                    "supported; define them at the top of the module");
        Value value = closure(function->second, variable, use, place);
        capturing.erase(variable);
        return value;
    }
    noteLater(variable, use, place, later);
    return binding.value ? binding.value : unbound(variable);
}

// Whether the variable is assigned again after `place`; a comprehension's is, by each iteration.
void FunctionEmitter::noteLater(const std::string &variable, Use use, py::handle place,
                                Later &later) {
    if (use == Use::Defined)
        return;
    auto local = syntax.localIndex.find(variable);
    const bool own = local != syntax.localIndex.end() && !scopedValue(variable);
    const bool below = own && syntax.assignedAfter(local->second, rangeOf(place));
    if (below && use == Use::Escaping)
        unsupported(place, "the variable '" + variable +
                               "' is assigned again after this function is made; give the "
                               "later value another name, or pass it as an argument");
    if (!own || below ||
        llvm::any_of(loops, [&](const Loop &l) { return l.assigned.test(local->second); }))
        later.variable = variable;
    later.below |= below;
}

Value FunctionEmitter::selfClosure() {
    auto func = cast<np::FuncOp>(session.result.module->lookupSymbol(symbol));
    SmallVector<Value> variables(func.getBody().getArguments().take_front(captured.size()));
    return np::ClosureOp::create(builder, loc, any, symbol, variables, ValueRange());
}

// A function read as a value: a plain one, a method, one of NumPy or a builtin.
Value FunctionEmitter::functionValue(const Outside &found, py::handle node) {
    std::string external = session.externalName(unwrapJitted(found.object));
    if (!external.empty())
        return staticValue("func", external);
    if (std::optional<RecordClass> record = recordClass(found.object))
        return np::ClosureOp::create(builder, loc, any, captureRecord(found.object, *record),
                                     ValueRange(none()), ValueRange())
            ->getResult(0);
    if (isMadeOfFunction(found.object))
        return madeOfFunction(found, node);
    Outside callee = asFunction(found);
    if (!isPlainFunction(callee.object))
        unsupported(node, hasAttributes(found.object)
                              ? "an object of class '" + className(found.object) +
                                    "' as a value is not supported; use its attributes and methods"
                              : "an object of type '" + className(callee.object) +
                                    "' as a value is not supported; use functions of NumPy, math, "
                                    "or your own plain functions");
    std::string name = captureCallee(callee, py::none(), node);
    SmallVector<Value> self, defaults;
    if (callee.receiver)
        self.push_back(none());
    const std::vector<ParameterInfo> parameters = session.parameters[name];
    for (const ParameterInfo &parameter : parameters) // from the first that is no constant on
        if (parameter.value && (!defaults.empty() || !defaultAttr(parameter.value)))
            defaults.push_back(defaultAttr(parameter.value) ? constant(parameter.value, node)
                                                            : defaultValue(parameter, node));
    return np::ClosureOp::create(builder, loc, any, name, self, defaults);
}

} // namespace shapecast::capture
