// Functions as values: lambdas, nested functions, functions passed as arguments.
//
// A nested function is an np.func whose first arguments are its free variables. Python looks those
// up when the function is called (late binding), we where the closure is created. Where a single
// `def` assigns the name, each call creates a closure of the current variables; everywhere else
// they must not be reassigned further down. An enclosing loop reassigns them in its next iteration:
// such a closure is marked, and np-infer rejects it where it outlives the iteration.
#include "capture/emitter.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

// A name that is read, here or in an enclosing scope.
Value FunctionEmitter::name(py::handle node, Use use) {
    std::string id = identifier(node, "id");
    if (const ExternalRef *object = objectNamed(id))
        return externalValue(*object, node);
    if (Value value = comprehensionValue(id))
        return value;
    if (expiredObjectVariables.contains(id))
        unsupported(node, "the variable '" + id +
                              "' refers to an object in another block only; "
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
        checked.setFreeAttr(builder.getUnitAttr());
        return checked;
    }
    if (outer && id == selfName)
        return selfClosure();
    std::optional<ExternalRef> found = lookUpName(node);
    return found ? externalValue(*found, node) : undefinedName(id);
}

// The nested function as a value, used at `useSite`. `name` is its own name for recursive calls, ""
// for a lambda.
Value FunctionEmitter::closure(py::handle definition, const std::string &name, Use use,
                               py::handle useSite) {
    bool lambda = kindOf(definition) == Kind::Lambda;
    if (!lambda && py::len(field(definition, "decorator_list")))
        unsupported(field(definition, "decorator_list")[py::int_(0)],
                    "a decorator inside a jitted function is not supported; leave it out");
    std::vector<std::string> captures;
    LateBinding late;
    for (const std::string &free : freeNames(definition))
        if (objectVariables.contains(free))
            noteLateBinding(free, use, useSite, late);
        else if (isLocalOrCaptured(free) && free != name && !objectNamed(free))
            captures.push_back(free);
    auto [known, isNew] = innerSymbols.try_emplace(definition.ptr(), "");
    if (isNew) {
        std::string innerSymbol =
            session.freshSymbol(lambda ? "lambda" : identifier(definition, "name"));
        known->second = innerSymbol;
        try {
            FunctionEmitter(*this, definition, innerSymbol, name, captures).run();
        } catch (...) {
            session.eraseFunction(innerSymbol);
            innerSymbols.erase(definition.ptr());
            throw;
        }
    }
    SmallVector<Value> variables, defaults;
    for (const std::string &variable : captures)
        variables.push_back(capturedValue(variable, definition, use, useSite, late));
    py::object arguments = field(definition, "args");
    for (py::handle value : field(arguments, "defaults"))
        defaults.push_back(expression(value));
    for (py::handle value : field(arguments, "kw_defaults"))
        if (!value.is_none())
            defaults.push_back(expression(value));
        else if (!defaults.empty())
            unsupported(definition, "a keyword-only parameter without default after parameters "
                                    "with one is not supported here; reorder the parameters");
    auto closure = np::ClosureOp::create(builder, loc, any, innerSymbols[definition.ptr()],
                                         variables, defaults);
    if (!late.variable.empty())
        closure.setAssignedLater(late.variable);
    closure.setAssignedBelow(late.below);
    return closure;
}

// The value of this function's variable for a nested function, and whether late binding would give
// it another one.
Value FunctionEmitter::capturedValue(const std::string &variable, py::handle definition, Use use,
                                     py::handle useSite, LateBinding &late) {
    if (Value value = comprehensionValue(variable)) {
        noteLateBinding(variable, use, useSite, late);
        return value;
    }
    auto local = syntax.localIndex.find(variable);
    if (local == syntax.localIndex.end()) { // of an enclosing function
        if (outer && variable == selfName)
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
        Value value = closure(function->second, variable, use, useSite);
        capturing.erase(variable);
        return value;
    }
    noteLateBinding(variable, use, useSite, late);
    return binding.value ? binding.value : unbound(variable);
}

// Notes if the variable is reassigned after `useSite`; a comprehension's is, by each iteration.
void FunctionEmitter::noteLateBinding(const std::string &variable, Use use, py::handle useSite,
                                      LateBinding &late) {
    if (use == Use::Defined)
        return;
    auto local = syntax.localIndex.find(variable);
    const bool own = local != syntax.localIndex.end() && !comprehensionValue(variable);
    const bool below = own && syntax.assignedAfter(local->second, rangeOf(useSite));
    if (below && use == Use::Escaping)
        unsupported(useSite, "the variable '" + variable +
                                 "' is assigned again after this function is made; give the "
                                 "later value another name, or pass it as an argument");
    if (!own || below ||
        llvm::any_of(loops, [&](const Loop &l) { return l.assigned.test(local->second); }))
        late.variable = variable;
    late.below |= below;
}

Value FunctionEmitter::selfClosure() {
    auto func = cast<np::FuncOp>(session.result.module->lookupSymbol(symbol));
    SmallVector<Value> variables(func.getBody().getArguments().take_front(captured.size()));
    return np::ClosureOp::create(builder, loc, any, symbol, variables, ValueRange());
}

// A function read as a value: a plain one, a method, one of NumPy or a builtin.
Value FunctionEmitter::functionValue(const ExternalRef &found, py::handle node) {
    std::string external = session.externalName(unwrapJitted(found.object));
    if (!external.empty())
        return staticValue("func", external);
    if (std::optional<RecordClass> record = recordClass(found.object))
        return np::ClosureOp::create(builder, loc, any, captureRecord(found.object, *record),
                                     ValueRange(none()), ValueRange())
            ->getResult(0);
    if (isCallableWrapper(found.object))
        return callableWrapper(found, node);
    ExternalRef callee = asFunction(found);
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
    for (const ParameterInfo &parameter : parameters) // from the first non-constant one on
        if (parameter.value && (!defaults.empty() || !defaultAttr(parameter.value)))
            defaults.push_back(defaultAttr(parameter.value) ? constant(parameter.value, node)
                                                            : defaultValue(parameter, node));
    return np::ClosureOp::create(builder, loc, any, name, self, defaults);
}

} // namespace shapecast::capture
