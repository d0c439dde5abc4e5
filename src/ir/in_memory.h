// Containers and strings in memory: how types tell of them.
#pragma once

#include "ir/np.h"

namespace shapecast::np {

// In place of a static argument that is requested: the function is captured again, with
// CaptureOptions::tuplesInMemory.
inline constexpr int32_t requestsTuplesInMemory = -1;
// Where np.methods has the form of tuples that are objects in memory (ops/builder/tuple_objects.h).
inline constexpr llvm::StringLiteral tuplesInMemory = "tuples in memory";
// Where np.methods has what makes an iterator of the items of a list, of which next() takes one
// after another (passes/infer/iterator_sites.h).
inline constexpr llvm::StringLiteral iteratorOfItems = "iterator of items";
// The global list or dict of that number (Captured::containers) becomes a hidden argument.
inline constexpr int32_t requestOfGlobal(int32_t number) { return -2 - number; }

// The type of an argument that compiled code has in memory: !np.object whose name is this and the
// form (bindings/call/containers.h).
inline constexpr llvm::StringLiteral inMemoryPrefix = "in memory ";

// Containers and strings (runtime/containers.h, text.h) are held as arrays of int64 are. Entries of
// containers hold them by address, in one word. There an array of the program with one axis has
// Layout::Inner, which says the same of its strides, and tells it from these.
inline constexpr int64_t wordsOfContainer = 16;

// Of the first word of an instance: set in each, for attributes that all instances of it have.
inline constexpr unsigned bitOfAll = 62;

inline bool isHeldByAddress(ArrayType type) {
    return type.getRank() == 1 && type.getLayout() == Layout::C && type.getDtype().isInteger(64) &&
           !type.getDtype().isUnsignedInteger();
}

} // namespace shapecast::np
