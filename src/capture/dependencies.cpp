#include "capture/dependencies.h"

#include "capture/external_names.h"
#include "capture/interrupts.h"
#include "capture/object_class.h"
#include "support/bytes.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace shapecast::capture {

namespace py = pybind11;

namespace {

//===-- Values as bytes

struct NotPortable {}; // thrown for what cannot be identified in another process

// Each value begins with a letter that gives its type.
class ValueWriter {
public:
    ByteWriter out;

    void value(py::handle given) {
        PyObject *object = given.ptr();
        switch (classify(object)) {
        case ObjectClass::None:
            return tag('N');
        case ObjectClass::Ellipsis:
            return tag('E');
        case ObjectClass::Bool:
            return tag(object == Py_True ? 'T' : 'F');
        case ObjectClass::Int:
            return text('i', py::repr(given));
        case ObjectClass::Float:
            return tag('f'), out.real(PyFloat_AS_DOUBLE(object));
        case ObjectClass::Complex:
            return complex(PyComplex_AsCComplex(object));
        case ObjectClass::Str:
            return text('s', given.attr("encode")("utf-8", "surrogatepass"));
        case ObjectClass::Bytes:
            return text('b', given);
        case ObjectClass::Tuple:
            return items('t', given);
        default:
            return PyFrozenSet_CheckExact(object) ? set(given)
                   : PyCode_Check(object)         ? code(given)
                                                  : named(given);
        }
    }

