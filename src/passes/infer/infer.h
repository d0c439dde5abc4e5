// np-infer: abstract interpretation of the entry function for the call's types.
//
// Before: one public np.func, specialised (typed arguments, casts to any) and inlined; its body is
// captured Python on `tensor<*x!np.any>`. The attributes `hints` and `forbidden_guards` give
// the call's sizes and the guards that must not be assumed. After: the body is rebuilt out of typed
// ops. No value is unranked or untyped, no Python structure is left (tuples are scalarised, static
// branches pruned), each weak/strong conversion is explicit or implied by a ufunc's `loop`. Every
// equality or bound of sizes used later is proved, a guard (attribute `guards`), or an np.require
// before its use. The attribute `result` describes the returned tree.
//
// How: a forward walk that emits typed ops as it goes (TypedBuilder); `env` maps captured values to
// abstract ones (Val). A branch on a known condition walks only the live arm. A loop is a fixed
// point: it assumes the types of its initial values at the header, emits the body, joins with what
// the body yields, and repeats where the join is wider (dims widen to fresh symbols once, layouts
// drop, weak constants become strong); values without a join are an error that names both.
#pragma once

#include "ops/builder/slot.h"
#include "ops/builder/cells.h"
#include "ops/builder/function.h"
#include "ops/builder/infer_error.h"
#include "passes/frontend/inline.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <memory>

