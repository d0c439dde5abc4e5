// How the results of a variant become Python objects.
#pragma once

#include "bindings/call/arguments.h"

#include <string>
#include <vector>

namespace shapecast::bindings {

// One operand of np.return: where its slots are and what object they become.
struct ResultOperand {
    enum Kind : uint8_t {
        Array,
        Strong,
        PyBool,
        PyInt,
        PyWideInt,
        PyFloat,
        PyComplex,
        Object,
        Text // a string in memory, of which a copy is made
    } kind = Array;
    DType dtype = DType::Bool; // arrays and NumPy scalars
    np::Layout layout = np::Layout::C;
    bool readonly = false;
    bool onDevice = false;
    bool carried = false; // array: result of a branch or loop
    bool scalar = false;  // array on a device: a scalar in the host
    int rank = 0;
    unsigned slot = 0;
};

struct ResultNode { // of the result tree
    enum Kind : uint8_t {
        Operand,
        Tuple,
        NamedTuple,
        Instance, // of a class in Python: the first item is not used, then its attributes
        List,
        Static,
        Optional,
        Call,
        Dict,          // the first item: a tuple of pairs
        Numbers,       // a list of Python numbers, from the elements of an array, the last item
        Container,     // the caller's own list or dict, by its number in the structure
        CallersObject, // an object whose attributes capture read, by its number
    } kind = Static;
    unsigned operand = 0;          // or the number
    unsigned cell = 0;             // lists and dicts of one number are one object; 0: none
    unsigned flag = 0;             // Optional: the operand that decides
    std::vector<ResultNode> items; // Optional: the value where the flag is set, and where not
    std::string callee;            // Call: the callable that gets the items
    Ref object;                    // Static; NamedTuple, Instance: its class
    std::vector<Ref> names;        // Instance: of its attributes
};

struct ChangedObject { // a caller's object, see changed_objects.h
    ResultNode target, contents;
    std::vector<Ref> names; // attributes; `contents` has their values
};

struct ResultPlan {
    std::vector<ResultOperand> operands;
    ResultNode tree;
    std::vector<ChangedObject> changes;
    unsigned slots = 0;
    // What to change after an exception, by the number of np.keep_changes: without a tree. Their
    // operands lie behind that number (Context::changes).
    std::vector<ResultPlan> kept;
    unsigned keptSlots = 0;
    bool changesCallers() const { return !changes.empty() || !kept.empty(); }
};

Ref staticResult(mlir::Attribute value); // the object of a static leaf of the result tree
ResultNode planNode(mlir::Attribute tree);
PyObject *callersObject(const ResultNode &node, const Call &call); // borrowed
PyObject *absentValue(); // borrowed: marks an attribute that has no value

} // namespace shapecast::bindings
