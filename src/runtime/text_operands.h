// What the functions on strings share that compiled code calls.
#pragma once

#include "runtime/native.h"
#include "runtime/text.h"

#include <algorithm>

namespace shapecast::runtime {

inline std::string_view bytesOf(const Text &text) {
    return {text.data, static_cast<size_t>(text.length * text.width)};
}

inline bool isAscii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
}

bool isOf(uint32_t character, TextTest test); // whether it is of that class

inline Text &textIn(NativeOperands &in) { return *reinterpret_cast<Text *>(in.array().data); }

inline int64_t done(bool isMade) { return isMade ? 0 : nativeFails; }

} // namespace shapecast::runtime
