// Hash tables and growing arrays: see the header.
#include "runtime/containers.h"
#include "runtime/native.h"
#include "runtime/symbols.h"
#include "runtime/text.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace shapecast::runtime {

//===-- CPython's hash

static constexpr int hashBits = 61; // hash() is a residue modulo 2^61 - 1
static constexpr uint64_t hashModulus = (uint64_t{1} << hashBits) - 1;

int64_t pythonHash(int64_t number) {
    const uint64_t size = number < 0 ? 0 - static_cast<uint64_t>(number) : uint64_t(number);
    const auto rest = static_cast<int64_t>(size % hashModulus);
    return number >= 0 ? rest : rest == 1 ? -2 : -rest;
}

int64_t pythonHash(double number) {
    if (!std::isfinite(number))
        return std::isinf(number) ? (number > 0 ? 314159 : -314159) : 0;
    int exponent;
    double mantissa = std::frexp(std::fabs(number), &exponent);
    uint64_t hash = 0;
    while (mantissa != 0) { // 28 bits at a time
        hash = ((hash << 28) & hashModulus) | hash >> (hashBits - 28);
        mantissa *= 268435456.0;
        exponent -= 28;
        const auto bits = static_cast<uint64_t>(mantissa);
        mantissa -= static_cast<double>(bits);
        hash += bits;
        if (hash >= hashModulus)
            hash -= hashModulus;
    }
    exponent = exponent >= 0 ? exponent % hashBits : hashBits - 1 - ((-1 - exponent) % hashBits);
    hash = ((hash << exponent) & hashModulus) | hash >> (hashBits - exponent);
    const int64_t result = number < 0 ? -static_cast<int64_t>(hash) : static_cast<int64_t>(hash);
    return result == -1 ? -2 : result;
}

// Whether that word of the key is a string or an instance: then the hash stands before them.
static bool isOwnedKey(const Container &c, int64_t k) { return c.ownedWords >> (1 + k) & 1; }

// Dicts of one number as the key, which is its own hash.
static bool hasPlainKeys(const Container &c) {
    return c.form == ContainerForm::Dict && c.keyWords == 1 && !c.floatWords && !isOwnedKey(c, 0);
}

static Text &textOf(int64_t word) { return *reinterpret_cast<Text *>(word); }

// Of a key of several kinds, which has another one: there is no string or instance.
static bool isAbsent(int64_t owned) { return owned == 0 || (uintptr_t(owned) & ownerArgument); }

static bool areTextsEqual(int64_t mine, int64_t theirs) {
    if (mine == theirs || isAbsent(mine) || isAbsent(theirs))
        return mine == theirs || (isAbsent(mine) && isAbsent(theirs));
    return textOf(mine).isEqual(textOf(theirs));
}

// The analyzer does not know that `keyWords` words of a key are set, and that an instance exists.
// NOLINTBEGIN(clang-analyzer-core.*)
static int64_t hashOfWord(const Container &c, const int64_t *key, int64_t k) {
    const bool isText = c.textWords >> k & 1;
    if ((isText || isOwnedKey(c, k)) && isAbsent(key[k]))
        return 0;
    if (isText)
        return textOf(key[k]).hashed();
    if (isOwnedKey(c, k))
        if (const int64_t own = reinterpret_cast<const Container *>(key[k])->keyHash)
            return own;
    if (!(c.floatWords >> k & 1))
        return pythonHash(key[k]);
    const double number = std::bit_cast<double>(key[k]);
    // A NaN is equal to no key: with one hash for all of them, each would be compared with the
    // rest.
    return std::isnan(number) ? c.used * 0x9E3779B97F4A7Cl : pythonHash(number);
}
// NOLINTEND(clang-analyzer-core.*)

// CPython's hash of a tuple, from those of its items: it begins with this number, takes each item
// in, and then the size.
constexpr uint64_t hashOfNothing = 2870177450012600261u;
static uint64_t withItem(uint64_t hash, uint64_t item) {
    return std::rotl(hash + item * 14029467366897019727u, 31) * 11400714785074694791u;
}
static uint64_t hashOfTuple(uint64_t hash, size_t size) {
    hash += size ^ (hashOfNothing ^ 3527539u);
    return hash == ~uint64_t{0} ? 1546275796 : hash;
}

