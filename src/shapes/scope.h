// The interface through which a shape rule queries facts about sizes and requires relations.
//
// A rule computes the shape of an operation's result from those of its operands. It is written
// once, over symbolic sizes (#np.dim): with numbers it gives numbers, with symbols expressions,
// which lower/dim_values turns into code, so inference and generated code cannot differ. Undecided
// relations go through this interface: np-infer's TypedBuilder proves them or guards the compiled
// variant, a Solver (shapes/solver.h) asserts what is required.
#pragma once

#include "ir/dim_facts.h"
#include "ir/np.h"

#include "llvm/ADT/Twine.h"

namespace shapecast {

struct SizeFact; // shapes/conflict.h

using Dims = llvm::SmallVector<np::DimAttr, 4>;

class ShapeScope {
public:
    explicit ShapeScope(mlir::MLIRContext *ctx) : ctx(ctx), facts(ctx) {}
    virtual ~ShapeScope() = default;

    mlir::MLIRContext *ctx;
    np::DimFacts facts;

    np::DimAttr dimConst(int64_t value) const { return np::dimConst(ctx, value); }

    // Whether it holds: proved, or assumed from here on.
    virtual bool assumeGreaterEqual(np::DimAttr a, np::DimAttr b) = 0;
    virtual bool assumeEqual(np::DimAttr a, np::DimAttr b) = 0;
    virtual bool assumeNotEqual(np::DimAttr a, np::DimAttr b) = 0;
    // Raises the exception of this name unless it holds; from here on it does. Kinds: "eq", "ge",
    // "ne" of two sizes, "broadcast" (equal, or one is 1), "broadcast_to" (equal, or the first 1),
    // "false". The message may refer to sizes of the payload: {0}, {1}.
    virtual void require(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args,
                         llvm::StringRef error, const llvm::Twine &message,
                         llvm::ArrayRef<np::DimAttr> payload = {}) = 0;
    [[noreturn]] virtual void fail(llvm::StringRef exception, const llvm::Twine &message) const = 0;

    void requireEqual(np::DimAttr a, np::DimAttr b, llvm::StringRef error,
                      const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {});
    void requireGreaterEqual(np::DimAttr a, np::DimAttr b, llvm::StringRef error,
                             const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {});
    void requireNotEqual(np::DimAttr a, np::DimAttr b, llvm::StringRef error,
                         const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {});

protected:
    virtual void addFact(SizeFact fact);
};

// "({0},3)" for a message: non-constant sizes are added to the payload, up to np::messageSizes.
// A size of -1 is "newaxis".
std::string shapeText(llvm::ArrayRef<np::DimAttr> dims, llvm::SmallVectorImpl<np::DimAttr> &payload,
                      llvm::StringRef separator = ",");
np::DimAttr dimProduct(mlir::MLIRContext *ctx, llvm::ArrayRef<np::DimAttr> dims);

} // namespace shapecast
