// Introspection of a jitted function: infer, stages, remarks, signatures, explain.
#include "bindings/inspect/inspect.h"

#include "bindings/call/errors.h"
#include "bindings/call/result_plan.h"
#include "bindings/dispatch/binding.h"
#include "bindings/dispatch/dispatcher.h"
#include "bindings/dispatch/flatten.h"
#include "bindings/dispatch/precompile.h"
#include "bindings/dispatch/prepare.h"
#include "bindings/inspect/inspect_variant.h"
#include "bindings/inspect/shapes_module.h"
#include "capture/record_classes.h"
#include "compile.h"
#include "ops/ufunc/types.h"

#include "llvm/ADT/StringExtras.h"

namespace shapecast::bindings {
namespace {

JittedFunction &stateOf(PyObject *self) { return *reinterpret_cast<JitObject *>(self)->state; }

using SpecSizes = std::vector<std::pair<PyObject *, Ref>>; // a sample array, and the spec's sizes

// Users' symbols that could be the compiler's own have a prefix there: see _to_core in _jit.py.
UserError withUserSymbols(UserError error) {
    auto restore = [](std::string &text) {
        for (size_t at = 0; (at = text.find("_u_", at)) != std::string::npos;) {
            const bool isPrefix = at == 0 || !(llvm::isAlnum(text[at - 1]) || text[at - 1] == '_');
            isPrefix ? (void)text.erase(at, 3) : (void)++at; // not in `my_u_x`
        }
    };
    restore(error.message);
    llvm::for_each(error.notes, restore);
    return error;
}

// Sets options.sizes, by parameter, for the sample arrays of specs with a shape.
bool setSizes(const SpecSizes &specs, llvm::ArrayRef<PyObject *> arguments,
              CompileOptions &options) {
    options.sizes.assign(arguments.size(), std::nullopt);
    for (auto [k, argument] : llvm::enumerate(arguments))
        for (const auto &[host, shape] : specs)
            if (host == argument && !readSizes(shape.get(), options.sizes[k].emplace()))
                return false;
    return true;
}

// Compiles for a call's types with these options, again where static arguments are requested.
// `parameters`: of the function that serves the (flattened) arguments.
std::optional<CompileResult> compileBound(JittedFunction &function, PyObject *const *arguments,
                                          CompileOptions options, const SpecSizes &specs,
                                          const Parameters *&parameters) {
    const capture::FrozenClasses reading(function.frozenInMemory, function.seesFrozen);
    parameters = &function.parameters;
    if (!setSizes(specs, llvm::ArrayRef(arguments, function.parameters.visible), options))
        return std::nullopt;
    for (;;) {
        Call call;
        if (!prepareCall(function, arguments, call)) {
            FlatArguments items;
            if (!call.nested || !flattenArguments(function, arguments, items))
                return std::nullopt;
            auto result =
                compileBound(*items.function, items.objects.data(), options, specs, parameters);
            if (result || !switchToWholeRecords(function, *items.function))
                return result;
            continue;
        }
        std::optional<CompileResult> result = function.compileOnly(call, options);
        if (!result && !PyErr_Occurred())
            continue;
        if (!result)
            return std::nullopt;
        if (function.requestStaticArguments(result->staticArguments))
            continue;
        if (!result->error.exception.empty()) {
            raiseUserError(withUserSymbols(std::move(result->error)));
            return std::nullopt;
        }
        return result;
    }
}

std::optional<CompileResult> compileForCall(PyObject *self, PyObject *const *arguments,
                                            Py_ssize_t count, PyObject *keywords,
                                            const CompileOptions &options, const SpecSizes &specs,
                                            const Parameters *&parameters) {
    BoundArguments bound;
    if (!bindArguments(stateOf(self), arguments, count, keywords, bound))
        return std::nullopt;
    return compileBound(stateOf(self), bound.objects.data(), options, specs, parameters);
}

PyObject *strings(const std::vector<std::string> &texts) {
    PyObject *list = PyList_New(0);
    for (const std::string &text : texts) {
        Ref item = Ref::steal(PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size())));
        if (!list || !item || PyList_Append(list, item.get()) < 0)
            return nullptr;
    }
    return list;
}

