// np-gathers: a nest that makes an array of elements at given places finds out itself whether all
// of the places exist.
//
//     check(x, places)                 # a pass over the places
//     check(x, places + 1)             # and one more                 if the result is lost:
//     y = x[places] + x[places + 1]                            ->         check, check
//
// Before: the IR after np-strips: what stands before a nest checks all that its np.take ask for.
// After: as before, but that in a nest as above indices outside of the axis are 0 in what np.take
// gets, and the nest has one more result, the last: whether there was such an index ("checks").
// Where it is true, the checks run, and raise what they would have raised before. So what the nest
// stores must be seen by nobody: by arrays that the function made and that only nests, loads and
// stores know. No index 0 is in an axis of no elements: where there are none, the checks run before
// the nest as well.
//
// Loops of ufunc.at that store to such an array check each place before they store there, instead
// of all places before the loop.
#pragma once

#include "ir/np.h"
#include "passes/passes.h"

namespace shapecast {

// Made by the function, and known to nests, loads, stores and `but` only: what it holds is lost
// where something raises.
bool isFresh(mlir::Value array, mlir::Operation *but = nullptr);

void checkInScatters(mlir::Operation *module); // scatters.cpp

} // namespace shapecast
