// Captures one function: finds its source, declares the np.func, emits the body, reports errors
// with the call chain.
#include "capture/emitter.h"
#include "ir/symbols.h"

#include "capture/dependencies.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

namespace {

std::string shownName(py::handle function) {
    std::string name = text(function.attr("__qualname__"));
    size_t locals = name.rfind("<locals>.");
    return locals == std::string::npos ? name : name.substr(locals + strlen("<locals>."));
}

} // namespace

UserError unsupportedError(std::string message, std::vector<Frame> frames) {
    return {"shapecast.UnsupportedError", std::move(message), std::move(frames), {}};
}

std::string Session::freshSymbol(llvm::StringRef name) {
    const std::string base = programSymbol(name);
    std::string symbol = base;
    for (int n = 1; !usedSymbols.insert(symbol).second; ++n)
        symbol = base + "_" + std::to_string(n);
    return symbol;
}

std::string Session::capture(py::handle function, const Objects &objects, int number) {
    std::string key =
        std::to_string(reinterpret_cast<uintptr_t>(function.ptr())) + " " + std::to_string(number);
    for (const auto &[parameter, object] : objects)
        key += " " + parameter + "=" + std::to_string(objectNumber(object));
    auto found = symbols.find(key);
    if (found != symbols.end())
        return found->second;
    if (callStack.size() > 100) // object.next.next ... never ends
        throw CaptureError(unsupportedError("methods that call one another through ever more "
                                            "objects are not supported; pass arrays",
                                            callStack));
    std::string base = text(function.attr("__name__"));
    if (base == "<lambda>")
        base = "lambda";
    std::string symbol = freshSymbol(base);
    symbols[key] = symbol;
    result.functions.push_back(useOf(function));
    watchDefaults(result.functions.back(), result.globals);
    try {
        FunctionEmitter(*this, function, symbol, objects, number).run();
    } catch (...) { // an unsupported call in a branch is deferred, so capture may continue
        eraseFunction(symbol);
        symbols.erase(key);
        throw;
    }
    return symbol;
}

void Session::eraseFunction(const std::string &symbol) {
    if (Operation *func = result.module->lookupSymbol(symbol))
        func->erase();
}

FunctionEmitter::FunctionEmitter(Session &session, py::handle function, std::string symbol,
                                 Objects objects, int functionNumber)
    : session(session), function(py::reinterpret_borrow<py::object>(function)),
      code(function.attr("__code__")), objectParameters(std::move(objects)),
      functionNumber(functionNumber), symbol(std::move(symbol)), displayName(shownName(function)),
      qualifiedName(text(function.attr("__qualname__"))), file(text(code.attr("co_filename"))),
      builder(&session.context), loc(UnknownLoc::get(&session.context)),
      any(np::anyTensor(&session.context)) {}

FunctionEmitter::FunctionEmitter(FunctionEmitter &outer, py::handle definition, std::string symbol,
                                 std::string name, std::vector<std::string> captured)
    : FunctionEmitter(outer.session, outer.function, std::move(symbol), {}, outer.functionNumber) {
    this->outer = &outer;
    innerDefinition = py::reinterpret_borrow<py::object>(definition);
    this->captured = std::move(captured);
    file = outer.file;
    displayName = kindOf(definition) == Kind::Lambda ? "<lambda>" : name;
    selfName = std::move(name);
    qualifiedName = outer.qualifiedName + ".<locals>." + displayName;
}

Frame FunctionEmitter::frameOf(const Range &range) const {
    return {file, displayName, range.line, range.column, range.endLine, range.endColumn};
}

Location FunctionEmitter::locationOf(const Range &range) const {
    auto location = FileLineColRange::get(StringAttr::get(&session.context, file), range.line,
                                          range.column, range.endLine, range.endColumn);
    return NameLoc::get(StringAttr::get(&session.context, displayName), location);
}

void FunctionEmitter::fail(const std::string &exception, const std::string &message,
                           const Range &range) {
    std::vector<Frame> frames = session.callStack;
    frames.push_back(frameOf(range));
    throw CaptureError({exception, message, std::move(frames), {}});
}

