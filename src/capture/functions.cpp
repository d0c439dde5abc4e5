#include "capture/functions.h"

#include "capture/callable_wrappers.h"
#include "capture/callees.h"
#include "capture/constants.h"
#include "capture/enum_members.h"
#include "capture/flag_members.h"
#include "capture/function_bodies.h"
#include "capture/made_classes.h"
#include "capture/name_lookup.h"
#include "capture/object_class.h"
#include "capture/objects.h"
#include "capture/outside_instances.h"
#include "capture/record_classes.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

namespace {

// Python reads a closure's variables at the call, we where it is created.
struct LateBinding {
    std::string variable; // one that is reassigned in between
    bool below = false;   // further down, not only by the next iteration of an enclosing loop
};

} // namespace

static Value emitCaptured(FunctionEmitter &f, const std::string &name, py::handle definition,
                          Use use, py::handle useSite, LateBinding &late);
static void noteLateBinding(FunctionEmitter &f, const std::string &variable, Use use,
                            py::handle useSite, LateBinding &late);
static Value emitSelfClosure(FunctionEmitter &f);

Value emitName(FunctionEmitter &f, py::handle node, Use use) {
    std::string id = identifier(node, "id");
    if (const ExternalRef *object = f.objectNamed(id))
        return emitExternal(f, *object, node);
    if (Value value = f.comprehensionValue(id))
        return value;
    if (f.expiredObjectVariables.contains(id)) {
        requestInstancesInMemory(f.session);
        unsupported(node, "the variable '" + id +
                              "' refers to an object in another block only; "
                              "assign it in this one");
    }
    if (auto local = f.syntax.localIndex.find(id); local != f.syntax.localIndex.end()) {
        Value value = f.readLocal(local->second);
        auto function = f.syntax.functions.find(local->second);
        return function == f.syntax.functions.end()
                   ? value
                   : emitClosure(f, function->second, id, use, node);
    }
    if (auto at = llvm::find(f.captured, id); at != f.captured.end()) {
        auto func = cast<np::FuncOp>(f.session.result.module->lookupSymbol(f.symbol));
        Value argument = func.getBody().getArgument(at - f.captured.begin());
        auto checked = np::CheckBoundOp::create(f.builder, f.loc, f.any, argument, id);
        checked.setFreeAttr(f.builder.getUnitAttr());
        return checked;
    }
    if (f.outer && id == f.selfName)
        return emitSelfClosure(f);
    std::optional<ExternalRef> found = lookUpName(f, node);
    return found ? emitExternal(f, *found, node) : emitUndefinedName(f, id);
}

Value emitClosure(FunctionEmitter &f, py::handle definition, const std::string &name, Use use,
                  py::handle useSite) {
    bool lambda = kindOf(definition) == Kind::Lambda;
    if (!lambda && py::len(field(definition, "decorator_list")))
        unsupported(field(definition, "decorator_list")[py::int_(0)],
                    "a decorator inside a jitted function is not supported; leave it out");
    std::vector<std::string> captures;
    LateBinding late;
    for (const std::string &free : freeNames(definition))
        if (f.objectVariables.contains(free))
            noteLateBinding(f, free, use, useSite, late);
        else if (f.isLocalOrCaptured(free) && free != name && !f.objectNamed(free))
            captures.push_back(free);
    auto [known, isNew] = f.innerSymbols.try_emplace(definition.ptr(), "");
    if (isNew) {
        std::string innerSymbol =
            f.session.freshSymbol(lambda ? "lambda" : identifier(definition, "name"));
        known->second = innerSymbol;
        try {
            FunctionEmitter inner(f, definition, innerSymbol, name, captures);
            emitFunction(inner);
        } catch (...) {
            f.session.eraseFunction(innerSymbol);
            f.innerSymbols.erase(definition.ptr());
            throw;
        }
    }
    SmallVector<Value> variables, defaults;
    for (const std::string &variable : captures)
        variables.push_back(emitCaptured(f, variable, definition, use, useSite, late));
    py::object arguments = field(definition, "args");
    for (py::handle value : field(arguments, "defaults"))
        defaults.push_back(emitExpression(f, value));
    for (py::handle value : field(arguments, "kw_defaults"))
        if (!value.is_none())
            defaults.push_back(emitExpression(f, value));
        else if (!defaults.empty())
            unsupported(definition, "a keyword-only parameter without default after parameters "
                                    "with one is not supported here; reorder the parameters");
    auto closure = np::ClosureOp::create(f.builder, f.loc, f.any, f.innerSymbols[definition.ptr()],
                                         variables, defaults);
    if (!late.variable.empty())
        closure.setAssignedLater(late.variable);
    closure.setAssignedBelow(late.below);
    return closure;
}

