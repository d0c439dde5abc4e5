#include "bindings/dispatch/parameters.h"

#include "bindings/cache/variants.h"

namespace shapecast::bindings {

bool readParameters(JittedFunction &state, PyObject *function) {
    Ref code = Ref::share(PyFunction_GetCode(function));
    Ref names = Ref::steal(PyObject_GetAttrString(code.get(), "co_varnames"));
    auto *c = reinterpret_cast<PyCodeObject *>(code.get());
    state.hasVarArgs = c->co_flags & CO_VARARGS;
    state.hasVarKeywords = c->co_flags & CO_VARKEYWORDS;
    const int count =
        c->co_argcount + c->co_kwonlyargcount + state.hasVarArgs + state.hasVarKeywords;
    state.code = std::move(code);
    if (!names)
        return false;
    if (count > maxParameters) {
        PyErr_Format(PyExc_TypeError,
                     "jit: %d parameters, and at most %d are supported; put some into "
                     "one array",
                     count, maxParameters);
        return false;
    }
    state.function = Ref::share(function);
    state.parameters.function =
        PyUnicode_AsUTF8(reinterpret_cast<PyFunctionObject *>(function)->func_name);
    for (int i = 0; i < count; ++i)
        state.parameters.names.push_back(Ref::share(PyTuple_GET_ITEM(names.get(), i)));
    state.parameters.visible = size_t(count);
    state.positional = c->co_kwonlyargcount || (c->co_flags & (CO_VARARGS | CO_VARKEYWORDS))
                           ? size_t(-1)
                           : size_t(c->co_argcount);
    return true;
}

bool readStaticNames(JittedFunction &state, PyObject *staticArgnames) {
    state.staticNames = Ref::share(staticArgnames);
    Ref names = PyUnicode_Check(staticArgnames) ? Ref::steal(PyTuple_Pack(1, staticArgnames))
                                                : Ref::steal(PySequence_Tuple(staticArgnames));
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names.get()); ++i) {
        PyObject *name = PyTuple_GET_ITEM(names.get(), i);
        bool isKnown = false;
        for (size_t p = 0; p < state.parameters.names.size(); ++p)
            if (PyUnicode_Check(name) &&
                PyUnicode_Compare(name, state.parameters.names[p].get()) == 0) {
                isKnown = true;
                state.parameters.requestedStatic.insert(p);
            }
        if (!isKnown) {
            PyErr_Format(PyExc_ValueError, "static_argnames: %s() has no parameter %R",
                         state.parameters.function.c_str(), name);
            return false;
        }
    }
    state.declaredStatic = state.parameters.requestedStatic;
    return bool(names);
}

bool readNewCode(JittedFunction &function) {
    const Ref plain = function.function, names = function.staticNames;
    function.invalidate("compiled again: function " + function.parameters.function + " changed");
    function.parameters.names.clear();
    function.parameters.requestedStatic = {};
    return readParameters(function, plain.get()) &&
           (!names || readStaticNames(function, names.get()));
}

} // namespace shapecast::bindings
