// Identifies this build of the compiler: another code has another id.
#pragma once

#include <string>

namespace shapecast {

// The ELF build id of the shared library or program that this function is in; where it has none,
// the file's path, size and modification time.
const std::string &buildId();

} // namespace shapecast
