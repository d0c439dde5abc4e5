// Errors of user code: Python exceptions to be raised, with the user's source lines.
#pragma once

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace shapecast {

struct Frame { // one entry of a user's traceback, outermost first
    std::string file, function;
    // 1-based lines, 0-based columns as in Python's ast.
    unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};

// A Python exception to be raised: "ValueError", "shapecast.UnsupportedError", ...
struct UserError {
    std::string exception, message;
    std::vector<Frame> frames;
    // "{1}: float64[s0]": operand 1 of the innermost frame's expression.
    std::vector<std::string> notes;
};

std::vector<Frame>
framesOf(mlir::Location loc); // NameLoc(function) around FileLineColRange, CallSiteLoc chains

struct ErrorSite {                  // what a compiled `np.require` or trap raises
    std::string exception, message; // message with {0}..{5}
    std::vector<Frame> frames;
    std::vector<std::string> notes; // of the operands, see UserError
};

} // namespace shapecast
