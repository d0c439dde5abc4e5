// Locations as Python's tracebacks show them.
#pragma once

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace shapecast {

struct Frame { // one entry of a traceback
    std::string file, function;
    // 1-based lines, 0-based columns as in Python's ast.
    unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};

// Outermost first. Of chains of CallSiteLocs, and NameLocs (the function) around FileLineColRanges.
std::vector<Frame> framesOf(mlir::Location loc);

} // namespace shapecast
