#include "capture/external_names.h"
#include "capture/interrupts.h"

#include "capture/record_classes.h"
#include "capture/syntax.h"
#include "facts/dtype.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace shapecast::capture {

namespace py = pybind11;

namespace {

py::module_ numpy() { return py::module_::import("numpy"); }

// Modules of which the compiler knows functions.
constexpr const char *knownModules[] = {"numpy",      "numpy.linalg",  "numpy.random",
                                        "numpy.fft",  "numpy.strings", "numpy.lib.array_utils",
                                        "math",       "cmath",         "numpy.lib.stride_tricks",
                                        "builtins",   "operator",      "functools",
                                        "itertools",  "heapq",         "bisect",
                                        "time",       "warnings",      "random",
                                        "dataclasses"};

// Borrowed; null where there is no such module.
PyObject *currentNames(const std::string &module) {
    const Ref found = dictItem(PyImport_GetModuleDict(), module.c_str());
    return found && PyModule_Check(found.get()) ? PyModule_GetDict(found.get()) : nullptr;
}

// Likewise: a copy of its dict, made at the first use.
PyObject *originalNames(const std::string &module) {
    static auto *copies = new std::map<std::string, PyObject *>;
    if (auto copy = copies->find(module); copy != copies->end())
        return copy->second;
    PyObject *names = llvm::is_contained(knownModules, module) ? currentNames(module) : nullptr;
    PyObject *copy = names ? PyDict_Copy(names) : nullptr;
    if (copy)
        copies->emplace(module, copy);
    return copy;
}

// A Python function that another module has put there: `np.sin = sin` before this was loaded.
bool isForeign(const std::string &module, PyObject *object) {
    if (!PyFunction_Check(object))
        return false;
    const Ref own = dictItem(PyFunction_GET_GLOBALS(object), "__name__");
    const std::string home = own && PyUnicode_Check(own.get()) ? text(own.get()) : "";
    const llvm::StringRef root = llvm::StringRef(module).split('.').first;
    llvm::StringRef other = llvm::StringRef(home).split('.').first;
    return other.ltrim('_') != root && other != ("_py_" + root).str();
}

} // namespace

void snapshotModuleNames() {
    for (const char *module : knownModules)
        originalNames(module);
}

py::object originalAttribute(const std::string &module, const std::string &name) {
    PyObject *names = originalNames(module);
    Ref found = names ? dictItem(names, name.c_str()) : Ref();
    return py::reinterpret_steal<py::object>(found.release());
}

std::string stringAttribute(py::handle object, const char *name) {
    py::object value = attributeOrNone(object, name);
    return py::isinstance<py::str>(value) ? text(value) : std::string();
}

namespace {

// Whether module.name is this very object in the unpatched module: to compiled code the name is the
// library's function, whatever a program has put in its place.
bool namesObject(const std::string &module, const std::string &name, py::handle object) {
    if (py::object original = originalAttribute(module, name))
        return original.is(object) && !isForeign(module, object.ptr());
    PyObject *names = currentNames(module);
    return names && !isForeign(module, object.ptr()) &&
           dictItem(names, name.c_str()).get() == object.ptr(); // no warnings
}

// A function of Python's standard library that has an implementation in shapecast.library
// ("itertools.product"), or that may be called out to.
std::string standardName(const std::string &name, py::handle object) {
    for (const char *module :
         {"operator", "functools", "itertools", "heapq", "bisect", "random", "shapecast"}) {
        std::string dotted = std::string(module) + "." + name;
        if (namesObject(module, name, object) &&
            !py::module_::import("shapecast.library").attr("find")(dotted).is_none())
            return dotted;
    }
    if (name == "prange" && namesObject("shapecast", name, object))
        return "shapecast.prange";
    if (name == "warn" && namesObject("warnings", name, object))
        return "warnings.warn";
    if (name == "seed" && namesObject("random", name, object))
        return "random.seed";
    for (const char *clock : {"time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic",
                              "monotonic_ns", "process_time", "process_time_ns", "sleep"})
        if (name == clock && namesObject("time", name, object))
            return "time." + name;
    return "";
}

} // namespace

bool isKnownModule(llvm::StringRef name) {
    return name == "numpy" || name.starts_with("numpy.") || name == "math" || name == "cmath" ||
           name == "builtins" || name == "dataclasses" || name == "shapecast.library.primitives";
}

std::string dtypeName(py::handle object) {
    bool isType = PyType_Check(object.ptr());
    if (isType && PyObject_IsSubclass(object.ptr(), numpy().attr("generic").ptr()) != 1)
        return "";
    if (!isType && !py::isinstance(object, numpy().attr("dtype")))
        return "";
    // np.floating and the like have no dtype of their own: only leaf types have the right name.
    if (isType && PyObject_Length(object.attr("__subclasses__")().ptr()) != 0)
        return "";
    py::object dtype = numpy().attr("dtype")(object);
    std::string name = stringAttribute(dtype, "name");
    return dtypeFromName(name) && dtype.attr("isnative").cast<bool>() ? name : "";
}

std::string externalName(py::handle object) {
    if (std::string dtype = PyType_Check(object.ptr()) ? dtypeName(object) : ""; !dtype.empty())
        return "numpy." + dtype;
    std::string name = stringAttribute(object, "__name__");
    if (py::isinstance(object, numpy().attr("ufunc"))) {
        for (const char *module : {"numpy", "numpy.strings", "scipy.special"})
            if (namesObject(module, name, object))
                return std::string(module) + "." + name;
        return text(py::module_::import("shapecast._ufuncs").attr("name_of")(object));
    }
    if (className(object) == "PyFunc") // shapecast.pyfunc
        if (std::string given = stringAttribute(object, "_called"); !given.empty())
            return given;
    py::object self = attributeOrNone(object, "__self__");
    if (py::isinstance(self, numpy().attr("ufunc"))) {
        std::string base = externalName(self);
        return base.empty() ? "" : base + "." + name;
    }
    // Public names first: the __module__ of some functions is private.
    for (const char *module : {"numpy", "numpy.linalg", "numpy.random", "numpy.fft",
                               "numpy.lib.array_utils", "numpy.lib.stride_tricks"})
        if (namesObject(module, name, object))
            return std::string(module) + "." + name;
    if (std::string standard = standardName(name, object); !standard.empty())
        return standard;
    if (PyType_Check(self.ptr()) && !externalName(self).empty() && name == "from_iterable")
        return externalName(self) + "." + name; // itertools.chain's
    std::string module = PyModule_Check(self.ptr()) ? stringAttribute(self, "__name__")
                                                    : stringAttribute(object, "__module__");
    bool exception = PyExceptionClass_Check(object.ptr());
    if (recordClass(object)) // compiled code constructs named tuples itself, NumPy's too
        return "";
    // SciPy and functions of paths are called out to (see passes/frontend/callout.h). Other
    // functions might have side effects when they are probed, or results of more than one class.
    const bool callable = module.starts_with("scipy.") || module == "posixpath";
    if ((exception || isKnownModule(module) || callable) && namesObject(module, name, object))
        return module + "." + name;
    return "";
}

} // namespace shapecast::capture