namespace shapecast {

mlir::LogicalResult inferTypes(mlir::ModuleOp module);

// The typed functions made for recursive calls, by callee and argument types (recursion.cpp), and
// what else the inferences of one entry share.
struct Recursions {
    struct Function {
        std::string symbol;
        unsigned startedAt = 0;       // `clock` when its last inference started
        Slot result;                  // the join of its results so far; Never: it does not return
        bool resultUsedEarly = false; // a call used `result` before the function was typed
        bool neverReturns = false;
        bool inProgress = false; // it is being inferred
        np::FuncOp typed;        // null: not inferred yet, or invalidated
    };
    std::map<std::string, Function> functions;
    unsigned clock = 0, tryBodies = 0; // inferences started; bodies of `try` outlined
    int64_t visitedOps = 0;            // captured operations, each as often as it was visited
    unsigned nestingDepth = 0;         // of blocks, those of callees included
    // Enclosing conditional arms; and those around the code after the innermost branch, for an arm
    // that continues with that code ("shapecast.rest").
    unsigned conditionalDepth = 0, continuationDepth = 0;
    bool defersRefusals = true; // unsupported code in such an arm raises when control reaches it
    llvm::DenseSet<mlir::Location> unsupportedLocations; // no alternative can compile them
    bool mayMakeUnions = false;                          // TypedBuilder::mayMakeUnions of all
    llvm::DenseSet<mlir::Operation *> alwaysInlined;     // in spite of `noinline`
    // Invalidates what was inferred since `function` was started: its result has changed.
    void invalidateSince(const Function &function);
    void clear(); // before another attempt at the entry
};

// The last operands of a call are its keyword arguments.
llvm::SmallVector<std::pair<llvm::StringRef, Val>> keywords(mlir::Location loc,
                                                            std::optional<mlir::ArrayAttr> names,
                                                            llvm::SmallVectorImpl<Val> &operands);
CallArguments<Val> callArguments(llvm::ArrayRef<Val> positional,
                                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

// Aborts the inference, whatever alternatives are left; without an error: it was cancelled.
struct InferAborted {
    std::optional<InferError> error;
};

class Infer {
public:
    Infer(np::FuncOp source, mlir::OpBuilder builder, Recursions &recursions,
          np::FuncOp callee = {}, Recursions::Function *recursion = nullptr)
        : e(builder, source.getContext()), source(source), recursions(recursions),
          recursion(recursion) {
        e.mayMakeUnions = recursions.mayMakeUnions;
        e.isEntry = !recursion;
        e.operandNotes = [this] { return operandNotes(); };
        e.branch = [this](const Val &condition, llvm::function_ref<Val(bool)> arm) {
            auto results = branch(e.loc, condition,
                                  [&](bool holds) { return llvm::SmallVector<Val>{arm(holds)}; });
            if (unreachable)
                throw Unreachable{};
            return results[0];
        };
        e.callPython = [this](llvm::StringRef name, llvm::ArrayRef<Val> operands) {
            return callOut(name, operands, {});
        };
        if (callee)
            callStack.push_back(callee);
    }
    Infer(const Infer &) = delete;
    ~Infer() { // a loop rewritten from another one uses values from around that one
        for (const std::unique_ptr<mlir::Region> &expansion : expansions)
            expansion->dropAllReferences();
    }
    np::FuncOp run();            // the typed function, next to the source; throws InferError
    bool skipEmptyLoops = false; // guard that a loop has no iterations, where it has none now

private:
    struct Unreachable {}; // thrown where both arms of a branch inside one operation raise
    void bindArguments(np::FuncOp target);
    void bindStates();
    Val stateOf(np::ObjectStateAttr state, llvm::ArrayRef<Val> hidden);
    void readHints();
    void checkAnnotations(); // annotations.cpp
    // returns.cpp
    Val returned(np::ReturnOp op);
    void emitReturn(np::ReturnOp op);
    Val boundValue(const Val &v);
    mlir::Attribute resultTree(const Val &v, llvm::SmallVectorImpl<mlir::Value> &leaves);
    mlir::Attribute contentsTree(const Val &v, llvm::SmallVectorImpl<mlir::Value> &leaves);
    mlir::Attribute targetOf(const Val &v) const;
    mlir::ArrayAttr changedContents(llvm::SmallVectorImpl<mlir::Value> &leaves);

    void walk(mlir::Block &block); // all but the terminator
    void countVisit(mlir::Operation *op);
    void visit(mlir::Operation *op);
    static bool checksTypesFirst(mlir::Operation *op); // it checks types before sizes, as NumPy
    std::vector<std::string> operandNotes();
    void visitConst(np::ConstOp op);
    void visitCast(np::CastOp op);
    void visitCall(np::CallOp op);
    void visitUfunc(np::UfuncOp op);
    void visitPyOp(np::PyOp op);
    void visitSetItem(np::SetItemOp op);
    void visitMethod(np::MethodOp op);
    // setattr.cpp
    Val setAttribute(np::MethodOp op);
    void checkOnlyName(np::MethodOp op, const Val &array);
    // functions.cpp
    void visitClosure(np::ClosureOp op);
    void visitApply(np::ApplyOp op);
    Val apply(const Val &function, llvm::ArrayRef<Val> positional,
              llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named, mlir::Location location);
    using Changes = llvm::SmallVector<unsigned>; // modification counts of lists and dicts
    Changes changesNow() const;
    // Refuses functions with late-bound variables in these values, and in lists and dicts that were
    // changed since `before`.
    void refuseEscaping(llvm::ArrayRef<Val> values, const Changes &before);
    void refuseEscaping(const Val &value);

    Val callCaptured(np::FuncOp callee, const CallArguments<Val> &call, mlir::Location location);
    Val inlineLibraryCall(np::FuncOp written, const CallArguments<Val> &call);
    Val outlineCall(np::FuncOp callee, llvm::ArrayRef<Val> arguments, mlir::Location location);
    Val inlineCall(np::FuncOp callee, llvm::ArrayRef<Val> arguments, mlir::Location location);

    // try.cpp
    void visitAttempt(np::TryOp op);
    np::FuncOp outlineTry(np::TryOp op, llvm::SmallVector<Val> &arguments);

    // recursion.cpp
    // With `attempt`, the names of exception classes, the call catches these: `caught` gets
    // np.call's last three results.
    Val recursiveCall(np::FuncOp callee, llvm::ArrayRef<Val> given, mlir::Location location,
                      std::optional<std::string> attempt = std::nullopt,
                      llvm::SmallVector<Val, 3> *caught = nullptr);
    void inferRecursive(Recursions::Function &function, np::FuncOp callee,
                        llvm::ArrayRef<Val> arguments, mlir::Location location);
    llvm::SmallVector<Val> globals();
    void packResult(const Val &given, llvm::SmallVectorImpl<mlir::Value> &leaves);
    np::FuncOp specialisedCopy(np::FuncOp callee, llvm::StringRef symbol,
                               llvm::ArrayRef<Val> arguments, mlir::Location location);
    Val callOperation(const Function &function, llvm::ArrayRef<Val> operands,
                      llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    Val callNamed(llvm::StringRef name, llvm::SmallVector<Val> operands,
                  llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    // callouts.cpp: a call of Python at run time
    Val callOut(llvm::StringRef name, llvm::ArrayRef<Val> operands,
                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    std::optional<Val> foldTextMethod(const Val &text, llvm::StringRef name,
                                      llvm::ArrayRef<Val> operands,
                                      llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    static bool canCallOut();
    // ufuncs.cpp: none where it is not a ufunc, or has no C loop for these operands
    std::optional<Val> callUfuncLoop(llvm::StringRef name, llvm::ArrayRef<Val> operands,
                                     llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    Val callLoopPrimitive(llvm::StringRef name, llvm::ArrayRef<Val> operands);
    Val orElse(llvm::function_ref<Val()> first, llvm::function_ref<Val()> second);
    Val callList(const Val &list, llvm::StringRef name, llvm::ArrayRef<Val> given,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    void listsToArrays(llvm::MutableArrayRef<Val> operands);
    Val callLibraryOrPython(llvm::StringRef name, llvm::ArrayRef<Val> operands,
                            llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    std::optional<std::string> bind(np::FuncOp callee, const CallArguments<Val> &call,
                                    llvm::SmallVectorImpl<Val> &bound);
    bool binds(np::FuncOp callee, const CallArguments<Val> &call);
    std::optional<Val> visitPythonObject(mlir::Operation *op);
    static bool needPython(llvm::ArrayRef<Val> operands,
                           llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    bool visitUnionOperand(mlir::Operation *op); // unions.cpp
    static constexpr unsigned maxUnionDepth = 6;
    unsigned unionDepth = 0; // enclosing branches that it has opened
    void visitGetItem(np::GetItemOp op);
    void visitTuple(np::TupleOp op);
    void visitDict(np::TupleOp op);
    void visitUnpack(np::UnpackOp op);
    llvm::SmallVector<Val> expandStarred(mlir::DenseI64ArrayAttr starred,
                                         mlir::ValueRange captured);
    void visitCheckBound(np::CheckBoundOp op);
    void visitGlobal(np::GlobalOp op);
    void visitPrint(np::PrintOp op);
    void visitRaise(np::RaiseOp op);
    void refuseRunTimeText(mlir::Operation *op);

    // control.cpp
    // The state that is restored when what was emitted since is thrown away.
    struct Checkpoint {
        TypedBuilder &e;
        unsigned nextSymbol, iterationCells;
        size_t guards, sizeFactCount;
        std::vector<Cell> cells;
        np::DimFacts::Mark mark;
        mlir::OpBuilder::InsertPoint point;
        explicit Checkpoint(TypedBuilder &e)
            : e(e), nextSymbol(e.nextSymbol), iterationCells(e.iterationCells),
              guards(e.guards.size()), sizeFactCount(e.sizeFacts.size()), cells(e.cells),
              mark(e.facts.mark()), point(e.b.saveInsertionPoint()) {}
        void rollBack() {
            e.nextSymbol = nextSymbol;
            e.guards.truncate(guards);
            e.cells = cells;
            commit();
        }
        void commit() { // the body's facts hold in the body only
            e.iterationCells = iterationCells;
            e.facts.rewind(mark);
            e.sizeFacts.resize(sizeFactCount);
            e.b.restoreInsertionPoint(point);
        }
    };
    struct Loop;
    struct CountedRange;
    void visitIf(np::IfOp op);
    // `whole`: it emits a whole captured operation, which can be unsupported by itself.
    void orRaise(llvm::function_ref<void()> emit, bool typesFirst = false, bool whole = false);
    llvm::SmallVector<Val> branch(mlir::Location loc, const Val &condition,
                                  llvm::function_ref<llvm::SmallVector<Val>(bool)> arm);
    void visitWhile(np::WhileOp op);
    void countedLoop(np::ForEachOp op, np::DimAttr lower, np::DimAttr upper, np::DimAttr step,
                     llvm::function_ref<Val(const Val &counter)> element);
    bool hasIteration(const CountedRange &range); // at least; a guard where it is not proved
    bool hasNoIteration(const CountedRange &range);
    np::DimAttr emitCountedBody(Loop &loop, const CountedRange &range, mlir::Region &body,
                                llvm::function_ref<Val(const Val &counter)> element);
    bool peel(Loop &loop, CountedRange &range, llvm::function_ref<Val(const Val &counter)> element);
    void addRelation(const Val &condition, bool holds, bool lasting = false);
    void carryInnerSizes(Slot &slot, unsigned firstInnerSymbol);
    void addTestFacts(Val condition, llvm::ArrayRef<Val> tested, llvm::ArrayRef<Val> carried);
    llvm::SmallVector<Val> openLoopBlock(const Loop &loop, mlir::Region &region, mlir::Type count,
                                         mlir::ValueRange captured);
    void addMonotoneBound(const Loop &loop, size_t variable, const Val &v);
    bool findMonotone(Loop &loop, llvm::ArrayRef<Val> next, llvm::ArrayRef<mlir::Region *> regions);
    bool closeLoopBody(Loop &loop, Checkpoint &checkpoint, llvm::ArrayRef<mlir::Region *> regions);
    llvm::SmallVector<mlir::Value> packAll(llvm::ArrayRef<Slot> slots, llvm::ArrayRef<Val> values);
    void finishLoop(const Loop &loop, mlir::ValueRange results);
    void adoptCells(Slot &slot, size_t outer, llvm::DenseMap<unsigned, unsigned> &adopted);
    bool carryChangedCells(Loop &loop, const Checkpoint &checkpoint);
    Val compensatedSum(const Val &iterable, const Val &start);
    Val foldLeft(llvm::StringRef op, const Val &iterable, Val start);
    Val sumCall(bool sum, llvm::ArrayRef<Val> operands,
                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    void checkStrictZip(llvm::ArrayRef<Val> items);
    Val mathCall(llvm::StringRef name, llvm::ArrayRef<Val> operands,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

    // iterables.cpp
    void visitForEach(np::ForEachOp op);
    void iterate(np::ForEachOp op, const Val &iterable);
    std::optional<np::DimAttr> lengthOf(const Val &iterable);
    std::optional<Dims> lengthsOf(llvm::ArrayRef<Val> iterables);
    Val itemAt(const Val &iterable, const Val &index);
    Val pickItem(const Val &tuple, const Val &index);
    Val tupleItem(const Val &tuple, const Val &index);
    std::optional<std::vector<Val>> knownItems(const Val &iterable); // exhausts an iterator
    bool shouldUnroll(const Val &iterable);
    std::optional<std::vector<Val>> unrolledItems(const Val &iterable);
    void tryAlternatives(llvm::ArrayRef<std::function<void()>> alternatives);
    void exhaust(const Val &iterator);
    Val nextCall(llvm::ArrayRef<Val> operands);
    bool isShortLoop(np::ForEachOp op, const Val &iterable);
    void tryOrIterateChanging(np::ForEachOp op, const Val &iterable,
                              std::vector<std::function<void()>> alternatives);
    bool isLongLoop(np::ForEachOp op, const Val &iterable);
    void iterateByIndex(np::ForEachOp op, const Val &iterable);
    void iterateProduct(np::ForEachOp op, const Val &product);
    void iterateChanging(np::ForEachOp op, const Val &iterable, const Val &list);
    std::optional<Val> itemOfIteration(const Val &iterable, llvm::ArrayRef<Val> items,
                                       size_t iteration);
    void unroll(np::ForEachOp op, llvm::ArrayRef<Val> items, const Val &iterable = {});
    llvm::SmallVector<Val> unrollFrom(np::ForEachOp op, llvm::ArrayRef<Val> items,
                                      const Val &iterable, size_t iteration,
                                      llvm::SmallVector<Val> carried);

    Val &val(mlir::Value captured) {
        Val &v = env[captured];
        if (e.anyCellMutated)
            reloadCells(e, v);
        return v;
    }
    llvm::SmallVector<Val> vals(mlir::ValueRange captured);

    TypedBuilder e;
    np::FuncOp source;
    mlir::Operation *currentOp = nullptr; // the captured op that is being emitted
    bool isFallback = false;              // emits the second alternative of orElse
    bool unreachable = false;  // an exception was raised: nothing after it in this block is emitted
    bool hasLateBound = false; // some functions have late-bound variables
    bool buildsResult = false; // the trees describe the function's result
    bool storesAttributes = false; // the tree describes the attributes of an object
    llvm::DenseMap<mlir::Value, Val> env;
    mlir::Operation *unrolledLoop = nullptr; // the outermost enclosing loop that is fully unrolled
    std::vector<std::unique_ptr<mlir::Region>> expansions; // inlined bodies; `env` has their values
    llvm::DenseSet<unsigned> exhausted;                    // iterators, by serial number
    llvm::DenseMap<int64_t, Val> objectStates; // of objects that the function changes, by number
    Recursions &recursions;
    Recursions::Function *recursion;         // null: this is the entry
    llvm::SmallVector<np::FuncOp> callStack; // enclosing captured functions: calls of them recurse
};

} // namespace shapecast
