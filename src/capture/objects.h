// Objects from outside, and their attributes: what they refer to, properties, methods.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// base.name, or none where it is a value of a property. Throws MissingAttribute.
std::optional<ExternalRef> objectAttribute(FunctionEmitter &f, const ExternalRef &base,
                                           const std::string &name, pybind11::handle node);
// The plain function that a call of the object runs, with its `self` as `receiver`.
ExternalRef asFunction(FunctionEmitter &f, const ExternalRef &found);
// The object that is passed on or returned as itself; none for values.
std::optional<ExternalRef> objectArgument(FunctionEmitter &f, pybind11::handle node);
// container[key], which exists.
ExternalRef itemOf(FunctionEmitter &f, const ExternalRef &container, const pybind11::object &key);
// A structured array that is an argument or a member of an object.
std::optional<ExternalRef> recordsAt(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