template <class HashOf> static int64_t tupleHash(size_t size, HashOf hashOf) {
    uint64_t hash = hashOfNothing;
    for (size_t k = 0; k < size; ++k)
        hash = withItem(hash, static_cast<uint64_t>(hashOf(k)));
    return static_cast<int64_t>(hashOfTuple(hash, size));
}

static int64_t hashOf(const Container &c, const int64_t *key) {
    if (hasPlainKeys(c))
        return key[0] == removedHash ? 0 : key[0];
    auto ofWord = [&](size_t k) { return hashOfWord(c, key, static_cast<int64_t>(k)); };
    const int64_t hash =
        c.keyWords == 1 ? ofWord(0) : tupleHash(static_cast<size_t>(c.keyWords), ofWord);
    return hash == removedHash ? 0 : hash;
}

//===-- Entries

static int64_t *entryAt(const Container &c, int64_t at) { return c.entries + at * c.words; }

static bool areKeysEqual(const Container &c, const int64_t *entry, const int64_t *key) {
    for (int64_t k = 0; k < c.keyWords; ++k) {
        const int64_t mine = entry[1 + k], theirs = key[k];
        const bool equal =
            c.floatWords >> k & 1  ? std::bit_cast<double>(mine) == std::bit_cast<double>(theirs)
            : c.textWords >> k & 1 ? areTextsEqual(mine, theirs)
            : isOwnedKey(c, k)     ? mine == theirs || (isAbsent(mine) && isAbsent(theirs))
                                   : mine == theirs;
        if (!equal)
            return false;
    }
    return true;
}

// A list of a million nodes, each of which owns the next one, must not take as many frames: deep
// ones wait until the outermost container is released.
static thread_local int releasing = 0;
static thread_local bool isCatchingUp = false;
static thread_local std::vector<std::pair<Context *, uintptr_t>> postponed;

static void releaseOwned(Context *ctx, uintptr_t owner) {
    constexpr int deepest = 64;
    if (releasing > deepest)
        postponed.emplace_back(ctx, owner);
    else
        sc_release(ctx, owner);
}

static void releasePostponed() {
    isCatchingUp = true;
    while (!postponed.empty()) {
        const auto [ctx, owner] = postponed.back();
        postponed.pop_back();
        sc_release(ctx, owner);
    }
    isCatchingUp = false;
}

static void releaseEntry(const Container &c, int64_t at) {
    for (int64_t k = 0; k < c.words; ++k)
        if (int64_t &word = entryAt(c, at)[k]; c.ownedWords >> k & 1 && word) {
            releaseOwned(c.context, static_cast<uintptr_t>(word));
            word = 0;
        }
}

static bool isRemoved(const Container &c, int64_t at) {
    return c.form != ContainerForm::List && *entryAt(c, at) == removedHash;
}

static void releaseEntries(const Container &c, int64_t first, int64_t end) {
    if (c.ownedWords)
        for (int64_t at = first; at < end; ++at)
            releaseEntry(c, at);
}

static void endContainer(void *data) {
    const Container &c = *static_cast<Container *>(data);
    if (!isReleasingAll(c.context)) { // else each container is released by itself
        ++releasing;
        releaseEntries(c, 0, c.used);
        --releasing;
    }
    std::free(c.entries);
    std::free(c.table);
    if (releasing == 0 && !isCatchingUp && !postponed.empty())
        releasePostponed();
}

// Records an error and returns false where there is no memory.
static bool reserve(Context *ctx, Container &c, int64_t capacity) {
    if (capacity <= c.capacity)
        return true;
    const bool isTooLarge = capacity > (int64_t{1} << 44) / std::max<int64_t>(c.words, 1) ||
                            (c.form != ContainerForm::List && capacity > INT32_MAX / 2);
    void *moved =
        isTooLarge ? nullptr
                   : std::realloc(c.entries, std::max<size_t>(size_t(capacity * c.words) * 8, 1));
    if (!moved) {
        ctx->error.site = -2;
        return false;
    }
    c.entries = static_cast<int64_t *>(moved);
    if (c.ownedWords && c.form == ContainerForm::List)
        std::memset(entryAt(c, c.capacity), 0, size_t((capacity - c.capacity) * c.words) * 8);
    c.capacity = capacity;
    return true;
}

//===-- Tables

