// Operations on mutable objects: lists, dicts and records.
#pragma once

#include "ops/builder/typed_builder.h"

namespace shapecast {

Val dictVal(TypedBuilder &e, llvm::ArrayRef<mlir::Attribute> keys, std::vector<Val> items);
// From pairs of keys and values; of equal keys, the last wins.
Val dictOf(TypedBuilder &e, llvm::ArrayRef<std::pair<Val, Val>> pairs);
// The constant of a key, or of a part of one. UnsupportedError where it is not constant;
// TypeError, naming `key`, where it is not hashable.
mlir::Attribute keyOf(TypedBuilder &e, const Val &part, const Val &key);
inline mlir::Attribute keyOf(TypedBuilder &e, const Val &key) { return keyOf(e, key, key); }
// Whether all that a key consists of is known when the function is compiled.
bool isConstantKey(const Val &key);
// A dict with a key that is known only at run time has to be in memory (heap.h).
void wishForKey(TypedBuilder &e, const Val &dict, const Val &key);
std::optional<size_t> findKey(TypedBuilder &e, const Val &dict, const Val &key);
Val dictItem(TypedBuilder &e, const Val &dict, llvm::ArrayRef<Val> keys);

void changeItem(TypedBuilder &e, const Val &container, llvm::ArrayRef<Val> keys, const Val &value);
void changeField(TypedBuilder &e, const Val &record, llvm::StringRef name, const Val &value);
void deleteItem(TypedBuilder &e, const Val &container, llvm::ArrayRef<Val> keys);
// The methods that mutate a list; none for other names.
std::optional<Val> listMethod(TypedBuilder &e, const Val &list, llvm::StringRef name,
                              llvm::ArrayRef<Val> arguments);
std::optional<Val> recordMethod(TypedBuilder &e, const Val &record, llvm::StringRef name,
                                llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);
// The keys and values of an argument of dict(...): a dict, or an iterable of pairs.
llvm::SmallVector<std::pair<Val, Val>> pairsOf(TypedBuilder &e, const Val &source);
Val dictMethod(TypedBuilder &e, const Val &dict, llvm::StringRef name,
               llvm::ArrayRef<Val> arguments,
               llvm::ArrayRef<std::pair<llvm::StringRef, Val>> keywords);

} // namespace shapecast
