// np-infer: abstract interpretation of the entry function for the call's types.
//
// Before: one public np.func, specialised (typed arguments, casts to any) and inlined; its body is
// captured Python on `tensor<*x!np.any>`. Attributes `hints`, `forbidden` tell the call's sizes and
// the guards not to be assumed. After: the body is rebuilt out of typed ops. No value is unranked
// or untyped, no Python structure is left (tuples are exploded, static branches pruned), each
// weak/strong conversion is explicit or implied by a ufunc's `loop`. Every equality or bound of
// sizes used later is proved, a guard (attribute `guards`), or an np.require before its use.
// Attribute `result` describes the returned tree.
//
// How: a forward walk that emits while it reads (TypedBuilder), env: captured value -> Val. A
// branch on a known condition walks only the live arm. A loop assumes the types of its initial
// values at the header, emits the body, joins with what the body yields, and starts again where
// that was wider (dims change to fresh symbols once, layouts drop, weak constants become strong);
// what cannot be joined is an error that names both.
#pragma once

#include "ops/join.h"
#include "ops/typed.h"
#include "passes/inline.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <memory>

namespace shapecast {

// The typed functions that recursive calls made, by callee and argument types (recursion.cpp).
struct Recursions {
    struct Function {
        std::string symbol;
        unsigned began = 0; // when it was inferred last
        Slot result;        // what is known of it so far; Never: it does not return
        bool asked = false; // a call before it was typed needed `result`
        bool never = false; // it never returns
        bool open = false;  // it is being inferred
        np::FuncOp typed;   // null: it is not, or what it was inferred from has changed
    };
    std::map<std::string, Function> functions;
    unsigned time = 0, attempts = 0; // the latter: bodies of `try` so far
    int64_t visited = 0;             // captured operations, each as often as it was met
    unsigned depth = 0;              // blocks around, those of callees included
    // Branches around that are not always taken; of what stands behind the innermost one, where its
    // arm goes on with that ("shapecast.rest").
    unsigned arms = 0, armsAround = 0;
    bool defersRefusals = true; // what is refused in them is an error when it runs
    // Places of which it is known that there is no way to compile them.
    llvm::DenseSet<mlir::Location> refused;
    bool mayDiffer = false;                     // TypedBuilder::mayDiffer of all
    llvm::DenseSet<mlir::Operation *> unshared; // long functions that are written out all the same
    // Those that were inferred since `function` was begun, whose result has changed.
    void forgetSince(const Function &function);
    void clear(); // for another attempt at the entry
};

// The last operands of a call are its keyword arguments.
llvm::SmallVector<std::pair<llvm::StringRef, Val>> keywords(mlir::Location loc,
                                                            std::optional<mlir::ArrayAttr> names,
                                                            llvm::SmallVectorImpl<Val> &operands);
CallArguments<Val> callArguments(llvm::ArrayRef<Val> positional,
                                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

// Ends the inference whatever else there is to try; without an error nobody waits for it any more.
struct InferEnd {
    std::optional<InferError> error;
};

class Infer {
public:
    Infer(np::FuncOp source, mlir::OpBuilder builder, Recursions &recursions,
          np::FuncOp callee = {}, Recursions::Function *recursion = nullptr)
        : e(builder, source.getContext()), source(source), recursions(recursions),
          recursion(recursion) {
        e.mayDiffer = recursions.mayDiffer;
        e.isEntry = !recursion;
        e.operandNotes = [this] { return operandNotes(); };
        e.branch = [this](const Val &condition, llvm::function_ref<Val(bool)> arm) {
            auto results = branch(e.loc, condition,
                                  [&](bool holds) { return llvm::SmallVector<Val>{arm(holds)}; });
            if (ended)
                throw Ended{};
            return results[0];
        };
        e.callPython = [this](llvm::StringRef name, llvm::ArrayRef<Val> given) {
            return callOut(name, given, {});
        };
        if (callee)
            active.push_back(callee);
    }
    Infer(const Infer &) = delete;
    ~Infer() { // a loop that is made of another one uses what stands around that
        for (const std::unique_ptr<mlir::Region> &expansion : expansions)
            expansion->dropAllReferences();
    }
    np::FuncOp run();            // the typed function, next to the source; throws InferError
    bool skipEmptyLoops = false; // assume that a loop does not run, where it does not in this call

private:
    struct Ended {}; // thrown where both arms of a branch within an operation raise
    void bindArguments(np::FuncOp target);
    void bindStates();
    Val stateOf(mlir::DictionaryAttr state, llvm::ArrayRef<Val> hidden);
    void readHints();
    void checkAnnotations(); // infer_annotations.cpp
    // infer_returns.cpp
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
    static bool isOneOperation(mlir::Operation *op); // of NumPy's: types before sizes
    std::vector<std::string> operandNotes();
    void visitConst(np::ConstOp op);
    void visitCast(np::CastOp op);
    void visitCall(np::CallOp op);
    void visitUfunc(np::UfuncOp op);
    void visitPyOp(np::PyOp op);
    void visitSetItem(np::SetItemOp op);
    void visitMethod(np::MethodOp op);
    // infer_setattr.cpp
    Val setAttribute(np::MethodOp op);
    void checkOnlyName(np::MethodOp op, const Val &array);
    // infer_functions.cpp
    void visitClosure(np::ClosureOp op);
    void visitApply(np::ApplyOp op);
    Val apply(const Val &function, llvm::ArrayRef<Val> positional,
              llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named, mlir::Location place);
    using Changes = llvm::SmallVector<unsigned>; // how often each list and dict was changed
    Changes changesNow() const;
    // Refuses functions whose variables are assigned again later, in these values and in lists and
    // dicts that were changed since.
    void refuseEscaping(llvm::ArrayRef<Val> values, const Changes &before);
    void refuseEscaping(const Val &value);

    Val callCaptured(np::FuncOp callee, const CallArguments<Val> &call, mlir::Location place);
    Val callWritten(np::FuncOp written, const CallArguments<Val> &call);
    Val sharedCall(np::FuncOp callee, llvm::ArrayRef<Val> arguments, mlir::Location place);
    Val expandCall(np::FuncOp callee, llvm::ArrayRef<Val> arguments, mlir::Location place);

    // infer_attempt.cpp
    void visitAttempt(np::AttemptOp op);
    np::FuncOp bodyOf(np::AttemptOp op, llvm::SmallVector<Val> &arguments);

    // recursion.cpp
    // With `attempt`, the names of classes, exceptions end here: `caught` gets np.call's last
    // three.
    Val recursiveCall(np::FuncOp callee, llvm::ArrayRef<Val> given, mlir::Location place,
                      std::optional<std::string> attempt = std::nullopt,
                      llvm::SmallVector<Val, 3> *caught = nullptr);
    void inferRecursive(Recursions::Function &function, np::FuncOp callee,
                        llvm::ArrayRef<Val> arguments, mlir::Location place);
    llvm::SmallVector<Val> globals();
    void packResult(const Val &given, llvm::SmallVectorImpl<mlir::Value> &leaves);
    np::FuncOp specialisedCopy(np::FuncOp callee, llvm::StringRef symbol,
                               llvm::ArrayRef<Val> arguments, mlir::Location place);
    Val callOperation(const Function &function, llvm::ArrayRef<Val> operands,
                      llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    Val callNamed(llvm::StringRef name, llvm::SmallVector<Val> operands,
                  llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    // infer_callouts.cpp: a function that stays Python's
    Val callOut(llvm::StringRef name, llvm::ArrayRef<Val> operands,
                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    std::optional<Val> knownText(const Val &text, llvm::StringRef name,
                                 llvm::ArrayRef<Val> operands,
                                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    static bool canCallOut();
    // infer_ufuncs.cpp: none where it is no ufunc, or has no C loop for these operands
    std::optional<Val> callLoop(llvm::StringRef name, llvm::ArrayRef<Val> operands,
                                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    Val askedOfLoop(llvm::StringRef name, llvm::ArrayRef<Val> operands);
    Val orElse(llvm::function_ref<Val()> first, llvm::function_ref<Val()> second);
    Val callList(const Val &list, llvm::StringRef name, llvm::ArrayRef<Val> given,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    void withArrays(llvm::MutableArrayRef<Val> operands);
    Val callUncompiled(llvm::StringRef name, llvm::ArrayRef<Val> operands,
                       llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    std::optional<std::string> bind(np::FuncOp callee, const CallArguments<Val> &call,
                                    llvm::SmallVectorImpl<Val> &bound);
    bool binds(np::FuncOp callee, const CallArguments<Val> &call);
    std::optional<Val> visitObject(mlir::Operation *op);
    static bool isPythons(llvm::ArrayRef<Val> operands,
                          llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    bool visitCases(mlir::Operation *op); // infer_maybe.cpp
    static constexpr unsigned mostCases = 6;
    unsigned cases = 0; // branches around that such operations have opened
    void visitGetItem(np::GetItemOp op);
    void visitTuple(np::TupleOp op);
    void visitDict(np::TupleOp op);
    void visitUnpack(np::UnpackOp op);
    llvm::SmallVector<Val> spread(mlir::Operation *op, mlir::ValueRange captured);
    void visitCheckBound(np::CheckBoundOp op);
    void visitGlobal(np::GlobalOp op);
    void visitPrint(np::PrintOp op);
    void visitRaise(np::RaiseOp op);
    void refuseText(mlir::Operation *op);

    // infer_control.cpp
    // What an abandoned attempt must give back.
    struct Attempt {
        TypedBuilder &e;
        unsigned nextSymbol, turnCells;
        size_t guards, learned;
        std::vector<Cell> cells;
        np::DimFacts::Mark mark;
        mlir::OpBuilder::InsertPoint point;
        explicit Attempt(TypedBuilder &e)
            : e(e), nextSymbol(e.nextSymbol), turnCells(e.turnCells), guards(e.guards.size()),
              learned(e.learned.size()), cells(e.cells), mark(e.facts.mark()),
              point(e.b.saveInsertionPoint()) {}
        void abandon() {
            e.nextSymbol = nextSymbol;
            e.guards.truncate(guards);
            e.cells = cells;
            keep();
        }
        void keep() { // the body's facts hold in the body only
            e.turnCells = turnCells;
            e.facts.rewind(mark);
            e.learned.resize(learned);
            e.b.restoreInsertionPoint(point);
        }
    };
    struct Loop;
    struct Counting;
    void visitIf(np::IfOp op);
    // `whole`: of a captured operation, which can be refused by itself.
    void orRaise(llvm::function_ref<void()> emit, bool oneOperation = false, bool whole = false);
    llvm::SmallVector<Val> branch(mlir::Location loc, const Val &condition,
                                  llvm::function_ref<llvm::SmallVector<Val>(bool)> arm);
    void visitWhile(np::WhileOp op);
    void countedLoop(np::ForEachOp op, np::DimAttr lower, np::DimAttr upper, np::DimAttr step,
                     llvm::function_ref<Val(const Val &counter)> element);
    bool runsOnce(const Counting &range); // assumed where it is not known
    bool runsNever(const Counting &range);
    np::DimAttr countedRound(Loop &loop, const Counting &range, mlir::Region &body,
                             llvm::function_ref<Val(const Val &counter)> element);
    bool peel(Loop &loop, Counting &range, llvm::function_ref<Val(const Val &counter)> element);
    void addRelation(const Val &condition, bool holds, bool lasting = false);
    void carryInner(Slot &slot, unsigned firstInner);
    void addTest(Val condition, llvm::ArrayRef<Val> tested, llvm::ArrayRef<Val> carried);
    llvm::SmallVector<Val> enterLoop(const Loop &loop, mlir::Region &region, mlir::Type count,
                                     mlir::ValueRange captured);
    void addTrend(const Loop &loop, size_t variable, const Val &v);
    bool findTrends(Loop &loop, llvm::ArrayRef<Val> next, llvm::ArrayRef<mlir::Region *> regions);
    bool endBody(Loop &loop, Attempt &attempt, llvm::ArrayRef<mlir::Region *> regions);
    llvm::SmallVector<mlir::Value> packAll(llvm::ArrayRef<Slot> slots, llvm::ArrayRef<Val> values);
    void finishLoop(const Loop &loop, mlir::ValueRange results);
    void adopt(Slot &slot, size_t outer, llvm::DenseMap<unsigned, unsigned> &adopted);
    bool carryChanged(Loop &loop, const Attempt &attempt);
    Val compensatedSum(const Val &iterable, const Val &start);
    Val foldedInOrder(llvm::StringRef op, const Val &iterable, Val start);
    Val sumCall(bool sum, llvm::ArrayRef<Val> operands,
                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
    void checkStrictZip(llvm::ArrayRef<Val> items);
    Val mathCall(llvm::StringRef name, llvm::ArrayRef<Val> operands,
                 llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);

    // infer_iterables.cpp
    void visitForEach(np::ForEachOp op);
    void goOver(np::ForEachOp op, const Val &iterable);
    std::optional<np::DimAttr> lengthOf(const Val &iterable);
    std::optional<Dims> lengthsOf(llvm::ArrayRef<Val> iterables);
    Val itemAt(const Val &iterable, const Val &index);
    Val pickItem(const Val &tuple, const Val &index);
    Val tupleItem(const Val &tuple, const Val &index);
    std::optional<std::vector<Val>> knownItems(const Val &iterable); // uses an iterator up
    bool writesOut(const Val &iterable);
    std::optional<std::vector<Val>> writtenOut(const Val &iterable);
    void firstOf(llvm::ArrayRef<std::function<void()>> ways);
    void use(const Val &iterator);
    Val nextCall(llvm::ArrayRef<Val> operands);
    bool isShort(np::ForEachOp op, const Val &iterable);
    void orChanging(np::ForEachOp op, const Val &iterable, std::vector<std::function<void()>> ways);
    bool isLong(np::ForEachOp op, const Val &iterable);
    void goOverMany(np::ForEachOp op, const Val &iterable);
    void goOverProduct(np::ForEachOp op, const Val &product);
    void goOverChanging(np::ForEachOp op, const Val &iterable, const Val &list);
    std::optional<Val> itemOfTurn(const Val &iterable, llvm::ArrayRef<Val> items, size_t turn);
    void unroll(np::ForEachOp op, llvm::ArrayRef<Val> items, const Val &iterable = {});
    llvm::SmallVector<Val> unrollFrom(np::ForEachOp op, llvm::ArrayRef<Val> items,
                                      const Val &iterable, size_t turn,
                                      llvm::SmallVector<Val> carried);

    Val &val(mlir::Value captured) {
        Val &v = env[captured];
        if (e.anyChanged)
            e.refresh(v);
        return v;
    }
    llvm::SmallVector<Val> vals(mlir::ValueRange captured);

    TypedBuilder e;
    np::FuncOp source;
    mlir::Operation *visited = nullptr; // the captured op that is being emitted
    bool instead =
        false;          // of what was refused: a call that raises for samples tells less than that
    bool ended = false; // an exception was raised: nothing after it in this block is emitted
    bool marksFunctions = false;   // a variable of one of them is assigned again later
    bool returns = false;          // the trees are of what the function returns
    bool storesAttributes = false; // the tree is of what objects hold then
    llvm::DenseMap<mlir::Value, Val> env;
    mlir::Operation *unrolled = nullptr; // the outermost loop around that is written out
    std::vector<std::unique_ptr<mlir::Region>> expansions; // of callees; `env` knows their values
    llvm::DenseSet<unsigned> used;                         // iterators that are at their end
    llvm::DenseMap<int64_t, Val> states; // what objects hold that the function changes, by number
    Recursions &recursions;
    Recursions::Function *recursion;      // null: this is the entry
    llvm::SmallVector<np::FuncOp> active; // captured functions around: calls of them are recursion
};

} // namespace shapecast