// The analyzer does not know that tables have a slot for each entry, and one that is empty.
// NOLINTBEGIN(clang-analyzer-core.*, clang-analyzer-security.ArrayBound)

// CPython looks at this many slots in a row before it goes elsewhere.
static constexpr size_t linearProbes = 9;

static size_t dictSlot(int64_t hash) {
    return static_cast<uint64_t>(hash) * 0x9E3779B97F4A7C15u >> 20;
}

// Calls at(slot) for the slots where a key of that hash may be, until it returns true.
template <class At> static void probe(const Container &c, int64_t hash, At at) {
    const auto mask = static_cast<size_t>(c.tableMask);
    if (c.form == ContainerForm::Dict) {
        size_t slot = dictSlot(hash) & mask;
        while (!at(slot))
            slot = (slot + 1) & mask;
        return;
    }
    auto perturb = static_cast<size_t>(hash);
    for (size_t slot = perturb & mask;;) {
        const size_t last = slot + linearProbes <= mask ? slot + linearProbes : slot;
        for (size_t near = slot; near <= last; ++near)
            if (at(near))
                return;
        perturb >>= 5;
        slot = (slot * 5 + 1 + perturb) & mask;
    }
}

// A table of this size with the entries, in the order `order` where that is given.
static bool makeTable(Context *ctx, Container &c, int64_t size, const int32_t *order = nullptr) {
    auto *table = static_cast<int32_t *>(std::malloc(static_cast<size_t>(size) * 4));
    if (!table) {
        ctx->error.site = -2;
        return false;
    }
    std::memset(table, 0xff, static_cast<size_t>(size) * 4);
    int32_t *const before = std::exchange(c.table, table);
    c.tableMask = size - 1;
    for (int64_t k = 0; k < (order ? c.length : c.used); ++k) {
        const int64_t at = order ? order[k] : k;
        if (!isRemoved(c, at))
            probe(c, *entryAt(c, at), [&](size_t slot) {
                if (table[slot] != emptySlot)
                    return false;
                table[slot] = static_cast<int32_t>(at);
                return true;
            });
    }
    c.fill = c.length;
    std::free(before);
    return true;
}

// The numbers of a set's entries in the order of its table; null: no memory.
static int32_t *orderOfTable(Context *ctx, const Container &c) {
    auto *order = static_cast<int32_t *>(std::malloc(static_cast<size_t>(c.length + 1) * 4));
    if (!order) {
        ctx->error.site = -2;
        return nullptr;
    }
    int32_t *end = order;
    for (int64_t slot = 0; slot <= c.tableMask; ++slot)
        if (c.table[slot] >= 0)
            *end++ = c.table[slot];
    return order;
}

static int64_t atLeast(int64_t least, int64_t more) { // a power of two that is more than `more`
    while (least <= more)
        least <<= 1;
    return least;
}

static bool growSetTable(Context *ctx, Container &c, int64_t least) {
    int32_t *order = orderOfTable(ctx, c); // as CPython, which goes through its old table
    const bool made = order && makeTable(ctx, c, atLeast(8, least), order);
    std::free(order);
    return made;
}

// Entries without holes; of a set in the order of its table.
static bool compact(Context *ctx, Container &c) {
    if (c.form == ContainerForm::List || !c.table)
        return true;
    bool isOrdered = c.used == c.length;
    if (c.form == ContainerForm::Set)
        for (int64_t slot = 0, at = 0; isOrdered && slot <= c.tableMask; ++slot)
            isOrdered = c.table[slot] < 0 || c.table[slot] == at++;
    if (isOrdered)
        return true;
    if (c.form == ContainerForm::Dict) {
        int64_t to = 0;
        for (int64_t at = 0; at < c.used; ++at)
            if (!isRemoved(c, at) && to++ != at)
                std::memmove(entryAt(c, to - 1), entryAt(c, at), static_cast<size_t>(c.words) * 8);
        c.used = c.length;
        return makeTable(ctx, c, c.tableMask + 1);
    }
    const auto bytes = static_cast<size_t>(std::max<int64_t>(c.capacity * c.words, 1)) * 8;
    auto *ordered = static_cast<int64_t *>(std::malloc(bytes));
    if (!ordered) {
        ctx->error.site = -2;
        return false;
    }
    int32_t at = 0;
    for (int64_t slot = 0; slot <= c.tableMask; ++slot)
        if (c.table[slot] >= 0) {
            std::memcpy(ordered + at * c.words, entryAt(c, c.table[slot]),
                        static_cast<size_t>(c.words) * 8);
            c.table[slot] = at++;
        }
    std::free(std::exchange(c.entries, ordered));
    c.used = c.length;
    return true;
}

