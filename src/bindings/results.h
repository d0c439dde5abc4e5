// Python objects from what compiled code returned: NumPy-owned arrays without a copy, scalars,
// nested tuples.
#pragma once

#include "bindings/arguments.h"
#include "compile.h"

namespace shapecast::bindings {

// One operand of np.return: where its slots are and what object they become.
struct ResultOperand {
    enum Kind : uint8_t { Array, Strong, PyBool, PyInt, PyFloat, PyComplex, Object } kind = Array;
    DType dtype = DType::Bool; // arrays and NumPy scalars
    np::Layout layout = np::Layout::C;
    bool readonly = false;
    bool carried = false; // array: out of a branch or loop
    int rank = 0;
    unsigned slot = 0;
};

struct ResultNode { // of the result tree
    enum Kind : uint8_t {
        Operand,
        Tuple,
        NamedTuple,
        List,
        Static,
        Maybe,
        Call,
        Dict,          // the first item: a tuple of pairs
        Numbers,       // a list of Python's numbers that stand in an array, the last item
        Container,     // the caller's own list or dict, by its number among the arguments
        CallersObject, // an object that capture read through, by its number
    } kind = Static;
    unsigned operand = 0; // or the number
    unsigned cell = 0;    // of a list or dict: those of one number are one object; 0: of none
    unsigned flag = 0;    // Maybe: the operand that decides
    std::vector<ResultNode> items; // Maybe: what it is where the flag is set, and where not
    std::string callee;            // Call: what makes the object of the items
    Ref object;                    // Static; NamedTuple: its class
};

struct ChangedObject { // of the caller's: see written.h
    ResultNode where, contents;
    std::vector<Ref> names; // the attributes, of which `contents` has the values
};

struct ResultPlan {
    std::vector<ResultOperand> operands;
    ResultNode tree;
    std::vector<ChangedObject> changes;
    unsigned slots = 0;
};

Ref staticResult(mlir::Attribute value);        // the object of a static leaf of the result tree
ResultPlan planResults(const Variant &variant); // the interpreter lock is held
ResultNode planNode(mlir::Attribute tree);
PyObject *callersObject(const ResultNode &node, const Call &call); // borrowed
PyObject *absentValue(); // borrowed: stands for an attribute that has no value
// New reference, or null with an exception set; buffers that become part of it leave ctx's list.
PyObject *wrapResults(const ResultPlan &plan, const Call &call, runtime::Context &ctx,
                      const int64_t *slots);
PyObject *scalarObject(DType dtype, const int64_t *slot); // a NumPy scalar
PyArray_Descr *descriptorOf(DType dtype);                 // borrowed
Ref callNamed(const char *name, PyObject *arguments);     // see python/shapecast/_objects.py
// records.cpp: Python's print, and raise, with compiled code's values; they take the interpreter
// lock.
int32_t printItems(runtime::Context *ctx, const runtime::PrintItem *items, int64_t count);
void raiseItems(runtime::Context *ctx, const runtime::PrintItem *items, int64_t count);
bool initResults(); // once, at import; false with an exception set

} // namespace shapecast::bindings
