// Members of an Enum as values: constants, of which code knows the name and a plain value.
#pragma once

#include "capture/emitter.h"

namespace shapecast::capture {

bool isEnumClass(pybind11::handle object); // with members
// An Enum of which compiled code tells instances: not a Flag.
bool isPlainEnum(pybind11::handle object);
bool isFlagClass(pybind11::handle object); // with members
// Of a member whose class has no operators of its own, as a Flag has; it may be its value.
bool isPlainMember(pybind11::handle object);
bool isConstantMember(pybind11::handle object); // such a member, or one of a Flag
mlir::Value emitMember(FunctionEmitter &f, pybind11::handle member);
std::string memberText(pybind11::handle member); // of the constant
// What emitMember() does, but for the value: of every member, as a call's lists may hold them.
void noteMembers(Session &session, pybind11::handle enumClass);
// What the class's members have of their own under a name, besides what the class has: in the table
// of captureMembers().
struct OwnAttribute {
    std::string number, name; // of the member; in `holder`
    pybind11::object value, holder;
};
std::vector<OwnAttribute> ownAttributes(pybind11::handle enumClass, const std::string &name);

// A plain object(), as `MISSING = object()`: a constant that `is` tells from all others, as a
// member of an Enum without a name.
bool isSentinel(pybind11::handle object);
mlir::Value emitSentinel(FunctionEmitter &f, pybind11::handle object);

} // namespace shapecast::capture
