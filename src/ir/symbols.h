// Symbol names of functions in a module. A program's function must not clash with a C function,
// which LLVM recognises and the linker resolves, nor with a runtime function: a function `exp` that
// calls math.exp would call itself.
//
// A Python function is "py." and its name; what is outlined from it adds ".nest0" and the like. No
// identifier of Python or C contains a dot, so neither clashes with another name.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace shapecast {

inline constexpr llvm::StringLiteral programPrefix = "py.";

inline std::string programSymbol(llvm::StringRef name) { return (programPrefix + name).str(); }

// The user's name for it: without the prefix.
inline llvm::StringRef shownSymbol(llvm::StringRef symbol) {
    symbol.consume_front(programPrefix);
    return symbol;
}

// Of what is called: "fib" for @py.fib.callee.1, "back" for @"pyfunc:0:back".
inline llvm::StringRef shownCallee(llvm::StringRef symbol) {
    symbol = shownSymbol(symbol).split(".callee.").first;
    return symbol.substr(symbol.rfind(':') + 1);
}

} // namespace shapecast