void FunctionEmitter::run() {
    try {
        runUnguarded();
    } catch (const MissingAttribute &missing) { // not to be caught by the caller's expressions
        throw CaptureError(missing.error);
    } catch (const SyntaxProblem &problem) {
        fail("shapecast.UnsupportedError", problem.message, rangeOf(problem.node));
    }
}

py::object FunctionEmitter::findDefinition() {
    if (outer)
        return innerDefinition;
    py::object source = py::module_::import("shapecast._source");
    try {
        const py::object found = source.attr("find")(function);
        for (py::handle import : found.attr("imports")) // (holder, name, seen)
            session.addGuard(import[py::int_(0)], text(import[py::int_(1)]), import[py::int_(2)]);
        session.result.isPortable &= py::len(found.attr("imports")) == 0;
        file = text(found.attr("filename")); // not the code's where there is no source file
        return found.attr("node");
    } catch (py::error_already_set &error) {
        if (!error.matches(source.attr("SourceError")))
            throw;
        throw CaptureError(unsupportedError(text(py::str(error.value())), session.callStack));
    }
}

void FunctionEmitter::runUnguarded() {
    py::object definition = findDefinition();
    if (className(definition) == "AsyncFunctionDef")
        unsupported(definition, unsupportedConstruct(definition));
    loc = locationOf(rangeOf(definition));
    readParameters(definition);
    syntax = readFunction(definition);
    checkObjects(definition);
    state.locals.resize(syntax.locals.size());
    auto func = cast<np::FuncOp>(session.result.module->lookupSymbol(symbol));
    for (auto [index, argument] :
         llvm::enumerate(func.getBody().getArguments().drop_front(captured.size())))
        state.locals[index].value = argument;
    builder.setInsertionPointToEnd(&func.getBody().front());
    block(syntax.body, Names(syntax.locals.size()));
    Value result = state.result ? state.result : none();
    if (result.getType() != any) // one result type for each function; inlining refines it
        result = np::CastOp::create(builder, loc, any, result);
    np::ReturnOp::create(builder, loc, result);
}

Attribute FunctionEmitter::defaultAttr(py::handle value) {
    Type type;
    Attribute number = numberAttr(value, type);
    if (number && !isa<np::PyComplexType>(type)) // its attribute, a pair, would read as a tuple
        return number;
    if (PyTuple_CheckExact(value.ptr())) {
        SmallVector<Attribute> elements;
        for (py::handle element : value)
            elements.push_back(defaultAttr(element));
        return llvm::is_contained(elements, Attribute()) ? Attribute()
                                                         : builder.getArrayAttr(elements);
    }
    return type ? Attribute() : staticAttr(value);
}

void FunctionEmitter::readParameters(py::handle definition) {
    py::object arguments = field(definition, "args");
    py::object others = field(arguments, "kwarg");
    std::vector<ParameterInfo> parameters;
    SmallVector<Location> locations;
    using Info = ParameterInfo;
    auto add = [&](py::handle argument, Info::Kind kind) {
        parameters.push_back({identifier(argument, "arg"), kind, {}});
        locations.push_back(locationOf(rangeOf(argument)));
    };
    for (auto [group, kind] :
         {std::pair("posonlyargs", Info::PositionalOnly),
          std::pair("args", Info::PositionalOrKeyword), std::pair("kwonlyargs", Info::KeywordOnly)})
        for (py::handle argument : field(arguments, group))
            add(argument, kind);
    size_t positional =
        llvm::count_if(parameters, [](auto &p) { return p.kind != Info::KeywordOnly; });
    if (!outer) // a nested function's defaults belong to its closure
        readDefaults(parameters, positional);
    if (py::object rest = field(arguments, "vararg"); !rest.is_none())
        add(rest, Info::Rest);
    if (!others.is_none())
        add(others, Info::Others);
    declare(parameters, locations);
}

