// An analysis for the view of a variant in notebooks: what each loop nest and matrix product
// computes, from the IR after np-nests, which it does not change.
//
// A nest is identified by its location: the function that it is outlined into
// (lower/function/nest_calls.cpp) has the same one, which is how optimisation remarks find their
// nest.
#pragma once

#include "ir/np.h"

#include <optional>
#include <string>
#include <vector>

namespace shapecast {

struct ArrayUse {
    int parameter;             // its number; -1: an array that the function makes
    mlir::Location definition; // of the array
    unsigned windows = 1;      // the views of it that are used
};

// The code of a nest: filled by lower/nest/nest_code.h, and by LLVM's remarks.
struct NestCode {
    std::string singleThreadReason;                   // "": threads share it where it is large
    bool isStripMined = false;                        // with the adjacent nests
    bool isNonTemporal = false, isPrefetched = false; // where it is large
    bool hasVectors = false;                          // explicit ones
    unsigned vectorWidth = 0;                         // of the loop that LLVM vectorised
    bool isPartlyVectorised = false;                  // statements of its body, by LLVM
    std::string notVectorisedReason;
};

struct NestReport {
    explicit NestReport(mlir::Location location) : location(location) {}

    mlir::Location location;
    std::vector<mlir::Location> parts; // of the expressions that are fused in it
    std::vector<mlir::Location> loops; // around it, outermost first
    bool isProduct = false;            // a matrix product: a call of the library, not a loop
    std::string space;                 // "s0 x (s1 - 2)", outermost first
    std::string reductions;            // "sums and maxima along (s1 - 2)"; empty: none
    std::vector<ArrayUse> reads, writes;
    unsigned operations = 0; // element-wise functions and reductions, per element
    // What its reads and writes need at least: each element once, whatever its windows; null: not
    // known. Elements that are looked up by index are not counted.
    np::DimAttr bytes;
    std::vector<std::string> functions; // of the LLVM dialect, that it was outlined into
    std::optional<NestCode> code;       // none: it is inlined, or a call of the library
};

NestReport reportNest(np::NestOp nest);
// Of all nests and products, in program order.
std::vector<NestReport> reportNests(mlir::ModuleOp module);

} // namespace shapecast