static int64_t findEntry(const Container &c, const int64_t *key, int64_t hash) {
    int64_t found = -1;
    if (c.length == 0)
        return found;
    probe(c, hash, [&](size_t slot) {
        const int32_t at = c.table[slot];
        if (at >= 0 && *entryAt(c, at) == hash && areKeysEqual(c, entryAt(c, at), key))
            found = at;
        return found >= 0 || at == emptySlot;
    });
    return found;
}

// A new entry, whose value is zeros; negative: no memory.
static int64_t addEntry(Context *ctx, Container &c, const int64_t *key, int64_t hash) {
    const bool isSet = c.form == ContainerForm::Set;
    if (c.used == c.capacity) {
        if (c.used > 8 && c.length < c.used - c.used / 4) {
            if (!compact(ctx, c))
                return nativeFails;
        } else if (!reserve(ctx, c, std::max<int64_t>(8, c.capacity + c.capacity / 2 + 1))) {
            return nativeFails;
        }
    }
    if (!c.table && !makeTable(ctx, c, isSet ? 8 : 16))
        return nativeFails;
    if (!isSet && (c.fill + 1) * 5 > (c.tableMask + 1) * 3 &&
        !makeTable(ctx, c, atLeast(16, c.length * 3)))
        return nativeFails;
    const int64_t at = c.used++;
    int64_t *entry = entryAt(c, at);
    std::memset(entry, 0, static_cast<size_t>(c.words) * 8);
    entry[0] = hash;
    std::memcpy(entry + 1, key, static_cast<size_t>(c.keyWords) * 8);
    for (int64_t k = 0; k < c.keyWords; ++k)
        if (isOwnedKey(c, k) && isAbsent(key[k]))
            entry[1 + k] = ownerArgument; // as compiled code has it
        else if (isOwnedKey(c, k))
            sc_share(key[k]);
    ++c.length;
    int32_t *free = nullptr; // as CPython, a set takes the last slot that was left
    probe(c, hash, [&](size_t slot) {
        int32_t &here = c.table[slot];
        if ((isSet && here == removedSlot) || (here == emptySlot && !free))
            free = &here;
        return here == emptySlot;
    });
    const bool wasEmpty = *free == emptySlot;
    *free = static_cast<int32_t>(at);
    c.fill += wasEmpty;
    if (isSet && wasEmpty && c.fill * 5 >= c.tableMask * 3 &&
        !growSetTable(ctx, c, c.length > 50000 ? c.length * 2 : c.length * 4))
        return nativeFails;
    return at;
}

static void removeEntry(Container &c, int64_t at) {
    probe(c, *entryAt(c, at), [&](size_t slot) {
        if (c.table[slot] != at)
            return false;
        c.table[slot] = removedSlot;
        return true;
    });
    releaseEntry(c, at);
    *entryAt(c, at) = removedHash;
    --c.length;
    if (c.form == ContainerForm::Dict && at == c.used - 1)
        while (c.used > 0 && isRemoved(c, c.used - 1)) // popitem() in turn does not look again
            --c.used;
}

//===-- For the extension module

static ContainerReader containerReader = nullptr;

void setContainerReader(ContainerReader reader) { containerReader = reader; }

static void startContainer(Context *ctx, Container &c, const ContainerLayout &layout) {
    std::memset(&c, 0, sizeof c);
    c.form = layout.form;
    c.words = layout.words;
    c.keyWords = layout.keyWords;
    c.floatWords = layout.floatWords;
    c.ownedWords = layout.ownedWords;
    c.textWords = layout.textWords;
    c.context = ctx;
    callBeforeFree(&c, endContainer);
}

Container *newContainer(Context *ctx, const ContainerLayout &layout) {
    auto *made = static_cast<Container *>(sc_alloc(ctx, sizeof(Container)));
    if (made)
        startContainer(ctx, *made, layout);
    return made;
}

