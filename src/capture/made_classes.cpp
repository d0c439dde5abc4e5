#include "capture/made_classes.h"

#include "capture/callees.h"
#include "capture/constants.h"
#include "capture/dependencies.h"
#include "capture/enum_members.h"
#include "capture/interrupts.h"
#include "capture/record_classes.h"
#include "capture/refusals.h"

#include "ir/in_memory.h"
#include "llvm/ADT/StringSet.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static bool isWrittenInPython(py::handle type) {
    return reinterpret_cast<PyTypeObject *>(type.ptr())->tp_flags & Py_TPFLAGS_HEAPTYPE;
}

static bool isOrdinaryMetaclass(py::handle meta) {
    return meta.ptr() == reinterpret_cast<PyObject *>(&PyType_Type) ||
           meta.is(py::module_::import("abc").attr("ABCMeta"));
}

bool hasOrdinaryInstances(py::handle type) {
    if (!PyType_Check(type.ptr()) || !isOrdinaryMetaclass(py::type::of(type)) ||
        py::cast<bool>(py::module_::import("shapecast._objects").attr("has_values")(type)))
        return false;
    return isWrittenInPython(type) && llvm::all_of(type.attr("__mro__"), [](py::handle base) {
               return base.ptr() == reinterpret_cast<PyObject *>(&PyBaseObject_Type) ||
                      isWrittenInPython(base);
           });
}

// Methods with which Python makes, changes or deletes instances in a way of their own: those that
// `object` has, and those that it has not.
static constexpr const char *ownWays[] = {"__new__", "__getattribute__", "__setattr__",
                                          "__delattr__"};
static constexpr const char *otherWays[] = {"__getattr__", "__del__"};

std::optional<std::string> whyNotMade(py::handle type) {
    if (!isOrdinaryMetaclass(py::type::of(type)))
        return "it has a metaclass";
    const py::handle object = reinterpret_cast<PyObject *>(&PyBaseObject_Type);
    for (py::handle base : type.attr("__mro__"))
        if (!base.is(object) && !isWrittenInPython(base))
            return "its base class " + text(base.attr("__name__")) + " is not written in Python";
    for (const char *name : ownWays)
        if (const py::object its = attributeOrNone(type, name);
            !its.equal(attributeOrNone(object, name)) && !isGeneratedByDataclass(its)) // frozen
            return std::string("it has a ") + name + " of its own";
    for (const char *name : otherWays)
        if (hasAttribute(type, name))
            return std::string("it has a ") + name;
    if (py::object open = attributeOrNone(type, "__abstractmethods__");
        !open.is_none() && py::len(open))
        return "it has abstract methods";
    return std::nullopt;
}

ClassMember memberOfClass(Session &session, py::handle type, const std::string &name,
                          py::handle after) {
    session.addGuard(type, "", type.attr("__mro__"));
    bool passed = !after;
    for (py::handle base : type.attr("__mro__")) {
        if (!isWrittenInPython(base))
            break;
        if (!std::exchange(passed, passed || base.is(after)))
            continue;
        const auto names = py::reinterpret_borrow<py::object>(
            reinterpret_cast<PyTypeObject *>(base.ptr())->tp_dict);
        const auto found =
            py::reinterpret_steal<py::object>(dictItem(names.ptr(), name.c_str()).release());
        if (!found || !session.isAssignedInClass(base, name)) // else each call reads it
            session.addGuard(names, name, found);
        if (found)
            return {found, names, py::reinterpret_borrow<py::object>(base)};
    }
    return {};
}

bool isExactly(py::handle object, const PyTypeObject &type) {
    return Py_TYPE(object.ptr()) == &type;
}

bool isStaticMethod(py::handle object) { return isExactly(object, PyStaticMethod_Type); }