    void function(py::handle function) {
        tag('p');
        for (const char *name : {"__code__", "__defaults__", "__name__", "__qualname__"})
            value(function.attr(name));
        value(function.attr("__module__"));
        value(function.attr("__globals__").attr("get")("__name__"));
        const py::object keywords = function.attr("__kwdefaults__");
        tag(keywords.is_none() ? '-' : '+');
        if (keywords.is_none())
            return;
        for (auto [name, given] : py::reinterpret_borrow<py::dict>(keywords))
            value(name), value(given);
    }

private:
    void tag(char letter) { out.bytes.push_back(letter); }
    void text(char letter, py::handle given) { // str or bytes
        tag(letter);
        out.text(py::cast<std::string>(given));
    }
    void complex(Py_complex number) {
        tag('c');
        out.real(number.real);
        out.real(number.imag);
    }
    void items(char letter, py::handle sequence) {
        tag(letter);
        out.number(py::len(sequence));
        for (py::handle item : sequence)
            value(item);
    }
    void set(py::handle given) { // sorted: iteration order differs between processes
        std::vector<std::string> all;
        for (py::handle item : given) {
            ValueWriter writer;
            writer.value(item);
            all.push_back(std::move(writer.out.bytes));
        }
        llvm::sort(all);
        tag('r');
        out.texts(all);
    }
    // With locations and file name, which messages show.
    void code(py::handle given) {
        tag('o');
        for (const char *name :
             {"co_code", "co_consts", "co_names", "co_varnames", "co_freevars", "co_cellvars",
              "co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_flags", "co_filename",
              "co_firstlineno", "co_linetable", "co_exceptiontable", "co_name", "co_qualname"})
            value(given.attr(name));
    }
    void named(py::handle given) {
        if (PyModule_Check(given.ptr()))
            return name('m', stringAttribute(given, "__name__"));
        if (!PyType_Check(given.ptr()))
            if (std::string dtype = dtypeName(given); !dtype.empty())
                return name('d', dtype);
        const py::object generic = py::module_::import("numpy").attr("generic");
        if (py::isinstance(given, generic)) {
            const std::string dtype = dtypeName(given.attr("dtype"));
            if (dtype.empty())
                throw NotPortable();
            name('g', dtype);
            return text('b', given.attr("tobytes")());
        }
        const std::string external = externalName(given);
        // Their numbers are valid in this process only.
        if (external.empty() || llvm::StringRef(external).starts_with("pyfunc:") ||
            llvm::StringRef(external).starts_with("ufunc:"))
            throw NotPortable();
        name('x', external);
        if (PyExceptionClass_Check(given.ptr())) // which `except` clauses catch it
            for (py::handle base : given.attr("__mro__"))
                text('s', base.attr("__module__")), text('s', base.attr("__qualname__"));
    }
    // A name in a library, and the library's version.
    void name(char letter, llvm::StringRef given) {
        tag(letter);
        out.text(given);
        const std::string root = given.split('.').first.str();
        const Ref module = dictItem(PyImport_GetModuleDict(), root.c_str());
        out.text(module ? stringAttribute(module.get(), "__version__") : "");
    }
};

template <class Write> std::optional<std::string> serialised(Write write) {
    ValueWriter writer;
    try {
        write(writer);
        return std::move(writer.out.bytes);
    } catch (const NotPortable &) {
    } catch (const std::exception &error) { // Python code that fails, too
        forgetError(error);
    }
    return std::nullopt;
}

//===-- Dependencies

using FoundObjects = std::vector<py::object>; // numbered as in Dependency

py::object itemsOf(py::handle container) {
    return py::reinterpret_steal<py::object>(PySequence_Tuple(container.ptr()));
}

// Finds the holder of a name among the objects found before.
std::optional<Dependency> locateHolder(const FoundObjects &foundObjects, const GlobalUse &use) {
    PyObject *holder = use.holder.ptr();
    Dependency found;
    found.name = use.name;
    for (auto [number, candidate] : llvm::enumerate(foundObjects)) {
        found.holder = unsigned(number);
        PyObject *object = candidate.ptr();
        if (!object)
            continue;
        if (object == holder) {
            const bool dict = PyDict_CheckExact(object);
            found.holderKind = use.name.empty() ? Dependency::Items : Dependency::Dict;
            if (dict && use.name.empty() && py::len(use.seen) != py::len(use.holder))
                return std::nullopt; // keys and values: see emitContainer
            return dict || (use.name.empty() && PyList_CheckExact(object)) ? std::optional(found)
                                                                           : std::nullopt;
        }
        if (PyModule_Check(object) && PyModule_GetDict(object) == holder) {
            found.holderKind = Dependency::Module;
            return found;
        }
        if (!PyFunction_Check(object))
            continue;
        auto *function = reinterpret_cast<PyFunctionObject *>(object);
        if (function->func_globals == holder || function->func_builtins == holder) {
            found.holderKind =
                function->func_globals == holder ? Dependency::Globals : Dependency::Builtins;
            return found;
        }
        PyObject *cells = function->func_closure;
        for (Py_ssize_t k = 0; cells && k < PyTuple_GET_SIZE(cells); ++k)
            if (PyTuple_GET_ITEM(cells, k) == holder) {
                found.holderKind = Dependency::Cell;
                found.cell = unsigned(k);
                return found;
            }
    }
    return std::nullopt;
}

// The holder itself; null where it is no longer of that kind.
PyObject *holderOf(PyObject *candidate, const Dependency &dependency) {
    if (!candidate)
        return nullptr;
    if (dependency.holderKind == Dependency::Module)
        return PyModule_CheckExact(candidate) ? PyModule_GetDict(candidate) : nullptr;
    if (dependency.holderKind == Dependency::Dict)
        return PyDict_CheckExact(candidate) ? candidate : nullptr;
    if (dependency.holderKind == Dependency::Items)
        return PyDict_CheckExact(candidate) || PyList_CheckExact(candidate) ? candidate : nullptr;
    if (!PyFunction_Check(candidate))
        return nullptr;
    auto *function = reinterpret_cast<PyFunctionObject *>(candidate);
    if (dependency.holderKind == Dependency::Globals)
        return function->func_globals;
    if (dependency.holderKind == Dependency::Builtins)
        return function->func_builtins;
    PyObject *cells = function->func_closure;
    return cells && dependency.cell < size_t(PyTuple_GET_SIZE(cells))
               ? PyTuple_GET_ITEM(cells, dependency.cell)
               : nullptr;
}

py::object valueIn(PyObject *holder, const Dependency &dependency) { // null: absent
    if (dependency.holderKind == Dependency::Items)
        return itemsOf(holder);
    Ref now = dependency.holderKind == Dependency::Cell ? cellContents(holder)
                                                        : dictItem(holder, dependency.name.c_str());
    return py::reinterpret_steal<py::object>(now.release());
}

bool isNumber(PyObject *object) { return isNumber(classify(object)); }

// An array or opaque object: a hidden argument whatever its value is.
bool isOpaqueArgument(py::handle object) {
    const ObjectClass ofClass = classify(object.ptr());
    return ofClass == ObjectClass::Array || (!isNumber(ofClass) && isOpaque(object));
}

void describe(ValueWriter &writer, const py::object &seen, const py::object &plain,
              const Dependency &dependency) {
    PyObject *object = plain.ptr();
    const bool isUsed = dependency.isFunction || dependency.hidden >= 0;
    if (!object && isUsed)
        throw NotPortable();
    if (!object)
        return writer.out.bytes.push_back('-');
    if (dependency.hidden >= 0) { // the variant's key has its type
        const bool fits = dependency.isNumber ? isNumber(object) : isOpaqueArgument(plain);
        if (!fits)
            throw NotPortable();
        return writer.out.bytes.push_back('h');
    }
    if (PyList_CheckExact(object) || PyDict_CheckExact(object)) // its items are dependencies
        return writer.out.bytes.push_back(PyList_CheckExact(object) ? 'l' : 'k');
    if (dependency.isFunction) {
        if (!PyFunction_Check(object))
            throw NotPortable();
        writer.out.bytes.push_back(seen.is(plain) ? 'a' : 'j'); // plain, or jitted
        return writer.function(plain);
    }
    writer.value(plain);
}

} // namespace

