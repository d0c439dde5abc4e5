// Names that refer to objects: their attributes, methods and properties, and passing them on.
#include "capture/dependencies.h"
#include "capture/emitter.h"
#include "capture/interrupts.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

namespace {

std::vector<std::string> parameterNames(py::handle function) {
    py::object code = function.attr("__code__");
    const auto count =
        code.attr("co_argcount").cast<size_t>() + code.attr("co_kwonlyargcount").cast<size_t>();
    std::vector<std::string> names;
    for (py::handle name : code.attr("co_varnames"))
        if (names.size() < count)
            names.push_back(text(name));
    return names;
}

py::object interned(const std::string &name) { // for a fast look-up in each call
    return py::reinterpret_steal<py::object>(PyUnicode_InternFromString(name.c_str()));
}

bool isNamed(py::handle known, const ExternalRef &external) {
    if (external.key)
        return py::type::of(known).is(py::type::of(external.key)) && known.equal(external.key);
    return PyUnicode_CheckExact(known.ptr()) && text(known) == external.name;
}

} // namespace

int Session::addObject(ReachedObject object, py::handle itself) {
    result.objects.push_back(std::move(object));
    reachedObjects.push_back(py::reinterpret_borrow<py::object>(itself));
    return int(result.objects.size()) - 1;
}

int Session::objectNumber(const ExternalRef &external) {
    if (external.number >= 0)
        return external.number;
    const bool isMember = external.owner >= 0;
    if (!isMember)
        addGuard(external); // on each alias of the object
    for (auto [number, known] : llvm::enumerate(result.objects))
        if (isMember ? known.owner == external.owner && isNamed(known.name, external)
                     : known.constant.is(external.object))
            return int(number);
    ReachedObject reached{external.owner, {}, {}, ObjectKind::of(external.object), external.name};
    if (isMember) {
        reached.label = labelOf(external);
        reached.name = external.key ? external.key : interned(external.name);
        reached.isBoundToOwner = external.receiver && PyMethod_Check(external.object.ptr());
    } else {
        reached.constant = external.object;
        if (reached.label.empty())
            reached.label = className(external.object);
    }
    return addObject(std::move(reached), external.object);
}

std::string Session::labelOf(const ExternalRef &external) const {
    return result.objects[size_t(external.owner)].label + (external.key ? "" : ".") + external.name;
}

// A member of an object is a hidden argument, unless it is an object itself.
std::optional<unsigned> Session::hiddenAttribute(const ExternalRef &external) {
    if (isObject(external.object) || PyModule_Check(external.object.ptr()))
        return std::nullopt;
    auto known = llvm::find_if(result.hidden, [&](const HiddenUse &use) {
        return use.owner == external.owner && use.attribute && isNamed(use.attribute, external);
    });
    if (known != result.hidden.end())
        return known - result.hidden.begin();
    result.hidden.push_back({{},
                             labelOf(external),
                             external.owner,
                             external.key ? external.key : interned(external.name)});
    return result.hidden.size() - 1;
}

const ExternalRef *FunctionEmitter::objectNamed(const std::string &name) const {
    if (comprehensionValue(name)) // it shadows the object
        return nullptr;
    if (auto found = objectVariables.find(name); found != objectVariables.end())
        return &found->second;
    if (auto found = objectParameters.find(name); found != objectParameters.end())
        return &found->second;
    if (!outer || syntax.localIndex.contains(name))
        return nullptr;
    return outer->objectNamed(name);
}

// A parameter that is assigned to would refer to something else from there on.
void FunctionEmitter::checkObjects(py::handle definition) {
    for (const auto &[name, object] : objectParameters)
        if (!syntax.assignedAfter(syntax.localIndex.lookup(name), rangeOf(definition)))
            continue;
        else if (isRecordArray(object.object))
            throw WholeRecords();
        else
            unsupported(definition, "the parameter '" + name +
                                        "' is an object and is assigned again; give the later "
                                        "value another name");
}

