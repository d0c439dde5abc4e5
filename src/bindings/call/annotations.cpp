// What a function's annotations say of its arguments, as np-infer reads it (passes/
// annotations.cpp); python/shapecast/typing.py understands them.
#include "bindings/call/annotations.h"

#include "bindings/call/sizes.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir;

namespace shapecast::bindings {
namespace {

Attribute dimAttribute(Builder &b, py::handle dim) {
    if (dim.is_none())
        return b.getUnitAttr();
    if (py::isinstance<py::str>(dim))
        return b.getStringAttr(dim.cast<std::string>());
    return sizeOf(dim);
}

Attribute annotationAttribute(Builder &b, const std::string &parameter,
                              const py::tuple &annotation) {
    SmallVector<Attribute> dtypes, dims;
    for (py::handle dtype : annotation[1])
        dtypes.push_back(b.getStringAttr(dtype.cast<std::string>()));
    for (py::handle dim : annotation[2])
        dims.push_back(dimAttribute(b, dim));
    return np::AnnotationAttr::get(b.getContext(), b.getStringAttr(parameter),
                                   b.getStringAttr(annotation[0].cast<std::string>()),
                                   b.getArrayAttr(dtypes), b.getArrayAttr(dims),
                                   annotation[3].cast<bool>());
}

} // namespace

void watchAnnotations(py::handle function, capture::Captured &captured) {
    const py::object annotations = function.attr("__annotations__");
    if (!py::isinstance<py::dict>(annotations))
        return;
    for (auto [name, value] : py::reinterpret_borrow<py::dict>(annotations))
        if (py::isinstance<py::str>(name))
            captured.globals.push_back({annotations, py::cast<std::string>(name),
                                        py::reinterpret_borrow<py::object>(value)});
}

void addAnnotations(py::handle function, capture::Captured &captured) {
    const py::object annotations = function.attr("__annotations__");
    if (!py::isinstance<py::dict>(annotations) || py::len(annotations) == 0)
        return;
    const py::dict found = py::module_::import("shapecast.typing").attr("read")(function);
    if (found.empty())
        return;
    Builder b(captured.module->getContext());
    SmallVector<Attribute> all;
    for (const capture::ParameterInfo &parameter : captured.parameters) {
        const char *name = parameter.name.c_str();
        const bool has = parameter.kind != capture::ParameterInfo::Rest && found.contains(name);
        all.push_back(has ? annotationAttribute(b, name, found[name].cast<py::tuple>())
                          : b.getUnitAttr());
    }
    captured.module->lookupSymbol<np::FuncOp>(captured.entry)
        .setAnnotationsAttr(b.getArrayAttr(all));
}

} // namespace shapecast::bindings
