// The function that np-loops emits code into: where its values are, its insertion point, its error
// exit. What is done with it are free functions, a header a concern: slots.h, errors.h, polls.h ...
#pragma once

#include "lower/kit/handles.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>
#include <map>

namespace shapecast {

using Values = llvm::SmallVector<mlir::Value>;

// What a loop keeps in registers although others may look for it in memory.
class KeptInRegisters {
public:
    virtual void writeBack() = 0;
    virtual void reload() = 0;

protected:
    ~KeptInRegisters() = default;
};

// What np.keep_changes stores, in the frame: the number of the last one and its values, as results
// are stored; owners of the arrays among them.
struct KeptSlots {
    mlir::Value values, owners;
    int64_t valueCount, ownerCount;
};

struct FunctionState {
    // Begins the function that `source` becomes; `sites` are those of the module.
    FunctionState(mlir::ModuleOp module, np::FuncOp source,
                  llvm::SmallVectorImpl<mlir::Attribute> &sites);

    mlir::Block *newBlock(mlir::TypeRange types, mlir::Location loc);
    // SSA values of np types as lists of register values (block arguments), and back.
    llvm::SmallVector<mlir::Type> flatTypes(mlir::TypeRange types);
    void flatten(mlir::Value value, mlir::Type as, llvm::SmallVectorImpl<mlir::Value> &values);
    void take(mlir::Value target, mlir::ValueRange &values);
    void bindResults(mlir::ValueRange results, mlir::ValueRange values);
    mlir::Value truth(mlir::Value condition); // i1
    mlir::Value address(mlir::Location loc, const Handle &handle,
                        mlir::Type arrayType); // pointer + offset

    DimValues dims;
    bool failed = false;
    mlir::ModuleOp module;
    np::FuncOp source;
    mlir::OpBuilder b;
    bool recheck;                                // see recheck_code.h
    llvm::SmallVector<np::DimAttr> checkedLoops; // induction variables of the checked loops around
    KeptInRegisters *kept = nullptr;             // of the loop around
    bool isKernel = false;                       // what is emitted now runs on the device
    mlir::Value errorFlag;         // of a kernel: where a thread stores 1 that finds an error
    bool accessesDirectly = false; // arrays on a device are accessed by pointers: in a kernel, on
                                   // copies in the host
    llvm::DenseMap<mlir::Value, Scalar> scalars;
    std::map<mlir::Value, Handle, bool (*)(mlir::Value, mlir::Value)> handles;
    llvm::SmallVectorImpl<mlir::Attribute> &sites;

    // Of the function that code goes to now: OutlinedFunction changes them.
    mlir::func::FuncOp function;
    mlir::Value context, arguments, results;
    mlir::Value fuel;                      // null: not used yet
    mlir::Value extents;                   // with recheck: of the arguments
    mlir::Block *failure = nullptr;        // the error exit
    std::optional<KeptSlots> changes;      // none: nothing was kept so far
    llvm::SmallVector<mlir::Block *> cold; // error blocks, moved to the end

    llvm::SmallVector<std::pair<size_t, mlir::func::FuncOp>>
        outlined; // with their numbers of operations
    int nests = 0, kernels = 0, texts = 0, loops = 0;
    llvm::SmallVector<std::function<void()>> atEnd; // called when the function is finished
};

} // namespace shapecast
