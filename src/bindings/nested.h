// Arguments that are tuples or lists of arrays and numbers, and *args.
//
// A call with such arguments goes to a function of its own for each structure (how many items, and
// how they are nested), of which the items are the parameters: key, guards, aliasing and mutation
// are those of any argument. np-specialise puts the items together again.
#pragma once

#include "bindings/dispatcher.h"

namespace shapecast::bindings {

// The jitted function that serves these bound arguments of `function`, and its arguments.
struct Items {
    JittedFunction *function = nullptr;
    llvm::SmallVector<PyObject *, 16> objects; // borrowed from the arguments
};

// False with an exception set.
bool takeItems(JittedFunction &function, PyObject *const *arguments, Items &items);

} // namespace shapecast::bindings
