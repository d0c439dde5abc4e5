// Binds the arguments of a call to the parameters.
#pragma once

#include "bindings/cache/variants.h"

namespace shapecast::bindings {

// Positional and keyword arguments in the order of the parameters, defaults filled in.
struct BoundArguments {
    llvm::SmallVector<PyObject *, 16> objects;
    Ref varArgs, varKeywords; // of *args and **kwargs: the last of `objects`
    Ref defaults;             // of the function, which could get others during the call
    std::vector<Ref> keywordDefaults;
};
// False with an exception set, Python's own TypeError where the arguments do not fit.
bool bindArguments(JittedFunction &function, PyObject *const *arguments, Py_ssize_t positional,
                   PyObject *keywords, BoundArguments &bound);

} // namespace shapecast::bindings
