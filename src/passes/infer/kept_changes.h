// Changes to the caller's objects that count although an exception ends the call.
//
// What compiled code changes of them is a result, and there is none after an exception. So an
// np.keep_changes follows each change: it stores the contents that they have now where the caller
// of compiled code finds them. Those after which nothing may raise, before the next one or the
// return, are erased.
#pragma once

#include "passes/infer/escapes.h"

namespace shapecast {

// Of one operation of the program.
class ChangesKept {
public:
    explicit ChangesKept(Inference &in); // before it is visited
    void update() const;                 // after that

private:
    Inference &in;
    Changes before; // empty: nothing is the caller's
};

void keepChanges(Inference &in);         // those up to here
void keepNeededChanges(np::FuncOp func); // numbers those that stay

} // namespace shapecast
