#include "capture/session.h"

#include "capture/interrupts.h"

#include "capture/dependencies.h"
#include "capture/object_class.h"
#include "ir/symbols.h"

namespace shapecast::capture {

namespace py = pybind11;
using namespace mlir;

static py::object interned(const std::string &name) { // for a fast look-up in each call
    return py::reinterpret_steal<py::object>(PyUnicode_InternFromString(name.c_str()));
}

static bool isNamed(py::handle known, const ExternalRef &external) {
    if (external.key)
        return py::type::of(known).is(py::type::of(external.key)) && known.equal(external.key);
    return PyUnicode_CheckExact(known.ptr()) && text(known) == external.name;
}

Session::Session(MLIRContext &context, const CaptureOptions &options, AssignedAttributes &assigned)
    : context(context), options(options), assigned(assigned), numpy(py::module_::import("numpy")) {
    result.module = ModuleOp::create(UnknownLoc::get(&context));
}

void Session::addGuard(const ExternalRef &external) {
    if (external.owner >= 0)
        objectNumber(external);
    else if (external.holder)
        addGuard(external.holder, external.name, external.object);
}

void Session::addGuard(py::handle holder, const std::string &name, py::handle seen) {
    noteLookUp(holder, name, seen);
    if (guarded.emplace(holder.ptr(), name).second)
        result.globals.push_back({py::reinterpret_borrow<py::object>(holder), name,
                                  py::reinterpret_borrow<py::object>(seen)});
}

void Session::noteLookUp(py::handle holder, const std::string &name, py::handle seen) {
    if (lookedUp.emplace(holder.ptr(), name).second)
        result.lookUps.push_back({py::reinterpret_borrow<py::object>(holder), name,
                                  py::reinterpret_borrow<py::object>(seen)});
}

// A module's attribute is the entry in its dict, as long as its class is types.ModuleType.
void Session::watchClass(py::handle module) {
    if (guarded.emplace(module.ptr(), "").second)
        result.globals.push_back(classOf(module));
}

// So that it is no constant of the code.
static bool isLarge(py::handle container) {
    return isMutableContainer(container) &&
           (isOfCollections(container.ptr()) || py::len(container) > maxConstantItems);
}

std::optional<unsigned> Session::hiddenArgument(const ExternalRef &external, bool isInMemory) {
    if (external.owner >= 0)
        return hiddenAttribute(external);
    if (!external.holder)
        return std::nullopt;
    auto names = [&](const auto &use) {
        return use.holder && use.holder.is(external.holder) && use.name == external.name;
    };
    const ObjectClass ofClass = classify(external.object.ptr());
    const bool number = isNumber(ofClass), array = ofClass == ObjectClass::Array;
    const bool mayChange = number || isMutableContainer(external.object);
    if (!array && !isInMemory && !isOpaque(external.object) && !isLarge(external.object) &&
        !(mayChange && llvm::any_of(options.changing, names)))
        return std::nullopt;
    if (PySet_Check(external.object.ptr())) // the function may change it
        noteUseOfSet(external.object);
    noteLookUp(external.holder, external.name, external.object);
    auto known = llvm::find_if(result.hidden, names);
    if (known != result.hidden.end())
        return known - result.hidden.begin();
    result.hidden.push_back({external.holder, external.name, -1, {}});
    return result.hidden.size() - 1;
}

static std::pair<std::string, std::string> keyOfSet(py::handle set) {
    return {"set", std::to_string(reinterpret_cast<uintptr_t>(set.ptr()))};
}

bool Session::isUsedOtherwise(py::handle set) const { return assigned.count(keyOfSet(set)); }

void Session::noteUseOfSet(py::handle set) {
    const bool isNew = assigned.insert(keyOfSet(set)).second;
    if (isNew && llvm::any_of(constantSets, [&](const py::object &one) { return one.is(set); }))
        throw RestartCapture();
}

void Session::addMadeClass(py::handle type) {
    if (llvm::none_of(madeClasses, [&](const py::object &known) { return known.is(type); }))
        madeClasses.push_back(py::reinterpret_borrow<py::object>(type));
}

bool Session::isException(py::handle object) const {
    return PyExceptionClass_Check(object.ptr()) && !externalName(object).empty();
}

std::string Session::freshSymbol(llvm::StringRef name) {
    const std::string base = programSymbol(name);
    std::string symbol = base;
    for (int n = 1; !usedSymbols.insert(symbol).second; ++n)
        symbol = base + "_" + std::to_string(n);
    return symbol;
}

void Session::eraseFunction(const std::string &symbol) {
    if (Operation *func = result.module->lookupSymbol(symbol))
        func->erase();
}

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
        if (PyType_Check(external.object.ptr())) // whatever names it has
            reached.label = text(external.object.attr("__qualname__"));
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

std::optional<ExternalRef> Session::assignedGlobal(py::handle globals, const std::string &name) {
    if (assigned.empty())
        return std::nullopt;
    const Ref home = dictItem(globals.ptr(), "__name__");
    if (!home || !PyUnicode_Check(home.get()) || !assigned.contains({text(home.get()), name}))
        return std::nullopt;
    const Ref module = dictItem(PyImport_GetModuleDict(), text(home.get()).c_str());
    if (!module || !PyModule_Check(module.get()) || PyModule_GetDict(module.get()) != globals.ptr())
        return std::nullopt;
    const auto object = py::reinterpret_borrow<py::object>(module.get());
    const int owner = objectNumber({object, {}, text(home.get())});
    const py::object now = attributeOrNone(object, name.c_str());
    return ExternalRef{now, {}, name, owner};
}

bool Session::isAssignedInClass(py::handle type, const std::string &name) const {
    return !assigned.empty() && assigned.contains({text(type.attr("__qualname__")), name});
}

unsigned Session::hiddenItself(int object) {
    auto known = llvm::find_if(
        result.hidden, [&](const HiddenUse &use) { return use.owner == object && !use.attribute; });
    if (known == result.hidden.end()) {
        result.hidden.push_back({{}, result.objects[size_t(object)].label, object, {}});
        return unsigned(result.hidden.size() - 1);
    }
    return unsigned(known - result.hidden.begin());
}

UserError unsupportedError(std::string message, std::vector<Frame> frames) {
    return {"shapecast.UnsupportedError", std::move(message), std::move(frames), {}};
}

} // namespace shapecast::capture