std::optional<std::string> functionText(py::handle function) {
    return serialised([&](ValueWriter &writer) { writer.function(function); });
}

std::optional<std::string> valueText(py::handle value) {
    return serialised([&](ValueWriter &writer) { writer.value(value); });
}

std::optional<std::vector<Dependency>> dependenciesOf(const Captured &captured) {
    if (!captured.isPortable || !captured.objects.empty() || captured.functions.empty())
        return std::nullopt;
    auto uses = [](const auto &all, const GlobalUse &use) {
        return llvm::find_if(all, [&](const auto &other) {
            return other.holder.is(use.holder) && other.name == use.name;
        });
    };
    FoundObjects foundObjects{captured.functions.front().function};
    std::vector<Dependency> all;
    size_t functions = 1, containers = 0, described = 0, hiddens = 0;
    for (const GlobalUse &use : captured.lookUps) {
        std::optional<Dependency> found = locateHolder(foundObjects, use);
        if (!found)
            return std::nullopt;
        const py::object plain = use.seen ? unwrapJitted(use.seen) : use.seen;
        found->isWatched = uses(captured.globals, use) != captured.globals.end();
        const auto hidden = uses(captured.hidden, use);
        if (hidden != captured.hidden.end()) {
            found->hidden = int(hidden - captured.hidden.begin());
            found->isNumber = plain && isNumber(plain.ptr());
            ++hiddens;
        }
        auto isPlain = [&](const FunctionUse &known) { return known.function.is(plain); };
        found->isFunction = plain && llvm::any_of(captured.functions, isPlain);
        const bool isNew = !llvm::any_of(foundObjects, [&](const auto &o) { return o.is(plain); });
        functions += found->isFunction && isNew;
        const bool container =
            plain && (PyList_CheckExact(plain.ptr()) || PyDict_CheckExact(plain.ptr()));
        containers += container && isNew;
        described += found->holderKind == Dependency::Items;
        foundObjects.push_back(plain);
        all.push_back(std::move(*found));
    }
    // An object was found in another way, or a container was read in part only.
    std::set<PyObject *> capturedFunctions;
    for (const FunctionUse &use : captured.functions)
        capturedFunctions.insert(use.function.ptr());
    if (functions != capturedFunctions.size() || containers != described ||
        hiddens != captured.hidden.size())
        return std::nullopt;
    return all;
}

void writeDependencies(ByteWriter &out, const std::vector<Dependency> &dependencies) {
    out.list(dependencies, [&](const Dependency &d) {
        out.number(d.holderKind | d.isWatched << 8 | d.isFunction << 9 | d.isNumber << 10);
        out.number(d.holder);
        out.number(d.cell);
        out.number(uint64_t(d.hidden + 1));
        out.text(d.name);
    });
}

std::vector<Dependency> readDependencies(ByteReader &in) {
    return in.list<Dependency>([&] {
        Dependency d;
        const uint64_t flags = in.number();
        d.holderKind = Dependency::HolderKind(std::min<uint64_t>(flags & 0xff, Dependency::Items));
        d.isWatched = flags >> 8 & 1;
        d.isFunction = flags >> 9 & 1;
        d.isNumber = flags >> 10 & 1;
        d.holder = unsigned(in.number());
        d.cell = unsigned(in.number());
        d.hidden = int(in.number()) - 1;
        d.name = in.text().str();
        return d;
    });
}

// An object with several aliases was captured once, under the first of them: that they are the same
// object is part of the bytes.
static void writeFirstOccurrence(ValueWriter &writer, const FoundObjects &foundObjects,
                                 const py::object &found) {
    PyObject *object = found.ptr();
    const bool holdsNames = object && (PyList_CheckExact(object) || PyDict_CheckExact(object) ||
                                       PyFunction_Check(object) || PyModule_Check(object));
    if (!holdsNames)
        return;
    const auto first =
        llvm::find_if(foundObjects, [&](const auto &candidate) { return candidate.is(found); });
    writer.out.number(uint64_t(first - foundObjects.begin()));
}

