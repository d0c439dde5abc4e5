// Called by re-check builds (see lower/function/recheck_code.cpp): verifies the compiler's claims
// about memory.
//
// For one execution of a loop nest all addresses are recorded first, in the order of its iterators;
// then the claims are checked, before the nest itself runs.
#include "runtime/recheck.h"
#include "runtime/memory.h"
#include "runtime/symbols.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace shapecast::runtime {
namespace {

// Beyond this many points only the corners of the iteration space are visited, and the order is not
// checked.
constexpr int64_t maxPoints = 1 << 20;

struct Extent {
    const char *low = nullptr, *high = nullptr;
    bool holds(const char *address, int64_t bytes) const {
        return address >= low && address + bytes <= high;
    }
};

// `table` has the extent of each array argument of the function that is running.
Extent extentOf(const Context *ctx, const Extent *table, uintptr_t owner) {
    if (owner & ownerArgument)
        return table[owner >> 2];
    const char *data = static_cast<const char *>(bufferOf(owner & ~ownerArgument));
    for (const Buffer *buffer = ctx->live; buffer; buffer = buffer->next)
        if (reinterpret_cast<const char *>(buffer) + bufferHeader == data)
            return {data, data + buffer->bytes};
    return {}; // freed
}

struct Access { // at one point of the iteration space
    const char *address;
    int64_t point;
    bool operator<(const Access &other) const {
        return address != other.address ? address < other.address : point < other.point;
    }
};

struct Operand {
    Extent extent;
    int64_t bytes = 0, group = 0;
    int64_t noAlias = -1; // the pointer's number, if it is claimed not to alias any other
    int64_t pointer = 0;
    bool written = false, inBounds = true, inside = true, sorted = false;
    const char *low = nullptr, *high = nullptr; // bytes accessed, [low, high)
    std::vector<Access> accesses;

    bool overlaps(const Operand &other) const { return low < other.high && other.low < high; }
    void sort() {
        if (!std::exchange(sorted, true))
            std::sort(accesses.begin(), accesses.end());
    }
};

struct Nest {
    std::vector<int64_t> sizes, order; // order: 1 up, -1 down, 0 any; of the parallel iterators
    std::vector<Operand> operands;
    int64_t reducedPoints = 1; // per point of the parallel iterators
    bool complete = true;

    Recheck check();

private:
    bool isBefore(int64_t first, int64_t second) const;
    Recheck::Claim checkPair(Operand &write, Operand &other);
    bool isStoredInOrder(Operand &write) const;
};

// Does the parallel point `first` run before `second`, or is it the same, in every order allowed?
bool Nest::isBefore(int64_t first, int64_t second) const {
    int64_t rest = 1;
    for (size_t k = 0; k < order.size(); ++k)
        rest *= sizes[k];
    for (size_t k = 0; k < order.size() && first != second; ++k) {
        rest /= sizes[k];
        const int64_t a = first / rest, b = second / rest;
        if (a != b)
            return order[k] != 0 && (order[k] > 0 ? a < b : a > b);
        first %= rest;
        second %= rest;
    }
    return true;
}

// Calls `visit(access of a, access of b)` for pairs that share bytes, until it returns false.
template <class Visit> bool forShared(Operand &a, Operand &b, Visit visit) {
    a.sort();
    b.sort();
    auto first = a.accesses.begin();
    for (const Access &access : b.accesses) {
        while (first != a.accesses.end() && first->address + a.bytes <= access.address)
            ++first;
        for (auto it = first; it != a.accesses.end() && it->address < access.address + b.bytes;
             ++it)
            if (!visit(*it, access))
                return false;
    }
    return true;
}

// A read must precede the write of the same bytes (an anti-dependence).
Recheck::Claim Nest::checkPair(Operand &write, Operand &other) {
    if (!write.overlaps(other))
        return Recheck::None;
    Recheck::Claim broken = Recheck::None;
    forShared(write, other, [&](const Access &w, const Access &o) {
        const bool claimed =
            write.pointer != other.pointer && (write.noAlias >= 0 || other.noAlias >= 0);
        if (write.group != other.group)
            broken = Recheck::Groups;
        else if (claimed)
            broken = Recheck::NoAlias;
        else if (!other.written && !isBefore(o.point, w.point))
            broken = Recheck::Order;
        return broken == Recheck::None;
    });
    return broken;
}

// Of two stores to the same bytes the later one in program order runs last (output dependences).
bool Nest::isStoredInOrder(Operand &write) const {
    write.sort();
    for (size_t k = 1; k < write.accesses.size(); ++k)
        if (write.accesses[k - 1].address == write.accesses[k].address &&
            !isBefore(write.accesses[k - 1].point, write.accesses[k].point))
            return false;
    return true;
}

Recheck Nest::check() {
    for (size_t k = 0; k < operands.size(); ++k) {
        if (!operands[k].inBounds)
            return {Recheck::Bounds, int64_t(k)};
        if (!operands[k].inside)
            return {Recheck::Buffer, int64_t(k)};
    }
    for (size_t k = 0; complete && k < operands.size(); ++k) {
        if (!operands[k].written)
            continue;
        if (!isStoredInOrder(operands[k]))
            return {Recheck::Order, int64_t(k)};
        for (size_t j = 0; j < operands.size(); ++j)
            if (Recheck::Claim broken =
                    j == k ? Recheck::None : checkPair(operands[k], operands[j]))
                return {broken, int64_t(j)};
    }
    return {};
}

thread_local Nest nest; // the one whose addresses are being recorded

} // namespace