// ("float64", ("s0", 3), layout, device) for arrays, ("float64", None, "", "cpu") for NumPy
// scalars, a Python type for others.
PyObject *describeType(mlir::Type type) {
    if (auto array = mlir::dyn_cast<np::ArrayType>(type)) {
        Ref shape = Ref::steal(PyTuple_New(array.getRank()));
        for (auto [i, dim] : llvm::enumerate(array.getDims()))
            PyTuple_SET_ITEM(shape.get(), Py_ssize_t(i),
                             dim.isConst() ? PyLong_FromLongLong(dim.getValue())
                                           : PyUnicode_FromString(np::dimText(dim).c_str()));
        return Py_BuildValue("(sOss)", dtypeName(operandType(type)->dtype).str().c_str(),
                             shape.get(), np::layoutText(array.getLayout()).str().c_str(),
                             np::deviceText(array.getDevice()).str().c_str());
    }
    const std::optional<OperandType> scalar = operandType(type);
    if (!scalar)
        return Py_NewRef(Py_None);
    switch (scalar->weak) {
    case PyKind::Bool:
        return Py_NewRef(&PyBool_Type);
    case PyKind::Int:
    case PyKind::WideInt:
        return Py_NewRef(&PyLong_Type);
    case PyKind::Float:
        return Py_NewRef(&PyFloat_Type);
    case PyKind::Complex:
        return Py_NewRef(&PyComplex_Type);
    case PyKind::Strong:
        break;
    }
    return Py_BuildValue("(sOss)", dtypeName(scalar->dtype).str().c_str(), Py_None, "", "cpu");
}

// A list describes a tuple, to distinguish it from the tuples above; a 1-tuple has a static value.
PyObject *describeTree(mlir::Attribute tree, const std::vector<mlir::Type> &types) {
    if (auto index = mlir::dyn_cast_or_null<mlir::IntegerAttr>(tree);
        index && !mlir::isa<mlir::BoolAttr>(tree) && size_t(index.getInt()) < types.size())
        return describeType(types[size_t(index.getInt())]);
    if (auto choice = mlir::dyn_cast_or_null<np::ResultChoiceAttr>(tree)) // the more general one
        return describeTree(mlir::isa<mlir::IntegerAttr>(choice.getOtherwise())
                                ? choice.getOtherwise()
                                : choice.getValue(),
                            types);
    if (auto list = mlir::dyn_cast_or_null<np::ResultListAttr>(tree))
        tree = list.getItems();
    else if (mlir::isa_and_nonnull<np::ResultCallAttr, np::CallersContainerAttr,
                                   np::CallersObjectAttr, np::ObjectStateAttr>(tree))
        tree = {};
    auto items = mlir::dyn_cast_or_null<mlir::ArrayAttr>(tree);
    if (!items) {
        Ref value = tree ? staticResult(tree) : Ref::share(Py_None);
        return value ? PyTuple_Pack(1, value.get()) : nullptr;
    }
    PyObject *list = PyList_New(0);
    for (mlir::Attribute item : items) {
        Ref described = Ref::steal(describeTree(item, types));
        if (!list || !described || PyList_Append(list, described.get()) < 0)
            return nullptr;
    }
    return list;
}

PyObject *inferredResult(const CompileResult &compiled) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._jit"));
    Ref result = module ? Ref::steal(PyObject_GetAttrString(module.get(), "inferred")) : Ref();
    if (!result)
        return nullptr;
    Ref tree = Ref::steal(describeTree(compiled.resultTree, compiled.resultTypes));
    return tree ? PyObject_CallOneArg(result.get(), tree.get()) : nullptr;
}

// The same where arguments may be specs, which become sample arrays of their dtype and rank.
std::optional<CompileResult> compileForSpecs(PyObject *self, PyObject *const *arguments,
                                             Py_ssize_t count, PyObject *keywords,
                                             CompileOptions options,
                                             const Parameters **parameters = nullptr) {
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._jit"));
    Ref concrete = module ? Ref::steal(PyObject_GetAttrString(module.get(), "concrete")) : Ref();
    Ref sizesOf = module ? Ref::steal(PyObject_GetAttrString(module.get(), "sizes")) : Ref();
    if (!concrete || !sizesOf)
        return std::nullopt;
    SpecSizes specs;
    const Py_ssize_t total = count + (keywords ? PyTuple_GET_SIZE(keywords) : 0);
    std::vector<Ref> owned;
    llvm::SmallVector<PyObject *, 16> values;
    for (Py_ssize_t i = 0; i < total; ++i) {
        owned.push_back(Ref::steal(PyObject_CallOneArg(concrete.get(), arguments[i])));
        if (!owned.back())
            return std::nullopt;
        values.push_back(owned.back().get());
        if (values.back() == arguments[i])
            continue;
        options.ofSpecs = true;
        Ref sizes = Ref::steal(PyObject_CallOneArg(sizesOf.get(), arguments[i]));
        if (!sizes)
            return std::nullopt;
        if (sizes.get() != Py_None)
            specs.push_back({values.back(), std::move(sizes)});
    }
    const Parameters *found = nullptr; // of the function of the flattened arguments
    return compileForCall(self, values.data(), count, keywords, options, specs,
                          parameters ? *parameters : found);
}

