// The inference of one function: what its captured values are so far, and the walk over its
// operations. What an operation is typed as is in the other headers of this folder, as functions
// that take the inference; they recur through walk(), visit() and callNamed().
#pragma once

#include "ops/builder/heap_sites.h"
#include "ops/builder/slot.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <map>
#include <memory>
#include <set>
#include <unordered_map>

namespace shapecast {

struct InferError; // ops/builder/infer_error.h

// The typed functions made for recursive calls, by callee and argument types (recursion.cpp), and
// what else the inferences of one entry share.
struct Recursions {
    struct Function {
        std::string symbol;
        unsigned startedAt = 0;       // `clock` when its last inference started
        Slot result;                  // the join of its results so far; Never: it does not return
        bool resultUsedEarly = false; // a call used `result` before the function was typed
        bool neverReturns = false;
        bool inProgress = false;          // it is being inferred
        np::FuncOp typed;                 // null: not inferred yet, or invalidated
        llvm::SmallVector<Val> arguments; // that it is inferred for
    };
    std::map<std::string, Function> functions;
    // Of the functions that are being inferred, the call from outside: for any depth of recursion
    // their operations have one location, and what they make is of one site.
    llvm::DenseMap<mlir::Operation *, mlir::Location> calledFrom;
    // The captured functions by name, which stay until the end, and whether they read globals.
    llvm::DenseMap<mlir::Attribute, np::FuncOp> captured;
    llvm::DenseMap<mlir::Operation *, bool> readsGlobals;
    unsigned clock = 0, tryBodies = 0; // inferences started; bodies of `try` outlined
    llvm::DenseMap<mlir::Attribute, llvm::SmallVector<np::FuncOp>> tries; // those, by place
    int64_t visitedOps = 0; // captured operations, each as often as it was visited
    int64_t opsOfAllAttempts = 0;
    unsigned nestingDepth = 0; // of blocks, those of callees included
    // Enclosing conditional arms; and those around the code after the innermost branch, for an arm
    // that continues with that code ("shapecast.rest").
    unsigned conditionalDepth = 0, continuationDepth = 0;
    bool defersRefusals = true; // unsupported code in such an arm raises when control reaches it
    llvm::DenseSet<mlir::Location> unsupportedLocations; // no alternative can compile them
    bool mayMakeUnions = false;                          // TypedBuilder::mayMakeUnions of all
    HeapSites heapSites; // what is known of containers in memory; kept by clear()
    unsigned heapAttempts = 0, attempts = 0;
    // Of the entry: attributes of objects from outside that are in memory (object_states.h), and the
    // sites of the lists in which they would be, by object.
    llvm::SmallVector<np::ObjectStateAttr> statesInMemory;
    llvm::DenseMap<int64_t, llvm::SmallVector<unsigned>> sitesOfStates;
    size_t sharedContainers = 0; // of HeapSites::constants and statesInMemory: all functions' last
    // Containers in memory among the parameters of recursive functions, which these calls make of
    // their handles: shapecast.container:<number>.
    struct HeapParameter {
        mlir::Attribute form;
        unsigned site;
    };
    std::vector<HeapParameter> heapParameters;
    llvm::DenseSet<mlir::Operation *> alwaysInlined; // in spite of `noinline`
    // The constants among the arguments of calls that share code.
    llvm::DenseMap<mlir::Operation *, llvm::SetVector<mlir::ArrayAttr>> constantsOf;
    // Whether calls of functions with `noinline` share code: from when an attempt becomes long,
    // until that is refused. Never: there are none.
    enum class Sharing { Never, NotYet, Wanted, Refused } sharing = Sharing::Never;
    llvm::SmallPtrSet<mlir::Operation *, 4> listed; // generator functions that append to a list now
    bool sharesCode = false;                        // some call does
    llvm::DenseMap<mlir::Operation *, int64_t> inlinedOps; // visited for one call at most
    // The calls of classes of exceptions, by class: their arguments (describeArguments).
    std::map<std::string, std::set<std::string>> exceptionsMade;
    // Invalidates what was inferred since `function` was started: its result has changed.
    void invalidateSince(const Function &function);
    void clear(); // before another attempt at the entry
};

// The containers that the error asks for are in memory from the next attempt on; false: they were.
bool useWished(HeapSites &heap, const InferError &error);
bool checksTypesFirst(mlir::Operation *op); // it checks types before sizes, as NumPy

struct Unreachable {}; // thrown where both arms of a branch inside one operation raise

// The body of a loop over a generator: the cell of the variables that it carries, and the calls
// around the loop.
struct Consumer {
    np::ForEachOp op;
    unsigned frame;
    llvm::SmallVector<np::FuncOp> callStack;
};

struct Inference {
    Inference(np::FuncOp source, mlir::OpBuilder builder, Recursions &recursions,
              np::FuncOp callee = {}, Recursions::Function *recursion = nullptr);
    Inference(const Inference &) = delete;
    ~Inference() { // a loop rewritten from another one uses values from around that one
        for (const std::unique_ptr<mlir::Region> &expansion : expansions)
            expansion->dropAllReferences();
    }