std::string captureMethod(Session &session, py::handle function, py::handle type, bool constructs) {
    const py::object plain = unwrapJitted(function);
    if (!isPlainFunction(plain))
        throw CaptureError(unsupportedError(
            "'" + className(plain) + "' as a method is not supported; write a function with def",
            session.callStack));
    return session.capture(plain, {}, -1, {py::reinterpret_borrow<py::object>(type), constructs});
}

// A class or function of the module re.
static bool isOfRegularExpressions(py::handle object) {
    return (PyType_Check(object.ptr()) || PyFunction_Check(object.ptr())) &&
           stringAttribute(object, "__module__") == "re";
}

py::object replacedClass(py::handle type) {
    const bool isReplaced =
        type.ptr() == reinterpret_cast<PyObject *>(&PyFrozenSet_Type) ||
        type.ptr() == reinterpret_cast<PyObject *>(&PyBytes_Type) ||
        (PyType_Check(type.ptr()) && stringAttribute(type, "__module__") == "collections") ||
        isFlagClass(type) || isOfRegularExpressions(type);
    if (isReplaced)
        return py::module_::import("shapecast._classes").attr("replacement")(type);
    return py::reinterpret_borrow<py::object>(type);
}

py::object writtenMethod(py::handle type, py::handle method) {
    return py::module_::import("shapecast._classes").attr("written")(type, method);
}

//===-- Constructors

// An np.func without parameters but the unused first one: a class without __init__.
static std::string emptyConstructor(FunctionEmitter &f, const std::string &name, py::handle type) {
    const std::string symbol = f.session.freshSymbol(name);
    OpBuilder::InsertionGuard guard(f.builder);
    f.builder.setInsertionPointToEnd(f.session.result.module->getBody());
    auto func =
        np::FuncOp::create(f.builder, f.loc, symbol, f.builder.getFunctionType({f.any}, f.any));
    func.setSymVisibility("private");
    func.setArgNamesAttr(f.builder.getStrArrayAttr({"free class"}));
    func.setQualnameAttr(f.builder.getStringAttr(name));
    f.builder.createBlock(&func.getBody(), {}, {f.any}, {f.loc});
    np::ReturnOp::create(f.builder, f.loc, emitNewInstance(f, type));
    f.session.parameters[symbol] = {{"free class", ParameterInfo::PositionalOnly, {}}};
    return symbol;
}

Value emitNewInstance(FunctionEmitter &f, py::handle type) {
    auto made = np::TupleOp::create(f.builder, f.loc, f.any, ValueRange(), UnitAttr());
    made.setRecordAttr(np::PyAttr::get(&f.session.context, "class instance", instanceText(type)));
    return made;
}

std::optional<std::string> instancesText(py::handle type) {
    if (!hasOrdinaryInstances(type))
        return std::nullopt;
    const std::optional<RecordClass> record = recordClass(type);
    const bool isMade = !whyNotMade(type);
    if (record ? record->kind != "dataclass" : !isMade)
        return std::nullopt;
    const std::string text =
        record && (isSimple(*record) || !isMade) ? record->text : instanceText(type);
    const auto [facts, rest] = llvm::StringRef(text).split(' ');
    if (facts.contains(";frozen") && !FrozenClasses::areInstances())
        return std::nullopt;
    return (facts + " " + rest.split(' ').first).str();
}

// Of a class that whyNotMade() lets pass: a changed answer compiles anew.
void noteInstances(Session &session, py::handle type) {
    session.addMadeClass(type);
    for (const char *name : llvm::concat<const char *const>(ownWays, otherWays))
        memberOfClass(session, type, name);
}

static std::string makingFunction(FunctionEmitter &f, py::handle type) {
    Session &session = f.session;
    noteInstances(session, type);
    const ClassMember init = memberOfClass(session, type, "__init__");
    if (init.object)
        return captureMethod(session, writtenMethod(type, init.object), type, true);
    const std::string key = "new " + std::to_string(reinterpret_cast<uintptr_t>(type.ptr()));
    auto [known, isNew] = session.symbols.try_emplace(key, "");
    if (isNew)
        known->second = emptyConstructor(f, text(type.attr("__name__")), type);
    return known->second;
}

