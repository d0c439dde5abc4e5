// The one Running of the process.
#include "facts/running.h"

namespace shapecast {

std::string Running::saysOf(std::string_view usual, std::string_view name) const {
    std::string text(says(usual));
    for (size_t at = 0; (at = text.find("{}", at)) != std::string::npos; at += name.size())
        text.replace(at, 2, name);
    return text;
}

Running &running() {
    static Running found;
    return found;
}

} // namespace shapecast