// The value of this function's variable for a nested function, and whether late binding would give
// it another one.
static Value emitCaptured(FunctionEmitter &f, const std::string &variable, py::handle definition,
                          Use use, py::handle useSite, LateBinding &late) {
    if (Value value = f.comprehensionValue(variable)) {
        noteLateBinding(f, variable, use, useSite, late);
        return value;
    }
    auto local = f.syntax.localIndex.find(variable);
    if (local == f.syntax.localIndex.end()) { // of an enclosing function
        if (f.outer && variable == f.selfName)
            return emitSelfClosure(f);
        auto func = cast<np::FuncOp>(f.session.result.module->lookupSymbol(f.symbol));
        return func.getBody().getArgument(llvm::find(f.captured, variable) - f.captured.begin());
    }
    unsigned index = local->second;
    const Binding &binding = f.state.locals[index];
    auto function = f.syntax.functions.find(index);
    if (function != f.syntax.functions.end() && binding.value) {
        if (function->second.is(definition) || !f.capturing.insert(variable).second)
            unsupported(definition, "functions inside a function that call one another are not "
                                    "supported; define them at the top of the module");
        Value value = emitClosure(f, function->second, variable, use, useSite);
        f.capturing.erase(variable);
        return value;
    }
    noteLateBinding(f, variable, use, useSite, late);
    if (!binding.value && use == Use::Passed)
        unsupported(useSite, "the variable '" + variable +
                                 "' of this function is assigned only after the function is made; "
                                 "define the function at the top of the module");
    return binding.value ? binding.value : f.unbound(variable);
}

// Notes if the variable is reassigned after `useSite`; a comprehension's is, by each iteration.
static void noteLateBinding(FunctionEmitter &f, const std::string &variable, Use use,
                            py::handle useSite, LateBinding &late) {
    if (use == Use::Defined)
        return;
    auto local = f.syntax.localIndex.find(variable);
    const bool own = local != f.syntax.localIndex.end() && !f.comprehensionValue(variable);
    const bool below = own && f.syntax.assignedAfter(local->second, rangeOf(useSite));
    if (below && use == Use::Escaping)
        unsupported(useSite, "the variable '" + variable +
                                 "' is assigned again after this function is made; give the "
                                 "later value another name, or pass it as an argument");
    if (!own || below ||
        llvm::any_of(f.loops, [&](const Loop &l) { return l.assigned.test(local->second); }))
        late.variable = variable;
    late.below |= below;
}

static Value emitSelfClosure(FunctionEmitter &f) {
    auto func = cast<np::FuncOp>(f.session.result.module->lookupSymbol(f.symbol));
    SmallVector<Value> variables;
    for (auto [name, value] : llvm::zip(f.captured, func.getBody().getArguments()))
        if (name != "consume ") // a call of a generator function has its own
            variables.push_back(value);
    return np::ClosureOp::create(f.builder, f.loc, f.any, f.symbol, variables, ValueRange());
}

