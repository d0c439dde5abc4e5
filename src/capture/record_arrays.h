// Fields of structured arrays: one array per field.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// records[index] for a constant string; none for other indices.
std::optional<ExternalRef> fieldOf(FunctionEmitter &f, const ExternalRef &records,
                                   pybind11::handle index);
// p['x'], and p[i]['x'], which is p['x'][i]; null for other expressions.
mlir::Value emitField(FunctionEmitter &f, pybind11::handle subscript);
// p['x'] = value and p[i]['x'] = value; false for other targets.
bool storeField(FunctionEmitter &f, pybind11::handle target, mlir::Value value);
// p['x'] += value and p[i]['x'] += value; false for other targets.
bool changeField(FunctionEmitter &f, pybind11::handle target, const std::string &op,
                 pybind11::handle value);
// Some field with the same shape as the whole array.
mlir::Value emitAnyField(FunctionEmitter &f, const ExternalRef &records, pybind11::handle node);
// p.size, p.shape, p.ndim; null for other expressions.
mlir::Value emitFieldAttribute(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
