// What the arguments of a call looked like: of one that looks the same, the key is known.
#pragma once

#include "bindings/arguments.h"

namespace shapecast::bindings {

// Arrays of the same dtype, rank and layout that do not overlap, or are one, and the same kinds of
// numbers: a few compares an argument, in place of a key.
class Pattern {
public:
    // That of a call that readArguments() has read. False where a call may look the same and have
    // another key.
    bool take(const Call &call, size_t parameters);
    // The slots and the number of elements of a call of this pattern; false: it is of another, and
    // what is in `call` has no meaning.
    bool read(PyObject *const *arguments, Call &call) const;

private:
    struct Item {
        enum Kind : uint8_t { Array, Number, Value, Same } kind;
        uint8_t rank = 0, shift = 0; // Array
        uint8_t bytes = 0;           // Value
        // Array: the first one that is the same window, and how many are so if it is the first.
        uint16_t twin = 0, twins = 0;
        uint32_t slot = 0;
        int flags = 0; // Array: layout, and whether it can be written to
        // Array: its descriptor. Number of Python's, Value of NumPy's: its class. Same: itself.
        PyObject *identity = nullptr;
    };
    llvm::SmallVector<Item, 4> items;
    llvm::SmallVector<Ref, 4> owned; // what `identity` points to
    unsigned slots = 0;
    int arrays = 0; // different ones

    bool takeItem(PyObject *object, KeyWord word);
    bool takeTwins(llvm::ArrayRef<uint64_t> aliases);
};

} // namespace shapecast::bindings
