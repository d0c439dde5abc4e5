// State and building blocks of np-loops for one function: arguments, results, checks, memory,
// calls.
#pragma once

#include "lower/kit/handles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>

namespace shapecast {

class FunctionState {
public:
    FunctionState(mlir::ModuleOp module, np::FuncOp source,
                  llvm::SmallVectorImpl<mlir::Attribute> &sites);

    DimValues dims;
    bool failed = false;

protected:
    using Values = llvm::SmallVector<mlir::Value>;

    mlir::Block *newBlock(mlir::TypeRange types, mlir::Location loc);
    // SSA values of np types as lists of register values (block arguments), and back.
    llvm::SmallVector<mlir::Type> flatTypes(mlir::TypeRange types);
    void flatten(mlir::Value value, mlir::Type as, llvm::SmallVectorImpl<mlir::Value> &values);
    void take(mlir::Value target, mlir::ValueRange &values);
    void bindResults(mlir::ValueRange results, mlir::ValueRange values);
    mlir::Value truth(mlir::Value condition); // i1

    void bindArguments();
    void returnValues(np::ReturnOp op);
    void finish(); // the error exit; blocks in order

    // Raises when `condition` holds; code goes on in a new block. The message's {0}, {1} are those
    // of `payload`, its {0:f} is `messageArgument`, an f64.
    void raiseWhen(mlir::Value condition, mlir::Location loc, llvm::StringRef error,
                   llvm::StringRef message, llvm::ArrayRef<np::DimAttr> payload,
                   mlir::ArrayAttr notes = {}, mlir::Value messageArgument = {});
    void failWhen(mlir::Value condition, mlir::Location loc); // the callee has recorded the error
    void require(np::RequireOp op);
    void requireIndex(np::RequireOp op, np::DimAttr wrapped);
    mlir::Value allHold(np::AllHoldOp op);
    mlir::Value relation(mlir::Location loc, llvm::StringRef kind,
                         llvm::ArrayRef<np::DimAttr> args);
    // Takes `amount` off the fuel (iterations until the next poll); polls when it is used up.
    void charge(mlir::Location loc, mlir::Value amount);
    void charge(mlir::Location loc, int64_t amount);
    void poll(mlir::Location loc);
    // The same in loops with short iterations: counts down from iterationsPerCharge, and charges at
    // 0. Returns the next count.
    static constexpr int64_t iterationsPerCharge = 1024;
    mlir::Value chargeCounted(mlir::Location loc, mlir::Value count);
    bool inLoop(mlir::Operation *op); // may run more than once per call
    mlir::Value tripCount(mlir::Location loc, mlir::Value lower, mlir::Value upper,
                          np::DimAttr step);

    bool hasSizeOfArgument(np::ArrayType type);
    Handle allocate(mlir::Location loc, np::ArrayType type);
    Handle reshape(np::ReshapeOp op);
    Handle reshapeAny(np::ReshapeAnyOp op);
    Handle reinterpret(np::ReinterpretOp op);
    Handle checkWriteable(np::CheckWriteableOp op);
    mlir::Value address(mlir::Location loc, const Handle &handle,
                        mlir::Type arrayType); // pointer + offset
    void load(np::LoadOp op);
    void store(np::StoreOp op);
    void storeScalar(np::StoreOp op, Scalar value);
    void retain(np::RetainOp op);
    void release(np::ReleaseOp op);
    void nest(np::NestOp op);
    // The value that a size symbol of the arguments has in the call that is compiled.
    std::optional<int64_t> sizeHint(llvm::StringRef symbol);
    void shareLoop(mlir::Location loc, mlir::Value count, mlir::Value work,
                   llvm::function_ref<void(mlir::Value from, mlir::Value to)> emit);
    void callIterations(mlir::Location loc, mlir::Value from, mlir::Value to,
                        llvm::function_ref<void(mlir::Value from, mlir::Value to)> emit);
    void gemm(np::GemmOp op);
    struct GemmOperand;
    GemmOperand gemmOperand(mlir::Value array, bool hasRows, bool hasColumns);
    mlir::Value gemmStack(mlir::Location loc, mlir::func::FuncOp callee,
                          llvm::ArrayRef<np::DimAttr> stack, llvm::ArrayRef<GemmOperand> operands,
                          mlir::ValueRange sizes, DType dtype);
    np::DimAttr nativeArray(mlir::Location loc, mlir::Value operand, Values &values);
    void native(np::NativeOp op);
    void callNative(np::NativeOp op);
    void ufuncLoop(np::NativeOp op, llvm::StringRef name); // ufunc_loops.cpp
    void ufuncOfNumbers(np::NativeOp op, mlir::Value loop);
    mlir::Value loopAddress(mlir::Location loc, llvm::StringRef name);
    void print(np::PrintOp op);
    void call(np::CallOp op);
    void callOut(np::CallOp op);
    int64_t addSite(mlir::Location loc, llvm::StringRef error, llvm::StringRef message);
    void catchWhen(mlir::Value raised, mlir::Location loc, llvm::StringRef classes,
                   mlir::Value results, int64_t first);
    void raise(np::RaiseOp op);
    void recheckElement(mlir::Location loc, mlir::Value array,
                        llvm::ArrayRef<np::DimAttr> indices); // recheck.cpp
    // Debug mode, see prange_check.cpp.
    void beginPrangeCheck(np::ForOp loop);
    void endPrangeCheck(np::ForOp loop);
    void noteElement(mlir::Location loc, mlir::Value array, llvm::ArrayRef<np::DimAttr> indices,
                     bool isWritten);