std::optional<ReplayedLookUps> replayLookUps(py::handle function,
                                             const std::vector<Dependency> &dependencies) {
    Captured captured;
    FoundObjects foundObjects{py::reinterpret_borrow<py::object>(function)};
    auto addFunction = [&](py::handle used) {
        captured.functions.push_back(useOf(used));
        watchDefaults(captured.functions.back(), captured.globals);
    };
    addFunction(function);
    auto find = [&](ValueWriter &writer, const Dependency &dependency) {
        if (dependency.holder >= foundObjects.size())
            throw NotPortable();
        PyObject *holder = holderOf(foundObjects[dependency.holder].ptr(), dependency);
        if (!holder)
            throw NotPortable();
        const GlobalUse use{py::reinterpret_borrow<py::object>(holder), dependency.name,
                            valueIn(holder, dependency)};
        const py::object plain = use.seen ? unwrapJitted(use.seen) : use.seen;
        writeFirstOccurrence(writer, foundObjects, plain);
        describe(writer, use.seen, plain, dependency);
        if (dependency.isWatched)
            captured.globals.push_back(use);
        if (dependency.holderKind == Dependency::Module)
            captured.globals.push_back(classOf(foundObjects[dependency.holder]));
        if (dependency.isFunction)
            addFunction(plain);
        captured.lookUps.push_back(use);
        if (dependency.hidden >= 0) {
            captured.hidden.resize(
                std::max<size_t>(captured.hidden.size(), size_t(dependency.hidden) + 1));
            captured.hidden[size_t(dependency.hidden)] = {use.holder, use.name, -1, {}};
        }
        foundObjects.push_back(plain);
    };
    auto text = serialised([&](ValueWriter &writer) {
        writeDependencies(writer.out, dependencies);
        writer.function(function);
        for (const Dependency &dependency : dependencies)
            find(writer, dependency);
    });
    const bool isWhole =
        llvm::all_of(captured.hidden, [](const HiddenUse &use) { return bool(use.holder); });
    if (!text || !isWhole)
        return std::nullopt;
    return ReplayedLookUps{std::move(captured), std::move(*text)};
}

bool ReplayedLookUps::matches(const Captured &other) const {
    auto same = [](const GlobalUse &a, const GlobalUse &b) {
        if (!a.holder.is(b.holder) || a.name != b.name)
            return false;
        const bool items = a.seen && b.seen && PyTuple_CheckExact(a.seen.ptr()) &&
                           PyTuple_CheckExact(b.seen.ptr());
        if (!items || a.seen.is(b.seen))
            return a.seen.is(b.seen);
        return std::equal(a.seen.begin(), a.seen.end(), b.seen.begin(), b.seen.end(),
                          [](py::handle x, py::handle y) { return x.is(y); });
    };
    auto asNow = [](const FunctionUse &use) {
        const FunctionUse now = useOf(use.function);
        return now.code.is(use.code) && now.defaults.is(use.defaults) &&
               now.kwdefaults.is(use.kwdefaults) && now.doc.is(use.doc);
    };
    return std::equal(captured.lookUps.begin(), captured.lookUps.end(), other.lookUps.begin(),
                      other.lookUps.end(), same) &&
           llvm::all_of(other.functions, asNow);
}

FunctionUse useOf(py::handle function) {
    return {py::reinterpret_borrow<py::object>(function), function.attr("__code__"),
            function.attr("__defaults__"), function.attr("__kwdefaults__"),
            function.attr("__doc__")};
}

void watchDefaults(const FunctionUse &use, std::vector<GlobalUse> &watched) {
    if (!PyDict_CheckExact(use.kwdefaults.ptr()))
        return;
    const auto first = use.code.attr("co_argcount").cast<size_t>();
    const auto count = use.code.attr("co_kwonlyargcount").cast<size_t>();
    const py::object names = use.code.attr("co_varnames");
    for (size_t i = first; i < first + count; ++i) {
        const py::object name = names[py::int_(i)];
        watched.push_back({use.kwdefaults, py::cast<std::string>(name),
                           py::reinterpret_steal<py::object>(
                               dictItem(use.kwdefaults.ptr(), name.ptr()).release())});
    }
}

GlobalUse classOf(py::handle module) {
    return {py::reinterpret_borrow<py::object>(module), "", py::type::of(module)};
}

} // namespace shapecast::capture
