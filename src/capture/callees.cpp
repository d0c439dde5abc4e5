#include "capture/callees.h"

#include "capture/constants.h"
#include "capture/dependencies.h"
#include "capture/logging.h"
#include "capture/objects.h"
#include "capture/record_classes.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static std::vector<std::string> parameterNames(py::handle function) {
    py::object code = function.attr("__code__");
    const auto count =
        code.attr("co_argcount").cast<size_t>() + code.attr("co_kwonlyargcount").cast<size_t>();
    std::vector<std::string> names;
    for (py::handle name : code.attr("co_varnames"))
        if (names.size() < count)
            names.push_back(text(name));
    return names;
}

std::string captureRecord(FunctionEmitter &f, py::handle type, const RecordClass &record) {
    const std::string key = "record " + std::to_string(reinterpret_cast<uintptr_t>(type.ptr()));
    f.session.addMadeClass(type);
    auto [known, isNew] = f.session.symbols.try_emplace(key, "");
    if (!isNew)
        return known->second;
    for (const GlobalUse &use : guardsOf(type, record))
        f.session.addGuard(use.holder, use.name, use.seen);
    f.session.result.functions.push_back(useOf(record.constructor)); // its defaults may be replaced
    const std::string name = text(type.attr("__name__"));
    const std::string recordSymbol = known->second = f.session.freshSymbol(name);
    SmallVector<std::string> names{"free class"};
    names.append(record.fields.begin(), record.fields.end());
    SmallVector<Attribute> defaults;
    std::vector<ParameterInfo> parameters{{names[0], ParameterInfo::PositionalOnly, {}}};
    for (auto [i, field] : llvm::enumerate(record.fields)) {
        const size_t first = record.fields.size() - record.defaults.size();
        parameters.push_back({field, ParameterInfo::PositionalOrKeyword, {}});
        if (i < first)
            continue;
        const py::object value = record.defaults[i - first];
        parameters.back().value = value ? value : py::list();
        Attribute constant = value ? defaultAttr(f.session, value) : Attribute();
        defaults.push_back(constant ? constant : f.builder.getUnitAttr());
    }
    OpBuilder::InsertionGuard guard(f.builder);
    SmallVector<Type> types(names.size(), f.any);
    SmallVector<Location> locations(names.size(), f.loc);
    f.builder.setInsertionPointToEnd(f.session.result.module->getBody());
    auto func =
        np::FuncOp::create(f.builder, f.loc, recordSymbol, f.builder.getFunctionType(types, f.any));
    func.setSymVisibility("private");
    func.setArgNamesAttr(f.builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names)));
    if (!defaults.empty())
        func.setDefaultsAttr(f.builder.getArrayAttr(defaults));
    func.setQualnameAttr(
        f.builder.getStringAttr(name + (record.kind == "namedtuple" ? ".__new__" : ".__init__")));
    mlir::Block *body = f.builder.createBlock(&func.getBody(), {}, types, locations);
    auto value =
        np::TupleOp::create(f.builder, f.loc, f.any, body->getArguments().drop_front(), UnitAttr());
    value.setRecordAttr(np::PyAttr::get(&f.session.context, record.kind, record.text));
    np::ReturnOp::create(f.builder, f.loc, value.getResult());
    f.session.parameters[recordSymbol] = std::move(parameters);
    return recordSymbol;
}

std::string captureCallee(FunctionEmitter &f, const ExternalRef &callee, py::handle call,
                          py::handle useSite) {
    if (isLogging(callee.object))
        unsupported(useSite, "a logger's methods are supported as calls with explicit arguments: "
                             "log.info(\"%s\", x)");
    const std::vector<std::string> names = parameterNames(callee.object);
    Objects objects; // by parameter
    size_t next = 0;
    const auto count = callee.object.attr("__code__").attr("co_argcount").cast<size_t>();
    auto take = [&](const ExternalRef &object) {
        if (next >= count)
            unsupported(useSite,
                        "an object of class '" + className(object.object) +
                            "' among the items of '*' is not supported; give the function a "
                            "parameter for it");
        objects[names[next]] = object;
    };
    if (callee.receiver) {
        take(*callee.receiver);
        ++next;
    }
    for (py::handle argument : call.is_none() ? py::list() : field(call, "args")) {
        if (std::optional<ExternalRef> object = objectArgument(f, argument))
            take(*object);
        ++next;
    }
    for (py::handle keyword : call.is_none() ? py::list() : field(call, "keywords"))
        if (std::optional<ExternalRef> object = objectArgument(f, field(keyword, "value")))
            if (!field(keyword, "arg").is_none() &&
                llvm::is_contained(names, identifier(keyword, "arg")))
                objects[identifier(keyword, "arg")] = *object;
    const bool numbered =
        (callee.owner >= 0 || callee.number >= 0) && !callee.object.attr("__closure__").is_none();
    const int number = numbered ? f.session.objectNumber(callee) : -1;
    f.session.callStack.push_back(f.frameOf(rangeOf(useSite)));
    std::string symbol = f.session.capture(callee.object, objects, number);
    f.session.callStack.pop_back();
    return symbol;
}

Value emitProperty(FunctionEmitter &f, const ExternalRef &found, py::handle node) {
    if (!isPlainFunction(found.object))
        unsupported(node, "a property without a plain function is not supported");
    std::string callee = captureCallee(f, found, py::none(), node);
    return np::CallOp::create(f.builder, f.loc, f.any, callee, ValueRange(f.none()), ArrayAttr(),
                              ArrayAttr(), ArrayAttr())
        .getResult();
}

} // namespace shapecast::capture