    np::FuncOp run();              // the typed function, next to the source; throws InferError
    void walk(mlir::Block &block); // all but the terminator
    void visit(mlir::Operation *op);
    // A call of the function of this name.
    Val callNamed(llvm::StringRef name, llvm::SmallVector<Val> operands,
                  llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    Val &val(mlir::Value captured);
    llvm::SmallVector<Val> vals(mlir::ValueRange captured);

    TypedBuilder e;
    np::FuncOp source;
    mlir::Operation *currentOp = nullptr; // the captured op that is being emitted
    bool skipEmptyLoops = false; // guard that a loop has no iterations, where it has none now
    double combinations = 1;     // of the types of operands, at the operation that is being visited
    llvm::SmallDenseSet<mlir::OpOperand *> narrowedOperands; // of ops that are visited so
    bool isFallback = false;   // emits the second alternative of orElse
    bool unreachable = false;  // an exception was raised: nothing after it in this block is emitted
    bool hasLateBound = false; // some functions have late-bound variables
    bool buildsResult = false; // the trees describe the function's result
    // Then: scalars become arrays without dimensions on the device, those that were made before.
    bool putsScalarsOnDevice = false;
    llvm::DenseMap<mlir::Value, mlir::Value> scalarsOnDevice;
    bool keepsChanges = false;     // the trees describe changes that count only after an exception
    bool storesAttributes = false; // the tree describes the attributes of an object
    // References to values stay valid where others are added: an operator may inline a function.
    struct HashOfValue {
        size_t operator()(mlir::Value value) const { return mlir::hash_value(value); }
    };
    std::unordered_map<mlir::Value, Val, HashOfValue> env;
    mlir::Operation *unrolledLoop = nullptr; // the outermost enclosing loop that is fully unrolled
    bool hasAlternatives = false;            // for what is not supported now: tryAlternatives
    std::vector<std::unique_ptr<mlir::Region>> expansions; // inlined bodies; `env` has their values
    llvm::DenseSet<unsigned> exhausted;                    // iterators, by serial number
    llvm::DenseMap<int64_t, Val> objectStates; // of objects that the function changes, by number
    llvm::SmallVector<Val> attributesInMemory; // the lists of Recursions::statesInMemory
    llvm::DenseMap<mlir::Operation *, unsigned> places; // of operations of our library: HeapSites
    llvm::SmallVector<Consumer> consumers; // of the loops over generators that are being emitted
    Recursions &recursions;
    Recursions::Function *recursion;         // null: this is the entry
    llvm::SmallVector<np::FuncOp> callStack; // enclosing captured functions: calls of them recurse
};

// A captured function, or one of our library; null: there is none.
np::FuncOp functionNamed(const Inference &in, mlir::SymbolRefAttr symbol);
// The function in Python that it calls; null: another one. The operations of a callee that is being
// inlined are in no module.
np::FuncOp capturedCallee(const Inference &in, np::CallOp call);

} // namespace shapecast
