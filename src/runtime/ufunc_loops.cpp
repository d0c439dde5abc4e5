// Iterates over the operands of a ufunc row by row, as its C loop expects (see ufunc_loops.h).
#include "runtime/ufunc_loops.h"
#include "runtime/fft.h"
#include "runtime/native.h"
#include "runtime/symbols.h"

#include <map>
#include <mutex>

namespace shapecast::runtime {
namespace {

Raised raised = nullptr;

struct Loops {
    std::mutex mutex;
    std::map<std::string, UfuncLoop> byName; // its nodes' addresses are stable
};

Loops &loops() {
    static auto *all = new Loops; // compiled code may run after static destructors did
    return *all;
}

int64_t outcome(Context *ctx, int64_t site) {
    if (!raised || !raised())
        return 0;
    ctx->error.site = site; // the caller finds the exception set
    return nativeFails;
}

// In bytes; 0 where an axis of size 1 is broadcast.
int64_t stepOf(const NativeArray &a, int64_t axis, int64_t size) {
    return a.sizes[axis] == 1 && size != 1 ? 0 : a.strides[axis] * a.itemSize();
}

const UfuncLoop *loopOf(NativeOperands &in) {
    return reinterpret_cast<const UfuncLoop *>(in.number());
}

} // namespace

void setRaised(Raised newRaised) { raised = newRaised; }

void addUfuncLoop(const std::string &name, const UfuncLoop &loop) {
    std::lock_guard lock(loops().mutex);
    if (!loops().byName.contains(name))
        loops().byName.emplace(name, replaceFftLoop(name, loop));
}

const UfuncLoop *findUfuncLoop(const std::string &name) {
    std::lock_guard lock(loops().mutex);
    auto found = loops().byName.find(name);
    return found == loops().byName.end() ? nullptr : &found->second;
}

extern "C" int32_t sc_ufunc_number(Context *ctx, const UfuncLoop *loop, char *cells, int64_t site) {
    char *arguments[maxLoopArguments];
    for (int k = 0; k < loop->inputs + loop->outputs; ++k)
        arguments[k] = cells + intptr_t(16) * k;
    const intptr_t one = 1;
    loop->function(arguments, &one, loop->itemSizes, loop->data);
    return outcome(ctx, site) != 0;
}

extern "C" int64_t sc_ufunc_rows(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const UfuncLoop *loop = loopOf(in);
    const int64_t site = in.number();
    const int count = loop->inputs + loop->outputs;
    NativeArray arrays[maxLoopArguments]; // in the loop's order: inputs first
    for (int k = 0; k < count; ++k)
        arrays[k < loop->outputs ? loop->inputs + k : k - loop->outputs] = in.array();
    const NativeArray &out = arrays[count - 1];
    Space<maxLoopArguments> space; // strides in bytes
    for (int64_t d = 0; d < out.rank; ++d) {
        int64_t along[maxLoopArguments] = {};
        for (int k = 0; k < count; ++k)
            if (const int64_t axis = d - out.rank + arrays[k].rank; axis >= 0)
                along[k] = stepOf(arrays[k], axis, out.sizes[d]);
        space.add(out.sizes[d], along);
    }
    space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
        char *at[maxLoopArguments];
        intptr_t by[maxLoopArguments];
        for (int k = 0; k < count; ++k) {
            at[k] = arrays[k].data + starts[k];
            by[k] = space.rank ? steps[k] : loop->itemSizes[k];
        }
        const intptr_t size = length;
        loop->function(at, &size, by, loop->data);
        return true;
    });
    return outcome(ctx, site);
}

extern "C" int64_t sc_ufunc_transform(Context *ctx, const int64_t *slots) {
    NativeOperands in(slots);
    const UfuncLoop *loop = loopOf(in);
    const int64_t site = in.number();
    const NativeArray out = in.array(), input = in.array(), number = in.array();
    const int64_t last = out.rank - 1;
    // An empty input is one zero: NumPy's irfft would read beyond it.
    static char zero[16] = {};
    const bool isEmpty = input.sizes[last] == 0;
    Space<2> space;
    for (int64_t d = 0; d < last; ++d)
        space.add(out.sizes[d], {stepOf(input, d, out.sizes[d]), out.strides[d] * out.itemSize()});
    space.rows([&](int64_t length, const int64_t *starts, const int64_t *steps) {
        char *at[] = {isEmpty ? zero : input.data + starts[0], number.data, out.data + starts[1]};
        const intptr_t sizes[] = {length, isEmpty ? 1 : input.sizes[last], out.sizes[last]};
        const intptr_t by[] = {isEmpty ? 0 : steps[0], 0, steps[1],
                               input.strides[last] * input.itemSize(),
                               out.strides[last] * out.itemSize()};
        loop->function(at, sizes, by, loop->data);
        return true;
    });
    return outcome(ctx, site);
}

static const RuntimeSymbol symbols[] = {
    symbolOf<&sc_ufunc_number>(),
    symbolOf<&sc_ufunc_rows>(),
    symbolOf<&sc_ufunc_transform>(),
};

SymbolTable ufuncLoopsSymbols() { return symbols; }

} // namespace shapecast::runtime
