// Containers in memory against std::map and std::vector, by random operations: dicts, sets, and
// lists of lists, and what they own. For AddressSanitizer, too.
#include "runtime/containers.h"
#include "runtime/memory.h"
#include "runtime/symbols.h"

#include <cassert>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace shapecast::runtime;

namespace {

Context ctx;
std::mt19937_64 random_(1);

int64_t below(int64_t n) { return int64_t(random_() % uint64_t(n)); }
int64_t word(const Container *c) { return reinterpret_cast<int64_t>(c); }

// sc_container_<name>(container, more ...)
int64_t call(const std::string &name, Container *c, std::vector<int64_t> more = {}) {
    using Native = int64_t (*)(Context *, const int64_t *);
    auto function = reinterpret_cast<Native>(findRuntimeSymbol("sc_container_" + name)->address);
    std::vector<int64_t> slots{'l' + 256, word(c), containerWords, 1};
    slots.insert(slots.end(), more.begin(), more.end());
    return function(&ctx, slots.data());
}

Container *make(ContainerForm form, int64_t words, int64_t keyWords, int64_t ownedWords = 0) {
    auto *c = static_cast<Container *>(sc_alloc(&ctx, sizeof(Container)));
    call("start", c, {int64_t(form), words, keyWords, 0, ownedWords, 0});
    return c;
}

void release(Container *c) { sc_release(&ctx, uintptr_t(word(c))); }

using Key = std::vector<int64_t>;

void checkCopy(Container *set, const std::map<Key, int64_t> &expected) {
    Container *copy = make(ContainerForm::Set, set->words, set->keyWords);
    call("merge", copy, {'l' + 256, word(set), containerWords, 1});
    assert(copy->length == set->length);
    for (const auto &[key, value] : expected)
        assert(call("find", copy, key) >= 0);
    call("merge", set, {'l' + 256, word(copy), containerWords, 1});
    release(copy);
}

void removeLast(Container *c, std::map<Key, int64_t> &expected) {
    const int64_t at = call("last", c);
    const int64_t *key = c->entries + at * c->words + 1;
    assert(expected.erase(Key(key, key + c->keyWords)));
    call("remove", c, {at});
}

void testKeys(ContainerForm form, int64_t keyWords) {
    const bool isDict = form == ContainerForm::Dict;
    Container *c = make(form, 1 + keyWords + isDict, keyWords);
    std::map<Key, int64_t> expected;
    const int64_t range = 3 + below(300);
    for (int64_t step = 0; step < 3000; ++step) {
        Key key;
        for (int64_t k = 0; k < keyWords; ++k)
            key.push_back(below(range) - 5);
        const int64_t what = below(100);
        if (what < 40) {
            const int64_t at = call("insert", c, key);
            assert(at >= 0 && at < c->used);
            if (isDict)
                c->entries[at * c->words + 1 + keyWords] = step;
            expected[key] = step;
        } else if (what < 80) {
            const int64_t at = call("find", c, key);
            assert((at >= 0) == (expected.count(key) == 1));
            if (at >= 0 && isDict)
                assert(c->entries[at * c->words + 1 + keyWords] == expected[key]);
            if (at >= 0 && what < 60) {
                call("remove", c, {at});
                expected.erase(key);
            }
        } else if (what < 82) {
            assert(call("compact", c) == c->length && c->used == c->length);
        } else if (what < 87 && c->length) {
            removeLast(c, expected);
        } else if (what == 87 && !isDict) {
            checkCopy(c, expected);
        } else if (what == 88 && step % 20 == 0) {
            call("clear", c);
            expected.clear();
        }
        assert(c->length == int64_t(expected.size()));
    }
    release(c);
}

void testLists(bool endsByError) {
    Container *rows = make(ContainerForm::List, 1, 0, 1);
    std::vector<int64_t> expected;
    for (int step = 0; step < 500; ++step) {
        const auto length = int64_t(expected.size());
        const int64_t what = below(20), at = below(length + 1);
        if (what < 10) {
            Container *row = make(ContainerForm::List, 1, 0);
            call("resize", row, {below(9)});
            call("resize", rows, {length + 1});
            call("move", rows, {at + 1, at});
            sc_replace(&ctx, &rows->entries[at], word(row));
            release(row);
            expected.insert(expected.begin() + at, word(row));
        } else if (what < 15 && at < length) {
            call("move", rows, {at, at + 1});
            expected.erase(expected.begin() + at);
        } else if (what == 15) {
            call("resize", rows, {at});
            expected.resize(size_t(at));
        } else if (at < length) { // one row in two places
            const int64_t other = below(length);
            sc_replace(&ctx, &rows->entries[at], rows->entries[other]);
            expected[size_t(at)] = expected[size_t(other)];
        }
        assert(rows->length == int64_t(expected.size()));
        for (size_t k = 0; k < expected.size(); ++k)
            assert(rows->entries[k] == expected[k]);
    }
    endsByError ? releaseAll(&ctx) : release(rows);
    assert(liveAllocations() == 0);
}

void testHashes() { // CPython's
    assert(pythonHash(int64_t{-1}) == -2 && pythonHash(int64_t{5}) == 5);
    assert(pythonHash((int64_t{1} << 61) - 1) == 0 && pythonHash(INT64_MIN) == -4);
    assert(pythonHash(3.0) == 3 && pythonHash(-1.0) == -2 && pythonHash(-0.0) == 0);
    assert(pythonHash(0.5) == 1152921504606846976 && pythonHash(0.1) == 230584300921369408);
    assert(pythonHash(1e300) == 1224995262755759164);
}

} // namespace

int main() {
    testHashes();
    for (int round = 0; round < 50; ++round)
        for (int64_t keyWords = 1; keyWords <= 3; ++keyWords) {
            testKeys(ContainerForm::Dict, keyWords);
            testKeys(ContainerForm::Set, keyWords);
        }
    for (int round = 0; round < 100; ++round)
        testLists(round % 2);
    std::puts("containers: passed");
}
