// The C loops of ufuncs, NumPy's and others', called without Python.
//
// A loop goes by a name that means the same in every process, "ufunc scipy.special.jv dd->d", which
// is also the symbol by which compiled code has its address. Loops stay for the life of the
// process.
#pragma once

#include "runtime/abi.h"

#include <string>

namespace shapecast::runtime {

inline constexpr int mostLoopArguments = 8; // inputs and outputs

struct UfuncLoop {
    using Function = void (*)(char **arguments, const intptr_t *sizes, const intptr_t *steps,
                              void *data);
    Function function;
    void *data;
    int inputs, outputs;
    intptr_t itemSizes[mostLoopArguments];
};

void addUfuncLoop(const std::string &name, const UfuncLoop &loop); // the first of a name stays
const UfuncLoop *findUfuncLoop(const std::string &name);           // null: not added

// Whether the loop that ran has raised in this thread, with Python's lock or without.
using Raised = bool (*)();
void setRaised(Raised raised);

extern "C" {
// For numbers: an argument each 16 bytes, inputs first. 0, or 1 with the exception set, of that
// site.
int32_t sc_ufunc_number(Context *ctx, const UfuncLoop *loop, char *cells, int64_t site);
// For arrays: slots as native.h explains them, of the loop's address, the site, the outputs, the
// inputs. The outputs are of one shape, which the inputs broadcast to.
int64_t sc_ufunc_rows(Context *ctx, const int64_t *slots);
// For a generalised ufunc "(n),()->(m)": output, input, and the number that goes with each row. The
// last axes are (m) and (n), those before are equal.
int64_t sc_ufunc_transform(Context *ctx, const int64_t *slots);
}

} // namespace shapecast::runtime
