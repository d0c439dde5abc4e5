// What each loop nest and matrix product does, for people: read off the IR after np-nests, which
// stays as it is.
//
// A nest is named by its place: the function that it is outlined into (see lower/nest_calls.cpp)
// has the same location, which is how remarks on loops find their nest.
#pragma once

#include "ir/np.h"

#include <string>
#include <vector>

namespace shapecast {

struct ArrayUse {
    int parameter;        // its number; -1: an array that the function makes
    mlir::Location made;  // where it was made
    unsigned windows = 1; // so many views of it are used
};

struct NestReport {
    explicit NestReport(mlir::Location place) : place(place) {}

    mlir::Location place;
    std::vector<mlir::Location> parts; // of the expressions that are computed in it
    std::vector<mlir::Location> loops; // around it, outermost first
    bool isProduct = false;            // a matrix product: a call of the library, not a loop
    std::vector<std::string> space;    // sizes, outermost first; the last `reduced` are folded
    unsigned reduced = 0;
    std::vector<std::string> folds; // "add", "maximum", ... of reductions
    std::vector<ArrayUse> reads, writes;
    unsigned operations = 0;          // element-wise functions and folds, per element
    std::vector<std::string> remarks; // LLVM's on its loops, "f.nest0: ..."; filled at the end
};

// In the order in which they run.
std::vector<NestReport> reportNests(mlir::ModuleOp module);

} // namespace shapecast
