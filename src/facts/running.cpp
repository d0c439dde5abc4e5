// The one Running of the process.
#include "facts/running.h"

namespace shapecast {

Running &running() {
    static Running found;
    return found;
}

} // namespace shapecast
