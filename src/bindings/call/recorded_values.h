// Python objects from the records that compiled code passes (runtime::PrintItem).
#pragma once

#include "capture/python.h"
#include "facts/dtype.h"
#include "runtime/abi.h"
#include "runtime/callbacks.h"

namespace shapecast::bindings {

// Makes the objects of records, one after the other. The interpreter lock is held.
class RecordedValues {
    using Item = runtime::PrintItem;
    const Item *next, *end;

public:
    RecordedValues(const Item *items, int64_t count) : next(items), end(items + count) {}
    virtual ~RecordedValues() = default;

    bool atEnd() const { return next == end; }
    // The next value, or null with an exception set. `wanted` false: skips it and returns None.
    Ref take(bool wanted = true);

protected:
    struct Window { // a view of an array
        DType dtype;
        int rank;
        bool readonly;
        const int64_t *sizes, *strides; // in elements
        void *data;
        uintptr_t owner;
        PyObject *asArray() const; // does not own or keep the memory
    };
    virtual PyObject *array(const Window &window); // a copy: the callee may keep it

private:
    Ref sequence(const Item &item, int64_t count, bool wanted);
    PyObject *single(const Item &item);
};

// print() and `raise` with values of compiled code; they take the interpreter lock.
int32_t printItems(runtime::Context *ctx, const runtime::PrintItem *items, int64_t count);
void raiseItems(runtime::Context *ctx, const runtime::PrintItem *items, int64_t count);

Ref callNamed(const char *name, PyObject *arguments); // see python/shapecast/_objects.py

} // namespace shapecast::bindings