    class Draws;           // draws.h
    class LegacyDraw;      // legacy_draws.h
    class OuterVectoriser; // outer_vector_code.h
    class RegisterTiling;  // register_tiling_code.h

    mlir::ModuleOp module;
    np::FuncOp source;
    mlir::OpBuilder b;
    bool recheck;                                // see recheck.cpp
    llvm::SmallVector<np::DimAttr> checkedLoops; // induction variables of the checked loops around
    Draws *draws = nullptr;                      // of the loop around, if it inlines random numbers
    llvm::DenseMap<mlir::Value, Scalar> scalars;
    std::map<mlir::Value, Handle, bool (*)(mlir::Value, mlir::Value)> handles;

private:
    mlir::Value slot(mlir::Location loc, mlir::Value base,
                     int64_t index); // address of an 8-byte slot
    mlir::Value loadSlot(mlir::Location loc, mlir::Value base, int64_t index, mlir::Type type);
    void storeSlot(mlir::Location loc, mlir::Value base, int64_t index, mlir::Value value);
    Values loadSlots(mlir::Location loc, mlir::Value base, int64_t first, mlir::TypeRange types);
    void bindRecursive();
    Handle argumentHandle(mlir::BlockArgument argument, int64_t &next);
    mlir::Value stackSlots(mlir::Location loc, int64_t count);
    mlir::Value textAddress(mlir::Location loc, llvm::StringRef text); // of a constant
    class Records;
    void checkStack(mlir::Location loc, mlir::Value here);
    void inlineNest(np::NestOp op, const struct NestPlan &plan);
    void inlineShortSum(np::NestOp op, struct NestPlan plan);
    void outlineNest(np::NestOp op, struct NestPlan plan);
    void moveElements(np::NestOp op, const struct NestPlan &plan);
    void copyOrFill(np::NestOp op, const struct NestPlan &plan);
    Values rebasedPointers(mlir::Location loc, struct NestPlan &plan);
    void shareAtEnd(const NestPlan &plan, mlir::func::FuncOp callee,
                    llvm::ArrayRef<np::DimAttr> symbols);
    Values callParts(const NestPlan &plan, mlir::func::FuncOp callee, mlir::ValueRange operands,
                     mlir::Value size);
    mlir::Value addressOf(mlir::func::FuncOp callee, llvm::StringRef suffix,
                          llvm::ArrayRef<mlir::Type> parameters,
                          llvm::function_ref<void(mlir::ValueRange)> fill);
    mlir::Value addressOf(mlir::func::FuncOp callee);
    Values shareWhen(mlir::Location loc, mlir::Value work, mlir::TypeRange results,
                     llvm::function_ref<Values()> alone, llvm::function_ref<Values()> together);
    Values takeOperands(mlir::func::FuncOp inner);
    std::pair<mlir::func::FuncOp, Values>
    outlineIterations(mlir::Location loc, llvm::function_ref<void(mlir::Value, mlir::Value)> fill);
    mlir::Value addressOfPart(mlir::func::FuncOp callee);
    mlir::Value addressOfCombine(const NestPlan &plan, mlir::func::FuncOp callee);
    // Loops over the points of `space`, whose iterators are bound; `point` is a point's number.
    void visitPoints(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::ArrayRef<np::DimAttr> space,
                     llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value size)> step,
                     llvm::function_ref<void(mlir::OpBuilder &, mlir::Value point)> visit);
    void noteAccess(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value array,
                    llvm::ArrayRef<np::DimAttr> indices, bool isWritten);
    void noteAccesses(mlir::Location loc, mlir::Value array, llvm::ArrayRef<np::DimAttr> map,
                      llvm::ArrayRef<np::DimAttr> space, bool isWritten);
    void noteNest(np::NestOp op);
    void noteProduct(np::GemmOp op);
    void raiseIfDependent(mlir::Location loc);
    void tabulateExtents();
    void recheckNest(np::NestOp op, const NestPlan &plan);
    void recheckPoint(mlir::OpBuilder &builder, np::NestOp op, mlir::Value point);
    mlir::Value recheckSlots(np::NestOp op, const NestPlan &plan);
    mlir::Value indicesHold(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value array,
                            llvm::SmallVector<np::DimAttr> indices);

    llvm::SmallVectorImpl<mlir::Attribute> &sites;
    mlir::func::FuncOp function;
    mlir::Value context, arguments, results;
    mlir::Value fuelSlot(mlir::Location loc);
    mlir::Value fuel;    // null: not used yet
    mlir::Value extents; // with recheck: of the arguments
    mlir::Block *failure = nullptr;
    llvm::SmallVector<mlir::Block *> cold; // error blocks, moved to the end
    mlir::func::FuncOp shared(mlir::func::FuncOp callee);
    llvm::SmallVector<std::pair<size_t, mlir::func::FuncOp>>
        outlined; // with their numbers of operations
    int nests = 0, texts = 0, loops = 0;

protected:
    llvm::SmallVector<std::function<void()>> atEnd; // called after finish()
};

} // namespace shapecast
