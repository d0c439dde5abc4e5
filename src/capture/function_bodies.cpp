#include "capture/function_bodies.h"

#include "capture/constants.h"
#include "capture/dependencies.h"
#include "capture/interrupts.h"
#include "capture/made_classes.h"
#include "capture/record_classes.h"
#include "capture/session.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static void emitDefinition(FunctionEmitter &f);
static void readParameters(FunctionEmitter &f, py::handle definition);
static void readDefaults(FunctionEmitter &f, std::vector<ParameterInfo> &parameters,
                         size_t positional);
static void declareFunction(FunctionEmitter &f, ArrayRef<ParameterInfo> parameters,
                            ArrayRef<Location> locations);
static void checkObjects(FunctionEmitter &f, py::handle definition);

void emitFunction(FunctionEmitter &f) {
    try {
        emitDefinition(f);
    } catch (const MissingAttribute &missing) { // not to be caught by the caller's expressions
        throw CaptureError(missing.error);
    } catch (const SyntaxProblem &problem) {
        f.fail("shapecast.UnsupportedError", problem.message, rangeOf(problem.node));
    }
}

// A __next__ of an instance that compiled code makes: whether there was an item, and the item.
static void makeSteps(py::handle definition) {
    const std::string why =
        text(py::module_::import("shapecast._steps").attr("as_steps")(definition));
    if (!why.empty())
        unsupported(definition, why);
}

static py::object findDefinition(FunctionEmitter &f) {
    if (f.outer)
        return f.innerDefinition;
    py::object source = py::module_::import("shapecast._source");
    try {
        const py::object found = source.attr("find")(f.function);
        for (py::handle import : found.attr("imports")) // (holder, name, seen)
            f.session.addGuard(import[py::int_(0)], text(import[py::int_(1)]), import[py::int_(2)]);
        for (py::handle function : found.attr("functions")) // whose code may be replaced
            f.session.result.functions.push_back(useOf(function));
        f.session.result.isPortable &= py::len(found.attr("imports")) == 0;
        if (f.method.ofClass && text(f.code.attr("co_name")) == "__next__")
            makeSteps(found.attr("node"));
        f.file = text(found.attr("filename")); // not the code's where there is no source file
        return found.attr("node");
    } catch (py::error_already_set &error) {
        if (!error.matches(source.attr("SourceError")))
            throw;
        throw CaptureError(unsupportedError(text(py::str(error.value())), f.session.callStack));
    }
}

// Parameters that are bytes or frozensets become values.
static Objects takeReplaced(FunctionEmitter &f) {
    Objects replaced;
    for (const auto &[name, object] : f.objectParameters)
        if (isReplacedValue(object.object))
            replaced.insert({name, object});
    for (const auto &[name, object] : replaced)
        f.objectParameters.erase(name);
    return replaced;
}

static void emitDefinition(FunctionEmitter &f) {
    py::object definition = findDefinition(f);
    if (className(definition) == "AsyncFunctionDef")
        unsupported(definition, unsupportedConstruct(definition));
    f.loc = f.locationOf(rangeOf(definition));
    if (hasAttribute(definition, "yields")) { // see _desugar.py
        if (!f.outer && !f.isLibrary() && f.session.usedSymbols.size() == 1)
            unsupported(definition, "a jitted generator function is not supported; write "
                                    "@jit at the function that loops over it");
        f.captured.push_back("consume ");
        f.isEndless = py::cast<bool>(definition.attr("endless"));
    }
    readParameters(f, definition);
    f.syntax = readFunction(definition);
    const Objects replaced = takeReplaced(f);
    checkObjects(f, definition);
    f.state.locals.resize(f.syntax.locals.size());
    auto func = cast<np::FuncOp>(f.session.result.module->lookupSymbol(f.symbol));
    for (auto [index, argument] :
         llvm::enumerate(func.getBody().getArguments().drop_front(f.captured.size())))
        f.state.locals[index].value = argument;
    f.builder.setInsertionPointToEnd(&func.getBody().front());
    for (const auto &[name, object] : replaced)
        f.state.locals[f.syntax.localIndex.lookup(name)].value = emitReplaced(f, object);
    const Value made = f.method.constructs ? emitNewInstance(f, f.method.ofClass) : Value();
    if (made)
        f.state.locals[0].value = made;
    emitBlock(f, f.syntax.body, Names(f.syntax.locals.size()));
    Value result = made ? made : f.state.result ? f.state.result : f.none();
    if (const std::string frozen = made ? frozenText(f.method.ofClass) : ""; !frozen.empty())
        result = np::MethodOp::create(f.builder, f.loc, f.any, made, "__freeze__",
                                      f.staticValue("str", frozen), ArrayAttr());
    if (result.getType() != f.any) // one result type for each function; inlining refines it
        result = np::CastOp::create(f.builder, f.loc, f.any, result);
    np::ReturnOp::create(f.builder, f.loc, result);
}