int64_t newEntry(Context *ctx, Container &c, const int64_t *key) {
    if (c.form != ContainerForm::List)
        return addEntry(ctx, c, key, hashOf(c, key));
    if (c.length == c.capacity && sc_lengthen(ctx, &c) != 0)
        return -1;
    std::memset(entryAt(c, c.length), 0, static_cast<size_t>(c.words) * 8);
    c.used = ++c.length;
    return c.length - 1;
}

//===-- Called by compiled code

static Container &containerIn(NativeOperands &in) {
    return *reinterpret_cast<Container *>(in.array().data);
}

static void takeKey(NativeOperands &in, const Container &c, int64_t *key) {
    for (int64_t k = 0; k < c.keyWords; ++k)
        key[k] = isOwnedKey(c, k) ? reinterpret_cast<int64_t>(in.array().data) : in.number();
}
static constexpr int mostKeyWords = 32;

extern "C" {

int32_t sc_lengthen(Context *ctx, Container *list) {
    return reserve(ctx, *list, std::max<int64_t>(4, list->capacity * 2)) ? 0 : 1;
}

[[gnu::hot]] int64_t sc_find_word(const Container *container, int64_t key) {
    const Container &c = *container;
    if (!hasPlainKeys(c) || key == removedHash)
        return findEntry(c, &key, hashOf(c, &key));
    if (c.length == 0)
        return -1;
    const auto mask = static_cast<size_t>(c.tableMask);
    for (size_t slot = dictSlot(key) & mask;; slot = (slot + 1) & mask) {
        const int32_t at = c.table[slot];
        if (at >= 0 && entryAt(c, at)[1] == key)
            return at;
        if (at == emptySlot)
            return -1;
    }
}

[[gnu::hot]] int64_t sc_insert_word(Context *ctx, Container *container, int64_t key) {
    const int64_t found = sc_find_word(container, key);
    return found >= 0 ? found : addEntry(ctx, *container, &key, hashOf(*container, &key));
}

void sc_share(int64_t owner) {
    if (owner)
        sc_retain(static_cast<uintptr_t>(owner));
}

void sc_replace(Context *ctx, int64_t *word, int64_t owner) {
    sc_share(owner);
    const int64_t before = std::exchange(*word, owner);
    if (before)
        sc_release(ctx, static_cast<uintptr_t>(before));
}

// (container, form, words, words of keys, which of those are floats, which words are owned, which
// words of keys are strings)
int64_t sc_container_start(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    ContainerLayout layout;
    layout.form = static_cast<ContainerForm>(in.number());
    layout.words = in.number();
    layout.keyWords = in.number();
    layout.floatWords = in.number();
    layout.ownedWords = in.number();
    layout.textWords = in.number();
    startContainer(ctx, c, layout);
    return 0;
}

// (container, object, changed, bytes, words): fills it from a Python object, by the form that the
// words spell.
int64_t sc_container_read(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    const int64_t object = in.number();
    const bool isChanged = in.number();
    const std::string form = in.constant();
    const bool done = containerReader && containerReader(ctx, c, object, form, isChanged);
    return done ? 0 : nativeFails;
}

// (container): its length; entry k is then item k of an iteration.
int64_t sc_container_compact(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    return compact(ctx, c) ? c.length : nativeFails;
}

// (container, container): whether they are one object.
int64_t sc_container_same(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Container *first = &containerIn(in);
    return first == &containerIn(in);
}

// (container, words of the key): the number of its entry, or -1.
int64_t sc_container_find(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Container &c = containerIn(in);
    int64_t key[mostKeyWords];
    takeKey(in, c, key);
    return findEntry(c, key, hashOf(c, key));
}

// (container, words of the key): the number of its entry, which is new where there was none.
int64_t sc_container_insert(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    int64_t key[mostKeyWords];
    takeKey(in, c, key);
    const int64_t hash = hashOf(c, key), found = findEntry(c, key, hash);
    return found >= 0 ? found : addEntry(ctx, c, key, hash);
}

// (instance, hash): what its __hash__ returned; it becomes a key.
int64_t sc_container_set_hash(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    Container &instance = containerIn(in);
    const int64_t hash = in.number();
    constexpr int64_t ofZero = int64_t(1) << 62; // 0: it is no key; the first slot is that of 0
    instance.keyHash = hash ? hash : ofZero;
    return 0;
}

// (container, entry, words of a key): the next entry after that one whose key has the same hash, or
// -1. The smallest number, since a probe may come twice to a slot.
int64_t sc_container_next_equal(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    const Container &c = containerIn(in);
    const int64_t after = in.number();
    int64_t key[mostKeyWords];
    takeKey(in, c, key);
    const int64_t hash = hashOf(c, key);
    int64_t next = INT32_MAX;
    if (c.length > 0)
        probe(c, hash, [&](size_t slot) {
            const int32_t at = c.table[slot];
            if (at > after && at < next && *entryAt(c, at) == hash)
                next = at;
            return at == emptySlot;
        });
    return next == INT32_MAX ? -1 : next;
}

// hash() of numbers, and of tuples: of the hashes of their items.
int64_t sc_hash_int(Context *, const int64_t *slots) { return pythonHash(*slots); }
int64_t sc_hash_float(Context *, const int64_t *slots) {
    return pythonHash(std::bit_cast<double>(*slots));
}
// (instance): of one whose class has no __hash__, as CPython's from the address.
int64_t sc_hash_object(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    return std::rotr(reinterpret_cast<uint64_t>(&containerIn(in)), 4);
}
int64_t sc_hash_tuple(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    std::vector<int64_t> hashes(static_cast<size_t>(in.number()));
    for (int64_t &hash : hashes)
        hash = in.number();
    return tupleHash(hashes.size(), [&](size_t k) { return hashes[k]; });
}

// (hash so far, hash of an item, -1), or (hash of all, 0, number of items): CPython's of a
// frozenset.
int64_t sc_hash_set(Context *, const int64_t *slots) {
    auto made = static_cast<uint64_t>(slots[0]);
    const auto item = static_cast<uint64_t>(slots[1]);
    if (slots[2] < 0)
        return static_cast<int64_t>(made ^ ((item ^ 89869747u) ^ (item << 16)) * 3644798167u);
    made ^= (static_cast<uint64_t>(slots[2]) + 1) * 1927868237u;
    made ^= made >> 11 ^ made >> 25;
    made = made * 69069u + 907133923u;
    return made == ~uint64_t{0} ? 590923713 : static_cast<int64_t>(made);
}

// primitives.hash_of_tuple
int64_t sc_hash_in_tuple(Context *, const int64_t *slots) {
    const auto made = static_cast<uint64_t>(slots[0]);
    if (slots[2] >= 0)
        return static_cast<int64_t>(hashOfTuple(made, static_cast<size_t>(slots[2])));
    return static_cast<int64_t>(withItem(made, static_cast<uint64_t>(slots[1])));
}

// (container, number of an entry)
int64_t sc_container_remove(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    removeEntry(c, in.number());
    return 0;
}

// (container)
int64_t sc_container_clear(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    releaseEntries(c, 0, c.used);
    std::free(std::exchange(c.entries, nullptr));
    std::free(std::exchange(c.table, nullptr));
    c.length = c.used = c.capacity = c.fill = c.finger = 0;
    c.tableMask = 0;
    return 0;
}

// (container): the last entry of a dict, or the one that CPython's set.pop() takes; -1: none.
int64_t sc_container_last(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    if (c.length == 0)
        return -1;
    if (c.form == ContainerForm::Dict) {
        int64_t at = c.used - 1;
        while (isRemoved(c, at))
            --at;
        return at;
    }
    int64_t slot = c.finger & c.tableMask;
    while (c.table[slot] < 0)
        slot = slot == c.tableMask ? 0 : slot + 1;
    c.finger = slot + 1;
    return c.table[slot];
}

// As CPython, which grows a table before it adds a set or dict.
static bool makeRoom(Context *ctx, Container &set, int64_t more) {
    if (!set.table && !makeTable(ctx, set, 8))
        return false;
    return (set.fill + more) * 5 < set.tableMask * 3 ||
           growSetTable(ctx, set, (set.length + more) * 2);
}

// (set, how many items of a set or dict are added next)
int64_t sc_container_room(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    return makeRoom(ctx, c, in.number()) ? 0 : nativeFails;
}

// (set, set with entries of the same kind): adds its items, as set.update() and copies of sets do.
int64_t sc_container_merge(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    const Container &other = containerIn(in);
    if (&c == &other || !other.table)
        return 0;
    if (!makeRoom(ctx, c, other.length))
        return nativeFails;
    const bool wasEmpty = c.fill == 0;
    const bool copiesTable =
        wasEmpty && c.tableMask == other.tableMask && other.fill == other.length;
    if (wasEmpty) {
        if (!reserve(ctx, c, other.length))
            return nativeFails;
        c.used = c.length = c.fill = other.length;
    }
    for (int64_t slot = 0, at = 0; slot <= other.tableMask; ++slot) {
        if (other.table[slot] < 0)
            continue;
        const int64_t *entry = entryAt(other, other.table[slot]);
        if (!wasEmpty) {
            if (findEntry(c, entry + 1, *entry) < 0) {
                const int64_t made = addEntry(ctx, c, entry + 1, *entry);
                if (made < 0)
                    return nativeFails;
                std::memcpy(entryAt(c, made), entry, static_cast<size_t>(c.words) * 8);
            }
            continue;
        }
        std::memcpy(entryAt(c, at), entry, static_cast<size_t>(c.words) * 8);
        if (copiesTable)
            c.table[slot] = static_cast<int32_t>(at);
        else
            probe(c, *entry, [&](size_t free) {
                if (c.table[free] != emptySlot)
                    return false;
                c.table[free] = static_cast<int32_t>(at);
                return true;
            });
        ++at;
    }
    for (int64_t at = 0; wasEmpty && at < c.used; ++at)
        for (int64_t k = 0; k < c.words; ++k)
            if (c.ownedWords >> k & 1)
                sc_share(entryAt(c, at)[k]);
    return 0;
}

// (list, length): longer by items of zeros, or shorter.
int64_t sc_container_resize(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    const int64_t length = in.number();
    if (length > c.capacity &&
        !reserve(ctx, c, std::max({int64_t{4}, length, c.capacity + c.capacity / 2})))
        return nativeFails;
    if (length > c.length)
        std::memset(entryAt(c, c.length), 0,
                    static_cast<size_t>((length - c.length) * c.words) * 8);
    else
        releaseEntries(c, length, c.length);
    c.length = c.used = length;
    return 0;
}

// (list, to, from): items from, from + 1, ... are moved to `to`; the places that they leave are
// zeros. For insertion (the list was made longer before), and deletion (it becomes shorter).
int64_t sc_container_move(Context *, const int64_t *slots) {
    NativeOperands in(slots);
    Container &c = containerIn(in);
    const int64_t to = in.number(), from = in.number(), size = c.words * 8;
    if (to > from) {
        std::memmove(entryAt(c, to), entryAt(c, from), static_cast<size_t>((c.length - to) * size));
        std::memset(entryAt(c, from), 0, static_cast<size_t>((to - from) * size));
        return 0;
    }
    releaseEntries(c, to, from);
    std::memmove(entryAt(c, to), entryAt(c, from), static_cast<size_t>((c.length - from) * size));
    const int64_t length = c.length - (from - to);
    if (c.ownedWords)
        std::memset(entryAt(c, length), 0, static_cast<size_t>((c.length - length) * size));
    c.length = c.used = length;
    return 0;
}
}