Value emitFunctionValue(FunctionEmitter &f, const ExternalRef &given, py::handle node) {
    if (isPlainMember(given.object))
        return emitMember(f, given.object);
    if (Value flag = emitFlag(f, given.object))
        return flag;
    if (isEnumClass(given.object)) { // `for member in Colour`
        SmallVector<Value> members;
        for (py::handle member : given.object)
            members.push_back(
                emitExternal(f, {py::reinterpret_borrow<py::object>(member), {}, ""}, node));
        return np::TupleOp::create(f.builder, f.loc, f.any, members, UnitAttr());
    }
    ExternalRef found = given;
    found.object = replacedClass(given.object);
    std::string external = f.session.externalName(unwrapJitted(found.object));
    if (!external.empty())
        return f.staticValue("func", external);
    if (std::optional<std::string> constructor = captureConstructor(f, found.object))
        return np::ClosureOp::create(f.builder, f.loc, f.any, *constructor,
                                     ValueRange(f.staticValue("class", recordName(found.object))),
                                     ValueRange());
    if (isCallableWrapper(found.object))
        return emitCallableWrapper(f, found, node);
    if (Value record = emitImmutableRecord(f, found.object, node))
        return record;
    ExternalRef callee = asFunction(f, found);
    if (!isPlainFunction(callee.object)) {
        requestInstancesInMemory(f, found);
        unsupported(node, hasAttributes(found.object)
                              ? "an object of class '" + className(found.object) +
                                    "' as a value is not supported; use its attributes and methods"
                              : "an object of type '" + className(callee.object) +
                                    "' as a value is not supported; use functions of NumPy, math, "
                                    "or your own plain functions");
    }
    std::string name = captureCallee(f, callee, py::none(), node);
    if (!callee.receiver)
        f.session.functionValues.emplace_back(name, callee.object);
    SmallVector<Value> self, defaults;
    // A callable object has its operators, too: np-infer must not take it for a plain function.
    const bool isInstance = hasAttributes(found.object) && !PyType_Check(found.object.ptr());
    if (isInstance)
        self.push_back(f.staticValue("instance", classWithOperators(py::type::of(found.object))));
    else if (callee.receiver)
        self.push_back(f.none());
    const std::vector<ParameterInfo> parameters = f.session.parameters[name];
    for (const ParameterInfo &parameter : parameters) // from the first non-constant one on
        if (parameter.value && (!defaults.empty() || !defaultAttr(f.session, parameter.value)))
            defaults.push_back(defaultAttr(f.session, parameter.value)
                                   ? emitConstant(f, parameter.value, node)
                                   : emitDefault(f, parameter, node));
    return np::ClosureOp::create(f.builder, f.loc, f.any, name, self, defaults);
}

// Whether it is a number, range, string, None, or a tuple of them: nobody changes it.
static bool isUnchanging(py::handle value) {
    switch (classify(value.ptr())) {
    case ObjectClass::None:
    case ObjectClass::Bool:
    case ObjectClass::Int:
    case ObjectClass::Float:
    case ObjectClass::Complex:
    case ObjectClass::Str:
    case ObjectClass::NumpyScalar:
    case ObjectClass::Range:
        return true;
    case ObjectClass::Tuple:
        return llvm::all_of(value, isUnchanging);
    default:
        return false;
    }
}

Value emitDefault(FunctionEmitter &f, const ParameterInfo &parameter, py::handle node) {
    if (isUnchanging(parameter.value))
        return emitConstant(f, parameter.value, node);
    if (isPlainFunction(unwrapJitted(parameter.value)))
        return emitFunctionValue(f, {parameter.value, {}, ""}, node);
    if (isPlainMember(parameter.value))
        return emitMember(f, parameter.value);
    if (isSentinel(parameter.value))
        return emitSentinel(f, parameter.value);
    if (Value flag = emitFlag(f, parameter.value))
        return flag;
    const std::optional<RecordClass> record = recordClass(py::type::of(parameter.value));
    if (record && record->kind != "dataclass") { // nobody changes it
        SmallVector<Value> fields;
        for (const std::string &name : record->fields)
            fields.push_back(emitConstant(f, parameter.value.attr(name.c_str()), node));
        auto made = np::TupleOp::create(f.builder, f.loc, f.any, fields, UnitAttr());
        made.setRecordAttr(np::PyAttr::get(&f.session.context, record->kind, record->text));
        return made;
    }
    unsupported(node, "the default of parameter '" + parameter.name + "' is of type '" +
                          className(parameter.value) +
                          "', which is not supported; pass the argument");
}

} // namespace shapecast::capture
