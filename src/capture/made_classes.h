// Classes in Python of which compiled code makes instances: their constructors, and what their
// instances have besides attributes of their own.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// Why instances of the class are not made as Python makes plain ones, as part of a sentence ("it
// has a __new__ of its own"); none where they are.
std::optional<std::string> whyNotMade(pybind11::handle type);
// Whether it is a class in Python whose instances are no numbers, strings, containers or arrays.
bool hasOrdinaryInstances(pybind11::handle type);
// A new instance without attributes.
mlir::Value emitNewInstance(FunctionEmitter &f, pybind11::handle type);
// The class of our library that stands for one of Python's (collections.deque); else the class.
pybind11::object replacedClass(pybind11::handle type);
// The symbol of an np.func that makes an instance: the class's __init__, of which the first
// argument is not used.
std::string captureConstructor(FunctionEmitter &f, pybind11::handle type);
// Methods, properties and class attributes of all classes that the captured functions construct,
// with names that these functions use, in the module's attribute `np.methods`: "17.area" is
// #np.method of the class 17 in _objects.py's `records`.
void captureMembers(Session &session);

// super().name, in a method of an instance that compiled code makes: the member of the next class,
// captured; null for other expressions.
mlir::Value emitInheritedCall(FunctionEmitter &f, pybind11::handle call);
mlir::Value emitInheritedAttribute(FunctionEmitter &f, pybind11::handle node);
// type(self) and self.__class__ there.
std::optional<ExternalRef> classOfSelf(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
