// Watched globals, cells and functions.
#include "bindings/cache/watch.h"
#include "capture/interrupts.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace shapecast::bindings {

#if PY_VERSION_HEX < 0x030C0000
const uint64_t *Watch::versionOf(PyObject *dict) {
    return &reinterpret_cast<PyDictObject *>(dict)->ma_version_tag;
}
#else
namespace {

// Of all watched dicts. Any thread that changes one of them is here, without the core's lock.
struct Versions {
    std::mutex mutex;
    std::unordered_map<PyObject *, std::unique_ptr<uint64_t>> all;
};
Versions &versions() {
    static auto *made = new Versions;
    return *made;
}

// A PyDict_WatchCallback: called before each change of a watched dict, whose lock is held until the
// change is made (see sameNames).
int noteChange(PyDict_WatchEvent event, PyObject *dict, PyObject *, PyObject *) {
    const std::lock_guard lock(versions().mutex);
    const auto known = versions().all.find(dict);
    if (known == versions().all.end())
        return 0;
    __atomic_fetch_add(known->second.get(), 1, __ATOMIC_RELEASE);
    if (event == PyDict_EVENT_DEALLOCATED) // a Watch has a reference: none is left
        versions().all.erase(known);
    return 0;
}

} // namespace

const uint64_t *Watch::versionOf(PyObject *dict) {
    static const int watcher = PyDict_AddWatcher(noteChange);
    static constexpr uint64_t unknown = 0; // then names are compared in every call
    // Again does no harm. It takes no lock itself, and a change at that moment would undo it.
    ObjectLock lock(dict);
    if (watcher < 0 || PyDict_Watch(watcher, dict) < 0) {
        capture::forgetError();
        return &unknown;
    }
    const std::lock_guard guard(versions().mutex);
    auto &version = versions().all[dict];
    if (!version)
        version = std::make_unique<uint64_t>(1);
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
                             own(orNull(use.kwdefaults)), own(orNull(use.doc))});
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
    ObjectLock lock(dict.dict); // no change is noted and not yet made
    const uint64_t version = now(*dict.version);
    for (const Name &name : dict.names)
        if (dictItem(dict.dict, name.name).get() != name.seen)
            return false;
    dict.compared = version;
    return true;
}

bool Watch::sameContents() const {
    return llvm::all_of(containers, [](const Container &c) {
        ObjectLock lock(c.container);
        const Py_ssize_t count = PyTuple_GET_SIZE(c.seen);
        const Py_ssize_t size = PyObject_Size(c.container);
        const bool hasValues = PyDict_Check(c.container) && count == 2 * size; // with the keys
        if (size != count && !hasValues)
            return false;
        PyObject *key, *value;
        Py_ssize_t at = 0;
        for (Py_ssize_t i = 0; i < count; ++i) {
            if (PySet_Check(c.container)) {
                if (PySet_Contains(c.container, PyTuple_GET_ITEM(c.seen, i)) > 0)
                    continue;
                capture::forgetError();
                return false;
            }
            if (PyDict_Check(c.container) && !PyDict_Next(c.container, &at, &key, &value))
                return false;
            if (PyList_Check(c.container))
                key = PyList_GET_ITEM(c.container, i);
            if (key != PyTuple_GET_ITEM(c.seen, i) ||
                (hasValues && value != PyTuple_GET_ITEM(c.seen, ++i)))
                return false;
        }
        return true;
    });
}

std::string Watch::changed() const {
    for (const Function &f : functions)
        if (!f.holds())
            return "function " + std::string(PyUnicode_AsUTF8(f.function->func_name));
    for (const Dict &dict : dicts)
        for (const Name &name : dict.names)
            if (dictItem(dict.dict, name.name).get() != name.seen)
                return "global '" + std::string(PyUnicode_AsUTF8(name.name)) + "'";
    for (const Class &c : classes)
        if (c.now() != c.seen)
            return PyType_Check(c.of) ? "the base classes of a class" : "the class of a module";
    if (!sameContents())
        return "a list or dict outside the function";
    return "closure variable";
}

} // namespace shapecast::bindings
