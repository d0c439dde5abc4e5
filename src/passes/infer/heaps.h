// Methods, operators and functions of containers in memory (ops/builder/heap.h) that are loops: the
// library has them in Python (library/containers.py).
#pragma once

#include "passes/infer/inference.h"

namespace shapecast {

Val callHeap(Inference &in, const Val &container, llvm::StringRef name,
             llvm::SmallVector<Val> given, llvm::ArrayRef<std::pair<llvm::StringRef, Val>> named);
// repr() of a list, dict or set in memory.
Val textOfContainer(Inference &in, const Val &container);
// An operator of which one operand is in memory; none where none is.
std::optional<Val> heapOperator(Inference &in, llvm::StringRef op, llvm::ArrayRef<Val> operands);
// target op= value, which changes the target.
Val heapInplace(Inference &in, llvm::StringRef op, const Val &target, const Val &value);
// list[start:stop:step]
Val heapSlice(Inference &in, const Val &list, const Val &slice);
// A dict display whose place in the source makes one in memory; none where it does not.
std::optional<Val> heapDict(Inference &in, llvm::ArrayRef<Val> elements,
                            mlir::DenseI64ArrayAttr starred);
// The functions that make containers in memory; none for other names.
std::optional<Val> makeHeap(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands);

// The library's function for a list in memory that holds lists, dicts or objects: max, min. None:
// there is none.
std::optional<Val> callOnObjects(Inference &in, llvm::StringRef name, llvm::ArrayRef<Val> operands);

// Of a list of arrays in memory: the array of its items, or that of them joined along the axis.
// `mayBeEmpty`: then it has a shape that is not known, which is refused when it happens; else
// ValueError.
bool isHeapOfArrays(const Val &v);
Val stackedHeap(Inference &in, const Val &list, bool mayBeEmpty);
// Of a list of lists in memory: the array of its numbers, with a row for each.
bool isHeapOfLists(const Val &v);
Val arrayOfRows(Inference &in, const Val &list);
Val joinedHeap(Inference &in, const Val &list, const Val &axis);

} // namespace shapecast
