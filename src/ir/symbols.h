// Names of functions in a module. What a program defines must not be taken for a function of C,
// which LLVM knows and the linker finds, nor for one of the run time: a function `exp` that calls
// math.exp would call itself.
//
// A Python function is "py." and its name; what is outlined from it adds ".nest0" and the like. No
// identifier of Python or C has a point in it, so neither can be the name of anything else.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace shapecast {

inline constexpr llvm::StringLiteral programPrefix = "py.";

inline std::string programSymbol(llvm::StringRef name) { return (programPrefix + name).str(); }

// As the user knows it: without the prefix.
inline llvm::StringRef shownSymbol(llvm::StringRef symbol) {
    symbol.consume_front(programPrefix);
    return symbol;
}

} // namespace shapecast
