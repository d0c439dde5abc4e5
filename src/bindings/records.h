// Objects from the records that compiled code hands over (runtime::PrintItem).
#pragma once

#include "bindings/results.h"

#include <string>
#include <vector>

namespace shapecast::bindings {

// Makes the objects of records, one after the other. The interpreter lock is held.
class RecordedValues {
    using Item = runtime::PrintItem;
    const Item *next, *end;

public:
    RecordedValues(const Item *items, int64_t count) : next(items), end(items + count) {}
    virtual ~RecordedValues() = default;

    bool atEnd() const { return next == end; }
    // Null and an exception set, or the next value; `wanted` false: passes over it, which gives
    // None.
    Ref take(bool wanted = true);

protected:
    struct Window { // of an array
        DType dtype;
        int rank;
        bool readonly;
        const int64_t *sizes, *strides; // in elements
        void *data;
        uintptr_t owner;
        PyObject *asArray() const; // on this memory, with nothing that keeps it
    };
    virtual PyObject *array(const Window &window); // a copy: what is called may keep it

private:
    Ref sequence(const Item &item, int64_t count, bool wanted);
    PyObject *single(const Item &item);
};

} // namespace shapecast::bindings