// `self.__x` in class C is `self._C__x`: the byte code has that name.
std::string FunctionEmitter::mangled(const std::string &name) const {
    if (name.rfind("__", 0) != 0 || (name.size() > 4 && name.rfind("__") == name.size() - 2))
        return name;
    for (py::handle used : code.attr("co_names")) {
        std::string candidate = text(used);
        if (candidate.size() > name.size() && candidate[0] == '_' &&
            candidate.compare(candidate.size() - name.size(), name.size(), name) == 0)
            return candidate;
    }
    return name;
}

std::optional<ExternalRef> FunctionEmitter::objectAttribute(const ExternalRef &base,
                                                            const std::string &name,
                                                            py::handle node) {
    if (base.property)
        return std::nullopt;
    const int number = session.objectNumber(base);
    if (std::optional<ExternalRef> found = property(base, mangled(name)))
        return found;
    auto value = py::reinterpret_steal<py::object>(
        PyObject_GetAttrString(base.object.ptr(), mangled(name).c_str()));
    if (value && isEnumMember(base.object) && (name == "value" || name == "name")) {
        const py::object names = base.object.attr("__dict__");
        session.addGuard(names, "_" + name + "_", names.attr("get")("_" + name + "_"));
        return ExternalRef{value, {}, ""}; // else: as the enum member, which is guarded
    }
    if (session.isAssigned(number, mangled(name))) { // it may be missing before
        forgetError();
        return ExternalRef{value ? value : py::none(), {}, mangled(name), number};
    }
    if (!value) {
        py::error_already_set error; // CPython's message
        if (!error.matches(PyExc_AttributeError))
            throw error;
        session.result.absent.push_back({number, py::str(mangled(name))});
        missingAttribute(node, text(py::str(error.value())));
    }
    ExternalRef found{value, {}, mangled(name), number};
    if (PyMethod_Check(value.ptr()) && PyMethod_GET_SELF(value.ptr()) == base.object.ptr()) {
        ExternalRef receiver = base;
        receiver.number = number;
        found.receiver = std::make_shared<const ExternalRef>(std::move(receiver));
    }
    return found;
}

// A property: its getter, which is called where it is read.
std::optional<ExternalRef> FunctionEmitter::property(const ExternalRef &base,
                                                     const std::string &name) {
    if (PyType_Check(base.object.ptr()))
        return std::nullopt;
    std::vector<py::handle> before; // dicts of earlier classes: guarded to lack it
    for (py::handle type : py::type::of(base.object).attr("__mro__")) {
        auto *known = reinterpret_cast<PyTypeObject *>(type.ptr());
        if (!(known->tp_flags & Py_TPFLAGS_HEAPTYPE)) // builtins lack tp_dict in newer Pythons
            break;
        py::handle names = known->tp_dict;
        PyObject *found = PyDict_GetItemString(names.ptr(), name.c_str());
        if (!found) {
            before.push_back(names);
            continue;
        }
        if (Py_TYPE(found) != &PyProperty_Type) // subclasses of property may behave otherwise
            break;
        for (py::handle without : before)
            session.addGuard(without, name, py::handle());
        const py::handle own = py::type::of(base.object);
        session.addGuard(own, "", own.attr("__mro__"));
        session.addGuard(names, name, found);
        ExternalRef getter{unwrapJitted(py::handle(found).attr("fget")), {}, ""};
        getter.property = true;
        getter.receiver = std::make_shared<const ExternalRef>(base);
        return getter;
    }
    return std::nullopt;
}

Value FunctionEmitter::readProperty(const ExternalRef &found, py::handle node) {
    if (!isPlainFunction(found.object))
        unsupported(node, "a property without a plain function is not supported");
    std::string callee = captureCallee(found, py::none(), node);
    return np::CallOp::create(builder, loc, any, callee, ValueRange(none()), ArrayAttr(),
                              ArrayAttr(), ArrayAttr())
        .getResult();
}