PyObject *infer(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) {
    CompileOptions options;
    options.onlyTypes = true;
    std::optional<CompileResult> compiled =
        compileForSpecs(self, arguments, count, keywords, options);
    return compiled ? inferredResult(*compiled) : nullptr;
}

// The parameters' types, the result's, guards and requirements, for python/shapecast/_jit.py.
PyObject *signatureOfCall(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                          PyObject *keywords) {
    CompileOptions options;
    options.onlyTypes = true;
    const Parameters *taken = nullptr;
    std::optional<CompileResult> compiled =
        compileForSpecs(self, arguments, count, keywords, options, &taken);
    if (!compiled)
        return nullptr;
    Ref parameters = Ref::steal(PyList_New(0)), result = Ref::steal(inferredResult(*compiled)),
        guards = Ref::steal(strings(compiled->guards)),
        requirements = Ref::steal(strings(compiled->requirements)),
        module = Ref::steal(PyImport_ImportModule("shapecast._jit"));
    const std::vector<Ref> &names = taken->names;
    for (auto [k, type] : llvm::enumerate(compiled->argumentTypes)) {
        if (!parameters || k >= taken->visible)
            break;
        Ref described = Ref::steal(describeType(type));
        Ref pair = described ? Ref::steal(PyTuple_Pack(2, names[k].get(), described.get())) : Ref();
        if (!pair || PyList_Append(parameters.get(), pair.get()) < 0)
            return nullptr;
    }
    if (!parameters || !result || !guards || !requirements || !module)
        return nullptr;
    return PyObject_CallMethod(module.get(), "signature", "OOOO", parameters.get(), result.get(),
                               guards.get(), requirements.get());
}

PyObject *stages(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) {
    CompileOptions options;
    options.keepStages = true;
    std::optional<CompileResult> compiled =
        compileForSpecs(self, arguments, count, keywords, options);
    if (!compiled)
        return nullptr;
    PyObject *texts = PyDict_New();
    for (const StageText &stage : compiled->stages) {
        Ref text = Ref::steal(
            PyUnicode_FromStringAndSize(stage.text.data(), Py_ssize_t(stage.text.size())));
        if (!text || PyDict_SetItemString(texts, stage.name.c_str(), text.get()) < 0)
            return nullptr;
    }
    return shown("Stages", texts);
}

PyObject *remarks(PyObject *self, PyObject *const *arguments, Py_ssize_t count,
                  PyObject *keywords) {
    CompileOptions options;
    options.keepRemarks = true;
    std::optional<CompileResult> compiled =
        compileForSpecs(self, arguments, count, keywords, options);
    return compiled ? strings(compiled->remarks) : nullptr;
}

// Removes the keyword `target` from a call's keywords; the others are left in `names`, their values
// in `values`.
bool extractTarget(PyObject *const *arguments, Py_ssize_t count, PyObject *keywords,
                   llvm::SmallVectorImpl<PyObject *> &values, Ref &names, std::string &target) {
    values.append(arguments, arguments + count);
    names = Ref::steal(PyList_New(0));
    for (Py_ssize_t i = 0; names && keywords && i < PyTuple_GET_SIZE(keywords); ++i) {
        PyObject *name = PyTuple_GET_ITEM(keywords, i), *value = arguments[count + i];
        if (PyUnicode_CompareWithASCIIString(name, "target") != 0) {
            values.push_back(value);
            PyList_Append(names.get(), name);
            continue;
        }
        const char *text = PyUnicode_Check(value) ? PyUnicode_AsUTF8(value) : nullptr;
        if (!text)
            return PyErr_SetString(PyExc_TypeError, "target= takes a string such as 'sm_90'"),
                   false;
        target = text;
    }
    names = names ? Ref::steal(PyList_AsTuple(names.get())) : Ref();
    return bool(names);
}

