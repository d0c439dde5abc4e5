// Arguments that are tuples or lists of arrays and numbers, *args, functions and other objects.
//
// A call with such arguments goes to a function of its own for each structure (how many items, how
// they are nested, of which kinds the objects are), of which the items are the parameters: key,
// guards, aliasing and mutation are those of any argument. np-specialise puts the items together
// again. What the function reads of an object are hidden arguments, see capture/object_kind.h.
#pragma once

#include "bindings/dispatcher.h"

namespace shapecast::bindings {

// The jitted function that serves these bound arguments of `function`, and its arguments.
struct Items {
    std::shared_ptr<JittedFunction> function;
    llvm::SmallVector<PyObject *, 16> objects; // borrowed from the arguments: items, then objects,
                                               // then lists and dicts
    llvm::SmallVector<Ref, 0> kept;            // a list may lose its items while the call runs
};

// Whether the function of a structure found that arrays of records are needed as a whole: then the
// exception is cleared, and the call is to be made anew.
bool takeWholeRecords(JittedFunction &function, const JittedFunction &ofStructure);
// The array of a list of floats or of ints; null without an exception for others.
Ref numbersOf(PyObject *list);
// False with an exception set.
bool takeItems(JittedFunction &function, PyObject *const *arguments, Items &items);

} // namespace shapecast::bindings
