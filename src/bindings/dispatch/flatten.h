// Arguments that are tuples or lists of arrays and numbers, *args, functions and other objects.
//
// Such arguments are flattened. For each structure (how many items, how they are nested, of which
// kinds the objects are) there is a jitted function of its own, whose parameters are the items:
// key, guards, aliasing and mutation are those of any argument. np-specialise rebuilds the tuples
// and lists. What the function reads of an object are hidden arguments, see capture/object_kind.h.
#pragma once

#include "bindings/cache/variants.h"

namespace shapecast::bindings {

// The jitted function for the structure of some bound arguments, and its flat arguments.
struct FlatArguments {
    std::shared_ptr<JittedFunction> function;
    llvm::SmallVector<PyObject *, 16> objects; // borrowed from the arguments: items, then objects,
                                               // then lists and dicts
    llvm::SmallVector<Ref, 0> kept;            // a list may lose its items while the call runs
};

// Whether the function of a structure needs structured arrays as a whole (not only their fields):
// then the exception is cleared, and the call is to be made again.
bool switchToWholeRecords(JittedFunction &function, const JittedFunction &ofStructure);
// Whether compiled code was refused that may be supported with arguments in memory, or that has
// been tried in vain: then the exception is cleared, and the call is to be made again.
bool switchToMemory(JittedFunction &function, const JittedFunction &ofStructure,
                    PyObject *const *arguments);
// Whether there are many variants for lists, dicts or strings, which are in memory from now on.
bool stopSpecialising(JittedFunction &function, PyObject *const *arguments);
// False with an exception set.
bool flattenArguments(JittedFunction &function, PyObject *const *arguments, FlatArguments &flat);

} // namespace shapecast::bindings
