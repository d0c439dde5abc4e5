// What build of the compiler this is: other bytes for any other code.
#pragma once

#include <string>

namespace shapecast {

// The linker's build id of the module or program that this function is in; where it has none, the
// file's path, size and time of change.
const std::string &buildId();

} // namespace shapecast