// NOLINTEND(clang-analyzer-core.*, clang-analyzer-security.ArrayBound)

SymbolTable containersSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_container_start>(),
        symbolOf<&sc_container_compact>(),
        symbolOf<&sc_container_read>(),
        symbolOf<&sc_container_same>(),
        symbolOf<&sc_container_find>(),
        symbolOf<&sc_container_insert>(),
        symbolOf<&sc_container_remove>(),
        symbolOf<&sc_container_set_hash>(),
        symbolOf<&sc_container_next_equal>(),
        symbolOf<&sc_hash_int>(),
        symbolOf<&sc_hash_float>(),
        symbolOf<&sc_hash_object>(),
        symbolOf<&sc_hash_tuple>(),
        symbolOf<&sc_hash_set>(),
        symbolOf<&sc_hash_in_tuple>(),
        symbolOf<&sc_container_clear>(),
        symbolOf<&sc_container_last>(),
        symbolOf<&sc_container_resize>(),
        symbolOf<&sc_container_move>(),
        symbolOf<&sc_container_merge>(),
        symbolOf<&sc_container_room>(),
        symbolOf<&sc_replace>(),
        symbolOf<&sc_share>(),
        symbolOf<&sc_lengthen>(),
        symbolOf<&sc_find_word>(),
        symbolOf<&sc_insert_word>(),
    };
    return table;
}

} // namespace shapecast::runtime
