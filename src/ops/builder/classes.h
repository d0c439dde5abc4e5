// The class of a value, and values that are classes.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

using ClassNames = llvm::SmallVector<std::string, 8>;
ClassNames scalarClasses(DType dtype); // base classes of a NumPy scalar, the most derived first
ClassNames pythonClasses(PyKind kind); // of a Python number
ClassNames classesOf(TypedBuilder &e, const Val &v); // type(v) and its base classes
// "float", "numpy.float64", "numpy.ndarray" of a value that is a class; "" if it is none.
std::string nameOfClass(const Val &v);
// `is` and `==` between classes, also those that type() returns; none for other values.
std::optional<bool> sameClass(const Val &a, const Val &b);
bool makesUnion(const Val &a, const Val &c); // `int | float`, `int | None`
// Attributes of classes and dtypes.
Val classVal(TypedBuilder &e, const Val &v); // type(v)
std::optional<Val> classAttribute(TypedBuilder &e, const Val &base, llvm::StringRef name);

} // namespace shapecast
