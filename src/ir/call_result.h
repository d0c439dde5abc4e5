// What a call of Python must return: the type that the probe inferred, for the check at run time.
//
// Written where the call is typed (passes/infer/callouts.cpp), the attribute `expected` of np.call;
// read when compiled code has made the call (bindings/call/callouts.cpp).
#pragma once

#include "facts/dtype.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace shapecast::np {

// A sequence of nodes: tuples and lists are followed by their items.
class CallResult {
public:
    enum class Kind : char {
        Tuple = 'T',  // number: of items
        List = 'L',   // the same
        Array = 'A',  // dtype; number: the rank
        Scalar = 'S', // NumPy's; dtype
        Bool = 'b',   // Python's numbers
        Int = 'i',
        Float = 'f',
        Complex = 'c',
        Object = 'O', // number: its kind (bindings/call/opaque_kinds.h)
        Text = 't',   // a string, which becomes one in memory
        None = 'N',
        Never = 'X', // it raises
    };
    struct Node {
        Kind kind;
        DType dtype = DType::Bool;
        int64_t number = 0;
    };
    // The nodes one after the other, of a result that was written by add().
    class Reader {
    public:
        explicit Reader(llvm::StringRef text) : rest(text) {}
        Node next();

    private:
        llvm::StringRef rest;
    };

    void add(const Node &node);
    const std::string &text() const { return encoded; }
    static bool isNever(llvm::StringRef text) { return Reader(text).next().kind == Kind::Never; }

private:
    std::string encoded; // "T 2 A 11 1 i ": kind, dtype, number, each with a space
};

} // namespace shapecast::np
