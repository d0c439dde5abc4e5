// The one Running of the process.
#include "facts/running.h"

namespace shapecast {

std::string Running::saysOf(std::string_view usual, std::string_view name) const {
    std::string text(says(usual));
    if (const size_t at = text.find("{}"); at != std::string::npos)
        text.replace(at, 2, name);
    return text;
}

Running &running() {
    static Running found;
    return found;
}

} // namespace shapecast
