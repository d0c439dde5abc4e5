// Instances of classes in Python from outside the function, as items of its global lists and dicts:
// each is known by its attributes, as constants, or they are all in memory, as hidden arguments
// (CaptureOptions::instancesInMemory).
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

// Whether it is an instance that compiled code could have in memory.
bool isOrdinaryInstance(pybind11::handle object);
// Whether it is one, or a list or dict with one somewhere in it.
bool holdsInstances(pybind11::handle object);
// Whether it is in memory as a whole, where such are, or a tuple of such; of a dict with values of
// several kinds each value by itself is.
bool isInstancesInMemory(pybind11::handle object);
// The classes of the instances, and the Enums of the members, that are reached through the object
// are known to the code.
void noteInstancesIn(Session &session, pybind11::handle object);
// Captures once more with them in memory, unless they are already, or there are none. Before a
// refusal; `found`: of an instance that is used as a value.
void requestInstancesInMemory(const Session &session);
void requestInstancesInMemory(FunctionEmitter &f, const ExternalRef &found);

} // namespace shapecast::capture
