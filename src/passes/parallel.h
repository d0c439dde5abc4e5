// np-parallel: says which loops of the program several threads may share.
//
// Before: the IR after np-lifetime. After: as before. A typed counted loop has the attribute
// `shared` if its turns need nothing of each other, whatever their order, and nobody can tell that
// they ran at once:
// - it carries nothing and does not end early; nothing in it prints, calls or draws, nor raises,
//   unless all that it has written then is gone with the call;
// - what a turn writes outside the loop no other turn reads or writes: some index of all accesses
//   to that array names the turn (`x[i, ...]`, or blocks of it, `x[i:i + step]`);
// - arrays that it makes are its own.
// The program's promise (shapecast.prange) stands for what it writes outside, and for what is left
// when one raises. In debug code (the module has the attribute np.debug) no loop is shared, and one
// whose promise is not proved has the attribute `checked`: see lower/promise.cpp.
// An innermost loop around loops that differ in length from turn to turn has the attribute `lanes`
// if several turns may be computed at once, each in a lane of vectors: see passes/lanes.h. Of loops
// in each other the outermost has it. A loop that others run again and again, and that has none
// inside, is left alone: it is over before a thread wakes. Loops around one element-wise nest have
// the attribute `registers` where what it writes may stay in them: see passes/registers.h.
#pragma once

#include "ir/np.h"
#include "passes/passes.h"
#include "passes/points_to.h"

namespace shapecast {

// Whether the turns of a loop need nothing of each other but what it carries, and none raises, or
// they may raise and it does not matter what others have written then.
bool areTurnsIndependent(np::ForOp loop, const PointsTo &pointsTo, bool mayRaise = false);

// What a turn does, in sixteenths of a nanosecond, of what is known before the loop: an estimate.
np::DimAttr turnWork(np::ForOp loop);

} // namespace shapecast