std::optional<std::string> captureConstructor(FunctionEmitter &f, py::handle type) {
    const std::optional<RecordClass> record = recordClass(type);
    const bool isMade = PyType_Check(type.ptr()) && !whyNotMade(type);
    if (record && (isSimple(*record) || !isMade))
        return captureRecord(f, type, *record);
    return isMade ? std::optional(makingFunction(f, type)) : std::nullopt;
}

Value emitPlainNew(FunctionEmitter &f, py::handle node) {
    const py::object callee = field(node, "func"), given = field(node, "args");
    if (kindOf(callee) != Kind::Attribute || identifier(callee, "attr") != "__new__" ||
        py::len(given) != 1 || py::len(field(node, "keywords")))
        return {};
    auto isPlain = [](py::handle type) {
        const py::handle object = reinterpret_cast<PyObject *>(&PyBaseObject_Type);
        return PyType_Check(type.ptr()) && type.attr("__new__").is(object.attr("__new__"));
    };
    auto isMade = [&](py::handle type) {
        return isPlain(type) && !whyNotMade(type) && !recordClass(type);
    };
    if (!resolveIf(f, field(callee, "value"), isPlain))
        return {};
    const std::optional<ExternalRef> type = resolveIf(f, given[py::int_(0)], isMade);
    if (!type)
        return {};
    noteInstances(f.session, type->object);
    return emitNewInstance(f, type->object);
}

//===-- Members

constexpr StringLiteral anyName = "*"; // getattr(v, "do_" + word)

// The names after a dot in the captured functions, those of attributes that they assign included.
static llvm::StringSet<> usedNames(ModuleOp module) {
    llvm::StringSet<> names;
    module->walk([&](Operation *op) {
        if (auto read = dyn_cast<np::AttrOp>(op))
            names.insert(read.getName());
        if (auto call = dyn_cast<np::CallOp>(op);
            call && call.getArgs().size() > 1 &&
            llvm::is_contained({"builtins.getattr", "builtins.hasattr", "builtins.setattr"},
                               call.getCallee())) {
            auto name = call.getArgs()[1].getDefiningOp<np::ConstOp>();
            auto text = name ? dyn_cast<np::PyAttr>(name.getValue()) : np::PyAttr();
            names.insert(text ? text.getText() : StringRef(anyName));
        }
        auto method = dyn_cast<np::MethodOp>(op);
        if (!method)
            return;
        names.insert(method.getName());
        if (auto name = method.getName() == "__setattr__"
                            ? method.getArgs()[0].getDefiningOp<np::ConstOp>()
                            : np::ConstOp())
            names.insert(cast<np::PyAttr>(name.getValue()).getText());
    });
    return names;
}

// Calls of it raise what its capture did.
static std::string refusing(Session &session, py::handle function, const UserError &error) {
    FunctionEmitter f(session, function, session.freshSymbol("refused"));
    f.builder.setInsertionPointToEnd(session.result.module->getBody());
    auto func = np::FuncOp::create(f.builder, f.loc, f.symbol,
                                   f.builder.getFunctionType({f.any, f.any}, f.any));
    func.setSymVisibility("private");
    func.setArgNamesAttr(f.builder.getStrArrayAttr({"args", "kwargs"}));
    func.setVarargsAttr(f.builder.getUnitAttr());
    func.setVarkwAttr(f.builder.getUnitAttr());
    f.builder.createBlock(&func.getBody(), {}, {f.any, f.any}, {f.loc, f.loc});
    f.builder.setInsertionPointToEnd(&func.getBody().front());
    Value refused = emitRefusal(f, error);
    np::ReturnOp::create(f.builder, f.loc, refused);
    return f.symbol;
}

