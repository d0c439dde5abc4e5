// What the views of python/shapecast/_show.py ask of a jitted function: its variants, and each of
// them compiled once more with all that the compiler can tell.
#include "bindings/dispatcher.h"
#include "bindings/errors.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace shapecast::bindings {
namespace {

namespace py = pybind11;

JittedFunction &stateOf(PyObject *self) { return *reinterpret_cast<JitObject *>(self)->state; }

py::list framesIn(mlir::Location place) {
    py::list frames;
    for (const Frame &frame : framesOf(place))
        frames.append(py::make_tuple(frame.file, frame.function, frame.line, frame.column,
                                     frame.endLine, frame.endColumn));
    return frames;
}

py::list allFramesIn(const std::vector<mlir::Location> &places) {
    py::list all;
    for (mlir::Location place : places)
        all.append(framesIn(place));
    return all;
}

py::list usesIn(const std::vector<ArrayUse> &uses, const Parameters &parameters) {
    py::list all;
    for (const ArrayUse &use : uses) {
        py::object name = py::none();
        if (use.parameter >= 0 && size_t(use.parameter) < parameters.names.size())
            name =
                py::reinterpret_borrow<py::object>(parameters.names[size_t(use.parameter)].get());
        all.append(py::make_tuple(name, framesIn(use.made), use.windows));
    }
    return all;
}

py::dict described(const NestReport &nest, const Parameters &parameters) {
    py::dict found;
    found["place"] = framesIn(nest.place);
    found["parts"] = allFramesIn(nest.parts);
    found["loops"] = allFramesIn(nest.loops);
    found["product"] = nest.isProduct;
    found["space"] = nest.space;
    found["reduced"] = nest.reduced;
    found["folds"] = nest.folds;
    found["reads"] = usesIn(nest.reads, parameters);
    found["writes"] = usesIn(nest.writes, parameters);
    found["operations"] = nest.operations;
    found["remarks"] = nest.remarks;
    return found;
}

py::dict everything(const CompileResult &result, const Parameters &parameters) {
    py::dict stages, all;
    for (const StageText &stage : result.stages)
        stages[py::str(stage.name)] = stage.text;
    py::list nests;
    for (const NestReport &nest : result.nests)
        nests.append(described(nest, parameters));
    all["stages"] = stages;
    all["remarks"] = result.remarks;
    all["nests"] = nests;
    return all;
}

// pybind11's exceptions become Python's here; they pass no frame of LLVM.
template <typename Body> PyObject *guarded(Body body) {
    try {
        return body().release().ptr();
    } catch (py::error_already_set &failure) {
        failure.restore();
    } catch (const std::exception &failure) {
        PyErr_SetString(PyExc_SystemError, failure.what());
    }
    return nullptr;
}

} // namespace

PyObject *shown(const char *kind, PyObject *plain) {
    Ref held = Ref::steal(plain);
    Ref module = held ? Ref::steal(PyImport_ImportModule("shapecast._show")) : Ref();
    return module ? PyObject_CallMethod(module.get(), kind, "O", held.get()) : nullptr;
}

PyObject *showHtml(PyObject *self, PyObject *) { return shown("function_html", Py_NewRef(self)); }

PyObject *variantsOf(PyObject *self, PyObject *) {
    return guarded([&] {
        py::list all;
        const std::vector<OwnedPlan> plans = stateOf(self).plans();
        for (auto [owned, text] : llvm::zip_equal(plans, stateOf(self).signatures()))
            all.append(py::make_tuple(text, owned.plan->why, owned.plan->variant->milliseconds));
        return all;
    });
}

PyObject *lookAt(PyObject *self, PyObject *index) {
    const Py_ssize_t wanted = PyNumber_AsSsize_t(index, PyExc_IndexError);
    if (wanted == -1 && PyErr_Occurred())
        return nullptr;
    std::vector<OwnedPlan> plans = stateOf(self).plans();
    if (wanted < 0 || size_t(wanted) >= plans.size()) {
        PyErr_SetString(PyExc_IndexError, "no such variant");
        return nullptr;
    }
    const auto [function, plan, keeper] = std::move(plans[size_t(wanted)]);
    CompileOptions options;
    options.keepStages = options.keepRemarks = true;
    options.forbidden = plan->forbidden;
    std::optional<CompileResult> result = function->compileOnly(plan->seen, options);
    if (!result && !PyErr_Occurred())
        PyErr_SetString(PyExc_IndexError, "no such variant any more: what the function reads "
                                          "outside itself has changed");
    if (!result)
        return nullptr;
    if (!result->error.exception.empty()) {
        raiseUserError(result->error);
        return nullptr;
    }
    return guarded([&] { return everything(*result, function->parameters); });
}

} // namespace shapecast::bindings
