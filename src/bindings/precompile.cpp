// f.compile(): what a first call does before it runs.
#include "bindings/dispatcher.h"
#include "bindings/errors.h"
#include "bindings/nested.h"

namespace shapecast::bindings {
namespace {

// The values that specs stand for, and the names of the last ones (python/shapecast/_compile.py).
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

// True with an exception set: whatever the values, a call of such sizes raises it.
bool raisesAlways(JittedFunction &function, const Call &call, const Plan &plan) {
    if (!plan.variant->raises)
        return false;
    CompileOptions options;
    options.stopAfter = "infer";
    options.forbidden = plan.forbidden;
    options.doubted = plan.doubted;
    const std::optional<CompileResult> inferred = function.compileOnly(call, options);
    const bool isGone = !inferred && !PyErr_Occurred(); // what it reads outside has changed
    if (isGone || (inferred && inferred->error.exception.empty()))
        return false;
    if (inferred)
        raiseUserError(inferred->error);
    return true;
}

// False with an exception set: that of a call. `text`: the variant that a call runs.
bool compileBound(JittedFunction &function, PyObject *const *arguments, std::string &text) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        Call call;
        if (!prepareCall(function, arguments, call)) {
            Items items;
            if (!call.nested || !takeItems(function, arguments, items))
                return false;
            if (compileBound(*items.function, items.objects.data(), text))
                return true;
            if (takeWholeRecords(function, *items.function))
                continue;
            function.failed |= items.function->failed;
            return false;
        }
        if (PlanRef plan = function.find(call)) {
            text = function.textOf(*plan);
            return !raisesAlways(function, call, *plan) &&
                   (plan->results.changes.empty() || function.keepsApart(call));
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
    if (function.fallback && takeFallback(function))
        Py_RETURN_NONE;
    return nullptr;
}

} // namespace shapecast::bindings
