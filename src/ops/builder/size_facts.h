// The facts about sizes that hold at the current point of np-infer, and how they come about:
// proved, assumed by a guard of the variant that is compiled, or required by an operation
// (np.require).
#pragma once

#include "mlir/IR/Builders.h"
#include "ops/ufunc/types.h"
#include "shapes/conflict.h"
#include "shapes/scope.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shapecast {

class SizeFacts : public ShapeScope {
public:
    SizeFacts(mlir::OpBuilder builder, mlir::MLIRContext *ctx)
        : ShapeScope(ctx), b(builder), loc(b.getUnknownLoc()) {}

    mlir::OpBuilder b;
    mlir::Location loc; // of the captured op being emitted
    // "{1}: float64[s0]" for each operand of the captured op: errors found now and `np.require`
    // carry them.
    std::function<std::vector<std::string>()> operandNotes;
    llvm::StringMap<int64_t> hints;  // the values of the entry symbols in the compiling call
    bool syntheticHints = false;     // the hints are made up: nothing may be specialised on them
    bool isEntry = true;             // the parameters are the caller's arguments
    std::vector<SizeFact> sizeFacts; // from guards and requirements, with their lines
    llvm::SmallVector<np::GuardAttr> guards;    // what the entry assumes
    llvm::SmallVector<np::GuardAttr> forbidden; // must not be assumed: they kept failing
    // Locations where a run-time value contradicted an assumption of an earlier variant.
    std::vector<std::string> failedAssumptions;
    unsigned nextSymbol = 0;                    // number of the next fresh symbol
    bool wishesHeapArgument = false;            // InferError::needsHeapArgument of errors found now
    llvm::SmallVector<unsigned, 2> heapWishes;  // InferError::heapSites of errors found now
    llvm::SmallVector<int32_t, 2> globalWishes; // InferError::globals

    [[noreturn]] void fail(llvm::StringRef exception, const llvm::Twine &message) const override;
    [[noreturn]] void unsupported(const llvm::Twine &message) const {
        fail("shapecast.UnsupportedError", message);
    }
    // UnsupportedError: the values of two paths have no join.
    [[noreturn]] void failJoin(const llvm::Twine &message) const;
    // These parameters become static arguments (StaticArgumentRequest). Returns where there are
    // none, or the function is no entry.
    void requestStaticArgument(llvm::ArrayRef<unsigned> parameters) const;

    np::DimAttr freshSymbol(llvm::StringRef prefix); // not bound yet to a value
    np::DimAttr bindSymbol(llvm::StringRef prefix, mlir::Value pyint);
    // True where it is proved, or true in the compiling call, about entry symbols only and not
    // forbidden: then it becomes a guard.
    bool assumeGreaterEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeEqual(np::DimAttr a, np::DimAttr b) override;
    bool assumeNotEqual(np::DimAttr a, np::DimAttr b) override;
    // Its value in the compiling call, where it depends on entry symbols only; adds no guard.
    std::optional<int64_t> sizeHint(np::DimAttr e);
    // The size in canonical form. Where it is so complex that reasoning about it would be slow, the
    // variant is specialised on the values of some of its symbols (guards): the smallest first, of
    // those that make it simple (kernels rather than images).
    np::DimAttr simpleSize(np::DimAttr e);
    // Sizes that are still too complex are computed at run time and become opaque symbols.
    Dims namedSizes(Dims dims);
    // Whether they are equal, where the result's rank depends on it: a guard even if it is
    // forbidden. None where the hints do not decide it.
    std::optional<bool> decideEqual(np::DimAttr a, np::DimAttr b);
    void require(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args, llvm::StringRef error,
                 const llvm::Twine &message, llvm::ArrayRef<np::DimAttr> payload = {}) override;
    // NumPy's ValueError for a new array of 2 ** 63 bytes or more, also where it is not allocated
    // here.
    void requireBytes(llvm::ArrayRef<np::DimAttr> dims, DType dtype);
    // -n <= i < n or IndexError; the wrapped (non-negative) index.
    np::DimAttr checkedIndex(np::DimAttr i, np::DimAttr n, int64_t axis);

private:
    bool guardable(np::DimAttr e) const; // of entry symbols only
    bool addGuard(llvm::StringRef pred, np::DimAttr a, np::DimAttr b, bool needed = false);
    bool assumeEqualUpToRenaming(np::DimAttr a, np::DimAttr b);
    bool assumeFails(llvm::StringRef kind, llvm::ArrayRef<np::DimAttr> args);
    void addFact(SizeFact fact) override;
    std::vector<std::string> conflictNotes(llvm::StringRef kind,
                                           llvm::ArrayRef<np::DimAttr> args) const;
};

} // namespace shapecast