static void readParameters(FunctionEmitter &f, py::handle definition) {
    py::object arguments = field(definition, "args");
    py::object others = field(arguments, "kwarg");
    std::vector<ParameterInfo> parameters;
    SmallVector<Location> locations;
    using Info = ParameterInfo;
    auto add = [&](py::handle argument, Info::Kind kind) {
        parameters.push_back({identifier(argument, "arg"), kind, {}});
        locations.push_back(f.locationOf(rangeOf(argument)));
    };
    for (auto [group, kind] :
         {std::pair("posonlyargs", Info::PositionalOnly),
          std::pair("args", Info::PositionalOrKeyword), std::pair("kwonlyargs", Info::KeywordOnly)})
        for (py::handle argument : field(arguments, group))
            add(argument, kind);
    size_t positional =
        llvm::count_if(parameters, [](auto &p) { return p.kind != Info::KeywordOnly; });
    if (!f.outer) // a nested function's defaults belong to its closure
        readDefaults(f, parameters, positional);
    if (py::object rest = field(arguments, "vararg"); !rest.is_none())
        add(rest, Info::Rest);
    if (!others.is_none())
        add(others, Info::Others);
    declareFunction(f, parameters, locations);
}

static void readDefaults(FunctionEmitter &f, std::vector<ParameterInfo> &parameters,
                         size_t positional) {
    py::object defaults = f.function.attr("__defaults__"),
               keywords = f.function.attr("__kwdefaults__");
    if (!defaults.is_none())
        for (size_t n = py::len(defaults), i = 0; i < n; ++i)
            parameters[positional - n + i].value = defaults[py::int_(i)];
    for (ParameterInfo &parameter : llvm::drop_begin(parameters, positional))
        if (!keywords.is_none() && keywords.contains(parameter.name))
            parameter.value = keywords[py::str(parameter.name)];
}

// A generator function. The class for one inside another function takes the variables of that, too.
static void declareGenerator(FunctionEmitter &f, np::FuncOp func) {
    func.setGeneratorAttr(f.builder.getUnitAttr());
    if (f.isLibrary())
        return;
    const py::object classes = py::module_::import("shapecast._generators");
    py::list variables;
    for (const std::string &variable : ArrayRef(f.captured).drop_back()) // "consume "
        variables.append(variable);
    const py::object type =
        f.outer
            ? classes.attr("class_inside")(f.function, f.innerDefinition.attr("written"), variables)
            : classes.attr("iterator_class")(f.function);
    if (type.is_none())
        return;
    if (const std::optional<std::string> constructor = captureConstructor(f, type))
        func.setIterator(*constructor);
}

// Declares the np.func: its captured variables, its parameters and their defaults.
static void declareFunction(FunctionEmitter &f, ArrayRef<ParameterInfo> parameters,
                            ArrayRef<Location> parameterLocations) {
    using Info = ParameterInfo;
    const size_t count = f.captured.size() + parameters.size();
    SmallVector<Type> types(count, f.any);
    SmallVector<Location> locations(f.captured.size(), f.loc);
    llvm::append_range(locations, parameterLocations);
    f.builder.setInsertionPointToEnd(f.session.result.module->getBody());
    auto func =
        np::FuncOp::create(f.builder, f.loc, f.symbol, f.builder.getFunctionType(types, f.any));
    if (f.session.usedSymbols.size() > 1)
        func.setSymVisibility("private");
    f.builder.createBlock(&func.getBody(), {}, types, locations);
    SmallVector<std::string> names;
    SmallVector<Attribute> values;
    for (const std::string &variable : f.captured)
        // Not an identifier: no keyword argument clashes.
        names.push_back("free " + (f.isEndless && variable == "consume " ? "endless " : variable));
    for (const Info &parameter : parameters) {
        names.push_back(parameter.name);
        Attribute value = parameter.value ? defaultAttr(f.session, parameter.value) : Attribute();
        if (parameter.kind < Info::Rest && (parameter.value || !values.empty()))
            values.push_back(value ? value : f.builder.getUnitAttr()); // unit: not a constant
    }
    auto ofKind = [&](Info::Kind kind) {
        return llvm::count_if(parameters, [&](const Info &p) { return p.kind == kind; });
    };
    func.setArgNamesAttr(f.builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names)));
    if (!values.empty())
        func.setDefaultsAttr(f.builder.getArrayAttr(values));
    if (const auto count = ofKind(Info::PositionalOnly))
        func.setPosonly(uint64_t(count));
    if (const auto count = ofKind(Info::KeywordOnly))
        func.setKwonly(uint64_t(count));
    if (ofKind(Info::Rest))
        func.setVarargsAttr(f.builder.getUnitAttr());
    if (ofKind(Info::Others))
        func.setVarkwAttr(f.builder.getUnitAttr());
    if (llvm::is_contained(f.captured, "consume "))
        declareGenerator(f, func);
    if (f.qualifiedName != f.symbol) // for Python's messages
        func.setQualnameAttr(f.builder.getStringAttr(f.qualifiedName));
    f.session.parameters[f.symbol] = parameters.vec();
}

// A parameter that is assigned to would refer to something else from there on.
static void checkObjects(FunctionEmitter &f, py::handle definition) {
    for (const auto &[name, object] : f.objectParameters)
        if (!f.syntax.assignedAfter(f.syntax.localIndex.lookup(name), rangeOf(definition)))
            continue;
        else if (isRecordArray(object.object))
            throw WholeRecords();
        else
            unsupported(definition, "the parameter '" + name +
                                        "' is an object and is assigned again; give the later "
                                        "value another name");
}

} // namespace shapecast::capture
