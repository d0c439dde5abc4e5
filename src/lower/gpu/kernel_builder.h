// One kernel of a nest under construction: its parameters, loops of threads over parts of its index
// space, and the nest's body at a point.
#pragma once

#include "lower/gpu/gpu_block.h"
#include "lower/nest/nest_body.h"

namespace shapecast {

// The name of a pointer or scalar from outside in `np.parameters`.
using KernelNames = std::function<std::string(mlir::Value)>;

// What a nest's kernels are launched with: all have the same parameters, in this order.
struct NestKernels {
    llvm::SmallVector<mlir::func::FuncOp, 2> kernels; // in the order of launching
    llvm::SmallVector<mlir::Value> pointers;          // of arrays
    llvm::SmallVector<mlir::Value> scalars;           // from outside of the nest
    np::DimAttr partials;                             // slots per part; null: no parameter
    int64_t parts = 0;                                // of what a block leaves there
    bool hasResults = false;
};

// What all kernels of a nest share.
struct KernelWork {
    KernelWork(const NestPlan &plan, KernelNames names);

    const NestPlan &plan;
    np::NestOp op;
    llvm::SmallVector<unsigned> kept, reduced; // numbers of the plan's loops
    // Parameters after the pointers: symbols of the plan, and sizes that the host computes.
    llvm::SmallVector<np::DimAttr> sizes;
    llvm::SmallVector<mlir::Value> scalars;
    KernelNames names;
    bool hasPartials = false, hasResults = false;
    bool isArgReduction = false; // argmin, argmax: the last part of a value is its index

    np::DimAttr number(int64_t value) const;
    np::DimAttr product(llvm::ArrayRef<unsigned> loops) const;  // of the loops' sizes
    np::DimAttr exceeds(np::DimAttr size, int64_t limit) const; // 1 where size > limit, else 0
    // How many neighbouring threads share so many elements: all of a block where `isLong` is 1,
    // else a power of two up to a warp.
    np::DimAttr threadsFor(np::DimAttr elements, np::DimAttr isLong) const;
};
constexpr int64_t warp = 32;

// Threads of a block and blocks, along x and y; and which of them do what, in words for users.
struct LaunchShape {
    np::DimAttr threads[2], blocks[2];
    llvm::StringRef form;
};

// The function of a kernel, and its parameters.
struct KernelFunction {
    // Of one nest, or of several that share a kernel.
    KernelFunction(mlir::ModuleOp module, llvm::ArrayRef<const KernelWork *> nests,
                   llvm::StringRef name, const LaunchShape &shape);
    mlir::func::FuncOp finish(); // after all its code

    std::string name;
    llvm::MapVector<mlir::Value, mlir::Value> pointers; // of the host, and of the kernel
    llvm::SmallVector<np::DimAttr> sizes;
    llvm::SmallVector<mlir::Value> scalars; // of the host
    mlir::func::FuncOp function;
    llvm::SmallVector<mlir::Value> sizeValues;
    llvm::DenseMap<mlir::Value, Scalar> scalarValues;
    mlir::Value partialSlots, resultSlots;

private:
    void bindParameters(mlir::ValueRange rest, bool hasPartials, bool hasResults);
};

class KernelBuilder {
public:
    using Values = llvm::SmallVector<mlir::Value>;
    using Inside = llvm::function_ref<void(mlir::OpBuilder &)>;

    KernelBuilder(KernelFunction &kernel, const KernelWork &work);

    mlir::Value constant(mlir::OpBuilder &builder, int64_t value);
    mlir::Value size(mlir::OpBuilder &builder, np::DimAttr size);
    // for (i = from; i < to; i += step), with carried values where there are any
    Values loop(mlir::OpBuilder &builder, mlir::Value from, mlir::Value to, mlir::Value step,
                mlir::ValueRange carried,
                llvm::function_ref<Values(mlir::OpBuilder &, mlir::Value, mlir::ValueRange)> inner);
    void when(mlir::OpBuilder &builder, mlir::Value condition, Inside then, Inside otherwise = {});
    // Binds the iterators of these loops at a position in their common space, the last one fastest.
    void bindLoops(mlir::OpBuilder &builder, llvm::ArrayRef<unsigned> loops, mlir::Value position);

    // At the bound iterators: loads, computes, stores, and combines what is reduced with
    // `accumulators`. Reads in `given` are not loaded.
    using Reads = llvm::SmallDenseMap<unsigned, Scalar>;
    Values at(mlir::OpBuilder &builder, mlir::ValueRange accumulators,
              const Reads &given = Reads());
    mlir::Value offset(mlir::OpBuilder &builder, const NestAccess &access); // in elements
    Values identities(mlir::OpBuilder &builder);
    Values combine(mlir::OpBuilder &builder, mlir::ValueRange left, mlir::ValueRange right);
    // Stores what is reduced: an element of an array at the bound iterators, or a result.
    void storeReductions(mlir::OpBuilder &builder, mlir::ValueRange values);

    const KernelWork &work;
    const NestPlan &plan;
    np::NestOp op;
    mlir::Location loc;
    KernelFunction &kernel;
    DimValues dims;
    Values pointers;   // per NestPlan::pointers
    mlir::OpBuilder b; // at the end of the function's first block

private:
    mlir::Value isExtreme(mlir::OpBuilder &builder, mlir::ValueRange value,
                          mlir::ValueRange extreme);

    llvm::DenseMap<mlir::Value, Scalar> scalars;
    NestBody body;
};

} // namespace shapecast
