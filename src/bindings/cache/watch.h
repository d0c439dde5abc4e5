// The dependencies of a captured function: whether its globals, closure variables, callees, ... are
// still those that capture saw.
#pragma once

#include "capture/capture.h"
#include "capture/python.h"

namespace shapecast::bindings {

// All checks compare identities; for dicts an unchanged version is enough.
class Watch {
public:
    Watch() = default;
    explicit Watch(const capture::Captured &captured);

    [[gnu::hot]] bool holds() {
        for (const Function &f : functions)
            if (!f.holds())
                return false;
        for (Dict &d : dicts)
            if (now(*d.version) != d.compared || d.compared == 0)
                if (!sameNames(d))
                    return false;
        for (const Cell &c : cells)
            if (now(reinterpret_cast<PyCellObject *>(c.cell)->ob_ref) != c.seen)
                return false;
        for (const Class &c : classes)
            if (c.now() != c.seen)
                return false;
        return containers.empty() || sameContents();
    }
    std::string changed() const; // which name, for explain()
    int traverse(visitproc visit, void *arg) const {
        for (const Ref &ref : owned)
            Py_VISIT(ref.get());
        return 0;
    }

private:
    // Fields that other threads may change at any time where there is no interpreter lock.
    template <class T> static T now(T &field) { return __atomic_load_n(&field, __ATOMIC_ACQUIRE); }

    struct Function {
        PyFunctionObject *function;
        PyObject *code, *defaults, *kwdefaults, *doc;
        bool hasDoc() const { // none is None, or null once it was deleted
            PyObject *present = now(function->func_doc);
            return (present == Py_None ? nullptr : present) == doc;
        }
        bool holds() const {
            return now(function->func_code) == code && now(function->func_defaults) == defaults &&
                   now(function->func_kwdefaults) == kwdefaults && hasDoc();
        }
    };
    struct Name {
        PyObject *name, *seen; // seen null: the name was absent
    };
    struct Dict {
        PyObject *dict;
        const uint64_t *version; // which each change of the dict increases
        uint64_t compared;       // the version at which the names were last compared; 0: never
        std::vector<Name> names;
    };
    struct Cell {
        PyObject *cell, *seen;
    };
    std::vector<Function> functions;
    std::vector<Dict> dicts;
    struct Container { // a list or dict, and a tuple of its items or keys
        PyObject *container, *seen;
    };
    struct Class { // the class of a module, which could have properties; or the MRO of a class
        PyObject *of, *seen;
        PyObject *now() const {
            return PyType_Check(of) ? Watch::now(reinterpret_cast<PyTypeObject *>(of)->tp_mro)
                                    : reinterpret_cast<PyObject *>(Py_TYPE(of));
        }
    };
    std::vector<Class> classes;
    std::vector<Cell> cells;
    std::vector<Container> containers;
    std::vector<Ref> owned; // the referents of all pointers above

    PyObject *own(PyObject *object) {
        owned.push_back(Ref::share(object));
        return object;
    }
    static bool sameNames(Dict &dict);
    bool sameContents() const;
    static const uint64_t *versionOf(PyObject *dict);
};

} // namespace shapecast::bindings
