// Watched globals, cells and functions.
#include "bindings/cache/watch.h"
#include "capture/interrupts.h"

#include <memory>
#include <unordered_map>

namespace shapecast::bindings {

#if PY_VERSION_HEX < 0x030C0000
const uint64_t *Watch::versionOf(PyObject *dict) {
    return &reinterpret_cast<PyDictObject *>(dict)->ma_version_tag;
}
#else
namespace {

using Versions = std::unordered_map<PyObject *, std::unique_ptr<uint64_t>>;
Versions &versions() {
    static auto *all = new Versions;
    return *all;
}

// A PyDict_WatchCallback: called before each change of a watched dict.
int noteChange(PyDict_WatchEvent event, PyObject *dict, PyObject *, PyObject *) {
    const auto known = versions().find(dict);
    if (known == versions().end())
        return 0;
    ++*known->second;
    if (event == PyDict_EVENT_DEALLOCATED) // a Watch has a reference: none is left
        versions().erase(known);
    return 0;
}

} // namespace

const uint64_t *Watch::versionOf(PyObject *dict) {
    static const int watcher = PyDict_AddWatcher(noteChange);
    static constexpr uint64_t unknown = 0; // then names are compared in every call
    auto &version = versions()[dict];
    if (!version) {
        if (watcher < 0 || PyDict_Watch(watcher, dict) < 0) {
            capture::forgetError();
            versions().erase(dict);
            return &unknown;
        }
        version = std::make_unique<uint64_t>(1);
    }
    return version.get();
}
#endif

Watch::Watch(const capture::Captured &captured) {
    for (const capture::FunctionUse &use : captured.functions) {
        if (!PyFunction_Check(use.function.ptr()))
            continue;
        auto orNull = [](const pybind11::object &object) {
            return !object || object.is_none() ? nullptr : object.ptr();
        };
        functions.push_back({reinterpret_cast<PyFunctionObject *>(own(use.function.ptr())),
                             own(use.code.ptr()), own(orNull(use.defaults)),
                             own(orNull(use.kwdefaults))});
    }
    for (const capture::GlobalUse &use : captured.globals) {
        PyObject *holder = own(use.holder.ptr()), *seen = use.seen ? own(use.seen.ptr()) : nullptr;
        if (use.name.empty() && (PyModule_Check(holder) || PyType_Check(holder))) {
            classes.push_back({holder, seen});
            continue;
        }
        if (use.name.empty() && !PyCell_Check(holder)) {
            containers.push_back({holder, seen});
            continue;
        }
        if (use.name.empty()) {
            cells.push_back({holder, seen});
            continue;
        }
        if (!PyDict_Check(holder))
            continue;
        auto known = std::find_if(dicts.begin(), dicts.end(),
                                  [&](const Dict &d) { return d.dict == holder; });
        if (known == dicts.end())
            known = dicts.insert(dicts.end(), {holder, versionOf(holder), 0, {}});
        owned.push_back(Ref::steal(PyUnicode_InternFromString(use.name.c_str())));
        known->names.push_back({owned.back().get(), seen});
    }
}

bool Watch::sameNames(Dict &dict) {
    const uint64_t version = *dict.now;
    for (const Name &name : dict.names)
        if (PyDict_GetItemWithError(dict.dict, name.name) != name.seen) {
            capture::forgetError();
            return false;
        }
    dict.version = version;
    return true;
}

bool Watch::sameContents() const {
    return llvm::all_of(containers, [](const Container &c) {
        const Py_ssize_t count = PyTuple_GET_SIZE(c.seen);
        if (PyObject_Size(c.container) != count)
            return false;
        PyObject *key, *value;
        Py_ssize_t at = 0;
        for (Py_ssize_t i = 0; i < count; ++i) {
            if (PyDict_Check(c.container) && !PyDict_Next(c.container, &at, &key, &value))
                return false;
            if (PyList_Check(c.container))
                key = PyList_GET_ITEM(c.container, i);
            if (key != PyTuple_GET_ITEM(c.seen, i))
                return false;
        }
        return true;
    });
}

std::string Watch::changed() const {
    for (const Function &f : functions)
        if (f.function->func_code != f.code || f.function->func_defaults != f.defaults ||
            f.function->func_kwdefaults != f.kwdefaults)
            return "function " + std::string(PyUnicode_AsUTF8(f.function->func_name));
    for (const Dict &dict : dicts)
        for (const Name &name : dict.names)
            if (PyDict_GetItemWithError(dict.dict, name.name) != name.seen)
                return "global '" + std::string(PyUnicode_AsUTF8(name.name)) + "'";
    for (const Class &c : classes)
        if (c.now() != c.seen)
            return PyType_Check(c.of) ? "the base classes of a class" : "the class of a module";
    if (!sameContents())
        return "a list or dict outside the function";
    return "closure variable";
}

} // namespace shapecast::bindings
