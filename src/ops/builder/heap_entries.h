// How entries of containers in memory are stored as words (runtime/containers.h).
#pragma once

#include "ops/builder/heap_sites.h"

namespace shapecast {

// The words of an entry: the hash (not of a list); those of the key by which keys are compared; its
// other ones; the value's.
struct EntryLayout {
    int64_t words = 0, keyWords = 0, floatWords = 0, ownedWords = 0;
    int64_t textWords = 0;                   // of the key, as floatWords
    int64_t otherKeyWord = 0, valueWord = 0; // the first ones
};
EntryLayout layoutOf(TypedBuilder &e, const Val &container);
// UnsupportedError for a set whose order is not CPython's: the hash of items of several kinds is
// our own.
void checkHasOrder(TypedBuilder &e, const Val &container);

struct KeyWords {
    llvm::SmallVector<Val> compared, others;
};
// Of a key whose Slot is the container's.
KeyWords wordsOfKey(TypedBuilder &e, const Val &container, const Val &key);
// Of any value: none where no key of this container can be equal to it. `isExact`: where it is not
// set, none is equal at run time; null: always.
struct WantedKey {
    llvm::SmallVector<Val> words;
    std::optional<Val> isExact;
};
std::optional<WantedKey> wordsOfWanted(TypedBuilder &e, const Val &container, const Val &key);

// The attribute number `at` of an instance.
Val loadPart(TypedBuilder &e, const Val &object, size_t at);
void storePart(TypedBuilder &e, const Val &object, size_t at, const Val &value);
Val loadKey(TypedBuilder &e, const Val &container, const Val &index);
Val loadValue(TypedBuilder &e, const Val &container, const Val &index);
void storeOtherKeyWords(TypedBuilder &e, const Val &container, const Val &index,
                        llvm::ArrayRef<Val> others);
void storeValue(TypedBuilder &e, const Val &container, const Val &index, const Val &value);

} // namespace shapecast
