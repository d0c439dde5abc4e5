// How the arguments of a call are nested: what tuples, lists, dicts, ranges and objects there are,
// down to the items, which are the parameters of the specialised function.
//
// Written when a call's arguments are flattened (bindings/dispatch/flatten.cpp), read where
// np-specialise builds the tuples and lists again. Two calls of one structure share their compiled
// variants.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace shapecast::np {

// A sequence of nodes, containers before their contents: Tuple, List, Dict and NamedTuple are
// followed by their items (those of a Dict each after its key), and by End.
class CallStructure {
public:
    enum class Kind : char {
        Item = '.',          // one parameter
        Tuple = '(',         //
        List = '[',          //
        Dict = '{',          //
        NamedTuple = 'N',    // text: the class, as RecordClass::text
        End = ')',           //
        StringKey = 's',     // text
        IntKey = 'i',        // number
        FloatList = 'F',     // a list of floats of any length: one parameter, an array
        IntList = 'I',       // the same of ints
        Range = 'R',         // number: the step; two parameters, its start and stop
        SameContainer = '~', // number: a list or dict that occurred before, in order of occurrence
        Object = '@',        // number: its kind (JittedFunction::kinds); no parameter
        SameObject = '=',    // number: an object that occurred before
    };
    struct Node {
        Kind kind;
        int64_t number = 0;
        llvm::StringRef text;
    };
    // The nodes one after the other, of a structure that was written by add().
    class Reader {
    public:
        explicit Reader(llvm::StringRef text) : rest(text) {}
        bool atEnd() const { return rest.empty(); }
        Kind peek() const { return Kind(rest.front()); }
        Node next();

    private:
        llvm::StringRef rest;
    };

    void add(Kind kind) { encoded += char(kind); }
    void add(Kind kind, int64_t number);
    void add(Kind kind, llvm::StringRef text);

    bool empty() const { return encoded.empty(); }
    // It has a meaning in other processes: no kinds of objects, no classes.
    bool isPortable() const;
    const std::string &text() const { return encoded; } // for keys, and for CallStructureAttr
    bool operator<(const CallStructure &other) const { return encoded < other.encoded; }

private:
    std::string encoded; // kind, and "12;" or "4:text"
};

} // namespace shapecast::np
