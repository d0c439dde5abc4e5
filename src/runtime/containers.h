// Lists, dicts and sets in memory, whose length and keys are known only at run time.
//
// A container is a buffer (memory.h) of containerWords words, which compiled code holds as it holds
// an array: so it is counted, moved and released as an array is. Its entries are elsewhere, each of
// a fixed number of words: of a dict and set the hash first, then those of the key, then those of
// the value. A word is an int, the bits of a float64, or a container or string that the entry owns.
//
// Dicts keep entries in the order of insertion, with holes where one was removed, and a table of
// their numbers, addressed by the hash. Sets have CPython's own table (its probes, its growth), so
// that iterating over them gives CPython's order.
#pragma once

#include "runtime/abi.h"

#include <string_view>

namespace shapecast::runtime {

enum class ContainerForm : int64_t { List, Dict, Set };

struct Container {
    int64_t length;   // items
    int64_t *entries; // `capacity` of them, of `words` words each
    int64_t used;     // entries that are items, or were
    int64_t capacity; // of lists that own containers, entries beyond `used` are zeros
    int64_t words, keyWords;
    int64_t floatWords; // bit k: word k of the key is a float64
    int64_t ownedWords; // bit k: word k of an entry is a container or string
    ContainerForm form;
    int32_t *table;    // numbers of entries, or emptySlot, removedSlot; null: none yet
    int64_t tableMask; // its size - 1
    int64_t fill;      // slots that are not empty
    int64_t finger;    // of a set: where pop() goes on
    Context *context;  // of the call that made it
    int64_t textWords; // bit k: word k of the key is a string (text.h)
    int64_t keyHash;   // of an instance whose class has an __eq__, once it is a key; 0: none
};
inline constexpr int containerWords = 16;
static_assert(sizeof(Container) == 8 * containerWords);
inline constexpr int containerLengthWord = 0, containerEntriesWord = 1, containerUsedWord = 2,
                     containerCapacityWord = 3;
static_assert(offsetof(Container, entries) == 8 * containerEntriesWord);
static_assert(offsetof(Container, used) == 8 * containerUsedWord);
static_assert(offsetof(Container, capacity) == 8 * containerCapacityWord);

inline constexpr int32_t emptySlot = -1, removedSlot = -2;
inline constexpr int64_t removedHash = INT64_MIN; // the hash of an entry that was removed

extern "C" {
void sc_share(int64_t owner); // one more owner of a container that an entry holds
int32_t sc_lengthen(Context *ctx, Container *list); // to twice the capacity; 0, or an error
// A key of one word: the number of its entry, or -1; and made where there is none (else an error).
int64_t sc_find_word(const Container *container, int64_t key);
int64_t sc_insert_word(Context *ctx, Container *container, int64_t key);
// The word holds a reference to this container now, instead of what it held.
void sc_replace(Context *ctx, int64_t *word, int64_t owner);
}

// What entries are, as sc_container_start takes it.
struct ContainerLayout {
    ContainerForm form = ContainerForm::List;
    int64_t words = 0, keyWords = 0, floatWords = 0, ownedWords = 0, textWords = 0;
    int64_t valueWord = 0; // the first one of the value
};
// For the extension module, which fills containers. Null, -1: no memory, which is recorded.
Container *newContainer(Context *ctx, const ContainerLayout &layout);
// The number of a new entry with that key (its compared words), whose other words are zeros.
int64_t newEntry(Context *ctx, Container &container, const int64_t *key);
inline int64_t *wordsOfEntry(const Container &container, int64_t at) {
    return container.entries + at * container.words;
}

// The extension module's: fills the empty container from a Python object, by its form. False with
// an error recorded: it fails, or a Python exception is set.
using ContainerReader = bool (*)(Context *ctx, Container &container, int64_t object,
                                 std::string_view form, bool isChanged);
void setContainerReader(ContainerReader reader);

// CPython's hash() of an int, a float, and a tuple of such.
int64_t pythonHash(int64_t number);
int64_t pythonHash(double number);

} // namespace shapecast::runtime