// slots: iterators, reduced ones, operands; the sizes; the order (0 for reduced iterators); for
// each operand: owner, bytes of an element, written, group, pointer, whether it is claimed noalias.
// Returns whether all points are to be visited.
extern "C" int64_t sc_recheck_begin(Context *ctx, const int64_t *slots, const int64_t *table) {
    const int64_t iterators = slots[0], reduced = slots[1], operands = slots[2];
    nest = {};
    nest.sizes.assign(slots + 3, slots + 3 + iterators);
    const int64_t *next = slots + 3 + iterators;
    nest.order.assign(next, next + iterators - reduced);
    next += iterators;
    double points = 1;
    for (int64_t k = 0; k < iterators; ++k) {
        points *= double(nest.sizes[size_t(k)]);
        if (k >= iterators - reduced)
            nest.reducedPoints *= nest.sizes[size_t(k)];
    }
    nest.complete = points <= double(maxPoints);
    for (int64_t k = 0; k < operands; ++k, next += 6) {
        Operand operand;
        operand.extent =
            extentOf(ctx, reinterpret_cast<const Extent *>(table), static_cast<uintptr_t>(next[0]));
        operand.bytes = next[1];
        operand.written = next[2];
        operand.group = next[3];
        operand.pointer = next[4];
        operand.noAlias = next[5] ? next[4] : -1;
        nest.operands.push_back(std::move(operand));
    }
    return nest.complete;
}

extern "C" void sc_recheck_access(int64_t number, const char *address, int64_t point,
                                  int64_t inBounds) {
    Operand &operand = nest.operands[size_t(number)];
    operand.inBounds &= inBounds != 0;
    operand.inside &= operand.extent.holds(address, operand.bytes);
    operand.low = operand.low ? std::min(operand.low, address) : address;
    operand.high = std::max(operand.high, address + operand.bytes);
    if (!nest.complete || (operand.written && point % nest.reducedPoints != 0))
        return; // a reduction is stored once
    operand.accesses.push_back({address, point / nest.reducedPoints});
}

// 0, or 8 * operand + claim.
extern "C" int64_t sc_recheck_end() {
    const Recheck result = nest.check();
    nest = {};
    return 8 * result.operand + result.claim;
}

extern "C" int64_t sc_recheck_element(const Context *ctx, const int64_t *table, int64_t owner,
                                      const char *address, int64_t bytes) {
    return extentOf(ctx, reinterpret_cast<const Extent *>(table), static_cast<uintptr_t>(owner))
        .holds(address, bytes);
}

// Fills in an argument's entry of the table. slots: pointer, sizes[rank], strides[rank].
extern "C" void sc_recheck_argument(int64_t *entry, const int64_t *slots, int64_t rank,
                                    int64_t bytes) {
    const char *data = reinterpret_cast<const char *>(slots[0]);
    Extent extent{data, data + bytes};
    for (int64_t d = 0; d < rank; ++d) {
        const int64_t reach = (slots[1 + d] - 1) * slots[1 + rank + d] * bytes;
        (reach < 0 ? extent.low : extent.high) += reach;
    }
    for (int64_t d = 0; d < rank; ++d)
        if (slots[1 + d] == 0)
            extent = {};
    *reinterpret_cast<Extent *>(entry) = extent;
}

SymbolTable recheckSymbols() {
    static const RuntimeSymbol table[] = {
        symbolOf<&sc_recheck_begin>(),    symbolOf<&sc_recheck_access>(),
        symbolOf<&sc_recheck_end>(),      symbolOf<&sc_recheck_element>(),
        symbolOf<&sc_recheck_argument>(),
    };
    return table;
}

} // namespace shapecast::runtime
