// A monomorphic inline cache for the arguments of a jitted function: what they were in the last
// calls. A hit has the same key and variant, without the key being computed.
#pragma once

#include "bindings/call/arguments.h"

namespace shapecast::bindings {

// Hits: arrays of the same dtype, rank and layout that do not overlap (or are identical, where they
// were), and numbers of the same classes. A few compares per argument.
class InlineCache {
public:
    // Caches a call that readArguments() has read. False where a later hit could have another key.
    bool update(const Call &call, size_t parameters);
    // On a hit, fills in the slots and the number of elements. False on a miss: the contents of
    // `call` are undefined then.
    bool match(PyObject *const *arguments, Call &call) const;

private:
    struct Item {
        enum Kind : uint8_t { Array, PyNumber, NumpyScalar, Identical } kind;
        uint8_t rank = 0, shift = 0; // Array
        uint8_t bytes = 0;           // NumpyScalar
        // Array: the first one that is the same view, and of that the number of such arrays.
        uint16_t firstAlias = 0, aliasCount = 0;
        uint32_t slot = 0;
        int flags = 0; // Array: layout, and whether it can be written to
        // Array: its descriptor. PyNumber, NumpyScalar: its class. Identical: the object itself.
        PyObject *identity = nullptr;
    };
    llvm::SmallVector<Item, 4> items;
    llvm::SmallVector<Ref, 4> owned; // what `identity` points to
    unsigned slots = 0;
    int arrays = 0; // distinct ones

    bool addItem(PyObject *object, KeyWord word);
    bool setAliases(llvm::ArrayRef<uint64_t> aliases);
};

} // namespace shapecast::bindings
