// Allocations, views, calls of the run time.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val alloc(TypedBuilder &e, llvm::ArrayRef<np::DimAttr> dims, DType dtype,
          np::Layout layout = np::Layout::C);
Val view(TypedBuilder &e, const Val &base, llvm::ArrayRef<np::DimAttr> offsets,
         llvm::ArrayRef<np::DimAttr> steps, llvm::ArrayRef<int64_t> axes,
         llvm::ArrayRef<np::DimAttr> dims, bool readonly = false);
// a[i] of an array of one or more dimensions that has such a row.
Val arrayRow(TypedBuilder &e, const Val &a, int64_t i);
// An array with sizes in simple form: SizeFacts::simpleSize.
Val withSimpleSizes(TypedBuilder &e, Val v);
// The first element of a non-empty array.
Val firstElement(TypedBuilder &e, const Val &v);
// Calls the runtime function sc_<name> (np.native), which writes to the arrays `written`. Its
// result is a Python int, where no type is given.
Val native(TypedBuilder &e, llvm::StringRef name, llvm::ArrayRef<Val> written,
           llvm::ArrayRef<Val> read, llvm::StringRef error = "", const llvm::Twine &message = "",
           mlir::Type result = {});

} // namespace shapecast