// The plain function that a call of the object runs, with its `self` as `receiver`.
ExternalRef FunctionEmitter::asFunction(const ExternalRef &found) {
    ExternalRef callee = found;
    callee.object = unwrapJitted(found.object);
    if (PyMethod_Check(callee.object.ptr())) {
        const int number = session.objectNumber(found);
        PyObject *method = callee.object.ptr();
        if (!callee.receiver)
            callee.receiver = std::make_shared<const ExternalRef>(
                ExternalRef{py::reinterpret_borrow<py::object>(PyMethod_GET_SELF(method)),
                            {},
                            "__self__",
                            number});
        callee.object = unwrapJitted(PyMethod_GET_FUNCTION(method));
        callee.name = "__func__";
        callee.owner = number;
        callee.number = -1;
    } else if (hasAttributes(found.object) && !PyType_Check(found.object.ptr())) {
        py::object call = memberOf(found.object, py::str("__call__"));
        py::object ofClass = attributeOrNone(py::type::of(found.object), "__call__");
        if (call && PyMethod_Check(call.ptr()) && // looked up in the class, not the instance
            ofClass.ptr() == PyMethod_GET_FUNCTION(call.ptr()))
            return asFunction(*objectAttribute(found, "__call__", py::none()));
    }
    return callee;
}

std::optional<ExternalRef> FunctionEmitter::objectArgument(py::handle node) {
    std::optional<ExternalRef> found;
    try {
        found = lookUp(node);
    } catch (const MissingAttribute &) { // raises as an expression
        return std::nullopt;
    }
    const bool object =
        found && !found->property && (hasAttributes(found->object) || recordsAt(node).has_value());
    return object ? found : std::nullopt;
}

// A constructor of the class, as an np.func; the first parameter is the class, or `self`.
std::string FunctionEmitter::captureRecord(py::handle type, const RecordClass &record) {
    const std::string key = "record " + std::to_string(reinterpret_cast<uintptr_t>(type.ptr()));
    auto [known, isNew] = session.symbols.try_emplace(key, "");
    if (!isNew)
        return known->second;
    for (const GlobalUse &use : guardsOf(type, record))
        session.addGuard(use.holder, use.name, use.seen);
    session.result.functions.push_back(useOf(record.constructor)); // its defaults may be replaced
    const std::string name = text(type.attr("__name__"));
    const std::string recordSymbol = known->second = session.freshSymbol(name);
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
        Attribute constant = value ? defaultAttr(value) : Attribute();
        defaults.push_back(constant ? constant : builder.getUnitAttr());
    }
    OpBuilder::InsertionGuard guard(builder);
    SmallVector<Type> types(names.size(), any);
    SmallVector<Location> locations(names.size(), loc);
    builder.setInsertionPointToEnd(session.result.module->getBody());
    auto func = np::FuncOp::create(builder, loc, recordSymbol, builder.getFunctionType(types, any));
    func.setSymVisibility("private");
    func.setArgNamesAttr(builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(names)));
    if (!defaults.empty())
        func.setDefaultsAttr(builder.getArrayAttr(defaults));
    func.setQualnameAttr(
        builder.getStringAttr(name + (record.kind == "namedtuple" ? ".__new__" : ".__init__")));
    mlir::Block *body = builder.createBlock(&func.getBody(), {}, types, locations);
    auto value =
        np::TupleOp::create(builder, loc, any, body->getArguments().drop_front(), UnitAttr());
    value.setRecordAttr(np::PyAttr::get(&session.context, record.kind, record.text));
    np::ReturnOp::create(builder, loc, value.getResult());
    session.parameters[recordSymbol] = std::move(parameters);
    return recordSymbol;
}

// Captures a function for a call, or for its use as a value (`call` is None then), specialised for
// the arguments that are objects.
std::string FunctionEmitter::captureCallee(const ExternalRef &callee, py::handle call,
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
        if (std::optional<ExternalRef> object = objectArgument(argument))
            take(*object);
        ++next;
    }
    for (py::handle keyword : call.is_none() ? py::list() : field(call, "keywords"))
        if (std::optional<ExternalRef> object = objectArgument(field(keyword, "value")))
            if (!field(keyword, "arg").is_none() &&
                llvm::is_contained(names, identifier(keyword, "arg")))
                objects[identifier(keyword, "arg")] = *object;
    const bool numbered =
        (callee.owner >= 0 || callee.number >= 0) && !callee.object.attr("__closure__").is_none();
    const int number = numbered ? session.objectNumber(callee) : -1;
    session.callStack.push_back(frameOf(rangeOf(useSite)));
    std::string symbol = session.capture(callee.object, objects, number);
    session.callStack.pop_back();
    return symbol;
}

} // namespace shapecast::capture
