// The lines that compiled code executes, where coverage is measured (python/shapecast/_lines.py).
#include "runtime/abi.h"
#include "runtime/symbols.h"

namespace shapecast::runtime {

// np.native (runtime/native.h) with (address, size, from, to): marks the step between two lines in
// a table of size x size bytes. A negative `from` is the line of the last call, which an int32
// before the table holds. Returns `to`. Threads store the same value.
extern "C" int64_t sc_line_step(Context *, const int64_t *slots) {
    auto *table = reinterpret_cast<char *>(slots[0]);
    auto *last = reinterpret_cast<int32_t *>(table) - 1;
    const int64_t size = slots[1], given = slots[2], to = slots[3];
    const int64_t from = given < 0 ? __atomic_load_n(last, __ATOMIC_RELAXED) : given;
    __atomic_store_n(&table[from * size + to], char(1), __ATOMIC_RELAXED);
    if (given < 0)
        __atomic_store_n(last, int32_t(to), __ATOMIC_RELAXED);
    return to;
}

SymbolTable coverageSymbols() {
    static const RuntimeSymbol table[] = {symbolOf<&sc_line_step>()};
    return table;
}

} // namespace shapecast::runtime
