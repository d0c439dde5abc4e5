// Binds positional and keyword arguments and defaults to the parameters.
#include "bindings/dispatch/binding.h"

#include "bindings/dispatch/parameters.h"

namespace shapecast::bindings {
namespace {

// Sets Python's own TypeError: _jit.py calls a function with the same parameters.
void raiseBindError(PyObject *function, PyObject *const *arguments, Py_ssize_t positional,
                    PyObject *keywords) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._jit"));
    Ref make = module ? Ref::steal(PyObject_GetAttrString(module.get(), "bind_error")) : Ref();
    const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
    llvm::SmallVector<PyObject *, 16> all{function};
    all.append(arguments, arguments + positional + named);
    Ref error = make ? Ref::steal(PyObject_Vectorcall(make.get(), all.data(),
                                                      size_t(positional) + 1, keywords))
                     : Ref();
    if (error)
        PyErr_SetObject(PyExc_TypeError, error.get());
}

int indexOf(llvm::ArrayRef<Ref> names, PyObject *name) {
    for (size_t i = 0; i < names.size(); ++i) // nearly always the same interned string
        if (names[i].get() == name)
            return int(i);
    for (size_t i = 0; i < names.size(); ++i)
        if (PyUnicode_Compare(names[i].get(), name) == 0)
            return int(i);
    return -1;
}

// `varKeywords`: the dict of **kwargs; null where the function has none. False where a keyword fits
// no parameter, or one that is bound already.
bool bindKeywords(llvm::ArrayRef<Ref> names, const PyCodeObject *code, PyObject *const *values,
                  PyObject *keywords, llvm::SmallVectorImpl<PyObject *> &bound,
                  PyObject *varKeywords) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i) {
        const int index = indexOf(names, PyTuple_GET_ITEM(keywords, i));
        if (index < code->co_posonlyargcount && varKeywords) {
            if (PyDict_SetItem(varKeywords, PyTuple_GET_ITEM(keywords, i), values[i]) < 0)
                return false;
            continue;
        }
        if (index < code->co_posonlyargcount || bound[size_t(index)])
            return false;
        bound[size_t(index)] = values[i];
    }
    return true;
}

bool fillDefaults(PyFunctionObject *function, const PyCodeObject *code, llvm::ArrayRef<Ref> names,
                  BoundArguments &bound) {
    ObjectLock lock(reinterpret_cast<PyObject *>(function));
    bound.defaults = Ref::share(function->func_defaults);
    const Ref ofKeywords = Ref::share(function->func_kwdefaults);
    const Py_ssize_t defaults = bound.defaults ? PyTuple_GET_SIZE(bound.defaults.get()) : 0;
    for (Py_ssize_t i = 0; i < Py_ssize_t(bound.objects.size()); ++i) {
        PyObject *&object = bound.objects[size_t(i)];
        if (object)
            continue;
        if (i < code->co_argcount) {
            const Py_ssize_t k = i - (code->co_argcount - defaults);
            if (k < 0)
                return false;
            object = PyTuple_GET_ITEM(bound.defaults.get(), k);
        } else if (ofKeywords) {
            bound.keywordDefaults.push_back(dictItem(ofKeywords.get(), names[size_t(i)].get()));
            object = bound.keywordDefaults.back().get();
        }
        if (!object)
            return false;
    }
    return true;
}

} // namespace

bool bindArguments(JittedFunction &function, PyObject *const *arguments, Py_ssize_t positional,
                   PyObject *keywords, BoundArguments &bound) {
    if (!function.hasItsCode() && !readNewCode(function))
        return false;
    auto *plain = reinterpret_cast<PyFunctionObject *>(function.function.get());
    const auto *code = reinterpret_cast<const PyCodeObject *>(function.code.get());
    const llvm::ArrayRef<Ref> names(function.parameters.names.data(), function.parameters.visible -
                                                                          function.hasVarArgs -
                                                                          function.hasVarKeywords);
    const Py_ssize_t own = std::min<Py_ssize_t>(positional, code->co_argcount);
    bool fits = positional == own || function.hasVarArgs;
    if (function.hasVarKeywords)
        bound.varKeywords = Ref::steal(PyDict_New());
    if (fits) {
        bound.objects.assign(arguments, arguments + own);
        bound.objects.resize(names.size(), nullptr);
        fits = (!keywords || bindKeywords(names, code, arguments + positional, keywords,
                                          bound.objects, bound.varKeywords.get())) &&
               fillDefaults(plain, code, names, bound);
    }
    if (fits && function.hasVarArgs) {
        bound.varArgs = Ref::steal(PyTuple_New(positional - own));
        for (Py_ssize_t i = own; bound.varArgs && i < positional; ++i)
            PyTuple_SET_ITEM(bound.varArgs.get(), i - own, Py_NewRef(arguments[i]));
        bound.objects.push_back(bound.varArgs.get());
        fits = bool(bound.varArgs);
    }
    if (fits && function.hasVarKeywords)
        bound.objects.push_back(bound.varKeywords.get());
    if (!fits && !PyErr_Occurred()) {
        CoreLock core; // which capture needs
        if (!function.hasVarArgs && !function.valid() && !function.isCaptured() &&
            !function.capture(arguments))
            return false; // capture names the construct
        raiseBindError(function.function.get(), arguments, positional, keywords);
    }
    return fits;
}

} // namespace shapecast::bindings
