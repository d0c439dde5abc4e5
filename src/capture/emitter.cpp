// Captures one function: finds its source, declares the np.func, emits the body, reports errors
// with the call chain.
#include "capture/emitter.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

namespace {

std::string shownName(py::handle function) {
    std::string name = text(function.attr("__qualname__"));
    size_t locals = name.rfind("<locals>.");
    return locals == std::string::npos ? name : name.substr(locals + strlen("<locals>."));
}

UserError unsupportedError(std::string message, std::vector<Frame> frames) {
    return {"shapecast.UnsupportedError", std::move(message), std::move(frames), {}};
}

} // namespace

std::string Session::capture(py::handle function) {
    auto found = symbols.find(function.ptr());
    if (found != symbols.end())
        return found->second;
    std::string base = text(function.attr("__name__"));
    if (base == "<lambda>")
        base = "lambda";
    std::string symbol = base;
    for (int n = 1; !taken.insert(symbol).second; ++n)
        symbol = base + "_" + std::to_string(n);
    symbols[function.ptr()] = symbol;
    result.functions.push_back({py::reinterpret_borrow<py::object>(function),
                                function.attr("__code__"), function.attr("__defaults__"),
                                function.attr("__kwdefaults__")});
    FunctionEmitter(*this, function, symbol).run();
    return symbol;
}

FunctionEmitter::FunctionEmitter(Session &session, py::handle function, std::string symbol)
    : session(session), function(py::reinterpret_borrow<py::object>(function)),
      code(function.attr("__code__")), symbol(std::move(symbol)), shown(shownName(function)),
      file(text(code.attr("co_filename"))), builder(&session.context),
      loc(UnknownLoc::get(&session.context)), any(np::anyTensor(&session.context)) {}

Frame FunctionEmitter::frameOf(const Range &range) const {
    return {file, shown, range.line, range.column, range.endLine, range.endColumn};
}

Location FunctionEmitter::locationOf(const Range &range) const {
    auto place = FileLineColRange::get(StringAttr::get(&session.context, file), range.line,
                                       range.column, range.endLine, range.endColumn);
    return NameLoc::get(StringAttr::get(&session.context, shown), place);
}

void FunctionEmitter::fail(const std::string &exception, const std::string &message,
                           const Range &range) {
    std::vector<Frame> frames = session.calls;
    frames.push_back(frameOf(range));
    throw CaptureError({exception, message, std::move(frames), {}});
}

void FunctionEmitter::run() {
    try {
        runUnguarded();
    } catch (const SyntaxProblem &problem) {
        fail("shapecast.UnsupportedError", problem.message, rangeOf(problem.node));
    }
}

void FunctionEmitter::runUnguarded() {
    py::object source = py::module_::import("shapecast._source");
    py::object found;
    try {
        found = source.attr("find")(function);
    } catch (py::error_already_set &error) {
        if (!error.matches(source.attr("SourceError")))
            throw;
        throw CaptureError(unsupportedError(text(py::str(error.value())), session.calls));
    }
    py::object definition = found.attr("node");
    if (className(definition) == "AsyncFunctionDef")
        unsupported(definition, unsupportedConstruct(definition));
    loc = locationOf(rangeOf(definition));
    readParameters(definition);
    syntax = readFunction(definition);
    state.locals.resize(syntax.locals.size());
    auto func = cast<np::FuncOp>(session.result.module->lookupSymbol(symbol));
    for (auto [index, argument] : llvm::enumerate(func.getBody().getArguments()))
        state.locals[index].value = argument;
    builder.setInsertionPointToEnd(&func.getBody().front());
    block(syntax.body, Names(syntax.locals.size()));
    Value result = state.result ? state.result : none();
    if (result.getType() != any) // one function, one result type: what it is shows after inlining
        result = np::CastOp::create(builder, loc, any, result);
    np::ReturnOp::create(builder, loc, result);
}

Attribute FunctionEmitter::defaultAttr(py::handle value) {
    Type type;
    Attribute number = numberAttr(value, type);
    if (number && !isa<np::PyComplexType>(type)) // a pair would read as a tuple
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

// Declares the np.func: its parameters, their names and defaults.
void FunctionEmitter::readParameters(py::handle definition) {
    py::object arguments = field(definition, "args");
    for (const char *rest : {"vararg", "kwarg"})
        if (py::object argument = field(arguments, rest); !argument.is_none())
            unsupported(argument,
                        "a parameter that takes any number of arguments is not supported; "
                        "give each its own name, or pass a tuple");
    std::vector<ParameterInfo> parameters;
    SmallVector<Location> locations;
    using Info = ParameterInfo;
    for (auto [group, kind] :
         {std::pair("posonlyargs", Info::PositionalOnly),
          std::pair("args", Info::PositionalOrKeyword), std::pair("kwonlyargs", Info::KeywordOnly)})
        for (py::handle argument : field(arguments, group)) {
            parameters.push_back({identifier(argument, "arg"), kind, {}});
            locations.push_back(locationOf(rangeOf(argument)));
        }
    size_t positional =
        llvm::count_if(parameters, [](auto &p) { return p.kind != Info::KeywordOnly; });
    py::object defaults = function.attr("__defaults__"), keywords = function.attr("__kwdefaults__");
    if (!defaults.is_none())
        for (size_t n = py::len(defaults), i = 0; i < n; ++i)
            parameters[positional - n + i].value = defaults[py::int_(i)];
    for (Info &parameter : llvm::drop_begin(parameters, positional))
        if (!keywords.is_none() && keywords.contains(parameter.name))
            parameter.value = keywords[py::str(parameter.name)];

    SmallVector<Type> types(parameters.size(), any);
    builder.setInsertionPointToEnd(session.result.module->getBody());
    auto func = np::FuncOp::create(builder, loc, symbol, builder.getFunctionType(types, any));
    if (session.symbols.size() > 1)
        func.setSymVisibility("private");
    builder.createBlock(&func.getBody(), {}, types, locations);
    SmallVector<StringRef> names;
    SmallVector<Attribute> values;
    for (const Info &parameter : parameters) {
        names.push_back(parameter.name);
        Attribute value = parameter.value ? defaultAttr(parameter.value) : Attribute();
        if (parameter.value || !values.empty())
            values.push_back(value ? value
                                   : builder.getUnitAttr()); // unit: no default that is a constant
    }
    func->setAttr("arg_names", builder.getStrArrayAttr(names));
    if (!values.empty())
        func->setAttr("defaults", builder.getArrayAttr(values));
    size_t positionalOnly =
        llvm::count_if(parameters, [](auto &p) { return p.kind == Info::PositionalOnly; });
    if (positionalOnly)
        func->setAttr("posonly", builder.getI64IntegerAttr(positionalOnly));
    if (positional < parameters.size())
        func->setAttr("kwonly", builder.getI64IntegerAttr(parameters.size() - positional));
    session.parameters[symbol] = parameters;
}

Captured captureFunction(py::handle function, MLIRContext &context) {
    py::object plain = unwrapJitted(function);
    if (!isPlainFunction(plain))
        throw CaptureError(unsupportedError("'" + className(plain) +
                                                "' object is not a plain Python function; "
                                                "jit takes functions written with def or lambda",
                                            {}));
    Session session(context);
    session.result.entry = session.capture(plain);
    session.result.parameters = session.parameters[session.result.entry];
    return std::move(session.result);
}

} // namespace shapecast::capture
