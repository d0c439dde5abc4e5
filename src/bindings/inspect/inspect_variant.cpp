// The data of the views in python/shapecast/_show.py: a jitted function's variants, and a variant
// compiled once more with all stages, remarks and reports.
#include "bindings/inspect/inspect_variant.h"

#include "bindings/call/device_call.h"
#include "bindings/call/errors.h"
#include "bindings/dispatch/dispatcher.h"
#include "compile.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace shapecast::bindings {
namespace {

namespace py = pybind11;

JittedFunction &stateOf(PyObject *self) { return *reinterpret_cast<JitObject *>(self)->state; }

py::list listOf(const std::vector<Frame> &frames) {
    py::list all;
    for (const Frame &frame : frames)
        all.append(py::make_tuple(frame.file, frame.function, frame.line, frame.column,
                                  frame.endLine, frame.endColumn));
    return all;
}

py::list framesIn(mlir::Location location) { return listOf(framesOf(location)); }

py::list allFramesIn(const std::vector<mlir::Location> &locations) {
    py::list all;
    for (mlir::Location location : locations)
        all.append(framesIn(location));
    return all;
}

py::list usesIn(const std::vector<ArrayUse> &uses, const Parameters &parameters) {
    py::list all;
    for (const ArrayUse &use : uses) {
        py::object name = py::none();
        if (use.parameter >= 0 && size_t(use.parameter) < parameters.names.size())
            name =
                py::reinterpret_borrow<py::object>(parameters.names[size_t(use.parameter)].get());
        all.append(py::make_tuple(name, framesIn(use.definition), use.windows));
    }
    return all;
}

py::dict nestDict(const NestReport &nest, const Parameters &parameters) {
    py::dict found;
    found["location"] = framesIn(nest.location);
    found["parts"] = allFramesIn(nest.parts);
    found["loops"] = allFramesIn(nest.loops);
    found["functions"] = nest.functions;
    found["product"] = nest.isProduct;
    found["space"] = nest.space;
    found["reductions"] = nest.reductions;
    found["reads"] = usesIn(nest.reads, parameters);
    found["writes"] = usesIn(nest.writes, parameters);
    found["operations"] = nest.operations;
    if (const std::optional<NestCode> &code = nest.code) {
        py::dict of;
        of["single_thread_reason"] = code->singleThreadReason;
        of["strip_mined"] = code->isStripMined;
        of["non_temporal"] = code->isNonTemporal;
        of["prefetched"] = code->isPrefetched;
        of["vectors"] = code->hasVectors;
        of["vector_width"] = code->vectorWidth;
        of["partly_vectorised"] = code->isPartlyVectorised;
        of["not_vectorised_reason"] = code->notVectorisedReason;
        found["code"] = of;
    }
    return found;
}

py::dict resultDict(const CompileResult &result, const Parameters &parameters) {
    py::dict stages, lines, milliseconds, all;
    for (const StageText &stage : result.stages) {
        stages[py::str(stage.name)] = stage.text;
        lines[py::str(stage.name)] = stage.sourceLines;
        milliseconds[py::str(stage.name)] = stage.milliseconds;
    }
    py::list nests;
    for (const NestReport &nest : result.nests)
        nests.append(nestDict(nest, parameters));
    all["stages"] = stages;
    all["lines"] = lines;
    all["milliseconds"] = milliseconds;
    all["remarks"] = result.remarks;
    all["nests"] = nests;
    py::list notes;
    if (result.variant)
        for (const DeviceNote &note : deviceNotes(*result.variant))
            notes.append(py::make_tuple(note.text(), note.lines, note.isKernel));
    all["device"] = notes;
    return all;
}

// Turns C++ exceptions into Python's; none of them unwinds through LLVM.
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
    Ref owned = Ref::steal(plain);
    Ref module = owned ? Ref::steal(PyImport_ImportModule("shapecast._show")) : Ref();
    return module ? PyObject_CallMethod(module.get(), kind, "O", owned.get()) : nullptr;
}

PyObject *showHtml(PyObject *self, PyObject *) { return shown("function_html", Py_NewRef(self)); }

PyObject *showRich(PyObject *self, PyObject *) { return shown("function_rich", Py_NewRef(self)); }

PyObject *showPlain(PyObject *self, PyObject *) { return shown("show", Py_NewRef(self)); }

PyObject *variantsOf(PyObject *self, PyObject *) {
    return guarded([&] {
        py::list all;
        const std::vector<OwnedVariant> variants = stateOf(self).variants();
        for (auto [owned, text] : llvm::zip_equal(variants, stateOf(self).signatures()))
            all.append(py::make_tuple(text, owned.variant->why, owned.variant->code->milliseconds));
        return all;
    });
}

PyObject *timesOf(PyObject *self, PyObject *) {
    const std::shared_ptr<FunctionTimes> times = stateOf(self).times;
    return guarded([&] {
        py::list all;
        if (!times)
            return all;
        for (const auto &one : FunctionTimes(*times)) {
            py::list rows;
            for (auto [site, row] : llvm::zip(one->sites, one->rows))
                rows.append(py::make_tuple(site.kind, site.text, listOf(site.frames),
                                           row.nanoseconds, row.count, row.bytes));
            all.append(py::make_tuple(one->isNew ? one->milliseconds : 0.0, one->calls, rows));
        }
        return all;
    });
}

PyObject *inspectVariant(PyObject *self, PyObject *index) {
    const Py_ssize_t wanted = PyNumber_AsSsize_t(index, PyExc_IndexError);
    if (wanted == -1 && PyErr_Occurred())
        return nullptr;
    std::vector<OwnedVariant> variants = stateOf(self).variants();
    if (wanted < 0 || size_t(wanted) >= variants.size()) {
        PyErr_SetString(PyExc_IndexError, "no such variant: the index is out of range");
        return nullptr;
    }
    const auto [function, variant, keeper] = std::move(variants[size_t(wanted)]);
    CompileOptions options;
    options.keepStages = options.keepRemarks = true;
    options.forbidden = variant->forbidden;
    std::optional<CompileResult> result = function->compileOnly(variant->compiledFor, options);
    if (!result && !PyErr_Occurred())
        PyErr_SetString(PyExc_IndexError, "no such variant any more: a global or closure "
                                          "variable that the function reads has changed");
    if (!result)
        return nullptr;
    if (!result->error.exception.empty()) {
        raiseUserError(result->error);
        return nullptr;
    }
    return guarded([&] { return resultDict(*result, function->parameters); });
}

} // namespace shapecast::bindings
