// Annotations of a jitted function's parameters.
#pragma once

#include "capture/capture.h"

namespace shapecast::bindings {

// Sets the attribute `annotations` of the captured entry, where `function` (a plain one) has any.
// Throws pybind11::error_already_set for an annotation that is wrong in itself.
void addAnnotations(pybind11::handle function, capture::Captured &captured);
// The capture stays valid while the annotations are the same objects.
void watchAnnotations(pybind11::handle function, capture::Captured &captured);

} // namespace shapecast::bindings
