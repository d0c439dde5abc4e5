// The C loop of a ufunc, as NumPy describes it.
#pragma once

#include <cstdint>

namespace shapecast::runtime {

inline constexpr int maxLoopArguments = 8; // inputs and outputs

struct UfuncLoop {
    using Function = void (*)(char **arguments, const intptr_t *sizes, const intptr_t *steps,
                              void *data);
    Function function;
    void *data;
    int inputs, outputs;
    intptr_t itemSizes[maxLoopArguments];
};

} // namespace shapecast::runtime
