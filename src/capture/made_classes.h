// Classes in Python of which compiled code makes instances: their constructors, and what their
// instances have besides attributes of their own.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// What a class has under a name: of the first class in its __mro__ that has it, `of`. `object` is
// null where that is none of the classes in Python.
struct ClassMember {
    pybind11::object object, holder, of;
};
// With guards on what was found and on the classes that lack it; `after`: of those that follow it.
ClassMember memberOfClass(Session &session, pybind11::handle type, const std::string &name,
                          pybind11::handle after = {});
bool isExactly(pybind11::handle object, const PyTypeObject &type);
bool isStaticMethod(pybind11::handle object);
// Captures a method for instances of the class; `constructs`: as MethodOf says.
std::string captureMethod(Session &session, pybind11::handle function, pybind11::handle type,
                          bool constructs);
// A method that `dataclasses` generated has no source; then another one that does the same.
pybind11::object writtenMethod(pybind11::handle type, pybind11::handle method);

// Why instances of the class are not made as Python makes plain ones, as part of a sentence ("it
// has a __new__ of its own"); none where they are.
std::optional<std::string> whyNotMade(pybind11::handle type);
// Whether it is a class in Python whose instances are no numbers, strings, containers or arrays.
bool hasOrdinaryInstances(pybind11::handle type);
// What instances of the class have as constants in compiled code: the first two words of
// RecordClass::text. None where it makes none as Python does, and of frozen dataclasses.
std::optional<std::string> instancesText(pybind11::handle type);
// Such instances come from outside.
void noteInstances(Session &session, pybind11::handle type);
// A new instance without attributes.
mlir::Value emitNewInstance(FunctionEmitter &f, pybind11::handle type);
// C.__new__(C), an instance without attributes; null for other calls.
mlir::Value emitPlainNew(FunctionEmitter &f, pybind11::handle node);
// The class of our library that stands for one of Python's (collections.deque), or the function
// (re.match); else the object itself.
pybind11::object replacedClass(pybind11::handle type);
// The symbol of an np.func that makes an instance of a class, a record's included: its __init__, of
// which the first argument is not used. None where compiled code makes no instances of it.
std::optional<std::string> captureConstructor(FunctionEmitter &f, pybind11::handle type);
// Methods, properties and class attributes of all classes that the captured functions construct,
// with names that these functions use, in the module's attribute `np.methods`: "17.area" is
// #np.method of the class 17 in _objects.py's `records`. And constants that functions as values
// have as attributes: "square.order".
void captureMembers(Session &session);

// Whether the node is the first parameter of such an instance's method, which nothing is assigned
// to.
bool isSelf(FunctionEmitter &f, pybind11::handle node);
// type(self) and self.__class__ there.
std::optional<ExternalRef> classOfSelf(FunctionEmitter &f, pybind11::handle node);

} // namespace shapecast::capture
