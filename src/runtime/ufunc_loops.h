// The C loops of ufuncs, NumPy's and others', called without Python.
//
// A loop has a name that is the same in every process, "ufunc scipy.special.jv dd->d", which is
// also the symbol of its address in compiled code. Loops are never removed.
#pragma once

#include "runtime/abi.h"
#include "runtime/ufunc_loop.h"

#include <string>

namespace shapecast::runtime {

void addUfuncLoop(const std::string &name, const UfuncLoop &loop); // keeps the first of a name
const UfuncLoop *findUfuncLoop(const std::string &name);           // null: not added

// Whether the loop has set an exception in this thread, which may hold the GIL or not.
using Raised = bool (*)();
void setRaised(Raised raised);

extern "C" {
// For scalars: arguments in cells of 16 bytes, inputs first. Returns 0, or 1 with the exception
// set, of that site.
int32_t sc_ufunc_number(Context *ctx, const UfuncLoop *loop, char *cells, int64_t site);
// For arrays: slots (see native.h) of the loop's address, the site, the outputs, the inputs. The
// outputs have one shape, which the inputs broadcast to.
int64_t sc_ufunc_rows(Context *ctx, const int64_t *slots);
// For a generalised ufunc "(n),()->(m)": output, input, and the number for all rows. The last axes
// are (m) and (n); the output's leading axes are those that the input broadcasts to.
int64_t sc_ufunc_transform(Context *ctx, const int64_t *slots);
}

} // namespace shapecast::runtime