PyObject *ptx(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords) {
    CompileOptions options;
    llvm::SmallVector<PyObject *, 16> values;
    Ref names;
    if (!extractTarget(arguments, count, keywords, values, names, options.ptxTarget))
        return nullptr;
    std::optional<CompileResult> compiled =
        compileForSpecs(self, values.data(), count, names.get(), options);
    if (!compiled)
        return nullptr;
    if (!compiled->variant || !compiled->variant->device) {
        PyErr_SetString(PyExc_TypeError,
                        "ptx() needs an array on a device among its arguments, such as "
                        "shapecast.spec('float32', 1, device='cuda:0')");
        return nullptr;
    }
    const std::string &text = compiled->variant->ptx;
    return PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size()));
}

PyObject *onDevice(PyObject *self, PyObject *device) { // python/shapecast/_devices.py
    Ref module = Ref::steal(PyImport_ImportModule("shapecast._devices"));
    return module ? PyObject_CallMethod(module.get(), "on", "OO", self, device) : nullptr;
}

PyObject *signatures(PyObject *self, PyObject *) { return strings(stateOf(self).signatures()); }

PyObject *explain(PyObject *self, PyObject *) {
    std::string text;
    for (const std::string &line : stateOf(self).explanations())
        text += (text.empty() ? "" : "\n") + line;
    return shown("Explanation", PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size())));
}

// A method that holds the function's lock, and the core's.
template <auto function> struct Locked;
template <class... Rest, PyObject *(*function)(PyObject *, Rest...)> struct Locked<function> {
    static PyObject *call(PyObject *self, Rest... rest) {
        ObjectLock own(self);
        CoreLock core;
        return function(self, rest...);
    }
};
template <auto function> PyCFunction method() {
    return reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(&Locked<function>::call));
}

} // namespace

PyMethodDef jitMethods[] = {
    {"compile", method<compileAhead>(), METH_FASTCALL | METH_KEYWORDS,
     "compile($self, /, *specs, **kwargs)\n--\n\nCompiles for such a call without running it; "
     "returns its signature"},
    {"infer", method<infer>(), METH_FASTCALL | METH_KEYWORDS,
     "infer($self, /, *specs, **kwargs)\n--\n\nDtypes and symbolic shapes of the result, without "
     "compiling"},
    {"signature_of", method<signatureOfCall>(), METH_FASTCALL | METH_KEYWORDS,
     "signature_of($self, /, *specs, **kwargs)\n--\n\nTypes of parameters and result, and "
     "constraints on their sizes"},
    {"stages", method<stages>(), METH_FASTCALL | METH_KEYWORDS,
     "stages($self, /, *args, **kwargs)\n--\n\nThe IR after each stage of the compiler, by the "
     "stage's name"},
    {"remarks", method<remarks>(), METH_FASTCALL | METH_KEYWORDS,
     "remarks($self, /, *args, **kwargs)\n--\n\nLLVM's optimisation remarks for each loop: "
     "vectorised, or why not"},
    {"ptx", method<ptx>(), METH_FASTCALL | METH_KEYWORDS,
     "ptx($self, /, *specs, target='sm_80', **kwargs)\n--\n\nThe kernels for arrays on a device, "
     "as PTX text"},
    {"on", onDevice, METH_O,
     "on($self, device, /)\n--\n\nThe function for NumPy arrays that are copied to the device and "
     "back"},
    {"_call_on", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(callOnDevice)),
     METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"signatures", method<signatures>(), METH_NOARGS,
     "signatures($self, /)\n--\n\nThe signatures compiled so far"},
    {"explain", method<explain>(), METH_NOARGS,
     "explain($self, /)\n--\n\nWhy each variant was compiled"},
    {"_repr_html_", method<showHtml>(), METH_NOARGS,
     "what notebooks show: source, signatures, stages"},
    {"__rich__", method<showRich>(), METH_NOARGS, "the same for rich"},
    {"show", method<showPlain>(), METH_NOARGS,
     "show($self, /)\n--\n\nPrints what a notebook shows: source, loop nests, machine code"},
    {"__reduce__", method<reduceJit>(), METH_NOARGS, nullptr},
    {"_copy_options", method<copyOptions>(), METH_O, "copies the options of jit"},
    {"_variants", method<variantsOf>(), METH_NOARGS,
     "signature, reason and milliseconds of each variant"},
    {"_times", method<timesOf>(), METH_NOARGS,
     "of calls within shapecast.profile(): milliseconds of its compilation since then, calls and "
     "rows of each variant"},
    {"_inspect_variant", method<inspectVariant>(), METH_O,
     "stages, remarks and loop nests of a variant, which is compiled once more"},
    {nullptr, nullptr, 0, nullptr}};

} // namespace shapecast::bindings
