#include "ops/builder/thunks.h"

#include "ops/builder/heap_sites.h"
#include "ops/builder/memory.h"
#include "ops/builder/stores.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

// Arrays are copied; everything else is immutable.
static Val snapshot(TypedBuilder &e, const Val &v) {
    if (ArrayType array = v.array()) {
        Layout layout = array.getLayout() == Layout::F ? Layout::F : Layout::C;
        Val copy = alloc(e, dimsOf(v), e.operandOf(v).dtype, layout);
        assign(e, copy, v);
        return copy;
    }
    if (v.kind == Val::Kind::Text || isHeap(v)) // an exception holds the very container
        return v;
    Val result = v;
    for (Val &item : result.items)
        item = snapshot(e, item);
    return result;
}

Val shapecast::objectVal(TypedBuilder &e, StringRef kind, StringRef callee,
                         ArrayRef<Val> arguments) {
    Val v;
    v.kind = Val::Kind::Object;
    v.attr = PyAttr::get(e.ctx, kind, callee);
    for (const Val &argument : arguments) {
        if (argument.kind == Val::Kind::Slice || argument.kind == Val::Kind::Range ||
            argument.kind == Val::Kind::Function)
            e.unsupported("a string with " + argument.describe() + " in it is not supported");
        v.items.push_back(snapshot(e, argument));
    }
    return v;
}
