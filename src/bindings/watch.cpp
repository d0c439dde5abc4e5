// Watched globals, cells and functions.
#include "bindings/watch.h"
#include "capture/interrupts.h"

namespace shapecast::bindings {

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
            known = dicts.insert(dicts.end(), {holder, versionOf(holder), {}});
        owned.push_back(Ref::steal(PyUnicode_InternFromString(use.name.c_str())));
        known->names.push_back({owned.back().get(), seen});
    }
    for (Dict &dict : dicts) // what was seen may have changed since: then the first call notices
        dict.version = 0;
}

bool Watch::sameNames(Dict &dict) {
    const uint64_t version = versionOf(dict.dict);
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
    if (!sameContents())
        return "a list or dict from outside";
    return "closure variable";
}

} // namespace shapecast::bindings
