// The context of np-infer's emission: where the next typed op goes, the facts about sizes, the heap
// of mutable objects, and the values of constants. What is emitted is in the other headers of this
// folder, as functions that take this context.
#pragma once

#include "ops/builder/size_facts.h"
#include "ops/builder/val.h"
#include "llvm/ADT/DenseSet.h"

namespace shapecast {

// An abstract heap cell: the state, at the current program point, of a list, dict or record that
// was allocated. Values that alias the object have the same Val::cell, so that each sees the
// mutations through the others.
struct Cell {
    ValList items;
    mlir::Attribute keys;          // of a dict; of a record its class; null for a list
    const Slot *element = nullptr; // of a DynamicList
    // Of an object of the caller's: as np.tuple's `argument` says, where its contents are stored
    // when the function returns (#np.callers_container<0>), why it is immutable ("from outside"),
    // or the number of a global list or dict, which is an argument from then on. Null: the object
    // was allocated here.
    mlir::Attribute target;
    unsigned changes = 0;    // mutations so far
    unsigned serial = 0;     // unique, while the index of a cell is reused
    mlir::LocationAttr made; // where it was allocated
};
struct HeapSites;                     // ops/builder/heap.h
constexpr unsigned unknownCell = ~0u; // one of several cells, or one of an earlier iteration

class TypedBuilder : public SizeFacts {
public:
    using SizeFacts::SizeFacts;

    //===-- Values
    Val typed(mlir::Value value); // binds a symbol when it is a Python int
    Val neverVal();
    Val noneVal();
    Val staticVal(llvm::StringRef kind, llvm::StringRef text);
    Val intVal(int64_t value);
    Val wideIntVal(const llvm::APInt &value); // an int of 64 bits where that is enough
    Val boolVal(bool value);
    Val floatVal(double value);
    Val sizeVal(np::DimAttr expr); // a Python int with this value
    Val tupleVal(std::vector<Val> items, bool list = false);
    Val constant(mlir::Attribute attr, mlir::Type type);
    // A constant from a literal attribute: integer, float, bool, [re, im], #np.py, or an array
    // (tuple) of those.
    Val literal(mlir::Attribute attr);

    // As an operand of a ufunc; UnsupportedError where it is no array or number.
    OperandType operandOf(const Val &v) const;

    mlir::StringAttr device;          // of new arrays: that of the array arguments
    const Val *ufuncTarget = nullptr; // out= of the next ufunc
    // For errors: an augmented assignment (`+=`); the array being indexed is an a.flat.
    bool inPlace = false, indexesFlat = false;
    // The integer that is computed now is an operand, at last of %, //, >> or &, and nothing else.
    bool isIntermediate = false;
    bool isBelowWideMask = false; // the same, of & or % with a constant beyond 64 bits

    //===-- Set by np-infer, which joins values and calls functions
    // Calls the Python function of that name in the interpreter.
    std::function<Val(llvm::StringRef, llvm::ArrayRef<Val>)> callPython;
    // The string in memory that Python makes of a thunk.
    std::function<Val(const Val &thunk)> textByPython;
    // The entry of a dict or set in memory whose key is equal to this one, or -1, where the key is
    // an instance whose class defines __eq__, or holds one. None: keys are found by their words.
    // TypeError where it has no hash().
    std::function<std::optional<Val>(const Val &container, const Val &key)> equalEntry;
    // A lookup may raise a KeyError of this key.
    std::function<void(const Val &key)> onKeyError;
    // An operator of which one operand is a container in memory.
    std::function<Val(llvm::StringRef, const Val &, const Val &)> operatorOnHeap;
    // Emits a branch; `arm` makes the value of each arm.
    std::function<Val(const Val &condition, llvm::function_ref<Val(bool)> arm)> branch;
    // The parameters that a weakFlag symbol depends on, where the condition is a Python bool: the
    // op that computed it may be erased.
    llvm::StringMap<llvm::SmallVector<unsigned>> flagParameters;

    llvm::StringMap<std::string> recordNames; // of the classes "record:17" that classVal made

    //===-- Mutable objects: lists, dicts, records (containers.h)
    std::vector<Cell> cells{Cell()}; // by Val::cell; the first is unused
    bool anyCellMutated = false;
    bool mayMakeDynamicLists = true; // lists of two lengths join as a DynamicList
    bool mayMakeUnions = false;      // values of two kinds join as a Union
    unsigned iterationCells = 0;     // cells from here on were allocated in this iteration
    // Serials of cells that were copied, into an item of a DynamicList or at a join: they must not
    // be mutated any more.
    llvm::DenseSet<unsigned> copiedCells;
    std::vector<std::shared_ptr<const Slot>> elementSlots; // of DynamicLists, see internSlot
    unsigned lastSerial = 0;                               // of an iterator or cell
    HeapSites *heapSites = nullptr;
    std::vector<Val> heapConstants;            // of HeapSites::constants, in order
    llvm::SmallVector<unsigned> sitesOfCopies; // of lists whose items are copies of lists and dicts
};

Dims dimsOf(const Val &v); // of an array; none of a scalar

} // namespace shapecast