// A class attribute that is a value: a function without parameters gives it.
static std::string valueFunction(Session &session, const ClassMember &member,
                                 const std::string &name) {
    FunctionEmitter f(session, session.result.functions.front().function,
                      session.freshSymbol(name));
    f.loc = session.result.module->lookupSymbol(session.result.entry)->getLoc();
    f.builder.setInsertionPointToEnd(session.result.module->getBody());
    auto func =
        np::FuncOp::create(f.builder, f.loc, f.symbol, f.builder.getFunctionType({}, f.any));
    func.setSymVisibility("private");
    func.setArgNamesAttr(f.builder.getStrArrayAttr({}));
    f.builder.createBlock(&func.getBody());
    f.builder.setInsertionPointToEnd(&func.getBody().front());
    ExternalRef found{member.object, member.holder, name};
    if (member.of && session.isAssignedInClass(member.of, name)) // else a member's of an Enum
        found = {member.object, {}, name, session.objectNumber({member.of, {}, ""})};
    Value value = emitExternal(f, found, py::none());
    if (value.getType() != f.any)
        value = np::CastOp::create(f.builder, f.loc, f.any, value);
    np::ReturnOp::create(f.builder, f.loc, value);
    return f.symbol;
}

static np::MethodAttr methodAttr(Session &session, StringRef form, const std::string &symbol) {
    return np::MethodAttr::get(&session.context, form,
                               FlatSymbolRefAttr::get(&session.context, symbol));
}

static np::MethodAttr captureMember(Session &session, py::handle type, const ClassMember &member,
                                    const std::string &name) {
    const py::object &found = member.object;
    if (isExactly(found, PyProperty_Type) && found.attr("fget").is_none())
        throw CaptureError(unsupportedError("an attribute that has no getter, or a descriptor "
                                            "without __get__, is not supported",
                                            session.callStack));
    if (isExactly(found, PyProperty_Type))
        return methodAttr(session, "property",
                          captureMethod(session, found.attr("fget"), type, false));
    if (className(found) == "cached_property")
        return methodAttr(session, "cached",
                          captureMethod(session, found.attr("func"), type, false));
    if (isStaticMethod(found))
        return methodAttr(
            session, "static",
            captureMethod(session, writtenMethod(type, found.attr("__func__")), {}, false));
    if (isExactly(found, PyClassMethod_Type)) {
        const py::object function =
            unwrapJitted(writtenMethod(type, unwrapJitted(found.attr("__func__"))));
        const py::object names = function.attr("__code__").attr("co_varnames");
        const ExternalRef cls{py::reinterpret_borrow<py::object>(type), {}, ""};
        return methodAttr(session, "class",
                          session.capture(function, {{text(names[py::int_(0)]), cls}}, -1));
    }
    if (isPlainFunction(unwrapJitted(found)))
        return methodAttr(session, "method",
                          captureMethod(session, writtenMethod(type, found), type, false));
    return methodAttr(session, "value", valueFunction(session, member, name));
}

// A slot of the class: an attribute of its instances.
static bool isSlot(py::handle found) { return isExactly(found, PyMemberDescr_Type); }

// What named tuples have, which compiled code knows.
static bool isOfNamedTuples(py::handle type, StringRef name) {
    return PyType_IsSubtype((PyTypeObject *)type.ptr(), &PyTuple_Type) &&
           llvm::is_contained({"_replace", "_asdict", "_make", "_fields"}, name);
}

// Of a descriptor of a class in Python: the member becomes a property that calls its methods.
static bool isMadeProperty(py::handle type, const std::string &name, ClassMember &member) {
    py::object made =
        py::module_::import("shapecast._classes").attr("as_property")(type, name, member.object);
    if (made.is(member.object))
        return false;
    member.object = std::move(made);
    return true;
}

