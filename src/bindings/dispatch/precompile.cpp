// f.compile(): captures and compiles as a first call does, without running the code.
#include "bindings/dispatch/precompile.h"

#include "bindings/call/errors.h"
#include "bindings/dispatch/binding.h"
#include "bindings/dispatch/dispatcher.h"
#include "bindings/dispatch/flatten.h"
#include "bindings/dispatch/prepare.h"
#include "compile.h"

namespace shapecast::bindings {
namespace {

// Sample values for the specs, and the names of the keyword ones (python/shapecast/_compile.py).
Ref examplesOf(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._compile"));
    Ref specs = Ref::steal(PyTuple_New(count)), named = Ref::steal(PyDict_New());
    if (!module || !specs || !named)
        return {};
    for (Py_ssize_t i = 0; i < count; ++i)
        PyTuple_SET_ITEM(specs.get(), i, Py_NewRef(arguments[i]));
    for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); ++i)
        if (PyDict_SetItem(named.get(), PyTuple_GET_ITEM(keywords, i), arguments[count + i]) < 0)
            return {};
    return Ref::steal(
        PyObject_CallMethod(module.get(), "examples", "OOO", self, specs.get(), named.get()));
}

// True with an exception set that every call of such sizes raises, whatever the values.
bool raisesAlways(JittedFunction &function, const Call &call, const CompiledVariant &variant) {
    if (!variant.code->raises)
        return false;
    CompileOptions options;
    options.onlyTypes = true;
    options.forbidden = variant.forbidden;
    options.failedAssumptions = variant.failedAssumptions;
    const std::optional<CompileResult> inferred = function.compileOnly(call, options);
    const bool isGone = !inferred && !PyErr_Occurred(); // what it reads outside has changed
    if (isGone || (inferred && inferred->error.exception.empty()))
        return false;
    if (inferred)
        raiseUserError(inferred->error);
    return true;
}

// False with an exception set, that of a call. `text`: the signature of the variant.
bool compileBound(JittedFunction &function, PyObject *const *arguments, std::string &text) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        Call call;
        if (!prepareCall(function, arguments, call)) {
            FlatArguments items;
            if (!call.nested || !flattenArguments(function, arguments, items))
                return false;
            if (compileBound(*items.function, items.objects.data(), text))
                return true;
            if (switchToWholeRecords(function, *items.function))
                continue;
            function.failed |= items.function->failed;
            return false;
        }
        if (VariantRef variant = function.find(call)) {
            text = function.textOf(*variant);
            return !raisesAlways(function, call, *variant) &&
                   (!variant->results.changesCallers() || function.containersDoNotAlias(call));
        }
        if (!function.compileFor(call))
            return false;
    }
    PyErr_SetString(PyExc_RuntimeError,
                    "shapecast: globals of the function change faster than it compiles");
    return false;
}

} // namespace

PyObject *compileAhead(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                       PyObject *keywords) {
    JittedFunction &function = *reinterpret_cast<JitObject *>(self)->state;
    if (function.runsAsPython)
        Py_RETURN_NONE;
    Ref examples = examplesOf(self, arguments, count, keywords);
    PyObject *values = nullptr, *names = nullptr;
    if (!examples ||
        !PyArg_ParseTuple(examples.get(), "O!O!", &PyList_Type, &values, &PyTuple_Type, &names))
        return nullptr;
    BoundArguments bound;
    std::string text;
    const Py_ssize_t positional = PyList_GET_SIZE(values) - PyTuple_GET_SIZE(names);
    if (bindArguments(function, reinterpret_cast<PyListObject *>(values)->ob_item, positional,
                      PyTuple_GET_SIZE(names) ? names : nullptr, bound) &&
        compileBound(function, bound.objects.data(), text))
        return PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size()));
    if (function.fallback && useFallback(function))
        Py_RETURN_NONE;
    return nullptr;
}

} // namespace shapecast::bindings
