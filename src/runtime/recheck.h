// Claims of the compiler, checked at run time: lower/function/recheck_code.cpp.
#pragma once

#include "runtime/abi.h"
#include "runtime/memory.h"

namespace shapecast::runtime {

// Result of sc_recheck_end for a loop nest: the claim that does not hold, and for which operand.
struct Recheck {
    enum Claim { None, Bounds, Buffer, Groups, NoAlias, Order } claim = None;
    int64_t operand = 0;
};

extern "C" {
// Of lower/function/recheck_code.cpp: see recheck.cpp.
void sc_recheck_argument(int64_t *entry, const int64_t *slots, int64_t rank, int64_t bytes);
int64_t sc_recheck_element(const Context *ctx, const int64_t *table, int64_t owner,
                           const char *address, int64_t bytes);
int64_t sc_recheck_begin(Context *ctx, const int64_t *slots, const int64_t *table);
void sc_recheck_access(int64_t number, const char *address, int64_t point, int64_t inBounds);
int64_t sc_recheck_end();
}

} // namespace shapecast::runtime