// Whether the class has such a member; then the module's table gets it.
static bool addMember(Session &session, py::handle type, const std::string &name,
                      SmallVectorImpl<NamedAttribute> &table) {
    const bool isSpecial = StringRef(name).starts_with("__"), isEnum = isEnumClass(type);
    if (isEnum && (isSpecial || name == "name"))
        return false;
    ClassMember member =
        name == "value" && isEnum ? ClassMember() : memberOfClass(session, type, name);
    const bool isData = member.object && hasAttribute(py::type::of(member.object), "__set__");
    const bool isDescriptor = member.object && !isSpecial && isMadeProperty(type, name, member);
    const std::vector<OwnAttribute> ofMembers =
        isEnum ? ownAttributes(type, name) : std::vector<OwnAttribute>();
    const bool isNone = !member.object || isSlot(member.object) || isOfNamedTuples(type, name) ||
                        (isSpecial && member.object.is_none()) ||
                        (isEnum && isEnumMember(member.object));
    if (isNone && ofMembers.empty())
        return false;
    Builder builder(&session.context);
    auto refused = [&](const UserError &error) {
        const py::object entry = session.result.functions.front().function;
        return methodAttr(session, "refused", refusing(session, entry, error));
    };
    auto add = [&](const std::string &key, llvm::function_ref<np::MethodAttr()> capture) {
        np::MethodAttr captured;
        try {
            captured = capture();
        } catch (const CaptureError &error) {
            if (error.error.exception != "shapecast.UnsupportedError")
                throw;
            captured = refused(error.error);
        } catch (const SyntaxProblem &problem) {
            captured = refused(unsupportedError(problem.message, {}));
        }
        table.push_back(builder.getNamedAttr(key, captured));
    };
    for (const OwnAttribute &own : ofMembers)
        add(own.number + "." + name, [&] {
            return methodAttr(session, "value",
                              valueFunction(session, {own.value, own.holder}, own.name));
        });
    if (isNone)
        return true;
    const std::string key = recordNumber(type) + "." + name;
    add(key, [&] { return captureMember(session, type, member, name); });
    if (isDescriptor && !isData)
        add(key + "=", [&] {
            return refused(unsupportedError("storing an attribute for which the class has a "
                                            "descriptor without __set__ is not supported; use "
                                            "another name",
                                            {}));
        });
    else if (isExactly(member.object, PyProperty_Type) && !member.object.attr("fset").is_none())
        add(key + "=", [&] {
            return methodAttr(session, "setter",
                              captureMethod(session, member.object.attr("fset"), type, false));
        });
    return true;
}

// What functions that are values have as attributes, where it is a constant: "square.order".
static void addFunctionAttributes(Session &session, SmallVectorImpl<NamedAttribute> &table) {
    if (session.functionValues.empty())
        return;
    const llvm::StringSet<> names = usedNames(*session.result.module);
    llvm::StringSet<> done;
    auto add = [&](const std::string &symbol, const std::string &name, py::handle value) {
        if (!value || !done.insert(symbol + "." + name).second)
            return;
        if (Attribute constant = defaultAttr(session, value))
            table.emplace_back(StringAttr::get(&session.context, symbol + "." + name), constant);
    };
    for (const auto &[symbol, function] : session.functionValues) {
        const py::object own = function.attr("__dict__");
        const bool isAssigned = llvm::any_of(session.result.objects, [&](const ReachedObject &one) {
            return one.constant.is(function);
        });
        for (const auto &used : names) {
            const std::string name = used.getKey().str();
            const py::object value = own.attr("get")(name);
            if (isAssigned || value.is_none())
                continue;
            session.addGuard(own, name, value);
            add(symbol, name, value);
        }
        if (names.contains("__doc__")) {
            session.result.isPortable = false; // no part of the source, where a decorator copies it
            add(symbol, "__doc__", function.attr("__doc__"));
        }
    }
}

// The class of tuples that are objects in memory (ops/builder/tuple_objects.h).
static void noteTuples(Session &session, SmallVectorImpl<NamedAttribute> &table) {
    const py::object type = py::module_::import("shapecast.library.long_tuples").attr("tuple");
    noteInstances(session, type);
    table.emplace_back(StringAttr::get(&session.context, np::tuplesInMemory),
                       StringAttr::get(&session.context, "object " + *instancesText(type)));
}

