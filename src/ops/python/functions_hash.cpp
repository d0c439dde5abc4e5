// hash(), and what lookups of instances need whose classes define __eq__.
#include "ops/builder/conversions.h"
#include "ops/builder/elements.h"
#include "ops/builder/function.h"
#include "ops/builder/heap.h"
#include "ops/builder/heap_text.h"
#include "ops/builder/memory.h"
#include "ops/builder/object_keys.h"
#include "ops/builder/record_class.h"
#include "ops/tables.h"

using namespace mlir;
using namespace shapecast;
using namespace shapecast::np;

static Val number(TypedBuilder &e, StringRef name, ArrayRef<Val> written, ArrayRef<Val> read) {
    return toPy(e, native(e, name, written, read, "", "", scalarType(e.ctx, DType::I64)),
                PyKind::Int);
}

Val shapecast::tupleHash(TypedBuilder &e, ArrayRef<Val> hashes) {
    SmallVector<Val> operands{e.intVal(int64_t(hashes.size()))};
    llvm::append_range(operands, hashes);
    return number(e, "hash_tuple", {}, operands);
}

static Val hashOf(TypedBuilder &e, const Val &v) {
    constexpr int64_t ofNone = 0xfca86420; // from Python 3.12 on; before, of an address
    if (v.isNone())
        return e.intVal(ofNone);
    if (v.isText())
        return textFunction(e, "hash", {v});
    if (v.isTuple() && !v.list)
        return tupleHash(e, llvm::map_to_vector(v.items.read(),
                                                [&](const Val &item) { return hashOf(e, item); }));
    if (!v.recordWords().empty() && !isValueRecord(v)) { // by identity
        objectAsKey(e, v);
        return number(e, "hash_object", {}, v.items[0]);
    }
    if (v.isArray() || isContainer(v) || (isHeap(v) && !isHeapObject(v)))
        e.fail("TypeError", "unhashable type: '" + v.className() + "'");
    if (!v.isScalar() || v.weakFlag || isComplex(operandType(v.type())->dtype) ||
        operandType(v.type())->dtype == DType::U64)
        e.unsupported("hash() of " + v.describe() +
                      " is not supported; use one of what it is made of");
    if (isFloat(operandType(v.type())->dtype))
        return number(e, "hash_float", {}, toPy(e, v, PyKind::Float));
    return number(e, "hash_int", {}, toPy(e, v, PyKind::Int));
}

static Val hash(TypedBuilder &e, const Arguments &in) { return hashOf(e, in["obj"]); }

//===-- Primitives of the library (python/shapecast/library/object_keys.py)

static Val setHash(TypedBuilder &e, const Arguments &in) {
    number(e, "container_set_hash", in["key"].items[0], in["hash"]);
    return e.noneVal();
}

static Val nextEqual(TypedBuilder &e, const Arguments &in) {
    return number(e, "container_next_equal", {},
                  {in["container"].items[0], in["key"].items[0], in["after"]});
}

static Val keyAt(TypedBuilder &e, const Arguments &in) {
    return heapKeyAt(e, in["container"], in["index"]);
}

static Val hashOfSet(TypedBuilder &e, const Arguments &in) {
    return number(e, "hash_set", {}, {in["made"], in["item"], in["size"]});
}

static Val hasInstances(TypedBuilder &e, const Arguments &in) {
    const Val &container = in["container"];
    return e.boolVal(isHeap(container) && isObjectForm(heapKeySlot(container).attr));
}

ArrayRef<Function> shapecast::hashFunctions() {
    static const Function list[] = {
        {"builtins.hash", "obj", hash},
        {"shapecast.library.primitives.set_hash", "key, hash", setHash},
        {"shapecast.library.primitives.next_equal", "container, key, after", nextEqual},
        {"shapecast.library.primitives.hash_of_set", "made, item, size", hashOfSet},
        {"shapecast.library.primitives.has_instances", "container", hasInstances},
        {"shapecast.library.primitives.key_at", "container, index", keyAt},
    };
    return list;
}
