// Classes of Enum whose members stand in lists and dicts in memory.
#pragma once

#include "capture/python.h"

#include "llvm/ADT/DenseSet.h"

#include <string>
#include <utility>
#include <vector>

namespace shapecast::bindings {

struct EnumForm {
    PyObject *type;
    std::string text; // "u2:" and for each member mN: and the N bytes of its constant
    llvm::DenseSet<PyObject *> members;
    std::vector<std::pair<Ref, Ref>> values; // of each its __dict__ and its value
};

// Null: code does not know its members as constants, or they are too many.
const EnumForm *enumForm(PyTypeObject *type);

} // namespace shapecast::bindings
