// Named tuples and dataclasses: what their class (#np.py) says.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

// "record:17", and the value of a field; "" and null for other values.
std::string recordName(const Val &v);
const Val *recordField(const Val &v, llvm::StringRef name);
std::optional<size_t> fieldIndex(const Val &v, llvm::StringRef name);
llvm::SmallVector<llvm::StringRef> fieldNames(const Val &v);
std::string instanceForm(const Val &v);    // "17 x y": its class and attributes, for _objects.py
std::string recordClassName(const Val &v); // "Point"
bool isDictSubclass(const Val &record);    // of collections
// Whether the class has this operator, other than as `dataclasses` makes it.
bool overloads(const Val &v, llvm::StringRef method);
bool isReplaced(const Val &v);      // an instance of a class of ours, for one of collections
bool isPlainInstance(const Val &v); // a record of another class than dataclasses
bool isValueRecord(const Val &v);   // of a frozen dataclass: equal where its fields are
// Of a class as a function: the static value that names it; null: of other functions.
const Val *constructedClass(const Val &v);
bool isOrdered(const Val &record);                          // of a dataclass with order=True
llvm::SmallVector<std::string> recordClasses(const Val &v); // its class and that one's bases
// UnsupportedError where a record class of the user's overloads an operator: one of these
// methods of `v`, or those of the binary operator `op` of a and c.
void rejectOverloads(const TypedBuilder &e, const Val &v, llvm::ArrayRef<llvm::StringRef> methods);
void rejectOverloads(const TypedBuilder &e, llvm::StringRef op, const Val &a, const Val &c);

} // namespace shapecast
