// Errors of user code: Python exceptions to be raised, with the user's source lines.
#pragma once

#include "ir/frames.h"

#include <string>
#include <vector>

namespace shapecast {

// A Python exception to be raised: "ValueError", "shapecast.UnsupportedError", ...
struct UserError {
    std::string exception, message;
    std::vector<Frame> frames;
    // "{1}: float64[s0]": operand 1 of the innermost frame's expression.
    std::vector<std::string> notes;
};

struct ErrorSite {                  // what a compiled `np.require` or trap raises
    std::string exception, message; // message with {0}..{5}
    std::vector<Frame> frames;
    std::vector<std::string> notes; // of the operands, see UserError
    size_t callers = 0; // in a function that calls share: the first frames, of the first such call
};

} // namespace shapecast