// Whether next() may take items of iter(), zip() and so on: then the class of our library that has
// items one by one.
static bool noteSequences(Session &session, SmallVectorImpl<NamedAttribute> &table) {
    const py::object entry = session.result.functions.front().function;
    if (StringRef(stringAttribute(entry, "__module__")).starts_with("shapecast.library."))
        return false; // it is stored for all programs
    const auto takes = session.result.module->walk([](Operation *op) {
        auto call = dyn_cast<np::CallOp>(op);
        auto function = dyn_cast<np::FuncOp>(op);
        const bool isIterator =
            call && llvm::is_contained({"builtins.iter", "builtins.next"}, call.getCallee());
        return isIterator || (function && function.getIterator()) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
    });
    if (!takes.wasInterrupted())
        return false;
    const py::object type = py::module_::import("shapecast._iterators").attr("Sequence");
    noteInstances(session, type);
    table.emplace_back(
        StringAttr::get(&session.context, np::iteratorOfItems),
        methodAttr(session, "method", captureMethod(session, type.attr("__init__"), type, true)));
    return true;
}

void captureMembers(Session &session) {
    std::set<std::pair<PyObject *, std::string>> done;
    SmallVector<NamedAttribute> table;
    if (session.options.tuplesInMemory)
        noteTuples(session, table);
    bool takesInTurn = noteSequences(session, table);
    for (bool grows = !session.madeClasses.empty(); grows;) {
        grows = false;
        llvm::StringSet<> names = usedNames(*session.result.module);
        for (const std::string &name : operatorNames())
            names.insert(name);
        for (const char *name : {"__next__", "__reversed__", "__hash__", "__str__", "__repr__",
                                 "__format__", "decode", "items"}) // dict(v)
            names.insert(name);
        for (size_t k = 0; names.contains(anyName) && k < session.madeClasses.size(); ++k)
            for (py::handle one :
                 py::module_::import("builtins").attr("dir")(session.madeClasses[k]))
                if (const std::string name = text(one); !StringRef(name).starts_with("__"))
                    names.insert(name);
        for (size_t k = 0; k < session.madeClasses.size(); ++k) // it may grow
            for (const auto &name : names)
                if (const py::object type = session.madeClasses[k];
                    done.emplace(type.ptr(), name.getKey().str()).second)
                    grows |= addMember(session, type, name.getKey().str(), table);
        if (!takesInTurn)
            grows |= takesInTurn = noteSequences(session, table);
    }
    addFunctionAttributes(session, table);
    if (!table.empty())
        np::NpDialect::MethodsAttrHelper(&session.context)
            .setAttr(*session.result.module, DictionaryAttr::get(&session.context, table));
}

//===-- Inside methods

// Whether the node is the method's first parameter, which nothing is assigned to.
bool isSelf(FunctionEmitter &f, py::handle node) {
    if (!f.method.ofClass || kindOf(node) != Kind::Name || f.syntax.locals.empty())
        return false;
    const std::string name = identifier(node, "id");
    const bool isFirst =
        f.syntax.localIndex.contains(name) && f.syntax.localIndex.lookup(name) == 0;
    return isFirst && !f.comprehensionValue(name) && !f.syntax.assignedAfter(0, Range{0, 0, 0, 0});
}

std::optional<ExternalRef> classOfSelf(FunctionEmitter &f, py::handle node) {
    py::object of;
    if (kindOf(node) == Kind::Attribute && identifier(node, "attr") == "__class__") {
        of = field(node, "value");
    } else if (kindOf(node) == Kind::Call && py::len(field(node, "args")) == 1) {
        std::optional<ExternalRef> called = lookUp(f, field(node, "func"));
        if (called && called->object.ptr() == reinterpret_cast<PyObject *>(&PyType_Type))
            of = field(node, "args")[py::int_(0)];
    }
    if (!of || !isSelf(f, of))
        return std::nullopt;
    return ExternalRef{f.method.ofClass, {}, ""};
}

} // namespace shapecast::capture