void FunctionEmitter::readDefaults(std::vector<ParameterInfo> &parameters, size_t positional) {
    py::object defaults = function.attr("__defaults__"), keywords = function.attr("__kwdefaults__");
    if (!defaults.is_none())
        for (size_t n = py::len(defaults), i = 0; i < n; ++i)
            parameters[positional - n + i].value = defaults[py::int_(i)];
    for (ParameterInfo &parameter : llvm::drop_begin(parameters, positional))
        if (!keywords.is_none() && keywords.contains(parameter.name))
            parameter.value = keywords[py::str(parameter.name)];
}

// Declares the np.func: its captured variables, its parameters and their defaults.
void FunctionEmitter::declare(ArrayRef<ParameterInfo> parameters,
                              ArrayRef<Location> parameterLocations) {
    using Info = ParameterInfo;
    const size_t count = captured.size() + parameters.size();
    SmallVector<Type> types(count, any);
    SmallVector<Location> locations(captured.size(), loc);
    llvm::append_range(locations, parameterLocations);
    builder.setInsertionPointToEnd(session.result.module->getBody());
    auto func = np::FuncOp::create(builder, loc, symbol, builder.getFunctionType(types, any));
    if (session.usedSymbols.size() > 1)
        func.setSymVisibility("private");
    builder.createBlock(&func.getBody(), {}, types, locations);
    SmallVector<std::string> names;
    SmallVector<Attribute> values;
    for (const std::string &variable : captured)
        names.push_back("free " + variable); // not an identifier: no keyword argument clashes
    for (const Info &parameter : parameters) {
        names.push_back(parameter.name);
        Attribute value = parameter.value ? defaultAttr(parameter.value) : Attribute();
        if (parameter.kind < Info::Rest && (parameter.value || !values.empty()))
            values.push_back(value ? value : builder.getUnitAttr()); // unit: not a constant
    }
    auto ofKind = [&](Info::Kind kind) {
        return llvm::count_if(parameters, [&](const Info &p) { return p.kind == kind; });
    };
    func.setArgNamesAttr(builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names)));
    if (!values.empty())
        func.setDefaultsAttr(builder.getArrayAttr(values));
    if (const auto count = ofKind(Info::PositionalOnly))
        func.setPosonly(uint64_t(count));
    if (const auto count = ofKind(Info::KeywordOnly))
        func.setKwonly(uint64_t(count));
    if (ofKind(Info::Rest))
        func.setVarargsAttr(builder.getUnitAttr());
    if (ofKind(Info::Others))
        func.setVarkwAttr(builder.getUnitAttr());
    if (qualifiedName != symbol) // for Python's messages
        func.setQualnameAttr(builder.getStringAttr(qualifiedName));
    session.parameters[symbol] = parameters.vec();
}

static Captured captureOnce(py::handle plain, MLIRContext &context, const CaptureOptions &options,
                            AssignedAttributes &assigned) {
    Session session(context, options, assigned);
    Objects parameters;
    for (const auto &[parameter, object] : options.objects) {
        int number = session.addObject({-1, {}, {}, ObjectKind::of(object), parameter}, object);
        parameters[parameter] = {object, {}, parameter, -1, number};
    }
    session.result.entry = session.capture(plain, parameters, -1);
    session.describeStates();
    if (size_t hidden = session.result.hidden.size())
        session.result.module->lookupSymbol<np::FuncOp>(session.result.entry).setHidden(hidden);
    session.result.parameters = session.parameters[session.result.entry];
    return std::move(session.result);
}

Captured captureFunction(py::handle function, MLIRContext &context, const CaptureOptions &options) {
    py::object plain = unwrapJitted(function);
    if (!isPlainFunction(plain))
        throw CaptureError(unsupportedError("'" + className(plain) +
                                                "' object is not a plain Python function; "
                                                "jit takes functions written with def or lambda",
                                            {}));
    for (AssignedAttributes assigned;;) {
        try {
            return captureOnce(plain, context, options, assigned);
        } catch (RestartCapture &) {
        }
    }
}

} // namespace shapecast::capture
